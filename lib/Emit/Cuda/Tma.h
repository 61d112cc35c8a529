// Copies by TMA, and copies to a peer.
#pragma once

#include "Emit/Cuda/Views.h"

namespace sluice::cuda {

class TmaPrinter : public ViewPrinter {
public:
  using ViewPrinter::ViewPrinter;

  void tmaLoad(const TmaLoad &o);
  void tmaStore(const TmaStore &o);
  void remoteCopy(const RemoteCopy &o);
  void prefetch(const Prefetch &o);
  std::string copyAddress(const Buffer &b, const View &v);
  bool hasPolicies() const { return policies_; }
  bool isOfPairs() const { return ofPairs_; }

private:
  void lineLoad(const TmaLoad &o);
  void remoteStore(const RemoteCopy &o);
  std::string policy(CachePolicy policy);
  struct Boxes;
  std::optional<Boxes> boxes(const View &tensor, const View &buffer, bool store);
  void mapBoxes(Boxes &boxes, const View &tensor, Layout layout, bool store);
  Layout layoutOfLoad(const View &box) const;

  bool policies_ = false; // of L2
  bool ofPairs_ = false;  // a load completes bytes on a barrier of the peer
};

} // namespace sluice::cuda

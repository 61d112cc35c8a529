// The operations on data of a canonical run: copies, loads, stores, products of warpgroups, numbers
// that agents hand on, and the fences between the proxies.
#pragma once

#include "Verify/RunPart.h"

#include <map>

namespace sluice {

class RunData : public RunPart {
public:
  using RunPart::RunPart;

  Step tmaLoad(Actor &a, const Stmt &s, const TmaLoad &op);
  Step tmaStore(Actor &a, const Stmt &s, const TmaStore &op);
  Step wgmma(Actor &a, const Stmt &s, const Wgmma &op);
  Step mmad(Actor &a, const Stmt &s, const Mmad &op);
  Step map(Actor &a, const Stmt &s, const Map &op);
  Step copy(Actor &a, const Stmt &s, const Copy &op);
  Step crossing(Actor &a, const Stmt &s, const Copy &op, int64_t tag);
  Step synchronous(Actor &a, const Stmt &s, const std::vector<Use> &uses, int64_t tag = -1);
  Step raw(Actor &a, const Stmt &s, const Raw &op);
  bool access(Actor &a, const Stmt &s, const Use &use, const Access &access, int cta,
              const Strands &who, const Rows &rows);

  // RunNumbers.cpp
  Step scalarWrite(Actor &a, const Stmt &s, const ScalarWrite &op);
  Step scalarRead(Actor &a, const Stmt &s, const ScalarRead &op);
  Rows remoteRows(const Actor &a, const Stmt &s, const RemoteCopy &op) const;
  int64_t remoteBytes(const Rows &rows, const RemoteCopy &op) const;
  Step remoteCopy(Actor &a, const Stmt &s, const RemoteCopy &op);

  Step fence(Actor &a, const Stmt &s, const Fence &op);

  /// The end of the next copy of a statement that completes its bytes on a barrier.
  Stamp nextLoad(const Actor &a, const Stmt &s, const BarrierPlace &b);

private:
  bool isNumberOf(const Access &write, int object, Interval bytes) const;
  Step mixes(const Actor &a, const Stmt &s, const ScalarRead &op, const Cell &cell);
  void copyNumber(Actor &a, const Stmt &s, const RemoteCopy &op, Access &written);
  int ctaOfBytes(int32_t component) const;
  /// Components whose generic writes lie in the shared memory of a CTA.
  const std::vector<int32_t> &writersOf(int cta);
  void fenceProxy(const Actor &a, Knowledge &k);
  void observeFence(const Actor &a, const Stmt &s, const Strands &who);

  std::map<int32_t, uint32_t> loads_;         // component of a chain of loads -> loads so far
  std::vector<std::vector<int32_t>> writers_; // by CTA, of the first `listed_` components
  int32_t listed_ = 0;
};

} // namespace sluice

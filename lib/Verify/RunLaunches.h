// Clusters of the grid that are asked for before they are launched (clusterlaunchcontrol), and what
// a CTA has learnt of the responses (R46).
#pragma once

#include "Verify/RunPart.h"

#include <map>

namespace sluice {

class RunLaunches : public RunPart {
public:
  using RunPart::RunPart;

  /// In the runs of one launch, one of the many orders that there are.
  static constexpr int64_t mostGiven = 64;

  Step tryCancel(Actor &a, const Stmt &s, const ClcTryCancel &op);
  /// Of a response that says `number`.
  void query(Actor &a, const Stmt &s, Affine number);
  /// At exit.
  bool askedTooLate();

private:
  friend class NormalForm;

  /// A query, and a request of its CTA that nothing puts before it.
  struct Race {
    BarrierEvent query, request;
    Affine number;
  };
  /// What a CTA has done.
  struct Asking {
    std::map<int32_t, BarrierEvent> requests; // the last of each agent
    std::map<Affine, BarrierEvent> open;      // numbers that it has read and that may be none
  };

  bool everyCtaMayBeAbsent(const Actor &a, const Stmt &s);
  Affine nextNumber(const Actor &a);
  bool isGiven(Affine number) const;
  void forgetGiven();
  bool refuseLate(const BarrierEvent &request, const BarrierEvent &query);

  std::map<int, Asking> asking_; // by CTA
  std::vector<Race> races_;
  int64_t requests_ = 0; // of the cluster
};

} // namespace sluice

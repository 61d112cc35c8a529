// Ascend: the event flags between the pipes of a core, and between cores.
#pragma once

#include "Simulate/AllCores.h"
#include "Simulate/UnitPart.h"

#include <tuple>

namespace sluice {

class UnitFlags : public UnitPart {
public:
  UnitFlags(const UnitLinks &links, AllCores &allCores) : UnitPart(links), allCores_(allCores) {}

  Step setFlag(Actor &a, const Stmt &s, const SetFlag &op);
  Step waitFlag(Actor &a, const WaitFlag &op);
  Step crossSet(Actor &a, const Stmt &s, const CrossSet &op);
  Step crossWait(Actor &a, const CrossWait &op);
  /// "counts 1 and 0": of the flag that an agent waits for.
  std::string crossCounts(const Actor &a, int64_t id);
  /// Fails for flags that are left set.
  void exitChecks();

private:
  struct FlagSlot {
    FlagState state;
    double setAt = 0;
    int waiter = -1;
  };
  struct CrossSlot {
    CrossFlagState state[2]; // one per AIV
    double setAt = 0;
    std::vector<int> waiters;
  };
  using FlagKey = std::tuple<int, Pipe, Pipe, int64_t>; // CTA, pipes, id

  bool crossPasses(const Actor &a, const CrossSlot &slot) const;
  void crossTake(const Actor &a, CrossSlot &slot);
  bool isOnVector(const Actor &a) const { return ctas_[a.cta].core != "aic"; }
  /// Whether a flag of this id is that of the meeting of all cores.
  bool isForAll(const Actor &a, int64_t id) const;
  /// The number of its core among those of its kind.
  int64_t coreNumber(const Actor &a) const;
  Step setForAll(Actor &a, const CrossSet &op);
  Step waitForAll(Actor &a, int64_t id);

  AllCores &allCores_;

  std::map<FlagKey, FlagSlot> flags_;
  std::map<std::pair<int, int64_t>, CrossSlot> cross_; // (0: to AIV, 1: to AIC; id)
};

} // namespace sluice

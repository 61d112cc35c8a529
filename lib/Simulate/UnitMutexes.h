// Ascend 950: the mutexes between the pipes of a core.
#pragma once

#include "Simulate/UnitPart.h"

namespace sluice {

class UnitMutexes : public UnitPart {
public:
  using UnitPart::UnitPart;

  /// A statement of the agent's own pipe.
  Step take(Actor &a, const Stmt &s, const Mutex &op);
  /// One of another pipe, which the agent goes past.
  void count(const Actor &a, const Mutex &op);
  /// Fails for a mutex that is left locked.
  void exitChecks();

private:
  struct Waiter {
    int actor;
    int64_t unlocks; // that it waits for
  };
  struct State {
    int64_t unlocked = 0;
    double unlockedAt = 0;
    Pipe holder = Pipe::none;
    std::vector<Waiter> waiters;
    std::map<int, int64_t> passed; // unlocks that an agent has gone past
  };

  Step lock(Actor &a, const Stmt &s, const Mutex &op, State &m);
  Step unlock(Actor &a, const Stmt &s, const Mutex &op, State &m);
  State &stateOf(const Actor &a, const Mutex &op);

  std::map<std::pair<int, int64_t>, State> mutexes_; // CTA, id
};

} // namespace sluice

// The mutexes of Ascend 950 in a canonical run (R49). Every agent that counts one goes past all of
// its locks and unlocks in the order of the stream; those of its own pipe it executes.
#pragma once

#include "Verify/RunPart.h"

#include <map>
#include <string>
#include <utility>

namespace sluice {

class RunMutexes : public RunPart {
public:
  using RunPart::RunPart;

  Step take(Actor &a, const Stmt &s, const Mutex &op);
  /// At exit.
  bool leftLocked();

private:
  friend class NormalForm;

  /// What an agent has gone past.
  struct Walked {
    int64_t passed = 0;         // unlocks
    const Stmt *open = nullptr; // the lock that no unlock has followed so far
  };
  struct State {
    int64_t unlocked = 0;
    Pipe by = Pipe::none; // who unlocked it last
    Knowledge carried;
    std::map<int32_t, Walked> walked; // by agent
    std::vector<int32_t> blocked;
  };

  Step lock(Actor &a, const Stmt &s, const Mutex &op, State &m);
  Step unlock(Actor &a, const Stmt &s, const Mutex &op, State &m);
  std::string nameOfId(const Actor &a, const Mutex &op) const;

  std::map<std::pair<std::string, int64_t>, State> mutexes_; // core, id
};

} // namespace sluice

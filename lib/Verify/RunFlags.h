// The flags between pipes, and between cores, of a canonical run (R31, R32, R34, R35).
#pragma once

#include "Verify/RunPart.h"

#include <deque>
#include <map>
#include <set>
#include <tuple>

namespace sluice {

class RunFlags : public RunPart {
public:
  using RunPart::RunPart;

  Step setFlag(Actor &a, const Stmt &s, const SetFlag &op);
  Step waitFlag(Actor &a, const Stmt &s, const WaitFlag &op);
  Step crossSet(Actor &a, const Stmt &s, const CrossSet &op);
  Step crossWait(Actor &a, const Stmt &s, const CrossWait &op);
  /// At exit: R35.
  bool leftSet();

private:
  friend class NormalForm;

  struct Flag {
    FlagState state;
    Pipe source = Pipe::none, destination = Pipe::none;
    int64_t id = 0;
    Knowledge carried;
    std::optional<BarrierEvent> lastSet, lastWait;
    std::vector<int32_t> blocked;
  };
  struct CrossFlag {
    CrossFlagState state;
    std::deque<Knowledge> carried;
    std::deque<Stamp> waits; // of the last CrossFlagState::maxCount waits
    int64_t sets = 0, waited = 0;
    std::optional<BarrierEvent> lastSet;
  };

  /// Of the meeting of all cores, what those of the run have done: the others do the same (R47).
  struct Meeting {
    std::map<std::string, Knowledge> sets; // by core, as of its set
    std::set<std::string> waited;
    std::optional<BarrierEvent> lastSet;
  };

  /// The waits for other cores of one core that have passed, and that each agent has gone past,
  /// where they hold up all its pipes (Program/Watchers.h). They run in the order of the stream.
  struct Waits {
    int64_t passed = 0;
    std::map<int32_t, int64_t> walked;
    std::vector<int32_t> blocked;
  };

  /// Null: there is none of this number, which is refused.
  Flag *flag(Actor &a, const Stmt &s, Pipe source, Pipe destination, int64_t id);
  bool crossLeftSet();
  Step setForAll(Actor &a, const Stmt &s);
  Step waitForAll(Actor &a, const Stmt &s);
  Step waitForOthers(Actor &a, const Stmt &s, int64_t id);
  Step stand(Actor &a);
  bool allHaveSet() const {
    return context_.meeting &&
           static_cast<int64_t>(meeting_.sets.size()) == context_.meeting->coresOfBlock();
  }

  std::map<std::tuple<std::string, Pipe, Pipe, int64_t>, Flag> flags_;
  std::map<std::tuple<std::string, std::string, int64_t>, CrossFlag> crossFlags_;
  std::map<std::string, std::vector<int32_t>> crossBlocked_; // receiving core -> actors
  Meeting meeting_;
  std::map<std::string, Waits> waits_; // by core
};

} // namespace sluice

// Counters in global memory: which CTAs a run has to have, and one counter with the clocks of those
// who added to it.
#pragma once

#include "Support/Result.h"
#include "Verify/TrackedMbarrier.h"

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace sluice {

/// A counter between two adds that lower it.
class TrackedCounter {
public:
  struct Add {
    BarrierEvent event;
    int cta;
    int64_t value, single; // of all executing lanes, of one
    Clock order;           // what the adding strands knew
    Clock shared;          // what each of them knew: every lane's add comes after that
    Sight sight;           // what they released
    Scope scope;
    bool releases;
  };
  /// A wait that has passed.
  struct Wait {
    BarrierEvent event;
    std::vector<BarrierEvent> needed; // adds
  };

  int64_t value() const { return value_; }
  const std::deque<Add> &adds() const { return adds_; }
  const std::vector<Wait> &waits() const { return waits_; }
  /// The add that lowered it last, and the largest value before.
  const std::optional<BarrierEvent> &lowered() const { return lowered_; }
  int64_t highest() const { return highest_; }

  void add(Add what);
  /// What the adds of one CTA have come to.
  int64_t sumOf(int cta) const;
  /// The adds of which every lane is needed: without one the counter stays below `least`, whatever
  /// the schedule.
  std::vector<const Add *> neededFor(int64_t least) const;
  void passed(Wait wait) { waits_.push_back(std::move(wait)); }

  std::vector<int32_t> blocked; // actors to wake at an add

private:
  int64_t value_ = 0, base_ = 0, highest_ = 0;
  std::map<int, int64_t> sums_; // by CTA
  std::deque<Add> adds_;
  std::vector<Wait> waits_;
  std::optional<BarrierEvent> lowered_;
};

constexpr int64_t maxJoinedCtas = 264; // of a grid that is run as one: 2 on each of 132 SMs

/// The CTAs that one run of a program with counters needs: the whole grid.
Result<std::array<int64_t, 3>> joinedGroup(const Program &program,
                                           const std::array<int64_t, 3> &grid);

} // namespace sluice

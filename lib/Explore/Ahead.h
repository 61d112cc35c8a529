// What all others can come to while one of them stands still. Every agent's course is known to its
// end, so this is a count: how far each of them gets when all that can go on does. A step on which
// nothing within that reach depends may be taken first: every interleaving from here on is, but for
// the order of steps that do not depend on each other, one that begins with it.
#pragma once

#include "Explore/Machine.h"

namespace sluice::explorer {

class Ahead {
public:
  Ahead(const Unrolled &u, const Layout &layout);

  /// Whether no step that others can take before this one depends on it: none conflicts with what
  /// it touches or ends, signals or waits for what it signals or waits for, or can make a CTA exit
  /// in front of it. May say no too often.
  bool isAlone(const State &s, const Step &step);

private:
  using Touches = std::vector<const Touch *>;

  bool lookAt(const State &s, const Step &step);
  bool lookAtAction(const State &s, const Step &step, int32_t position);
  void lookAtCopies(const State &s, const Step &step);
  void lookAtTouches(const Action &a, const Script &script, int32_t position, bool lanes);
  void start(const State &s);
  bool canPass(const State &s, int agent, bool lanes);
  bool canWait(const State &s, int agent, bool lanes, const Action &a);
  bool canLeaveNamed(const State &s, int agent, const Action &a);
  bool canLeavePipes(int agent);
  bool canLeaveCluster(const State &s, int agent, const Action &a);
  /// False: the step depends on this action.
  bool pass(const State &s, int agent, bool lanes);
  void count(const Action &a, int agent, bool lanes);
  void countLoad(int32_t load);
  void findBehindFocus();
  bool dependsOnColumns(int agent, const Action &a) const;
  bool dependsOn(const State &s, int agent, bool lanes, const Action &a) const;
  bool isOfFence(const State &s, const Action &a) const;
  bool isSoiled(const State &s, const std::vector<Touch> &touches) const;
  bool isRefilled(const State &s, const Touches &touches) const;
  bool dependsOnEnd(const State &s, const Action &a) const;
  bool dependsOnTouches(int agent, const Action &a, const std::vector<Touch> &touches) const;
  bool usesFocusBarrier(const Action &a) const;
  bool dependsOnReach(const State &s) const;
  bool mayCountElsewhere(const State &s, int32_t barrier) const;
  bool atEnd(int agent) const;
  bool exits(int cta) const;
  int64_t phases(const State &s, int32_t barrier) const;
  int64_t meetings(const State &s, int32_t named) const;
  int64_t clusterPhases() const;
  const Action &at(int agent, bool lanes) const {
    return u_.scripts[agent].actions[position_[2 * agent + lanes]];
  }
  bool isFocus(int agent, bool lanes, int32_t copyArrive) const {
    return agent == focus_.copier && lanes == focus_.ofLanes && copyArrive == focus_.copyArrive;
  }
  int ctaOf(int32_t barrier) const {
    return static_cast<int>(barrier * int64_t(u_.ctas) / int64_t(u_.mbarriers.size()));
  }

  const Unrolled &u_;
  const Layout &layout_;
  const int agents_;
  bool usable_ = true;                // the program has nothing that is not thought of here
  bool copies_ = false;               // cp.async
  std::vector<int64_t> namedThreads_; // the fewest that a named barrier takes

  // The step, and who stands still for it.
  struct Focus {
    int agent = -1;    // -1: a load that lands, or a pipe whose oldest operation ends
    int32_t load = -1; // that one
    int ends = -1;     // that pipe
    int copier = -1;   // whose cp.async operations end and arrive, those before action `copyArrive`
    int32_t copyArrive = -1;
    bool ofLanes = false; // of this strand
    int cta = 0;
    int32_t sum = -1; // of a product that lands
    Act act = Act::nothing;
    const Action *action = nullptr; // of the agent
    bool byLanes = false;
    bool soils = false, refills = false; // writes what a fence is for; asks whether there was one
    int64_t arrivals = 0, announced = 0, landed = 0; // on its barriers
    Touches touches, ended;
    std::vector<int32_t> barriers;
  } focus_;
  std::vector<bool> still_;       // by strand
  std::vector<bool> behindFocus_; // by load: it, or what lands behind it

  // How far the others get.
  std::vector<int32_t> position_;                     // by strand
  std::vector<int64_t> arrived_, announced_, landed_; // by mbarrier
  std::vector<int64_t> plain_,
      leastAnnounced_;                       // arrivals without bytes; the fewest that one brings
  std::vector<bool> fresh_, announcedAlone_; // initialised on the way; bytes without an arrival
  std::vector<bool> looked_;                 // somebody has waited on the way
  std::vector<int32_t> phase_;               // by strand and mbarrier
  std::vector<int64_t> meeting_, met_;       // by named barrier; by agent and named barrier
  std::vector<bool> here_;                   // by agent: has arrived where it stands
  std::vector<int64_t> clusterArrived_;      // by agent; of a core where its pipes meet
  std::vector<int64_t> set_, waited_;        // by flag
  std::vector<int64_t> added_;               // by counter
};

} // namespace sluice::explorer

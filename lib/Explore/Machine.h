// The machine that the explorer drives: which steps a state allows, what a step does, and what is
// wrong with a state.
#pragma once

#include "Explore/State.h"

#include <unordered_map>
#include <unordered_set>

namespace sluice::explorer {

/// One step of the machine.
struct Step {
  enum Kind : uint8_t {
    elected, // the elected lane, a pipe, or the whole warp does its next action
    lanes,   // the other lanes do theirs
    land,    // load `index` ends
    arrive,  // the cp.async operations before action `index` of the elected lane end, and it counts
    arriveLanes,
    end // the oldest action under way on a pipe ends
  } kind = elected;
  int32_t agent = 0, index = 0;
};

struct Fault {
  std::string rule, text;
};

class Machine {
public:
  explicit Machine(const Unrolled &u);

  const Layout &layout() const { return layout_; }
  State initial() const { return layout_.initial(); }
  /// All steps that a state allows; only a quiet one where there is one.
  void steps(const State &s, std::vector<Step> &out) const;
  /// Takes a step in place.
  std::optional<Fault> take(State &s, const Step &step);
  /// A race, or a CTA that has exited too early.
  std::optional<Fault> judge(const State &s) const;
  /// Of a state without steps: a deadlock, leftovers, another result than before.
  std::optional<Fault> judgeEnd(const State &s);
  std::string describe(const Step &step, const State &s) const;

private:
  /// An access under way, or about to be made.
  struct Item {
    const Touch *touch;
    int32_t agent, action;
    enum Kind : uint8_t { byLanes, byElected, wgmma, store, load, copy, lanesMove, lingering } kind;
  };
  static bool sameLanes(const Item &a, const Item &b);

  /// A load is under way from when the word `position` of the state is past `action`.
  struct Issue {
    int32_t position, action;
  };

  const Action *at(const State &s, int agent, bool lanes) const;
  bool ended(const State &s, int agent) const;
  bool exited(const State &s, int cta) const;
  bool underWay(const State &s, int32_t load) const {
    const Issue &issue = issues_[load];
    return s[issue.position] > issue.action && !layout_.landed(s, load);
  }
  bool mayLand(const State &s, int32_t load) const;
  bool mayStep(const State &s, int agent, const Action &a, bool lanes) const;
  bool passed(const State &s, int agent, bool lanes) const; // the other strand has been here
  bool shows(const State &s, const Action &a) const;        // that the phase has completed
  static bool isSpared(const State &s, int agent, const Action &a); // a wait, by its token
  std::optional<Fault> ask(State &s, int agent, const Action &a, bool lanes) const;
  void advance(State &s, int agent, bool lanes) const;
  int32_t instance(int agent, int32_t action) const { return firstInstance_[agent] + action; }

  std::optional<Fault> act(State &s, int agent, const Action &a, bool lanes);
  std::optional<Fault> initialise(State &s, const Action &a) const;
  std::optional<Fault> usable(const State &s, int agent, const Action &a, int32_t barrier,
                              bool async) const;
  std::optional<Fault> contribute(State &s, int32_t barrier, int64_t arrivals, int64_t bytes) const;
  std::optional<Fault> arriveNamed(State &s, int agent, const Action &a) const;
  std::optional<Fault> clusterBarrier(State &s, int agent, const Action &a) const;
  void completeCluster(State &s) const;
  std::optional<Fault> rendezvous(State &s, int agent) const;
  std::optional<Fault> access(State &s, int agent, int32_t action, const Action &a, bool lanes);
  std::optional<Fault> read(const State &s, int32_t instance, const std::vector<Touch> &touches,
                            const std::string &who);
  /// `stored`: by st.async, whose writes follow one another without a fence.
  std::optional<Fault> overwrites(const State &s, const std::vector<Touch> &touches,
                                  const std::string &who, bool stored = false) const;
  void write(State &s, int32_t instance, const std::vector<Touch> &touches) const;
  void soil(State &s, const std::vector<Touch> &touches) const;
  void endCopies(State &s, int agent, int32_t upTo, bool lanes, int32_t by, int view) const;
  std::optional<Fault> land(State &s, const Load &l, int32_t number);
  std::optional<Fault> issuePipe(State &s, int agent, int32_t action, const Action &a);
  std::optional<Fault> drain(State &s, int agent, int32_t upTo) const;
  std::optional<Fault> setFlags(State &s, const Action &a) const;
  std::optional<Fault> useUnits(State &s, int agent, const Action &a) const;
  /// Whether M and FIX have the units that the action waits for.
  bool hasUnits(const State &s, const Action &a) const {
    return !a.units.takes ||
           ((s[layout_.tile(a.units.tile)] & Layout::ofFix) != 0) == a.units.byFix;
  }

  // Views.cpp
  int viewOf(int agent, bool lanes) const;
  void see(State &s, int view, int from) const;
  void seeWrite(State &s, int view, int32_t write) const;
  void forget(State &s, int view) const;
  void meet(State &s, int agent) const;
  void release(State &s, int agent, const Action &a, bool lanes) const;
  void acquire(State &s, int agent, const Action &a, bool lanes) const;
  void turnPhase(State &s, int32_t barrier) const;
  void publish(State &s, int agent, const Action &a, bool lanes) const;
  void noteWrites(State &s, const Touch &t) const;
  bool own(const Write &w, int agent, const Action &a) const;
  std::optional<Fault> visible(const State &s, int agent, const Action &a, bool lanes,
                               const std::vector<Touch> &touches) const;
  std::string nameOf(const Write &w) const;
  void addTo(State &s, int agent, const Action &a, bool lanes) const;
  std::optional<Fault> lookAt(State &s, int agent, const Action &a, bool lanes) const;
  int ctaOf(int32_t barrier) const {
    return static_cast<int>(barrier * int64_t(u_.ctas) / int64_t(u_.mbarriers.size()));
  }

  // TensorMemory.cpp
  /// Two actions of one agent that ask something of tensor memory, one of which lands first.
  bool areInOrder(int agent, int32_t a, int32_t b) const;
  /// Whether what `a` asks of tensor memory comes, as the PTX ISA says, behind an earlier action.
  bool seesInOrder(int agent, int32_t earlier, const Action &a) const;
  bool hasPeer(const State &s, int agent, const Action &a) const;
  bool isHeld(const State &s, int cta) const;
  std::optional<Fault> useColumns(State &s, int agent, const Action &a) const;
  std::optional<Fault> isAddress(const State &s, int agent, const Action &a) const;
  std::optional<Fault> behindFences(const State &s, int agent, const Action &a, bool lanes,
                                    const std::vector<Touch> &touches) const;
  void fenceColumns(State &s, int agent, const Action &a, bool lanes) const;
  void endLanesLoads(State &s, int agent, int32_t position) const;
  void tellOfProducts(State &s, const Load &commit) const;

  void collect(const State &s, std::vector<Item> &items) const;
  bool frees(const Item &i) const;
  bool conflict(const Item &a, const Item &b) const;
  bool meetsEarlier(const Item &item) const;
  std::string nameOf(const Item &i) const;
  std::string nameOf(int agent, const Action &a) const;

  const Unrolled &u_;
  Layout layout_;
  std::vector<int32_t> firstInstance_;            // by agent; 1 is what was there before the launch
  std::vector<std::vector<int32_t>> copyArrives_; // by agent
  std::vector<Issue> issues_;                     // by load
  std::unordered_set<int32_t> stores_;            // instances of st.async
  std::unordered_set<int32_t> allocations_;       // of tensor memory: instances
  std::unordered_map<int32_t, std::vector<int32_t>>
      readBefore_;                             // by instance: writers of its cells
  std::optional<std::vector<int32_t>> result_; // writers of the tensors' cells at the end
  mutable std::vector<Item> items_;
  /// By cell: the last state judged in which an item touches it, or writes it.
  mutable std::vector<int64_t> touched_, written_;
  mutable int64_t judged_ = 0;
};

} // namespace sluice::explorer

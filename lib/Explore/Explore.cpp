#include "Explore/Explore.h"

#include "Explore/Ahead.h"
#include "Explore/Analysis.h"
#include "Explore/Machine.h"

#include <algorithm>
#include <random>

namespace sluice {
namespace {

using namespace explorer;

/// Hashes of states: a power of two of places, at most half of them taken.
class HashSet {
public:
  /// False: it is in there already.
  bool insert(uint64_t hash) {
    if (2 * size_ >= places_.size())
      grow();
    return put(hash ? hash : 1);
  }

private:
  bool put(uint64_t hash) {
    const size_t mask = places_.size() - 1;
    size_t at = hash & mask;
    while (places_[at] && places_[at] != hash)
      at = (at + 1) & mask;
    if (places_[at])
      return false;
    places_[at] = hash;
    ++size_;
    return true;
  }
  void grow() {
    std::vector<uint64_t> old(std::max<size_t>(1024, 2 * places_.size()), 0);
    old.swap(places_);
    size_ = 0;
    for (const uint64_t hash : old)
      if (hash)
        put(hash);
  }

  std::vector<uint64_t> places_; // 0: free
  size_t size_ = 0;
};

/// One schedule: of the possible steps the one with the highest priority, and now and then new
/// priorities. An agent that stays behind for long is thus as likely as one that runs ahead, which
/// a fair choice at every step hardly ever gives.
class Walk {
public:
  Walk(Machine &machine, uint64_t seed) : machine_(machine), random_(seed), salt_(random_()) {}

  std::optional<Fault> run() {
    State state = machine_.initial();
    for (;;) {
      if (auto fault = machine_.judge(state))
        return fault;
      std::vector<Step> steps;
      machine_.steps(state, steps);
      if (steps.empty())
        return machine_.judgeEnd(state);
      if (random_() % stepsOfOnePriority == 0)
        salt_ = random_();
      const Step step =
          *std::ranges::max_element(steps, {}, [&](const Step &s) { return priority(s); });
      schedule.push_back(machine_.describe(step, state));
      if (auto fault = machine_.take(state, step))
        return fault;
    }
  }

  std::vector<std::string> schedule;

private:
  static constexpr uint64_t stepsOfOnePriority = 60;

  uint64_t priority(const Step &s) const {
    uint64_t h = salt_;
    for (const int32_t part : {int32_t{s.kind}, s.agent, s.kind == Step::land ? s.index : 0})
      h = (h ^ static_cast<uint64_t>(part)) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
    return h;
  }

  Machine &machine_;
  std::mt19937_64 random_;
  uint64_t salt_;
};

/// What a test says depends on all that may come before it.
bool asks(const Unrolled &u) {
  return std::ranges::any_of(u.scripts, [](const Script &s) { return s.tests > 0; });
}

/// Depth first. Positions only grow, so the states have no circles.
class Search {
public:
  Search(const Unrolled &u, const ExploreOptions &options)
      : machine_(u), ahead_(u, machine_.layout()), maxStates_(options.maxStates),
        walks_(options.walks), reduces_(options.reduces && !asks(u)) {}

  Exploration run() {
    search();
    for (int n = 0; n < walks_ && out_.kind == Exploration::bounded; ++n) {
      Walk walk(machine_, static_cast<uint64_t>(n));
      if (const auto fault = walk.run())
        out_ = {Exploration::faulty, fault->rule, fault->text, walk.schedule, out_.states};
    }
    return std::move(out_);
  }

private:
  void search() {
    if (!enter(machine_.initial()))
      return;
    while (!path_.empty()) {
      Visit &top = path_.back();
      if (top.next == top.steps.size()) {
        path_.pop_back();
        continue;
      }
      const Step step = top.steps[top.next++];
      State state = top.state;
      if (auto fault = machine_.take(state, step))
        return failed(*fault);
      if (!enter(std::move(state)))
        return;
    }
  }

  struct Visit {
    State state;
    std::vector<Step> steps;
    size_t next = 0;
  };

  /// Of several steps the one on which nothing else depends is enough; the agent that went last is
  /// asked first.
  void reduce(const State &state, std::vector<Step> &steps) {
    std::stable_partition(steps.begin(), steps.end(),
                          [&](const Step &s) { return s.agent == last_; });
    for (const Step &step : steps)
      if (ahead_.isAlone(state, step)) {
        last_ = step.agent;
        steps = {Step(step)};
        return;
      }
  }

  /// A state with one step leads to the state after it, whatever else was seen: only where there
  /// is a choice is it worth remembering.
  bool enter(State state) {
    Visit visit{std::move(state), {}, 0};
    machine_.steps(visit.state, visit.steps);
    if (visit.steps.size() != 1) {
      if (!seen_.insert(machine_.layout().hash(visit.state)))
        return true;
      if (++out_.states > maxStates_) {
        out_.kind = Exploration::bounded;
        return false;
      }
      if (reduces_ && !visit.steps.empty())
        reduce(visit.state, visit.steps);
    }
    std::optional<Fault> fault = machine_.judge(visit.state);
    if (!fault && visit.steps.empty())
      fault = machine_.judgeEnd(visit.state);
    if (fault) {
      failed(*fault);
      return false;
    }
    if (visit.steps.empty())
      return true;
    if (path_.size() * visit.state.size() > maxPathWords) {
      out_.kind = Exploration::bounded;
      return false;
    }
    path_.push_back(std::move(visit));
    return true;
  }

  void failed(const Fault &fault) {
    out_.kind = Exploration::faulty;
    out_.rule = fault.rule;
    out_.fault = fault.text;
    for (const Visit &v : path_)
      out_.schedule.push_back(machine_.describe(v.steps[v.next - 1], v.state));
  }

  static constexpr size_t maxPathWords = size_t{1} << 27; // half a gibibyte

  Machine machine_;
  Ahead ahead_;
  const int64_t maxStates_;
  const int walks_;
  const bool reduces_;
  int last_ = -1; // the agent of the step taken last
  Exploration out_;
  std::vector<Visit> path_;
  HashSet seen_;
};

} // namespace

Exploration explore(const Program &program, const Launch &launch, const ExploreOptions &options) {
  const std::vector<int64_t> grid = gridOf(program, launch);
  for (size_t d = 0; d < grid.size(); ++d)
    if (options.first[d] >= grid[d]) // there is no such CTA, and nothing runs
      return {};
  const Unrolled u = unroll(program, launch, options);
  Exploration out;
  if (u.tooLong) {
    out.kind = Exploration::bounded;
    return out;
  }
  const std::optional<std::string> unfenced = u.outOfBounds ? std::nullopt : unfencedWgmma(u);
  for (const auto &[rule, fault] : {std::pair{"R24", &u.outOfBounds},
                                    {"R49", &u.mispaired},
                                    {"R37", &u.tooEarly},
                                    {"R48", &u.unitsLeft},
                                    {"R42", &u.unaddressed},
                                    {"R25", &unfenced}})
    if (*fault) {
      out.kind = Exploration::faulty;
      out.rule = rule;
      out.fault = **fault;
      return out;
    }
  return Search(u, options).run();
}

} // namespace sluice

#include "Explore/Explore.h"

#include "Explore/Analysis.h"
#include "Explore/Machine.h"

#include <unordered_set>

namespace sluice {
namespace {

using namespace explorer;

/// Depth first. Positions only grow, so the states have no circles.
class Search {
public:
  Search(const Unrolled &u, int64_t maxStates) : machine_(u), maxStates_(maxStates) {}

  Exploration run() {
    if (!enter(machine_.initial()))
      return std::move(out_);
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
        return std::move(out_);
    }
    return std::move(out_);
  }

private:
  struct Visit {
    State state;
    std::vector<Step> steps;
    size_t next = 0;
  };

  bool enter(State state) {
    if (!seen_.insert(machine_.layout().hash(state)).second)
      return true;
    if (++out_.states > maxStates_) {
      out_.kind = Exploration::bounded;
      return false;
    }
    std::optional<Fault> fault = machine_.judge(state);
    Visit visit{std::move(state), {}, 0};
    machine_.steps(visit.state, visit.steps);
    if (!fault && visit.steps.empty())
      fault = machine_.judgeEnd(visit.state);
    if (fault) {
      failed(*fault);
      return false;
    }
    if (!visit.steps.empty())
      path_.push_back(std::move(visit));
    return true;
  }

  Exploration failed(const Fault &fault) {
    out_.kind = Exploration::faulty;
    out_.rule = fault.rule;
    out_.fault = fault.text;
    for (const Visit &v : path_)
      out_.schedule.push_back(machine_.describe(v.steps[v.next - 1], v.state));
    return out_;
  }

  Machine machine_;
  const int64_t maxStates_;
  Exploration out_;
  std::vector<Visit> path_;
  std::unordered_set<uint64_t> seen_;
};

} // namespace

Exploration explore(const Program &program, const Launch &launch, const ExploreOptions &options) {
  const Unrolled u = unroll(program, launch, options.first, options.warpsConverge);
  Exploration out;
  if (u.tooLong) {
    out.kind = Exploration::bounded;
    return out;
  }
  const std::optional<std::string> unfenced = u.outOfBounds ? std::nullopt : unfencedWgmma(u);
  if (u.outOfBounds || u.tooEarly || unfenced) {
    out.kind = Exploration::faulty;
    out.rule = u.outOfBounds ? "R24" : u.tooEarly ? "R37" : "R25";
    out.fault = u.outOfBounds ? *u.outOfBounds : u.tooEarly ? *u.tooEarly : *unfenced;
    return out;
  }
  return Search(u, options.maxStates).run();
}

} // namespace sluice

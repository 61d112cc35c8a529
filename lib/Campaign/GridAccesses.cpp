#include "Campaign/GridAccesses.h"

#include "Program/Agent.h"
#include "Program/OperationFacts.h"

#include <algorithm>
#include <vector>

namespace sluice {
namespace {

struct TouchedBox {
  std::vector<int64_t> low, high; // of elements, one per dimension
  int64_t group;                  // number of the cluster (core)
  bool write, adds;
  Location loc;

  bool meets(const TouchedBox &o) const {
    for (size_t d = 0; d < low.size(); ++d)
      if (low[d] >= o.high[d] || o.low[d] >= high[d])
        return false;
    return group != o.group && (write || o.write) && !(adds && o.adds);
  }
};

/// Calls touch(view, is it written, does it add) for the views of an operation.
template <typename Touch> void forEachView(const Operation &op, const Touch &touch) {
  const OperationFacts facts = factsOf(op);
  auto *store = std::get_if<TmaStore>(&op);
  if (facts.counter.counter)
    return;
  for (const View *v : facts.views.reads)
    touch(*v, false, false);
  for (const View *v : facts.views.writes)
    touch(*v, true, store && store->add);
}

class GridWalk {
public:
  GridWalk(const Program &program, const Launch &launch, int64_t most)
      : program_(program), launch_(launch), most_(most), of_(program.tensors.size()) {}

  std::optional<std::string> conflict() {
    std::vector<int64_t> grid = gridExtents(program_, launch_);
    grid.resize(3, 1);
    AgentId id;
    for (id.cta[2] = 0; id.cta[2] < grid[2]; ++id.cta[2])
      for (id.cta[1] = 0; id.cta[1] < grid[1]; ++id.cta[1])
        for (id.cta[0] = 0; id.cta[0] < grid[0]; ++id.cta[0])
          if (!walkCta(id, grid))
            return {};
    for (size_t t = 0; t < of_.size(); ++t)
      if (auto found = conflictIn(of_[t]))
        return "two CTAs touch one element of " + program_.tensors[t].name + ": " + *found;
    return {};
  }

private:
  /// False: there is too much to do.
  bool walkCta(AgentId id, const std::vector<int64_t> &grid) {
    group_ = 0;
    for (size_t d = 3; d-- > 0;) {
      const int64_t size = isAscend(program_.target) ? 1 : program_.cluster[d];
      group_ = group_ * ((grid[d] + size - 1) / size) + id.cta[d] / size;
    }
    if (!isAscend(program_.target)) {
      for (id.warp = 0; id.warp < program_.warps; ++id.warp)
        if (!walkAgent(id))
          return false;
      return true;
    }
    const char *const cores[] = {"aic", "aiv0", "aiv1"};
    for (int core = 0; core < 3; ++core)
      for (id.pipe = Pipe::s; id.pipe != Pipe::all; id.pipe = static_cast<Pipe>(int(id.pipe) + 1)) {
        id.core = cores[core];
        id.warp = core == 2;
        if (!walkAgent(id))
          return false;
      }
    return true;
  }

  bool walkAgent(const AgentId &id) {
    Agent agent(program_, launch_, id);
    for (; agent.current(); agent.advance()) {
      if (--most_ < 0)
        return false;
      const Stmt &s = *agent.current();
      forEachView(s.op, [&](const View &view, bool write, bool adds) {
        if (view.kind == View::tensor)
          add(agent, s, view, write, adds);
      });
    }
    return !agent.endless();
  }

  void add(const Agent &agent, const Stmt &s, const View &view, bool write, bool adds) {
    TouchedBox t{{}, {}, group_, write, adds, s.loc};
    for (size_t d = 0; d < view.offset.size(); ++d) {
      const int64_t at = agent.value(view.offset[d]);
      int64_t end = std::min(at + view.shape[d], launch_.tensors[view.object].extents[d]);
      for (const Clip &c : view.clips)
        if (c.dimension == static_cast<int>(d))
          end = std::min(end, agent.value(c.end));
      t.low.push_back(std::max<int64_t>(at, 0));
      t.high.push_back(end);
      if (t.low.back() >= end)
        return;
    }
    of_[view.object].push_back(std::move(t));
  }

  /// In the order of the dimension in which they lie furthest apart.
  static std::optional<std::string> conflictIn(std::vector<TouchedBox> &all) {
    if (std::ranges::none_of(all, &TouchedBox::write))
      return {};
    size_t along = 0;
    int64_t widest = -1;
    for (size_t d = 0; d < all[0].low.size(); ++d) {
      const auto [least, most] = std::ranges::minmax(all, {}, [d](auto &t) { return t.low[d]; });
      if (most.low[d] - least.low[d] > widest) {
        widest = most.low[d] - least.low[d];
        along = d;
      }
    }
    std::ranges::sort(all, {}, [along](auto &t) { return t.low[along]; });
    for (size_t i = 0; i < all.size(); ++i)
      for (size_t j = i + 1; j < all.size() && all[j].low[along] < all[i].high[along]; ++j)
        if (all[i].meets(all[j]))
          return all[i].loc.str() + " of group " + std::to_string(all[i].group) + ", " +
                 all[j].loc.str() + " of group " + std::to_string(all[j].group);
    return {};
  }

  const Program &program_;
  const Launch &launch_;
  int64_t most_, group_ = 0;
  std::vector<std::vector<TouchedBox>> of_; // by tensor
};

} // namespace

std::optional<std::string> gridConflict(const Program &program, const Launch &launch,
                                        int64_t mostAccesses) {
  if (readsNumbers(program)) // that depends on the schedule
    return {};
  return GridWalk(program, launch, mostAccesses).conflict();
}

} // namespace sluice

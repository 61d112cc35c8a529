#include "Explore/Agents.h"

#include <algorithm>
#include <set>

namespace sluice::explorer {
namespace {

/// CTAs that wait for counters are joined by them.
bool usesCounters(const Program &program) {
  return anyStatement(program.body, [](const Stmt &s) {
    return std::holds_alternative<CounterAdd>(s.op) || std::holds_alternative<CounterWait>(s.op);
  });
}

void add(const Program &program, Unrolled &out, Who id, int cta) {
  Script s;
  const std::string block = cta < 3 ? "" : " of block " + std::to_string(cta / 3);
  s.name = isAscend(program.target)
               ? "pipe " + std::string(name(id.pipe)) + " of " + id.core + block
               : "warp " + std::to_string(id.warp) + " of CTA " + std::to_string(cta);
  s.id = std::move(id);
  s.cta = cta;
  out.scripts.push_back(std::move(s));
}

/// Mode 0 joins the cores of all blocks.
bool joinsBlocks(const Program &program) {
  return anyStatement(program.body, [](const Stmt &s) {
    auto *set = std::get_if<CrossSet>(&s.op);
    return set && set->mode == 0;
  });
}

/// Every pipe of every core of a block; most have nothing to do.
void createPipes(const Program &program, std::array<int64_t, 3> at, int block, Unrolled &out) {
  std::set<std::string> kinds;
  bool vector = false;
  anyStatement(program.body, [&](const Stmt &s) {
    if (auto *role = std::get_if<Role>(&s.op); role && !role->core.empty())
      kinds.insert(role->core.substr(0, 3));
    vector |= pipeOf(s) == Pipe::v || pipeOf(s) == Pipe::mte3;
    return false; // all of them
  });
  if (kinds.empty())
    kinds = {vector ? "aiv" : "aic"};
  out.ctas += 3;
  const char *const cores[] = {"aic", "aiv0", "aiv1"};
  for (int cta = 0; cta < 3; ++cta)
    if (kinds.count(std::string(cores[cta]).substr(0, 3)))
      for (Pipe pipe : {Pipe::s, Pipe::mte1, Pipe::mte2, Pipe::mte3, Pipe::m, Pipe::fix, Pipe::v}) {
        Who id;
        id.cta = at;
        id.core = cores[cta];
        id.pipe = pipe;
        id.warp = cta == 2;
        add(program, out, id, 3 * block + cta);
      }
}

/// Of one block, or of all that meet.
void createBlocks(const Program &program, const Launch &launch, std::array<int64_t, 3> first,
                  Unrolled &out) {
  out.ctas = 0;
  if (!joinsBlocks(program))
    return createPipes(program, first, 0, out);
  std::vector<int64_t> grid = gridOf(program, launch);
  grid.resize(3, 1);
  int block = 0;
  for (int64_t z = 0; z < grid[2]; ++z)
    for (int64_t y = 0; y < grid[1]; ++y)
      for (int64_t x = 0; x < grid[0]; ++x)
        createPipes(program, {x, y, z}, block++, out);
  out.oneCluster = block <= 1;
}

} // namespace

std::vector<int32_t> nameMbarriers(const Program &program, Unrolled &out) {
  std::vector<int32_t> first;
  for (int cta = 0; cta < out.ctas; ++cta)
    for (const Mbarrier &b : program.mbarriers) {
      first.push_back(static_cast<int32_t>(out.mbarriers.size()));
      for (int64_t slot = 0; slot < b.slots; ++slot)
        out.mbarriers.push_back(b.name + "[" + std::to_string(slot) + "] of CTA " +
                                std::to_string(cta));
    }
  return first;
}

std::vector<int64_t> sumKey(const Program &program, const Tcgen05Mma &op,
                            const std::function<int64_t(const Index &)> &value) {
  std::vector<int64_t> key{op.d.object, value(op.d.slot), op.a.shape.back(),
                           int64_t(program.type(op.a)), int64_t(program.type(op.b))};
  for (const Index &i : op.d.offset)
    key.push_back(value(i));
  key.insert(key.end(), op.d.shape.begin(), op.d.shape.end());
  return key;
}

bool readsNumbers(const Program &program) {
  return anyStatement(program.body, [](const Stmt &s) {
    auto *add = std::get_if<CounterAdd>(&s.op);
    return std::holds_alternative<ScalarRead>(s.op) || (add && add->old != kNone);
  });
}

void createAgents(const Program &program, const Launch &launch, std::array<int64_t, 3> first,
                  Unrolled &out) {
  if (isAscend(program.target))
    return createBlocks(program, launch, first, out);
  out.ctas = 0;
  std::array<int64_t, 3> group{program.cluster[0], program.cluster[1], program.cluster[2]};
  if (usesCounters(program)) { // they join the CTAs of the grid
    const std::array<int64_t, 3> cluster = group;
    const std::vector<int64_t> grid = gridOf(program, launch);
    group = {1, 1, 1};
    std::copy_n(grid.begin(), std::min<size_t>(grid.size(), 3), group.begin());
    out.oneCluster = group == cluster;
    // Clusters beside one another are beyond it.
    out.tooLong = !out.oneCluster && cluster != std::array<int64_t, 3>{1, 1, 1};
  }
  for (int64_t z = 0; z < group[2]; ++z)
    for (int64_t y = 0; y < group[1]; ++y)
      for (int64_t x = 0; x < group[0]; ++x, ++out.ctas)
        for (int warp = 0; warp < program.warps; ++warp) {
          Who id;
          id.cta = {first[0] + x, first[1] + y, first[2] + z};
          id.warp = warp;
          add(program, out, id, out.ctas);
        }
}

} // namespace sluice::explorer

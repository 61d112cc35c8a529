#include "Program/Watchers.h"

#include "Program/Agent.h"
#include "Program/Blocks.h"
#include "Program/Ranges.h"
#include "Program/Walker.h"

#include <algorithm>
#include <string>
#include <vector>

namespace sluice {
namespace {

/// Mutex statements of one core that share ids, and the pipes of all of them.
struct Sharers {
  std::string core; // "": of both kinds
  IntegerRange ids;
  uint32_t pipes;
  std::vector<Mutex *> statements;

  bool meets(const Sharers &o) const {
    const bool sameCore = core.empty() || o.core.empty() || core == o.core;
    return sameCore && ids.least <= o.ids.most && o.ids.least <= ids.most;
  }
  void join(const Sharers &o) {
    core = core == o.core ? core : "";
    ids = sluice::join(ids, o.ids);
    pipes |= o.pipes;
    statements.insert(statements.end(), o.statements.begin(), o.statements.end());
  }
};

/// The scalar unit of 910B stands at a wait for another core.
void watchCrossWaits(Block &block) {
  for (Stmt &s : block.stmts) {
    if (auto *wait = std::get_if<CrossWait>(&s.op))
      wait->watchers = bitOf(Pipe::all);
    forBlocks(s, watchCrossWaits);
  }
}

void collect(Block &block, const std::string &core, const Ranges &ranges,
             std::vector<Sharers> &found) {
  for (Stmt &s : block.stmts) {
    if (auto *mutex = std::get_if<Mutex>(&s.op))
      found.push_back({core, ranges.of(mutex->id), bitOf(mutex->pipe), {mutex}});
    auto *role = std::get_if<Role>(&s.op);
    forBlocks(s, [&](Block &inner) { collect(inner, role ? role->core : core, ranges, found); });
  }
}

} // namespace

uint32_t bitOf(Pipe pipe) {
  return pipe == Pipe::all ? ~0u : uint32_t{1} << static_cast<unsigned>(pipe);
}

uint32_t pipesOf(const Stmt &s) {
  auto *mutex = std::get_if<Mutex>(&s.op);
  auto *wait = std::get_if<CrossWait>(&s.op);
  return bitOf(executingPipe(s)) | (mutex ? mutex->watchers : wait ? wait->watchers : 0);
}

bool onlyWatches(const Stmt &s, Pipe pipe) {
  const bool watched =
      std::holds_alternative<Mutex>(s.op) || std::holds_alternative<CrossWait>(s.op);
  return watched && executingPipe(s) != pipe;
}

void findWatchers(Program &program) {
  if (program.target == Target::ascend910b)
    watchCrossWaits(program.body);
  bool any = false;
  walk(program.body, [&](const Stmt &s) { any |= std::holds_alternative<Mutex>(s.op); });
  if (!any)
    return;
  std::vector<Sharers> found;
  collect(program.body, "", Ranges(program), found);
  std::vector<Sharers> groups; // no two of which meet
  for (Sharers &one : found) {
    for (size_t i = 0; i < groups.size();)
      if (groups[i].meets(one)) {
        one.join(groups[i]);
        groups.erase(groups.begin() + static_cast<long>(i));
        i = 0; // it has grown
      } else {
        ++i;
      }
    groups.push_back(std::move(one));
  }
  for (const Sharers &group : groups)
    for (Mutex *mutex : group.statements)
      mutex->watchers = group.pipes;
}

} // namespace sluice

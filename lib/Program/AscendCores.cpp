#include "Program/AscendCores.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string>

namespace sluice {
namespace {

using Pipes = std::set<Pipe>;

void addPipes(const Block &block, Pipes &pipes) {
  walk(block, [&](const Stmt &s) {
    const Pipe pipe = executingPipe(s);
    if (pipe != Pipe::none && pipe != Pipe::all)
      pipes.insert(pipe);
  });
}

void addCore(const std::string &core, const Pipes &pipes, std::vector<AgentId> &agents) {
  for (Pipe pipe : pipes) {
    AgentId id;
    id.core = core;
    id.pipe = pipe;
    id.warp = core == "aiv1" ? 1 : 0; // the AIV's number
    agents.push_back(id);
  }
}

} // namespace

Crossing crossingOf(const Program &program, const Copy &copy) {
  const Buffer *from = program.buffer(copy.source), *to = program.buffer(copy.destination);
  if (!from || !to)
    return Crossing::none;
  if (from->space == Space::l0c && to->space == Space::ub)
    return Crossing::toVectors;
  return from->space == Space::ub && to->space == Space::l1 ? Crossing::toCube : Crossing::none;
}

std::vector<AgentId> ascendPipes(const Program &program) {
  Pipes common, cube, vector;
  bool roles = false;
  const std::function<void(const Block &)> collect = [&](const Block &block) {
    for (const Stmt &s : block.stmts) {
      if (const If *branch = std::get_if<If>(&s.op)) { // around all, where launches are assumed
        collect(branch->thenBlock);
        collect(branch->elseBlock);
        continue;
      }
      const Role *role = std::get_if<Role>(&s.op);
      const bool onVector = role && role->core.rfind("aiv", 0) == 0;
      const bool onCube = role && role->core.rfind("aic", 0) == 0;
      roles |= onVector || onCube;
      addPipes({{s}, {}}, onVector ? vector : onCube ? cube : common);
    }
  };
  collect(program.body);
  if (!roles) {
    const bool onVector = common.count(Pipe::v) || common.count(Pipe::mte3);
    (onVector ? vector : cube) = common;
  } else {
    for (Pipes *kind : {&cube, &vector})
      if (!kind->empty())
        kind->insert(common.begin(), common.end());
  }
  std::vector<AgentId> agents;
  addCore("aic", cube, agents);
  addCore("aiv0", vector, agents);
  addCore("aiv1", vector, agents);
  return agents;
}

} // namespace sluice

#include "Verify/AscendCores.h"

#include <algorithm>
#include <set>
#include <string>

namespace sluice {
namespace {

using Pipes = std::set<Pipe>;

void addPipesOf(const Stmt &s, Pipes &pipes) {
  auto add = [&](Pipe p) {
    if (p != Pipe::none && p != Pipe::all)
      pipes.insert(p);
  };
  add(s.pipe);
  if (auto *set = std::get_if<SetFlag>(&s.op)) {
    add(set->source);
  } else if (auto *wait = std::get_if<WaitFlag>(&s.op)) {
    add(wait->destination);
  } else if (auto *barrier = std::get_if<PipeBarrier>(&s.op)) {
    add(barrier->pipe);
  } else if (auto *set = std::get_if<CrossSet>(&s.op)) {
    add(set->pipe);
  } else if (auto *wait = std::get_if<CrossWait>(&s.op)) {
    add(wait->pipe);
  }
}

void addPipesOfTree(const Stmt &s, Pipes &pipes) {
  addPipesOf(s, pipes);
  auto visit = [&](const Stmt &inner) { addPipesOf(inner, pipes); };
  if (auto *role = std::get_if<Role>(&s.op)) {
    walk(role->body, visit);
  } else if (auto *loop = std::get_if<For>(&s.op)) {
    walk(loop->body, visit);
  } else if (auto *branch = std::get_if<If>(&s.op)) {
    walk(branch->thenBlock, visit);
    walk(branch->elseBlock, visit);
  }
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

std::vector<AgentId> ascendPipes(const Program &program) {
  Pipes common, cube, vector;
  bool roles = false;
  for (const Stmt &s : program.body.stmts) {
    const Role *role = std::get_if<Role>(&s.op);
    roles |= role && !role->core.empty();
    Pipes pipes;
    addPipesOfTree(s, pipes);
    const bool onVector = role && role->core.rfind("aiv", 0) == 0;
    const bool onCube = role && role->core.rfind("aic", 0) == 0;
    (onVector ? vector : onCube ? cube : common).insert(pipes.begin(), pipes.end());
  }
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

#include "Verify/RunPart.h"

#include "Program/Blocks.h"
#include "Verify/Names.h"

namespace sluice {

RunState::RunState(Context &theContext, Coordinates first, const Relevance *relevance)
    : context(theContext), facts(relevance) {
  if (isAscend(context.program.target)) {
    ctas.assign(3, first); // AIC, AIV0, AIV1
  } else {
    for (int64_t z = 0; z < context.group[2]; ++z)
      for (int64_t y = 0; y < context.group[1]; ++y)
        for (int64_t x = 0; x < context.group[0]; ++x)
          ctas.push_back({first[0] + x, first[1] + y, first[2] + z});
  }
}

RunPart::RunPart(const RunLinks &links)
    : context_(links.state.context), program_(context_.program), facts_(links.state.facts),
      ctas_(links.state.ctas), actors_(links.state.actors), ready_(links.state.ready),
      violation_(links.state.violation), error_(links.state.error), offence_(links.state.offence),
      acting_(links.state.acting), words_(links.words), parts_(links.parts) {}

std::string RunPart::nameOf(int32_t actor) const {
  const Actor &a = actors_[actor];
  return agentName(program_, a.agent.id(), a.agent.role() ? a.agent.role()->name : "");
}

std::string RunPart::nameOf(int32_t actor, const Stmt &doing) const {
  std::string role; // the one that the operation stands in: the agent may have gone on to another
  walkRoles(program_.body, [&](const Stmt &s, const Role *around) {
    if (&s == &doing && around)
      role = around->name;
  });
  return agentName(program_, actors_[actor].agent.id(), role);
}

void RunPart::wake(std::vector<int32_t> &blocked) {
  ready_.insert(ready_.end(), blocked.rbegin(), blocked.rend());
  blocked.clear();
}

Strands RunPart::strands(Actor &a, const Stmt &s) {
  if (isAscend(program_.target))
    return {&a.lanes, nullptr};
  return s.exec == Exec::threads ? Strands{&a.lanes, &a.elected} : Strands{&a.elected, nullptr};
}

int32_t RunPart::component(const Actor &a, Strand strand) {
  return context_.component(static_cast<int32_t>(strand), a.index, nullptr, 0);
}

Stamp RunPart::issue(const Actor &a, Queue &queue, Strand strand) {
  if (queue.component < 0)
    queue.component = component(a, strand);
  return {queue.component, ++queue.issued};
}

BarrierEvent RunPart::event(Actor &a, const Stmt &s) {
  const bool all = s.exec == Exec::threads || isAscend(program_.target);
  const Stamp stamp{all ? a.lanesComponent : a.electedComponent, ++a.steps};
  (all ? a.lanes : a.elected).learn(stamp);
  return {stamp, a.index, &s};
}

RunPart::Step RunPart::refuse(std::string rule, std::string message, const Stmt &at,
                              std::string barrier) {
  violation_ = Violation{std::move(rule), std::move(message), at.loc, std::move(barrier), {}};
  words_.complete(*violation_, acting_, at);
  return Step::stop;
}

} // namespace sluice

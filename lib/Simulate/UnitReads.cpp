// Copies of shared memory and tensors to registers whose values come late: a warp goes on until it
// uses them. Nothing but a proxy fence orders them with what TMA writes (R39); what threads write
// comes after, and what another CTA writes that has been let on by a counter.
#include "Program/OperationFacts.h"
#include "Simulate/Unit.h"

#include <algorithm>

namespace sluice {
namespace {

bool isShared(const Program &p, const View &v) {
  const Buffer *b = p.buffer(v);
  return b && b->space == Space::smem;
}

/// Whether threads write shared memory, their own CTA's or a peer's, or a tensor. TMA and copies
/// between CTAs do so through the other proxy.
bool writesMemory(const Program &p, const Stmt &s) {
  const auto *peer = std::get_if<RemoteCopy>(&s.op);
  const OperationFacts facts = factsOf(s.op);
  if (facts.byAsyncProxy || std::holds_alternative<ClcTryCancel>(s.op) ||
      (peer && !p.storesRegisters(*peer)))
    return false;
  return std::ranges::any_of(facts.views.writes, [&](const View *v) {
    return v->kind == View::tensor || isShared(p, *v);
  });
}

/// What lets other CTAs on waits for the reads of its own.
bool joinsCtas(const Stmt &s) {
  return counterDeed(s.op).counter;
}

} // namespace

/// Of every second one, by bits that delay() does not look at.
bool UnitReads::comesLate(const Copy &op) const {
  if (!world_.options.lateReads || world_.options.chaos <= 0 || isAscend(program_.target))
    return false;
  const Buffer *to = program_.buffer(op.destination);
  return to && to->space == Space::reg &&
         (op.source.kind == View::tensor || isShared(program_, op.source)) &&
         (state_.random >> 36 & 1);
}

void UnitReads::takeReads(Actor &a, const std::function<bool(const LateRead &)> &which) {
  for (const LateRead &read : a.lateReads)
    if (which(read))
      read.copy.move();
  std::erase_if(a.lateReads, which);
}

/// What the operation needs to have come, or orders.
void UnitReads::takeReadsBefore(Actor &a, const Stmt &s) {
  if (!world_.options.lateReads)
    return;
  const auto all = [](const LateRead &) { return true; };
  if (const auto *fence = std::get_if<Fence>(&s.op)) { // of the own CTA
    const bool ofTensors = fence->kind == Fence::proxyAsyncGlobal;
    for (Actor &other : actors_)
      if (other.cta == a.cta && (ofTensors || fence->kind == Fence::proxyAsync))
        takeReads(other, [&](const LateRead &r) { return r.ofTensor == ofTensors; });
  } else if (writesMemory(program_, s) || joinsCtas(s)) {
    for (Actor &other : actors_)
      takeReads(other, all);
  }
  if (a.lateReads.empty())
    return;
  const auto uses = [&](const View *v) {
    return v->kind == View::buffer && std::ranges::any_of(a.lateReads, [&](const LateRead &r) {
             return r.registers == v->object;
           });
  };
  if (const std::vector<const View *> views = viewsOf(s.op); std::ranges::any_of(views, uses))
    takeReads(a, all);
}

} // namespace sluice

// Copies of shared memory to registers whose values come late: a warp goes on until it uses them.
// Nothing but a proxy fence orders them with what TMA writes (R39); what threads write comes after.
#include "Program/OperationFacts.h"
#include "Simulate/Unit.h"

#include <algorithm>

namespace sluice {
namespace {

bool isShared(const Program &p, const View &v) {
  const Buffer *b = p.buffer(v);
  return b && b->space == Space::smem;
}

/// Whether threads write shared memory, their own CTA's or a peer's. TMA and copies between CTAs do
/// so through the other proxy.
bool writesShared(const Program &p, const Stmt &s) {
  const auto *peer = std::get_if<RemoteCopy>(&s.op);
  if (std::holds_alternative<TmaLoad>(s.op) || (peer && !p.storesRegisters(*peer)))
    return false;
  const std::vector<const View *> writes = touchedBy(s.op).writes;
  return std::ranges::any_of(writes, [&](const View *v) { return isShared(p, *v); });
}

} // namespace

/// Of every second one, by bits that delay() does not look at.
bool Unit::comesLate(const Copy &op) const {
  if (!world_.options.lateReads || world_.options.chaos <= 0 || isAscend(program_.target))
    return false;
  const Buffer *to = program_.buffer(op.destination);
  return to && to->space == Space::reg && isShared(program_, op.source) && (random_ >> 36 & 1);
}

void Unit::takeReads(Actor &a) {
  for (const LateRead &read : a.lateReads)
    read.copy.move();
  a.lateReads.clear();
}

/// What the operation needs to have come, or orders.
void Unit::takeReadsBefore(Actor &a, const Stmt &s) {
  if (!world_.options.lateReads)
    return;
  const auto *fence = std::get_if<Fence>(&s.op);
  const bool isFence = fence && fence->kind == Fence::proxyAsync; // of the own CTA
  if (isFence || writesShared(program_, s))
    for (Actor &other : actors_)
      if (!isFence || other.cta == a.cta)
        takeReads(other);
  if (a.lateReads.empty())
    return;
  const auto uses = [&](const View *v) {
    return v->kind == View::buffer && std::ranges::any_of(a.lateReads, [&](const LateRead &r) {
             return r.registers == v->object;
           });
  };
  if (const std::vector<const View *> views = viewsOf(s.op); std::ranges::any_of(views, uses))
    takeReads(a);
}

} // namespace sluice

// The lanes of one warp. Each has in its program order what it did itself; of the others' parts it
// learns as it learns of other warps: at warp_sync, at CTA and cluster barriers, from phases and
// counters that all lanes have signalled.
#include "Program/Sharing.h"
#include "Verify/Conditions.h"
#include "Verify/Run.h"

#include <algorithm>
#include <cstdint>

namespace sluice {

/// All lanes have learnt `from`: with it, what it knows and sees of all lanes' events.
void tellLanes(Actor &a, const Knowledge &from) {
  const auto tell = [&](uint32_t &told, int32_t component) {
    told = std::max(told, std::min(from.order[component], from.sight.memory[component]));
  };
  tell(a.told, a.lanesComponent);
  tell(a.toldCopies, a.copies.component);
}

namespace {

bool isHeld(const Program &program, const View &view) {
  const Buffer *b = program.buffer(view);
  return b && b->space == Space::reg &&
         (b->layout == Layout::acc || b->layout == Layout::fragA || b->layout == Layout::blocked);
}

/// Of a copy between a tile in registers, of which every lane holds its elements, and memory: the
/// tile; else null.
const View *heldByLanes(const Program &program, const Stmt &s) {
  const auto *copy = std::get_if<Copy>(&s.op);
  if (!copy || isHeld(program, copy->source) == isHeld(program, copy->destination))
    return nullptr;
  return isHeld(program, copy->source) ? &copy->source : &copy->destination;
}

/// Whether each element of such a copy is moved by the lane that holds it.
bool isByHolders(const Program &program, const Copy &copy) {
  const bool stores = isHeld(program, copy.source);
  const View &held = stores ? copy.source : copy.destination;
  const View &memory = stores ? copy.destination : copy.source;
  return memory.kind != View::tensor ||
         movedByHolders(program.buffer(held)->layout, program.type(memory), stores);
}

/// All lanes execute it together and may move each other's elements, so that what they read before
/// it has been read; nothing is said of what they read after it. stmatrix, by which 16-bit elements
/// of a fragment go to shared memory (PTX ISA, stmatrix: .sync), and whole rows on their way to a
/// tensor: they may start at any element, where lanes exchange pieces (shfl.sync).
bool moveTogether(const Program &program, const Copy &copy) {
  if (!isHeld(program, copy.source))
    return false;
  const bool rows = program.buffer(copy.source)->layout == Layout::blocked;
  return copy.destination.kind == View::tensor
             ? rows
             : !rows && byteSize(program.type(copy.destination)) == 2;
}

} // namespace

/// Which lane touches which bytes; bit 0: all lanes together. Of a tensor without its place, which
/// the box tells; at a launch the box also tells where it is clipped.
uint64_t RunOrder::wayOf(const Actor &a, const Stmt &s, const View &view) const {
  if (std::holds_alternative<Raw>(s.op))
    return Access::anyLanes; // its scalars may say which
  const View *held = heldByLanes(program_, s);
  uint64_t way = reinterpret_cast<uintptr_t>(&s);
  if (held && isByHolders(program_, std::get<Copy>(s.op)))
    way =
        static_cast<uint64_t>(program_.buffer(*held)->layout) * 16 + byteSize(program_.type(*held));
  const auto mix = [&](int64_t v) {
    way = (way ^ static_cast<uint64_t>(v)) * 0x9e3779b97f4a7c15;
    way ^= way >> 32;
  };
  if (held) {
    for (const Index &at : held->offset)
      mix(a.agent.value(at));
    for (const int64_t extent : program_.buffer(*held)->shape)
      mix(extent);
  }
  mix(a.agent.warpInRole());
  mix(a.agent.warpsInRole());
  mix(view.transposed);
  for (const int64_t extent : view.shape)
    mix(extent);
  if (view.kind == View::buffer) {
    mix(view.object);
    for (const Index &at : view.offset)
      mix(a.agent.value(at));
  }
  if (!context_.launch)
    for (const Clip &c : view.clips) {
      mix(c.dimension);
      mix(c.end.value);
      mix(c.end.constant);
    }
  return way << 2 | 2 | (held && moveTogether(program_, std::get<Copy>(s.op)));
}

/// Of an access by all lanes; 0: one lane or a unit does it.
uint64_t RunOrder::lanesOf(const Actor &a, const Stmt &s, const View &view,
                           const Access &access) const {
  const bool lanes = access.stamp.component == a.lanesComponent && s.exec == Exec::threads;
  const bool copies = access.stamp.component == a.copies.component;
  const Buffer *buffer = program_.buffer(view);
  const bool own = buffer && buffer->space == Space::reg;
  return isAscend(program_.target) || (!lanes && !copies) || own ? 0 : wayOf(a, s, view);
}

bool Actor::areTold(const Access &access) const {
  return (access.stamp.component == lanesComponent ? told : toldCopies) >= access.stamp.count;
}

/// Whether what the lanes do now comes after what other lanes did before.
bool RunOrder::lanesKnow(const Actor &a, const Access &prior, const Access &now) const {
  const bool parts = prior.actor == a.index && prior.way && now.way;
  const bool same = now.way != Access::anyLanes && (prior.way | (now.way & 1)) == now.way;
  return !parts || !conditions().lanes || same || a.areTold(prior);
}

} // namespace sluice

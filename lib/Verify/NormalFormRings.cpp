// Slots and parities of rings, counted from a cursor: states that differ by a turn have one normal
// form.
#include "Verify/NormalForm.h"

namespace sluice {

/// Where a cursor stands in two turns of its ring, where that is known.
std::optional<int64_t> NormalForm::positionOf(const Actor &a, ValueId cursor) const {
  const int64_t slots = rings_.slots(rings_.of(cursor));
  const Affine known = a.agent.scalars().resolve(a.agent.frame()[cursor]);
  const int64_t position = (known.constant >> 1) + (known.constant & 1) * slots;
  return known.isConstant() && position >= 0 && position < 2 * slots ? std::optional(position)
                                                                     : std::nullopt;
}

/// Counts the slots of each ring that nobody names by numbers any more from the first cursor that
/// somebody may still read. Where nobody has one, nobody comes to the ring again, and any turn will
/// do: that of the last cursor that there was.
void NormalForm::turnRings() {
  turns_.assign(rings_.count(), -1);
  std::vector<bool> fixed(rings_.count());
  for (const Actor *a : running_) {
    const uint64_t named = rings_.namedAhead(a->agent, a->index);
    for (size_t r = 0; r < fixed.size(); ++r)
      fixed[r] = fixed[r] || (named >> r & 1);
    for (const auto &f : a->agent.stack())
      eachLive(*a, f, [&](ValueId v) {
        const int ring = rings_.of(v);
        if (ring < 0)
          return;
        const auto position = positionOf(*a, rings_.cursor(v));
        fixed[ring] = fixed[ring] || !position;
        if (turns_[ring] < 0 && position)
          turns_[ring] = *position;
      });
  }
  for (size_t r = 0; r < fixed.size(); ++r)
    if (fixed[r])
      turns_[r] = -1;
    else if (turns_[r] < 0)
      turns_[r] = lastPosition(static_cast<int>(r));
}

int64_t NormalForm::lastPosition(int ring) const {
  for (const Actor &a : run_.actors_)
    for (const ValueId cursor : rings_.cursorsOf(ring))
      if (const auto position = positionOf(a, cursor); position.value_or(0) > 0)
        return *position;
  return 0;
}

/// A position, counted from where the ring is turned to.
int64_t NormalForm::fromTurn(int ring, int64_t position) const {
  const int64_t twice = 2 * rings_.slots(ring);
  return (position - turns_[ring] + twice) % twice;
}

/// The slot at a place of a ring, which may be turned.
int64_t NormalForm::slotAt(int ring, int64_t place) const {
  return isTurned(ring) && rings_.slots(ring) > 1 ? (turns_[ring] + place) % rings_.slots(ring)
                                                  : place;
}

/// Whether the turn takes the parity of a slot's barriers to the other one.
bool NormalForm::turnsParity(int ring, int64_t slot) const {
  if (!isTurned(ring))
    return false;
  const int64_t slots = rings_.slots(ring);
  if (slots == 1)
    return turns_[ring] == 1;
  const int64_t place = fromTurn(ring, slot) % slots;
  return (turns_[ring] + place) % (2 * slots) >= slots;
}

/// The number of a component as it would be in the ring unturned: loads into one slot are one.
int32_t NormalForm::nameOf(int32_t component) {
  using Component = Context::Component;
  if (component < 0)
    return component;
  if (static_cast<size_t>(component) >= names_.size())
    names_.resize(component + 1, -1);
  int32_t &name = names_[component];
  if (name >= 0)
    return name;
  const Component c = run_.context_.componentAt(component);
  name = component;
  if (c.kind != Component::loads && c.kind != Component::commits)
    return name;
  const auto [cta, array, slot] = Context::barrierAt(c.barrier);
  if (const int ring = rings_.ofBarrier(array, slot); isTurned(ring) && rings_.slots(ring) > 1)
    name = run_.context_.component(
        c.kind, c.actor, c.stmt,
        Context::barrierNumber(cta, array, fromTurn(ring, slot) % rings_.slots(ring)));
  return name;
}

/// A cell in a slot of a turned ring.
std::optional<NormalForm::TurnedCell> NormalForm::turned(int64_t memory, Memory &m,
                                                         size_t cell) const {
  if (memory >= RunMemory::registerMemories ||
      memory % RunMemory::spacesOfCta != static_cast<int64_t>(Space::smem))
    return {};
  const int64_t byte = m.begin(cell);
  for (size_t i = 0; i < run_.program_.buffers.size(); ++i) {
    const Buffer &b = run_.program_.buffers[i];
    const int ring = rings_.ofBuffer(static_cast<int>(i));
    if (!isTurned(ring) || byte < b.offset || byte >= b.offset + b.bytes())
      continue;
    const int64_t slot = (byte - b.offset) / b.slotBytes;
    return TurnedCell{static_cast<int64_t>(i), fromTurn(ring, slot) % b.slots,
                      (byte - b.offset) % b.slotBytes, m.form(cell), cell};
  }
  return {};
}

} // namespace sluice

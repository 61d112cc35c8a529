#include "Verify/Rings.h"

#include "Program/Blocks.h"
#include "Verify/Lifting.h"
#include "Verify/RingMembers.h"

namespace sluice {

Rings::Rings(const Program &program)
    : ringOf_(program.values, -1), cursors_(program.values, kNone) {
  constexpr size_t most = 64; // bits of a mask
  const RingMembers members(program);
  std::map<int, int> rings; // by group
  const auto ringOf = [&](int member) {
    const auto at = rings.find(members.group(member));
    return at == rings.end() ? -1 : at->second;
  };
  for (ValueId v = 0; v < program.values; ++v)
    if (members.kind(v) == RingMembers::Kind::cursor && members.slots(v) > 0 &&
        !(members.isFixed(v) && lifting().named) && rings.size() < most)
      if (const int next = static_cast<int>(rings.size());
          rings.try_emplace(members.group(v), next).second)
        slots_.push_back(members.slots(v));
  cursorsOf_.resize(slots_.size());
  for (ValueId v = 0; v < program.values; ++v)
    if (const ValueId from = members.cursor(v); from != kNone) {
      cursors_[v] = from;
      ringOf_[v] = ringOf(from);
      if (from == v && ringOf_[v] >= 0)
        cursorsOf_[ringOf_[v]].push_back(v);
    }
  for (size_t i = 0; i < program.buffers.size(); ++i)
    buffers_.push_back(ringOf(members.ofBuffer(static_cast<int>(i))));
  for (size_t i = 0; i < program.mbarriers.size(); ++i) {
    std::vector<int> &slots = barriers_.emplace_back();
    for (int64_t slot = 0; slot < program.mbarriers[i].slots; ++slot)
      slots.push_back(ringOf(members.ofBarrier(static_cast<int>(i), slot)));
  }
  for (const auto &[s, named] : members.named())
    for (const int member : named)
      if (const int ring = ringOf(member); ring >= 0)
        named_[s] |= uint64_t{1} << ring;
}

uint64_t Rings::namedIn(const AgentPosition &at, const Block &block, size_t from) const {
  uint64_t rings = 0;
  for (size_t i = from; i < block.stmts.size(); ++i) {
    const Stmt &s = block.stmts[i];
    if (const auto named = named_.find(&s); named != named_.end())
      rings |= named->second;
    if (auto *role = std::get_if<Role>(&s.op); !role || at.enters(*role))
      forBlocks(s, [&](const Block &inner) { rings |= namedIn(at, inner, 0); });
  }
  return rings;
}

uint64_t Rings::namedAhead(const ProofAgent &agent, int32_t number) const {
  uint64_t rings = 0;
  if (!lifting().named)
    return rings;
  for (const auto &f : agent.stack()) {
    const bool loops = f.owner && std::holds_alternative<For>(f.owner->op);
    const bool within = &f == &agent.stack().back() && agent.current(); // it is still to be done
    const size_t from = loops ? 0 : f.next - within;
    const auto [at, isNew] = ahead_.try_emplace({number, f.block, from});
    if (isNew)
      at->second = namedIn(agent, *f.block, from);
    rings |= at->second;
  }
  return rings;
}

} // namespace sluice

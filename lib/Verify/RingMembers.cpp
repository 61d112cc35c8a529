#include "Verify/RingMembers.h"

#include "Program/Agent.h"
#include "Program/Blocks.h"
#include "Program/OperationFacts.h"
#include "Program/Uses.h"

#include <algorithm>
#include <numeric>

namespace sluice {

RingMembers::RingMembers(const Program &program)
    : program_(program), kinds_(program.values, Kind::none), cursors_(program.values, kNone) {
  int members = program.values + static_cast<int>(program.buffers.size());
  for (const Mbarrier &m : program.mbarriers) {
    places_.push_back(members);
    members += static_cast<int>(m.slots);
  }
  parent_.resize(members);
  std::iota(parent_.begin(), parent_.end(), 0);
  slots_.resize(members);
  fixed_.resize(members);
  walk(program.body, [&](const Stmt &s) {
    stmts_.push_back(&s);
    if (auto *op = std::get_if<Scalar>(&s.op); op && op->op == ScalarOp::constant)
      constants_[op->result] = op->imm;
  });
  while (findKinds()) {
  }
  for (const Stmt *s : stmts_)
    uses(*s);
  for (const auto &[s, members] : numbered_) // an index alone does not turn a ring of one slot
    for (const int m : members)
      if (slots(m) != 1)
        named_[s].insert(m);
  findShared();
}

int RingMembers::group(int member) const {
  while (parent_[member] != member)
    member = parent_[member];
  return member;
}

void RingMembers::unite(int a, int b) {
  a = group(a);
  b = group(b);
  if (a == b)
    return;
  const int64_t both[] = {slots_[a], slots_[b]};
  fixed_[a] = fixed_[a] || fixed_[b] || (both[0] && both[1] && both[0] != both[1]);
  slots_[a] = std::max(both[0], both[1]);
  parent_[b] = a;
}

void RingMembers::hasSlots(int member, int64_t slots) {
  int64_t &known = slots_[group(member)];
  if (known && known != slots)
    fixed_[group(member)] = true;
  known = slots;
}

// ---- Cursors, and what is taken from them ------------------------------------------------------

bool RingMembers::isCursor(ValueId v) const {
  return kinds_[v] == Kind::cursor;
}

bool RingMembers::becomes(ValueId v, Kind kind, ValueId from) {
  if (kinds_[v] == kind)
    return false;
  kinds_[v] = kind;
  cursors_[v] = from == kNone ? v : from;
  return true;
}

bool RingMembers::findKinds(const Scalar &s) {
  const auto is = [&](size_t i, Kind kind) { return kinds_[s.operands[i]] == kind; };
  switch (s.op) {
  case ScalarOp::cursorInit:
    return becomes(s.result, Kind::start);
  case ScalarOp::cursorAdvance:
    return becomes(s.result, Kind::cursor);
  case ScalarOp::cursorSlot: // of one slot it is a number
    return is(0, Kind::cursor) && s.imm > 1 && becomes(s.result, Kind::slot, s.operands[0]);
  case ScalarOp::cursorPhase:
    return is(0, Kind::cursor) && becomes(s.result, Kind::parity, s.operands[0]);
  case ScalarOp::select:
    return (is(1, Kind::cursor) || is(2, Kind::cursor)) && becomes(s.result, Kind::cursor);
  case ScalarOp::add: // with a constant: the last bit turns as the parity does
  case ScalarOp::sub:
  case ScalarOp::xorI:
    for (const size_t i : {size_t{0}, size_t{1}})
      if (is(i, Kind::parity) && constants_.contains(s.operands[1 - i]))
        return becomes(s.result, Kind::parity, cursors_[s.operands[i]]);
    return false;
  default:
    return false;
  }
}

bool RingMembers::findKinds() {
  bool grew = false;
  const auto flow = [&](const std::vector<ValueId> &from, const std::vector<ValueId> &to) {
    for (size_t i = 0; i < from.size() && i < to.size(); ++i)
      if (isCursor(from[i]) || kinds_[from[i]] == Kind::start)
        grew |= becomes(to[i], Kind::cursor);
  };
  for (const Stmt *s : stmts_)
    if (auto *op = std::get_if<Scalar>(&s->op))
      grew |= findKinds(*op);
    else
      forFlows(*s, flow);
  return grew;
}

// ---- Uses --------------------------------------------------------------------------------------

/// What a statement does with values of rings: all that is not allowed names slots by numbers.
void RingMembers::uses(const Stmt &s) {
  allowed_.clear();
  if (auto *op = std::get_if<Scalar>(&s.op))
    scalar(s, *op);
  else if (auto *op = std::get_if<For>(&s.op))
    loop(s, *op);
  else if (auto *op = std::get_if<If>(&s.op))
    branch(s, *op);
  else if (auto *op = std::get_if<MbarrierWait>(&s.op))
    parity(s, op->barrier, op->parity);
  else if (auto *op = std::get_if<MbarrierTest>(&s.op))
    parity(s, op->barrier, op->parity);
  for (const View *v : viewsOf(s.op))
    view(s, *v);
  std::visit(
      [&](const auto &op) {
        const auto isWhole = [](const auto &o) {
          if constexpr (requires { o.wholeArray; })
            return o.wholeArray;
          return false;
        };
        if constexpr (requires { op.barrier; })
          if (!isWhole(op))
            barrier(s, op.barrier);
      },
      s.op);
  const bool control = std::holds_alternative<For>(s.op) || std::holds_alternative<If>(s.op);
  forEachUse(s, [&](ValueId v) {
    if (v == kNone || kinds_[v] == Kind::none || kinds_[v] == Kind::start)
      return;
    if (const auto at = allowed_.find(v); at != allowed_.end())
      allowed_.erase(at);
    else if (control) // looked at again while the agent is inside
      fixed_[group(cursors_[v])] = true;
    else
      named_[&s].insert(cursors_[v]);
  });
}

/// A cursor handed on. One that begins there begins at a number, once or whenever a block ends.
void RingMembers::flow(const Stmt &s, ValueId from, ValueId to, bool once) {
  if (!isCursor(to))
    return;
  if (isCursor(from)) {
    allowed_.insert(from);
    unite(from, to);
  } else if (kinds_[from] == Kind::start && once) {
    named_[&s].insert(to);
  } else {
    fixed_[group(to)] = true;
  }
}

void RingMembers::scalar(const Stmt &s, const Scalar &op) {
  const auto ofRing = [&](size_t operand, Kind kind) {
    if (kinds_[op.operands[operand]] == kind)
      allowed_.insert(op.operands[operand]);
  };
  switch (op.op) {
  case ScalarOp::cursorAdvance:
    hasSlots(op.result, op.imm);
    return flow(s, op.operands[0], op.result, true);
  case ScalarOp::cursorSlot:
  case ScalarOp::cursorPhase:
    if (!isCursor(op.operands[0]))
      return;
    hasSlots(op.operands[0], op.imm);
    return ofRing(0, Kind::cursor);
  case ScalarOp::select:
    for (const size_t i : {size_t{1}, size_t{2}})
      flow(s, op.operands[i], op.result, true);
    return;
  default:
    for (size_t i = 0; i < op.operands.size() && kinds_[op.result] == Kind::parity; ++i)
      ofRing(i, Kind::parity);
  }
}

void RingMembers::loop(const Stmt &s, const For &op) {
  for (size_t i = 0; i < op.iterArgs.size(); ++i) {
    flow(s, op.inits[i], op.iterArgs[i], true);
    flow(s, op.body.yields[i], op.iterArgs[i], false);
    if (isCursor(op.iterArgs[i]))
      unite(op.iterArgs[i], op.results[i]);
  }
}

void RingMembers::branch(const Stmt &s, const If &op) {
  for (const Block *block : {&op.thenBlock, &op.elseBlock})
    for (size_t i = 0; i < block->yields.size(); ++i)
      flow(s, block->yields[i], op.results[i], false);
}

bool RingMembers::isSlotOf(const Index &i, int64_t slots) const {
  return !i.isConstant() && i.constant == 0 && kinds_[i.value] == Kind::slot &&
         this->slots(cursors_[i.value]) == slots;
}

void RingMembers::view(const Stmt &s, const View &v) {
  const Buffer *b = program_.buffer(v);
  if (!b || b->slots == 1)
    return;
  const int member = ofBuffer(v.object);
  if (b->space != Space::smem || !isSlotOf(v.slot, b->slots)) {
    numbered_[&s].insert(member);
    return;
  }
  allowed_.insert(v.slot.value);
  unite(member, cursors_[v.slot.value]);
}

std::vector<int> RingMembers::placesOf(const MbarrierRef &ref) const {
  const int64_t slots = program_.mbarriers[ref.object].slots;
  const int64_t number = ref.slot.constant;
  if (ref.slot.isConstant() && number >= 0 && number < slots)
    return {ofBarrier(ref.object, number)};
  if (const auto at = constants_.find(ref.slot.value);
      at != constants_.end() && at->second + number >= 0 && at->second + number < slots)
    return {ofBarrier(ref.object, at->second + number)};
  std::vector<int> all(slots);
  std::iota(all.begin(), all.end(), places_[ref.object]);
  return all;
}

void RingMembers::barrier(const Stmt &s, const MbarrierRef &ref) {
  const bool ofRing = isSlotOf(ref.slot, program_.mbarriers[ref.object].slots);
  if (ofRing)
    allowed_.insert(ref.slot.value);
  for (const int place : placesOf(ref))
    if (ofRing)
      unite(place, cursors_[ref.slot.value]);
    else
      numbered_[&s].insert(place);
}

/// Of a wait or a test.
void RingMembers::parity(const Stmt &s, const MbarrierRef &ref, const Index &parity) {
  const std::vector<int> places = placesOf(ref);
  if (parity.isConstant() || kinds_[parity.value] != Kind::parity) {
    named_[&s].insert(places.begin(), places.end());
    return;
  }
  const ValueId cursor = cursors_[parity.value];
  const bool alike = isSlotOf(ref.slot, program_.mbarriers[ref.object].slots) &&
                     cursors_[ref.slot.value] == cursor;
  if (slots(cursor) == 1 || alike) {
    allowed_.insert(parity.value);
    for (const int place : places)
      unite(place, cursor);
  } else {
    named_[&s].insert(places.begin(), places.end());
  }
}

/// Bytes of slots that something else has too.
void RingMembers::findShared() {
  struct Bytes {
    int64_t begin, end;
    int member;
  };
  std::vector<Bytes> all;
  for (size_t i = 0; i < program_.buffers.size(); ++i)
    if (const Buffer &b = program_.buffers[i]; b.space == Space::smem)
      all.push_back({b.offset, b.offset + b.bytes(), ofBuffer(static_cast<int>(i))});
  for (size_t i = 0; i < program_.mbarriers.size(); ++i)
    for (int64_t slot = 0; slot < program_.mbarriers[i].slots; ++slot) {
      const int64_t begin = program_.mbarriers[i].offset + 8 * slot;
      all.push_back({begin, begin + 8, ofBarrier(static_cast<int>(i), slot)});
    }
  for (const Bytes &x : all)
    for (const Bytes &y : all)
      if (x.member != y.member && x.begin < y.end && y.begin < x.end)
        fixed_[group(x.member)] = true;
}

} // namespace sluice

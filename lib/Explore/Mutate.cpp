#include "Explore/MutationPlaces.h"

#include <algorithm>
#include <bit>

namespace sluice {
namespace {

using namespace mutation;

/// Inserts scalars before a statement.
class Scalars {
public:
  Scalars(Program &p, Place &at) : program_(p), at_(at) {}

  ValueId add(ScalarOp op, std::vector<ValueId> operands, int64_t imm = 0) {
    Stmt s;
    s.op = Scalar{op, program_.values++, std::move(operands), imm, -1};
    program_.valueNames.resize(program_.valueNames.empty() ? 0 : program_.values);
    s.loc = at_.stmt().loc;
    at_.block->stmts.insert(at_.block->stmts.begin() + static_cast<long>(at_.index++), s);
    return program_.values - 1;
  }
  ValueId number(int64_t n) { return add(ScalarOp::constant, {}, n); }
  /// The index as one value.
  ValueId value(const Index &i) {
    const ValueId constant = number(i.constant);
    return i.isConstant() ? constant : add(ScalarOp::add, {i.value, constant});
  }

private:
  Program &program_;
  Place &at_;
};

void nextSlot(Program &p, Place &at) {
  const auto [slot, slots] = slotOf(p, at.stmt().op);
  const Index old = *slot;
  Scalars scalars(p, at);
  const ValueId next = scalars.add(ScalarOp::add, {scalars.value(old), scalars.number(1)});
  const ValueId wrapped = scalars.add(ScalarOp::remS, {next, scalars.number(slots)});
  *slotOf(p, at.stmt().op).first = {wrapped, 0};
}

void flipParity(Program &p, Place &at) {
  const Index old = *parityOf(at.stmt().op);
  Scalars scalars(p, at);
  const ValueId flipped = scalars.add(ScalarOp::xorI, {scalars.value(old), scalars.number(1)});
  *parityOf(at.stmt().op) = {flipped, 0};
}

void moveTo(Program &p, Place &at, int place) {
  Stmt moved = at.stmt();
  const Place there = find(p, place);
  barrierOf(moved.op)->slot = barrierOf(there.stmt().op)->slot;
  const bool shifts = there.block == at.block && there.index < at.index;
  there.block->stmts.insert(there.block->stmts.begin() + static_cast<long>(there.index) + 1, moved);
  at.block->stmts.erase(at.block->stmts.begin() + static_cast<long>(at.index) + shifts);
}

/// First byte behind all that lies in a memory.
int64_t endOf(const Program &p, Space space) {
  int64_t end = space == Space::smem ? p.sharedBytes : 0;
  for (const Buffer &b : p.buffers)
    if (b.space == space)
      end = std::max(end, b.offset + b.bytes());
  return (end + 1023) / 1024 * 1024;
}

/// One slot more does not fit where the ring lies: it goes behind everything.
void resize(Program &p, Buffer &b, int64_t amount) {
  if (amount > 0)
    b.offset = endOf(p, b.space);
  b.slots += amount;
  if (b.space == Space::smem)
    p.sharedBytes = std::max(p.sharedBytes, b.offset + b.bytes());
}

void resize(Program &p, Mbarrier &b, int64_t amount) {
  if (amount > 0)
    b.offset = endOf(p, Space::smem);
  b.slots += amount;
  p.sharedBytes = std::max(p.sharedBytes, b.offset + 8 * b.slots);
}

void resizeRings(Program &p, int64_t slots, int64_t amount) {
  for (Buffer &b : p.buffers)
    if (b.slots == slots && b.slotBytes)
      resize(p, b, amount);
  for (Mbarrier &b : p.mbarriers)
    if (b.slots == slots)
      resize(p, b, amount);
  visit(p, [&](const Place &at, int) {
    auto *scalar = std::get_if<Scalar>(&at.stmt().op);
    if (scalar && scalar->imm == slots &&
        (scalar->op == ScalarOp::cursorAdvance || scalar->op == ScalarOp::cursorInit ||
         scalar->op == ScalarOp::cursorSlot || scalar->op == ScalarOp::cursorPhase))
      scalar->imm += amount;
    return true;
  });
}

void swapIds(Place &at) {
  const size_t other = *nextFlag(*at.block, at.index);
  std::swap(*flagOf(at.stmt().op), *flagOf(at.block->stmts[other].op));
}

void narrowScope(Operation &op) {
  if (auto *meeting = std::get_if<ClusterBarrier>(&op))
    meeting->kind = ClusterBarrier::arriveRelaxed;
  else
    *scopeOf(op) = *scopeOf(op) == Scope::gpu ? Scope::cluster : Scope::cta;
}

/// `if (warp in role == 1)` around the operation, by an elected lane.
void byOtherWarp(Program &p, Place &at) {
  Scalars scalars(p, at);
  const ValueId warp = scalars.add(ScalarOp::warpInRole, {});
  const ValueId isSecond = scalars.add(ScalarOp::eq, {warp, scalars.number(1)});
  Stmt branch;
  branch.loc = at.stmt().loc;
  at.stmt().exec = Exec::warp;
  branch.op = If{isSecond, {{at.stmt()}, {}}, {}, {}};
  at.stmt() = std::move(branch);
}

} // namespace

Program mutated(const Program &program, const Mutation &m) {
  Program p = program;
  Place at = find(p, m.statement);
  auto &stmts = at.block->stmts;
  const auto here = stmts.begin() + static_cast<long>(at.index);
  switch (m.kind) {
  case Mutation::drop:
    stmts.erase(here);
    break;
  case Mutation::duplicate: {
    const Stmt copy = *here;
    stmts.insert(here, copy);
    break;
  }
  case Mutation::earlier: // with the scalars that it uses
    std::rotate(stmts.begin() + static_cast<long>(*before(*at.block, at.index)),
                stmts.begin() + static_cast<long>(*before(*at.block, at.index)) + 1, here + 1);
    break;
  case Mutation::later:
    std::rotate(here, here + 1, stmts.begin() + static_cast<long>(*after(*at.block, at.index)) + 1);
    break;
  case Mutation::count:
    *countOf(here->op) += m.amount * (std::holds_alternative<NamedBarrier>(here->op) ? 32 : 1);
    break;
  case Mutation::bytes:
    bytesOf(here->op)->constant += m.amount;
    break;
  case Mutation::parity:
    flipParity(p, at);
    break;
  case Mutation::slot:
    nextSlot(p, at);
    break;
  case Mutation::otherId:
    if (auto *meeting = std::get_if<NamedBarrier>(&here->op))
      ++meeting->id.constant;
    else
      ++flagOf(here->op)->constant;
    break;
  case Mutation::swap:
    swapIds(at);
    break;
  case Mutation::narrow:
    here->exec = Exec::one;
    break;
  case Mutation::scope:
    narrowScope(here->op);
    break;
  case Mutation::otherWarp:
    byOtherWarp(p, at);
    break;
  case Mutation::otherRole:
    moveTo(p, at, m.place);
    break;
  case Mutation::stages:
    resizeRings(p, std::get<Scalar>(here->op).imm, m.amount);
    break;
  case Mutation::cursor:
    std::get<Scalar>(here->op).imm += m.amount;
    break;
  case Mutation::mask:
    *maskOf(here->op) ^= int64_t(std::bit_floor(uint64_t(*maskOf(here->op))));
    break;
  case Mutation::unitFlags:
    if (auto *product = std::get_if<Mmad>(&here->op))
      product->units = static_cast<UnitUse>(m.amount);
    else
      std::get<Copy>(here->op).byUnits = m.amount != 0;
    break;
  }
  return p;
}

std::string_view Mutation::kindName() const {
  static const char *const names[kinds] = {
      "drop",   "double",      "earlier",         "later",           "count",
      "bytes",  "flip parity", "next slot",       "other id",        "swap",
      "narrow", "scope",       "in another warp", "in another role", "stages",
      "cursor", "mask",        "unit flags"};
  return names[kind];
}

std::string Mutation::str() const {
  std::string text(kindName());
  if (amount)
    text += amount > 0 ? " +" + std::to_string(amount) : " " + std::to_string(amount);
  return kind == stages || kind == cursor ? text : text + " " + operation;
}

} // namespace sluice

#include "Explore/Numbers.h"

namespace sluice::explorer {
namespace {

using Wide = __int128; // no sum, product or quotient of two numbers leaves it

int64_t low(Wide n) {
  return static_cast<int64_t>(n);
}

/// The largest number of whole `b` in `a`, from below.
Wide floorOf(Wide a, Wide b) {
  Wide q = a / b;
  while (b > 0 ? q * b > a : q * b < a)
    --q;
  return q;
}

/// A cursor is 2 * slot + phase. Round by round the phase flips.
int64_t advanced(int64_t cursor, int64_t steps, int64_t slots) {
  const Wide slot = floorOf(cursor, 2), phase = cursor - 2 * slot;
  const Wide ring = slots < 1 ? 1 : slots, position = slot + steps;
  const Wide rounds = floorOf(position, ring);
  const bool flips = rounds - 2 * floorOf(rounds, 2) == 1;
  return low(2 * (position - rounds * ring) + (flips ? 1 - phase : phase));
}

int64_t rankIn(const Program &program, const Who &who) {
  const int64_t *of = program.cluster;
  const int64_t x = who.cta[0] % of[0], y = who.cta[1] % of[1], z = who.cta[2] % of[2];
  return x + of[0] * y + of[0] * of[1] * z;
}

int64_t loaded(const Scalar &s, const Standpoint &at) {
  const Launch::Shape &shape = at.launch.tensors[s.object];
  if (shape.integers.empty())
    return 1;
  int64_t place = 0, size = 1;
  for (size_t d = s.operands.size(); d-- > 0; size *= shape.extents[d]) {
    const int64_t index = at.numbers[s.operands[d]];
    if (index < 0 || index >= shape.extents[d])
      return 0;
    place += index * size;
  }
  return shape.integers[place];
}

int64_t divided(ScalarOp op, Wide a, Wide b) {
  if (b == 0)
    return 0;
  const Wide quotient = a / b; // towards zero
  return low(op == ScalarOp::divS   ? quotient
             : op == ScalarOp::remS ? a - quotient * b
                                    : -floorOf(-a, b));
}

int64_t shifted(ScalarOp op, int64_t a, int64_t by) {
  const Wide power = Wide(1) << (by & 63);
  return op == ScalarOp::shl ? low(static_cast<Wide>(static_cast<unsigned __int128>(a) *
                                                     static_cast<unsigned __int128>(power)))
                             : low(floorOf(a, power));
}

int64_t computed(ScalarOp op, Wide a, Wide b, Wide c) {
  switch (op) {
  case ScalarOp::add:
    return low(a + b);
  case ScalarOp::sub:
    return low(a - b);
  case ScalarOp::mul:
    return low(a * b);
  case ScalarOp::divS:
  case ScalarOp::remS:
  case ScalarOp::ceilDiv:
    return divided(op, a, b);
  case ScalarOp::minS:
    return low(a < b ? a : b);
  case ScalarOp::maxS:
    return low(a < b ? b : a);
  case ScalarOp::andI:
    return low(a & b);
  case ScalarOp::orI:
    return low(a | b);
  case ScalarOp::xorI:
    return low(a ^ b);
  case ScalarOp::shl:
  case ScalarOp::shrS:
    return shifted(op, low(a), low(b));
  case ScalarOp::eq:
    return a == b;
  case ScalarOp::ne:
    return a != b;
  case ScalarOp::lt:
    return a < b;
  case ScalarOp::le:
    return a <= b;
  case ScalarOp::gt:
    return a > b;
  case ScalarOp::ge:
    return a >= b;
  default: // select
    return low(a != 0 ? b : c);
  }
}

} // namespace

int64_t numberOf(const Scalar &s, const Standpoint &at) {
  const auto operand = [&](size_t i, int64_t otherwise = 0) {
    return i < s.operands.size() ? at.numbers[s.operands[i]] : otherwise;
  };
  switch (s.op) {
  case ScalarOp::constant:
    return s.imm;
  case ScalarOp::dim:
    return at.launch.tensors[s.object].extents[s.imm];
  case ScalarOp::argument:
    return at.launch.arguments[s.object];
  case ScalarOp::load:
    return loaded(s, at);
  case ScalarOp::warpInRole:
    return at.warpInRole();
  case ScalarOp::clusterRank:
    return rankIn(at.program, at.who);
  case ScalarOp::subblock:
    return at.who.core == "aiv1" ? 1 : 0;
  case ScalarOp::cursorInit: // slot 0
    return operand(0) & 1;
  case ScalarOp::cursorAdvance:
    return advanced(operand(0), operand(1, 1), s.imm);
  case ScalarOp::cursorSlot:
    return low(floorOf(operand(0), 2));
  case ScalarOp::cursorPhase:
    return operand(0) & 1;
  default:
    return computed(s.op, operand(0), operand(1), operand(2));
  }
}

} // namespace sluice::explorer

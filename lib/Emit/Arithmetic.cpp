// Arithmetic on scalars: in 32 bits where the operands and the result fit them in every launch
// (Program/Ranges.h), else in 64 as on the virtual machine.
#include "Emit/Infix.h"
#include "Emit/Scalars.h"

#include <algorithm>

namespace sluice::emit {
namespace {

bool isComparison(ScalarOp op) {
  return op >= ScalarOp::eq && op <= ScalarOp::ge;
}

ValueText::Shape shapeOf(ScalarOp op) {
  return op == ScalarOp::add || op == ScalarOp::sub                            ? ValueText::sum
         : op == ScalarOp::mul || op == ScalarOp::divS || op == ScalarOp::remS ? ValueText::product
                                                                               : ValueText::other;
}

bool isLogic(ScalarOp op) {
  return op == ScalarOp::andI || op == ScalarOp::orI || op == ScalarOp::xorI;
}

} // namespace

/// The result needs 64 bits, or an operand does.
bool ScalarPrinter::isInWide(const Scalar &s) const {
  return ranges_.isWide(s.result) ||
         std::ranges::any_of(s.operands, [&](ValueId v) { return ranges_.isWide(v); });
}

/// What 64 bits have computed, as an int where it is one.
ValueText ScalarPrinter::narrowed(const Scalar &s, ValueText value) const {
  if (!isInWide(s) || ranges_.isWide(s.result))
    return value;
  return {.text = "int(" + value.text + ")"};
}

/// A function of operands that all have one type: a comparison is a number there.
ValueText ScalarPrinter::call(const Scalar &s, const std::string &function, bool wide) {
  std::string list;
  for (const ValueId v : s.operands) {
    const bool truth = values_[v].kind == ValueText::boolean;
    const std::string narrow = truth ? "int(" + text(v) + ")" : text(v);
    list += (list.empty() ? "" : ", ") + (wide ? asWide(v) : narrow);
  }
  const std::string text = function + "(" + list + ")";
  return {.text = wide && !ranges_.isWide(s.result) ? "int(" + text + ")" : text};
}

/// What is shifted by more than an int has bits is an i64.
ValueText ScalarPrinter::shift(const Scalar &s) {
  const IntegerRange by = ranges_.of(s.operands[1]);
  const bool wide = isInWide(s) || !by.isWithin(0, 31);
  const std::string first =
      wide && !ranges_.isWide(s.operands[0]) ? asWide(s.operands[0]) : operand(s.operands[0]);
  const std::string second =
      by.isWithin(0, 63) ? operand(s.operands[1]) : "(" + operand(s.operands[1]) + " & 63)";
  const std::string text = first + infixOf(s.op) + second;
  if (wide && !ranges_.isWide(s.result))
    return {.text = "int(" + text + ")"};
  return {.text = text, .atom = false};
}

ValueText ScalarPrinter::infix(const Scalar &s) {
  const auto isBoolean = [&](size_t i) {
    return values_[s.operands[i]].kind == ValueText::boolean;
  };
  const bool logic = isLogic(s.op) && isBoolean(0) && isBoolean(1);
  std::string infix = infixOf(s.op);
  if (logic)
    infix = s.op == ScalarOp::andI ? " && " : s.op == ScalarOp::orI ? " || " : " != ";
  ValueText result;
  result.kind = logic || isComparison(s.op) ? ValueText::boolean : ValueText::integer;
  result.shape = shapeOf(s.op);
  result.atom = false;
  auto side = [&](size_t i) {
    const ValueText &v = values_[s.operands[i]];
    const bool binds =
        !v.atom && ((result.shape == ValueText::sum && v.shape == ValueText::product) ||
                    (i == 0 && v.shape != ValueText::other && v.shape == result.shape));
    return binds ? text(s.operands[i]) : operand(s.operands[i]);
  };
  const bool widens =
      ranges_.isWide(s.result) && !ranges_.isWide(s.operands[0]) && !ranges_.isWide(s.operands[1]);
  result.text = (widens ? asWide(s.operands[0]) : side(0)) + infix + side(1);
  return result.kind == ValueText::boolean ? result : narrowed(s, result);
}

ValueText ScalarPrinter::arithmetic(const Scalar &s) {
  switch (s.op) {
  case ScalarOp::ceilDiv: {
    const bool plain = !isInWide(s) && ranges_.of(s.operands[1]).least >= 1;
    return call(s, "ceilDiv", !plain);
  }
  case ScalarOp::divS:
  case ScalarOp::remS:
    if (ranges_.dividesByAny(s.result))
      return call(s, s.op == ScalarOp::divS ? "quotient" : "remainder", isInWide(s));
    return infix(s);
  case ScalarOp::minS:
  case ScalarOp::maxS:
    return call(s, s.op == ScalarOp::minS ? "min" : "max", isInWide(s));
  case ScalarOp::shl:
  case ScalarOp::shrS:
    return shift(s);
  case ScalarOp::select: {
    const ValueText &first = values_[s.operands[1]];
    const ValueText value{kindOf(s.result, first),
                          condition({s.operands[0]}) + " ? " + operand(s.operands[1]) + " : " +
                              operand(s.operands[2]),
                          false, first.slots};
    return value.kind == ValueText::integer ? narrowed(s, value) : value;
  }
  default:
    break;
  }
  if (infixOf(s.op))
    return infix(s);
  fail("a scalar operation has no text");
  return {.text = "0"};
}

} // namespace sluice::emit

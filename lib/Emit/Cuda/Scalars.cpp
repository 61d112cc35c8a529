// Scalar values: inlined where a value is used once and has no name of its own, else a variable.
#include "Emit/Cuda/Infix.h"
#include "Emit/Cuda/Printer.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <numeric>

namespace sluice::cuda {

std::string number(int64_t n) {
  return std::to_string(n);
}

namespace {

constexpr int64_t anyDivisor = int64_t{1} << 20; // of zero

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

std::string Printer::text(ValueId v) {
  if (v < 0 || v >= int(values_.size()) || values_[v].text.empty()) {
    fail("value " + number(v) + " is used before it is computed");
    return "0";
  }
  return values_[v].text;
}

std::string Printer::operand(ValueId v) {
  std::string t = text(v);
  return values_.at(std::max(v, 0)).atom ? t : "(" + t + ")";
}

std::string Printer::text(const Index &i) {
  if (i.isConstant())
    return number(i.constant);
  if (i.constant == 0)
    return text(i.value);
  return operand(i.value) + (i.constant < 0 ? " - " : " + ") + number(std::abs(i.constant));
}

std::string Printer::factor(const Index &i) {
  return i.isConstant() || i.constant ? "(" + text(i) + ")" : operand(i.value);
}

std::string Printer::condition(const Index &i) {
  if (i.isConstant())
    return i.constant ? "true" : "false";
  if (i.constant == 0 && values_[i.value].kind == ValueText::boolean)
    return text(i.value);
  return (i.constant == 0 ? operand(i.value) : "(" + text(i) + ")") + " != 0";
}

ValueText Printer::expression(const Scalar &s) {
  auto arg = [&](size_t i) { return operand(s.operands[i]); };
  auto kindOf = [&](size_t i) { return values_[s.operands[i]].kind; };
  switch (s.op) {
  case ScalarOp::constant:
    if (s.imm > INT32_MAX || s.imm < INT32_MIN)
      fail("the constant " + number(s.imm) + " does not fit the 32-bit scalars of printed code");
    return {.text = number(s.imm), .atom = s.imm >= 0};
  case ScalarOp::dim:
    return {.text = extent(s.object, int(s.imm))};
  case ScalarOp::argument:
    return {.text = argument(s.object)};
  case ScalarOp::ceilDiv:
    return {.text = "ceilDiv(" + text(s.operands[0]) + ", " + text(s.operands[1]) + ")"};
  case ScalarOp::minS:
  case ScalarOp::maxS:
    return {.text = (s.op == ScalarOp::minS ? "min(" : "max(") + text(s.operands[0]) + ", " +
                    text(s.operands[1]) + ")"};
  case ScalarOp::select:
    return {kindOf(1), condition({s.operands[0]}) + " ? " + arg(1) + " : " + arg(2), false,
            values_[s.operands[1]].slots};
  case ScalarOp::cursorInit:
    return {ValueText::cursor,
            "Cursor<" + number(s.imm) + ">{" + (s.operands.empty() ? "" : "0, " + arg(0) + " & 1") +
                "}",
            true, s.imm};
  case ScalarOp::cursorAdvance:
    return {ValueText::cursor,
            arg(0) + ".advance(" + (s.operands.size() > 1 ? text(s.operands[1]) : "") + ")", true,
            s.imm};
  case ScalarOp::cursorSlot:
  case ScalarOp::cursorPhase:
    if (const Scalar *start = definitions_[s.operands[0]];
        start && start->op == ScalarOp::cursorInit && start->operands.empty())
      return {.text = "0"};
    if (s.op == ScalarOp::cursorPhase)
      return {.text = arg(0) + ".phase"};
    return {.text = arg(0) + ".slot"};
  case ScalarOp::warpInRole:
    return {.text = warp()};
  case ScalarOp::clusterRank:
    return {.text = "clusterRank()"};
  case ScalarOp::subblock:
    return {.text = "0"}; // a CTA has no parts
  case ScalarOp::load: {
    View one;
    one.object = s.object;
    for (const ValueId v : s.operands)
      one.offset.push_back({v, 0});
    return {.text = "*(" + element(one) + ")"};
  }
  default:
    break;
  }
  bool logic = isLogic(s.op) && kindOf(0) == ValueText::boolean && kindOf(1) == ValueText::boolean;
  const char *infix = infixOf(s.op);
  if (!infix) {
    fail("a scalar operation has no text");
    return {.text = "0"};
  }
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
    return binds ? text(s.operands[i]) : arg(i);
  };
  result.text = side(0) + infix + side(1);
  return result;
}

/// "groupIs1" for a comparison of something named with a number; else the kind of the operation.
std::string Printer::nameFor(const Scalar &s) {
  if (s.op == ScalarOp::clusterRank)
    return "rank";
  if (s.op != ScalarOp::eq || s.operands.size() != 2)
    return "n";
  const std::string of = text(s.operands[0]);
  const Scalar *with = definitions_[s.operands[1]];
  const bool plain =
      std::all_of(of.begin(), of.end(), [](unsigned char c) { return std::isalnum(c); });
  return plain && with && with->op == ScalarOp::constant && with->imm >= 0
             ? of + "Is" + number(with->imm)
             : "n";
}

void Printer::define(ValueId v, ValueText value, bool declare, std::string_view fallback) {
  if (declare) {
    std::string wanted = v < int(program_.valueNames.size()) ? program_.valueNames[v] : "";
    if (auto bound = bounds_.find(v); wanted.empty() && bound != bounds_.end())
      wanted = bound->second;
    std::string name = names_.take(wanted, fallback);
    std::string type = value.kind == ValueText::boolean  ? "bool"
                       : value.kind == ValueText::cursor ? "Cursor<" + number(value.slots) + ">"
                                                         : "int";
    out().line("const " + type + " " + name + " = " + value.text + ";");
    value.text = name;
    value.atom = value.printed = true;
  }
  values_[v] = std::move(value);
}

void Printer::scalar(const Scalar &s) {
  definitions_[s.result] = &s;
  if (uses_[s.result] == 0)
    return;
  bool simple = s.op == ScalarOp::constant || s.op == ScalarOp::dim || s.op == ScalarOp::argument ||
                s.op == ScalarOp::cursorSlot || s.op == ScalarOp::cursorPhase ||
                s.op == ScalarOp::cursorInit || s.op == ScalarOp::warpInRole;
  bool named = s.result < int(program_.valueNames.size()) &&
               !program_.valueNames[s.result].empty() && s.op != ScalarOp::cursorAdvance;
  bool declare = !simple && (uses_[s.result] > 1 || named || s.op == ScalarOp::load);
  if (declare && guard_)
    closeGuard();
  ValueText value = expression(s);
  define(s.result, std::move(value), declare, declare ? nameFor(s) : "");
}

int64_t Printer::divisor(const Index &i) const {
  int64_t d = i.isConstant() ? 0 : divisor(i.value);
  d = std::gcd(d, i.constant);
  return d == 0 ? anyDivisor : d;
}

/// A number that is known to divide the value.
int64_t Printer::divisor(ValueId v, int depth) const {
  if (v < 0 || depth > 16)
    return 1;
  if (auto it = inductions_.find(v); it != inductions_.end())
    return std::gcd(divisor(it->second->lower, depth + 1), divisor(it->second->step, depth + 1));
  const Scalar *s = definitions_[v];
  if (!s)
    return 1;
  auto of = [&](size_t i) { return divisor(s->operands[i], depth + 1); };
  switch (s->op) {
  case ScalarOp::constant:
    return s->imm == 0 ? anyDivisor : std::abs(s->imm);
  case ScalarOp::add:
  case ScalarOp::sub:
  case ScalarOp::minS:
  case ScalarOp::maxS:
  case ScalarOp::remS:
    return std::gcd(of(0), of(1));
  case ScalarOp::mul:
    return std::gcd(of(0) * of(1), anyDivisor);
  case ScalarOp::select:
    return std::gcd(of(1), of(2));
  default:
    return 1;
  }
}

/// Does the written form of `v` mention the variable of `on`?
bool Printer::dependsOn(ValueId v, ValueId on) const {
  if (v == on)
    return true;
  if (v < 0 || values_[v].printed || !definitions_[v])
    return false;
  for (ValueId o : definitions_[v]->operands)
    if (dependsOn(o, on))
      return true;
  return false;
}

/// Whether it changes from one iteration of the innermost loop to the next.
bool Printer::goesWithLoop(const Index &i) const {
  const std::function<bool(ValueId)> varies = [&](ValueId v) {
    if (v < 0)
      return false; // a constant
    return v == loop_->iv ||
           (definitions_[v] && std::ranges::any_of(definitions_[v]->operands, varies));
  };
  return loop_ && varies(i.value);
}

} // namespace sluice::cuda

// Scalar values: inlined where a value is used once and has no name of its own, else a variable.
#include "Emit/Scalars.h"

#include "Emit/Operands.h"
#include "Program/Agent.h"

#include <algorithm>
#include <cctype>
#include <functional>

namespace sluice::emit {

/// An int; C++ has no literal of the most negative one.
std::string number(int64_t n) {
  return n == INT32_MIN ? "(-2147483647 - 1)" : std::to_string(n);
}

namespace {

constexpr int64_t anyDivisor = int64_t{1} << 20; // of zero

/// "3000000000ll": an i64.
std::string wideNumber(int64_t n) {
  return n == INT64_MIN ? "(-9223372036854775807ll - 1)" : number(n) + "ll";
}

} // namespace

ScalarPrinter::ScalarPrinter(State &state, Dialect &target)
    : Part(state), target_(target), values_(program_.values), uses_(countUses(program_)),
      truth_(truthValues(program_)), definitions_(program_.values, nullptr) {
  walk(program_.body, [&](const Stmt &s) {
    auto *loop = std::get_if<For>(&s.op);
    if (loop && !loop->isWhile() && !loop->name.empty())
      bounds_.emplace(loop->upper, loop->name + "Steps");
  });
}

std::string ScalarPrinter::text(ValueId v) {
  if (v < 0 || v >= int(values_.size()) || values_[v].text.empty()) {
    fail("value " + number(v) + " is used before it is computed");
    return "0";
  }
  return values_[v].text;
}

std::string ScalarPrinter::operand(ValueId v) {
  std::string t = text(v);
  return values_.at(std::max(v, 0)).atom ? t : "(" + t + ")";
}

const char *ScalarPrinter::integerType(ValueId v) const {
  return ranges_.isWide(v) ? "i64" : "int";
}

/// As the operand of an operation in 64 bits.
std::string ScalarPrinter::asWide(ValueId v) {
  return ranges_.isWide(v) ? text(v) : "i64(" + text(v) + ")";
}

std::string ScalarPrinter::exact(const Index &i) {
  if (i.isConstant())
    return ranges_.isWide(i) ? wideNumber(i.constant) : number(i.constant);
  if (i.constant == 0)
    return text(i.value);
  const std::string value =
      ranges_.isWide(i) && !ranges_.isWide(i.value) ? asWide(i.value) : operand(i.value);
  return value + (i.constant < 0 ? " - " : " + ") + number(std::abs(i.constant));
}

/// Where 32 bits do not hold it, the proof knows better: a slot, a place in a tile.
std::string ScalarPrinter::text(const Index &i) {
  const bool wide = ranges_.isWide(i) || (!i.isConstant() && ranges_.isWide(i.value));
  return wide ? "int(" + exact(i) + ")" : exact(i);
}

/// A coordinate of a tensor, at least so much. Behind the largest extent there is room for a tile.
std::string ScalarPrinter::coordinate(const Index &i, int64_t least) {
  const bool within = ranges_.of(i).isWithin(least, mostExtent + (1 << 19));
  return within ? text(i) : "coordinate(" + exact(i) + ")";
}

std::string ScalarPrinter::factor(const Index &i) {
  return i.isConstant() || i.constant ? "(" + text(i) + ")" : operand(i.value);
}

std::string ScalarPrinter::condition(const Index &i) {
  if (i.isConstant())
    return i.constant ? "true" : "false";
  if (i.constant == 0 && values_[i.value].kind == ValueText::boolean)
    return text(i.value);
  return (i.constant == 0 ? operand(i.value) : "(" + exact(i) + ")") + " != 0";
}

std::string ScalarPrinter::lowBit(ValueId v) {
  const std::string bit = operand(v) + " & 1";
  return ranges_.isWide(v) ? "int(" + bit + ")" : bit;
}

/// By how many slots a cursor advances; nothing: by one. A negative number is an i64.
std::string ScalarPrinter::steps(const Scalar &s) {
  if (s.operands.size() < 2)
    return "";
  const ValueId n = s.operands[1];
  return ranges_.of(n).isWithin(0, INT32_MAX) ? text(n) : asWide(n);
}

ValueText ScalarPrinter::expression(const Scalar &s) {
  auto arg = [&](size_t i) { return operand(s.operands[i]); };
  switch (s.op) {
  case ScalarOp::constant:
    return {.text = ranges_.isWide(s.result) ? wideNumber(s.imm) : number(s.imm),
            .atom = s.imm >= 0};
  case ScalarOp::cursorInit:
    return {ValueText::cursor,
            "Cursor<" + number(s.imm) + ">{" +
                (s.operands.empty() ? "" : "0, " + lowBit(s.operands[0])) + "}",
            true, s.imm};
  case ScalarOp::cursorAdvance:
    return {ValueText::cursor, arg(0) + ".advance(" + steps(s) + ")", true, s.imm};
  case ScalarOp::cursorSlot:
  case ScalarOp::cursorPhase:
    if (const Scalar *start = definitions_[s.operands[0]];
        start && start->op == ScalarOp::cursorInit && start->operands.empty())
      return {.text = "0"};
    if (s.op == ScalarOp::cursorPhase)
      return {.text = arg(0) + ".phase"};
    return {.text = arg(0) + ".slot"};
  case ScalarOp::dim:
  case ScalarOp::argument:
  case ScalarOp::warpInRole:
  case ScalarOp::clusterRank:
  case ScalarOp::subblock:
  case ScalarOp::load:
    return {.text = target_.machineValue(s)};
  default:
    break;
  }
  return arithmetic(s);
}

/// "groupIs1" for a comparison of something named with a number; else the kind of the operation.
std::string ScalarPrinter::nameFor(const Scalar &s) {
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

void ScalarPrinter::define(ValueId v, ValueText value, bool declare, std::string_view fallback) {
  if (declare) {
    std::string wanted = nameOf(v);
    if (auto bound = bounds_.find(v); wanted.empty() && bound != bounds_.end())
      wanted = bound->second;
    std::string name = names_.take(wanted, fallback);
    std::string type = value.kind == ValueText::boolean  ? "bool"
                       : value.kind == ValueText::cursor ? "Cursor<" + number(value.slots) + ">"
                                                         : integerType(v);
    out().line("const " + type + " " + name + " = " + value.text + ";");
    value.text = name;
    value.atom = value.printed = true;
  }
  values_[v] = std::move(value);
}

void ScalarPrinter::scalar(const Scalar &s) {
  definitions_[s.result] = &s;
  if (uses_[s.result] == 0)
    return;
  bool simple = s.op == ScalarOp::constant || s.op == ScalarOp::dim || s.op == ScalarOp::argument ||
                s.op == ScalarOp::cursorSlot || s.op == ScalarOp::cursorPhase ||
                s.op == ScalarOp::cursorInit || s.op == ScalarOp::warpInRole;
  bool named = !nameOf(s.result).empty() && s.op != ScalarOp::cursorAdvance;
  bool declare = !simple && (uses_[s.result] > 1 || named || s.op == ScalarOp::load);
  if (declare)
    target_.closeGuard();
  ValueText value = expression(s);
  define(s.result, std::move(value), declare, declare ? nameFor(s) : "");
}

/// A number that is known to divide it.
int64_t ScalarPrinter::divisor(const Index &i) const {
  const int64_t d = ranges_.of(i).multiple;
  return d == 0 ? anyDivisor : d;
}

/// Does the written form of `v` mention the variable of `on`?
bool ScalarPrinter::dependsOn(ValueId v, ValueId on) const {
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
bool ScalarPrinter::goesWithLoop(const Index &i) const {
  const std::function<bool(ValueId)> varies = [&](ValueId v) {
    if (v < 0)
      return false; // a constant
    return v == loop_->iv ||
           (definitions_[v] && std::ranges::any_of(definitions_[v]->operands, varies));
  };
  return loop_ && varies(i.value);
}

} // namespace sluice::emit

#include "Verify/Equations.h"

#include "Program/Assumption.h"
#include "Verify/Rewriting.h"
#include "Verify/Unknowns.h"

#include <algorithm>
#include <map>
#include <optional>

namespace sluice {
namespace {

/// Numbers of what is computed alike of extents, arguments and constants.
class Alike {
public:
  /// Nothing of a scalar that is of something else too.
  std::optional<int> number(const Scalar &s) {
    std::vector<int64_t> key;
    for (const ValueId operand : s.operands) {
      const auto at = values_.find(operand);
      if (at == values_.end())
        return {};
      key.push_back(at->second);
    }
    const bool isSum = s.op == ScalarOp::add && key.size() == 2;
    if (isSum && (key[0] == zero_ || key[1] == zero_)) // as these replacements are
      return values_[s.result] = static_cast<int>(key[key[0] == zero_ ? 1 : 0]);
    if (s.op == ScalarOp::add || s.op == ScalarOp::mul || s.op == ScalarOp::minS ||
        s.op == ScalarOp::maxS)
      std::sort(key.begin(), key.end());
    if (s.op > ScalarOp::select)
      return {};
    const bool reads = s.op <= ScalarOp::argument;
    key.insert(key.begin(), {static_cast<int64_t>(s.op), reads ? s.object : 0,
                             reads && s.op != ScalarOp::argument ? s.imm : 0});
    const int found = numbers_.try_emplace(key, static_cast<int>(numbers_.size())).first->second;
    if (s.op == ScalarOp::constant && s.imm == 0)
      zero_ = found;
    return values_[s.result] = found;
  }

  std::optional<int> of(ValueId v) const {
    const auto at = values_.find(v);
    return at == values_.end() ? std::nullopt : std::optional(at->second);
  }

private:
  std::map<ValueId, int> values_;
  std::map<std::vector<int64_t>, int> numbers_;
  int zero_ = -1;
};

/// Which scalars of an equation `v` is of, itself included.
std::vector<bool> neededFor(const std::vector<Scalar> &scalars, ValueId v) {
  std::vector<bool> needed(scalars.size(), false);
  needed[v] = true;
  for (ValueId at = v; at >= 0; --at)
    if (needed[at])
      for (const ValueId operand : scalars[at].operands)
        needed[operand] = true;
  return needed;
}

std::vector<const Scalar *> unknownsOf(const std::vector<Scalar> &scalars, ValueId v) {
  const std::vector<bool> needed = neededFor(scalars, v);
  std::vector<const Scalar *> unknowns;
  for (const Scalar &s : scalars)
    if (needed[s.result] && isUnknown(s))
      unknowns.push_back(&s);
  return unknowns;
}

/// The scalars that `replaced` becomes, at the start of the program: the other side.
ValueId computeFirst(Program &program, const Equation &equation, ValueId other) {
  const std::vector<bool> needed = neededFor(equation.scalars, other);
  const ValueId first = program.values;
  std::vector<Stmt> before;
  for (Scalar s : equation.scalars) {
    if (!needed[s.result])
      continue;
    s.result += first;
    for (ValueId &operand : s.operands)
      operand += first;
    before.push_back(statement(std::move(s)));
  }
  program.values += static_cast<ValueId>(equation.scalars.size());
  before.push_back(statement(Scalar{ScalarOp::constant, program.values++, {}, 0}));
  program.valueNames.resize(program.values);
  std::vector<Stmt> &all = program.body.stmts;
  all.insert(all.begin(), std::make_move_iterator(before.begin()),
             std::make_move_iterator(before.end()));
  return first + other;
}

int64_t valueOf(const Equation &equation, const Launch &launch, ValueId v) {
  int64_t frame[maxLaunchScalars];
  evaluate(
      equation.scalars, [&](const Scalar &s) { return numberOf(s, launch); }, frame);
  return frame[v];
}

} // namespace

bool replaceIn(Program &program, Equation &equation) {
  const std::vector<ValueId> sides = equation.scalars.back().operands;
  Alike alike;
  // The equation's own values: behind those of the program.
  for (Scalar s : equation.scalars) {
    s.result += program.values;
    for (ValueId &operand : s.operands)
      operand += program.values;
    alike.number(s);
  }
  std::vector<Scalar *> places[2];
  const auto gather = [&](Scalar &s) {
    const auto number = alike.number(s);
    for (const size_t side : {size_t{0}, size_t{1}})
      if (number && number == alike.of(sides[side] + program.values))
        places[side].push_back(&s);
  };
  forScalars(program.body, gather);
  // What is one unknown alone goes first: nothing asks about it any more.
  const auto isPlain = [&](size_t side) { return isUnknown(equation.scalars[sides[side]]); };
  size_t side = isPlain(1) && !isPlain(0) ? 1 : 0;
  if (places[side].empty())
    side = 1 - side;
  if (places[side].empty() || equation.scalars[sides[side]].op == ScalarOp::constant)
    return false;
  for (const Scalar *unknown : unknownsOf(equation.scalars, sides[1 - side]))
    for (const Scalar *own : unknownsOf(equation.scalars, sides[side]))
      if (isSame(*unknown, *own))
        return false;
  equation.replaced = sides[side];
  const ValueId zero = program.values + static_cast<ValueId>(equation.scalars.size());
  const ValueId other = program.values + sides[1 - side];
  for (Scalar *s : places[side])
    *s = {ScalarOp::add, s->result, {other, zero}};
  computeFirst(program, equation, sides[1 - side]);
  return true;
}

Launch solved(const Equation &equation, Launch launch) {
  const auto unknowns = unknownsOf(equation.scalars, equation.replaced);
  const std::vector<ValueId> &sides = equation.scalars.back().operands;
  const ValueId other = sides[0] == equation.replaced ? sides[1] : sides[0];
  if (unknowns.size() != 1)
    return launch;
  const Scalar &unknown = *unknowns.front();
  const int64_t wanted = valueOf(equation, launch, other);
  const auto with = [&](int64_t value) {
    Launch changed = launch;
    setNumber(unknown, value, changed);
    return changed;
  };
  int64_t low = unknown.op == ScalarOp::argument ? -(int64_t{1} << 31) : 0;
  int64_t high = (int64_t{1} << 31) - 1;
  while (low < high) { // of sides that grow with their unknown; of others nothing is found
    const int64_t middle = low + (high - low) / 2;
    if (valueOf(equation, with(middle), equation.replaced) < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return valueOf(equation, with(low), equation.replaced) == wanted ? with(low) : launch;
}

} // namespace sluice

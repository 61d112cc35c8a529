// What launches are known to keep: the author's assumptions, and limits of the numbers of tiles.
#include "Program/Assumption.h"
#include "Program/Ranges.h"

#include <algorithm>
#include <numeric>

namespace sluice {
namespace {

/// Copies what a value is computed from, operands first, as an assumption has it.
class Copied {
public:
  explicit Copied(const std::vector<const Scalar *> &definitions) : definitions_(definitions) {}

  std::vector<Scalar> scalars;
  size_t steps = 0; // as a launcher counts them: what is needed twice is computed twice

  ValueId take(ValueId v) {
    ++steps;
    Scalar copy = *definitions_[v];
    for (ValueId &operand : copy.operands)
      operand = steps < maxLaunchScalars ? take(operand) : 0;
    return add(std::move(copy));
  }
  ValueId add(Scalar s) {
    s.result = static_cast<ValueId>(scalars.size());
    scalars.push_back(std::move(s));
    return scalars.back().result;
  }

private:
  const std::vector<const Scalar *> &definitions_;
};

ScalarOp mirrored(ScalarOp op) {
  switch (op) {
  case ScalarOp::lt:
    return ScalarOp::gt;
  case ScalarOp::le:
    return ScalarOp::ge;
  case ScalarOp::gt:
    return ScalarOp::lt;
  case ScalarOp::ge:
    return ScalarOp::le;
  default:
    return op;
  }
}

/// What `x op n` says of x, n being far from the ends of 64 bits.
IntegerRange said(ScalarOp op, int64_t n) {
  switch (op) {
  case ScalarOp::lt:
    return {INT64_MIN, n - 1};
  case ScalarOp::le:
    return {INT64_MIN, n};
  case ScalarOp::gt:
    return {n + 1, INT64_MAX};
  case ScalarOp::ge:
    return {n, INT64_MAX};
  case ScalarOp::eq:
    return IntegerRange::of(n);
  default:
    return {};
  }
}

} // namespace

/// One text for one computation from extents and arguments; empty: it depends on more.
std::string Ranges::keyOf(const Scalar &s, const std::vector<std::string> &keys) const {
  if (s.op == ScalarOp::constant || s.op == ScalarOp::dim || s.op == ScalarOp::argument)
    return std::to_string(int(s.op)) + ":" + std::to_string(s.object) + ":" + std::to_string(s.imm);
  if (s.op < ScalarOp::add || s.op > ScalarOp::select)
    return "";
  std::string key = "(" + std::to_string(int(s.op));
  for (const ValueId operand : s.operands) {
    if (keys[operand].empty())
      return "";
    key += " " + keys[operand];
  }
  constexpr size_t longest = 1024;
  return key.size() > longest ? "" : key + ")";
}

void Ranges::assume(const Assumption &a) {
  std::vector<std::string> keys(a.scalars.size());
  for (const Scalar &s : a.scalars)
    keys[s.result] = keyOf(s, keys);
  if (!a.scalars.empty())
    assumeCondition(a.scalars, keys, a.scalars.size() - 1);
}

void Ranges::assumeCondition(const std::vector<Scalar> &scalars,
                             const std::vector<std::string> &keys, size_t condition) {
  const Scalar &s = scalars[condition];
  if (s.op == ScalarOp::andI) {
    for (const ValueId operand : s.operands)
      assumeCondition(scalars, keys, size_t(operand));
    return;
  }
  if (s.op < ScalarOp::eq || s.op > ScalarOp::ge)
    return;
  constexpr int64_t far = int64_t{1} << 62;
  for (const bool second : {false, true}) {
    const Scalar &x = scalars[s.operands[second]], &n = scalars[s.operands[!second]];
    if (n.op != ScalarOp::constant || n.imm > far || n.imm < -far || keys[x.result].empty())
      continue;
    IntegerRange &known = known_[keys[x.result]];
    known = meet(known, said(second ? mirrored(s.op) : s.op, n.imm));
    const bool divides = s.op == ScalarOp::eq && n.imm == 0 && x.op == ScalarOp::remS &&
                         scalars[x.operands[1]].op == ScalarOp::constant;
    if (divides && scalars[x.operands[1]].imm > 0)
      known_[keys[x.operands[0]]].multiple = scalars[x.operands[1]].imm;
  }
}

/// Loops that count tiles, one by one or by CTAs, or go on while one is drawn, of products of
/// extents. True where there is one that would not fit 32 bits.
bool Ranges::limitLoops() {
  std::vector<std::pair<const For *, Location>> loops;
  walk(program_.body, [&](const Stmt &s) {
    if (auto *f = std::get_if<For>(&s.op))
      loops.emplace_back(f, s.loc);
  });
  for (const auto &[f, loc] : loops)
    if (const Scalar *more = f->isWhile() ? definition(f->condition, ScalarOp::lt) : nullptr)
      limit(more->operands[1], mostExtent, &loc);
    else if (!f->isWhile() && (!isConstant(f->step) || of(f->step) == IntegerRange::of(1)))
      limit(f->upper, mostExtent, &loc);
  return !limits_.empty();
}

/// `loc`: where the limit is stated; null: it follows from another.
void Ranges::limit(ValueId v, int64_t most, const Location *loc) {
  const Scalar *s = definitions_[v];
  const bool isCount = s && s->op == ScalarOp::mul && !keys_[v].empty() && of(v).least >= 0;
  if (!isCount || of(v).most <= most)
    return;
  IntegerRange &known = known_[keys_[v]];
  if (known.most <= most)
    return;
  if (loc) {
    const size_t stated = limits_.size();
    state(v, most, *loc);
    if (limits_.size() == stated)
      return;
  }
  known.most = most;
  for (const size_t i : {0, 1}) {
    const IntegerRange other = of(s->operands[1 - i]);
    if (other.least == other.most && other.least > 0)
      limit(s->operands[i], most / other.least, nullptr);
    else
      limit(s->operands[i], most, loc);
  }
}

void Ranges::state(ValueId v, int64_t most, const Location &loc) {
  Copied copied(definitions_);
  const ValueId value = copied.take(v);
  if (copied.steps + 2 > maxLaunchScalars)
    return;
  const ValueId limit = copied.add({ScalarOp::constant, kNone, {}, most});
  copied.add({ScalarOp::le, kNone, {value, limit}});
  const std::vector<std::string> &names = program_.valueNames; // may have none
  const std::string name = static_cast<size_t>(v) < names.size() ? names[v] : "";
  limits_.push_back(
      {std::move(copied.scalars),
       (name.empty() ? "the number of iterations" : name) + " <= " + std::to_string(most), loc});
}

} // namespace sluice

#include "Verify/Guard.h"

#include "Verify/Rewriting.h"
#include "Verify/Unknowns.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace sluice {
namespace {

class Builder {
public:
  explicit Builder(const Program &program) : program_(program) {}

  std::optional<Guard> build() {
    for (const auto take : {&Builder::takeEqual, &Builder::takeRest})
      for (const Assumption &a : program_.assumptions)
        forParts(a, a.scalars.size() - 1, take);
    guard_.program = program_;
    guard_.program.assumptions.clear(); // of what the author's program reads, which may be in units
    forScalars(guard_.program.body, [this](Scalar &s) { rename(s); });
    forStatements(guard_.program.body, [this](Stmt &s) {
      if (auto *dependency = std::get_if<GridDependency>(&s.op); dependency && !dependency->launch)
        waits_ = {s};
    });
    for (auto at = conditions_.rbegin(); at != conditions_.rend(); ++at)
      enclose(*at->first, at->second);
    for (const auto &[a, v] : equations_)
      replace(*a, v);
    if (!takes_)
      return std::nullopt;
    countInUnits(guard_.program.body);
    return std::move(guard_);
  }

private:
  using Take = void (Builder::*)(const Assumption &, ValueId);
  /// What is joined by "and", one by one.
  void forParts(const Assumption &a, ValueId v, Take take) {
    const Scalar &s = a.scalars[v];
    if (s.op != ScalarOp::andI)
      return (this->*take)(a, v);
    forParts(a, s.operands[0], take);
    forParts(a, s.operands[1], take);
  }

  static bool isEqual(const Assumption &a, ValueId v) {
    const Scalar &s = a.scalars[v];
    return s.op == ScalarOp::eq && isUnknown(a.scalars[s.operands[0]]) &&
           isUnknown(a.scalars[s.operands[1]]);
  }
  void takeEqual(const Assumption &a, ValueId v) {
    if (!isEqual(a, v))
      return;
    makeSame(a.scalars[a.scalars[v].operands[0]], a.scalars[a.scalars[v].operands[1]]);
    takes_ = true;
  }

  void takeRest(const Assumption &a, ValueId v) {
    const Scalar &s = a.scalars[v];
    if (isEqual(a, v) || takeMultiple(a, v))
      return;
    if (s.op == ScalarOp::constant ||
        (s.op >= ScalarOp::eq && s.op <= ScalarOp::ge && isBound(a, v))) {
      conditions_.emplace_back(&a, v);
      takes_ = true;
    } else if (s.op == ScalarOp::eq) {
      equations_.emplace_back(&a, v);
    }
  }

  void replace(const Assumption &a, ValueId v) {
    Equation equation{{a.scalars.begin(), a.scalars.begin() + v + 1}};
    for (Scalar &s : equation.scalars)
      rename(s);
    if (!replaceIn(guard_.program, equation))
      return;
    guard_.equations.push_back(std::move(equation));
    takes_ = true;
  }

  /// An unknown and a number.
  struct Multiple {
    Scalar of;
    int64_t unit = 0;
  };
  static std::optional<Multiple> operandsOf(const Assumption &a, const Scalar &s, ScalarOp op) {
    for (size_t side = 0; s.op == op && side < 2; ++side)
      if (const Scalar &of = a.scalars[s.operands[side]], &by = a.scalars[s.operands[1 - side]];
          isUnknown(of) && by.op == ScalarOp::constant && (side == 0 || op == ScalarOp::andI))
        return Multiple{of, by.imm};
    return {};
  }

  /// X % c == 0, X & (c - 1) == 0, X / c * c == X, or X / c == ceildiv(X, c) of an extent.
  static std::optional<Multiple> multipleIn(const Assumption &a, const Scalar &s) {
    for (size_t side = 0; s.op == ScalarOp::eq && side < 2; ++side) {
      const Scalar &one = a.scalars[s.operands[side]], &other = a.scalars[s.operands[1 - side]];
      const bool isZero = other.op == ScalarOp::constant && other.imm == 0;
      if (const auto rest = operandsOf(a, one, ScalarOp::remS); isZero && rest)
        return rest;
      if (const auto mask = operandsOf(a, one, ScalarOp::andI);
          isZero && mask && mask->unit > 0 && std::has_single_bit(uint64_t(mask->unit) + 1))
        return Multiple{mask->of, mask->unit + 1};
      const auto down = operandsOf(a, one, ScalarOp::divS);
      const auto up = operandsOf(a, other, ScalarOp::ceilDiv);
      if (down && up && down->unit == up->unit && isSame(down->of, up->of) &&
          up->of.op == ScalarOp::dim)
        return down;
      if (const auto whole = wholeIn(a, one); whole && isUnknown(other) && isSame(whole->of, other))
        return whole;
    }
    return {};
  }

  /// X / c * c.
  static std::optional<Multiple> wholeIn(const Assumption &a, const Scalar &s) {
    for (size_t side = 0; s.op == ScalarOp::mul && side < 2; ++side)
      for (const ScalarOp op : {ScalarOp::divS, ScalarOp::ceilDiv})
        if (const auto quotient = operandsOf(a, a.scalars[s.operands[side]], op))
          if (const Scalar &by = a.scalars[s.operands[1 - side]];
              by.op == ScalarOp::constant && by.imm == quotient->unit)
            return quotient;
    return {};
  }

  bool takeMultiple(const Assumption &a, ValueId v) {
    auto multiple = multipleIn(a, a.scalars[v]);
    if (!multiple || multiple->unit <= 1 || multiple->unit > largestUnit)
      return false;
    auto &[unknown, unit] = *multiple;
    rename(unknown);
    if (isFixed(unknown))
      return false;
    for (auto &[of, size] : guard_.units)
      if (isSame(of, unknown)) {
        const int64_t both = std::lcm(size, unit);
        size = both <= largestUnit ? both : size;
        return true;
      }
    guard_.units.emplace_back(unknown, unit);
    return takes_ = true;
  }

  /// Of one extent or argument at most, under operations that keep its order.
  bool isBound(const Assumption &a, ValueId v) const {
    std::vector<bool> needed(v + 1, false);
    needed[v] = true;
    const Scalar *unknown = nullptr;
    for (ValueId at = v; at >= 0; --at) {
      const Scalar &s = a.scalars[at];
      if (!needed[at])
        continue;
      const bool open = isUnknown(s) && !isFixed(s);
      if (open && unknown && !isSame(*unknown, s))
        return false;
      if (open)
        unknown = &s;
      const bool limits = s.op == ScalarOp::minS || s.op == ScalarOp::maxS;
      if (at != v && s.op > ScalarOp::divS && s.op != ScalarOp::ceilDiv && !limits)
        return false;
      for (const ValueId operand : s.operands)
        needed[operand] = true;
    }
    return true;
  }

  void makeSame(Scalar x, Scalar y) {
    rename(x);
    rename(y);
    if (isSame(x, y))
      return;
    if (isFixed(y))
      std::swap(x, y);
    for (auto &[from, to] : guard_.same)
      if (isSame(to, y))
        to = x;
    guard_.same.emplace_back(y, x);
  }

  bool isFixed(const Scalar &s) const {
    if (s.op == ScalarOp::argument)
      return false;
    const std::vector<int64_t> &extents = program_.tensors[s.object].extents;
    return s.imm < static_cast<int64_t>(extents.size()) && extents[s.imm] >= 0;
  }

  void rename(Scalar &s) const {
    for (const auto &[from, to] : guard_.same)
      if (isUnknown(s) && isSame(s, from)) {
        s.op = to.op, s.object = to.object, s.imm = to.imm;
        return;
      }
  }

  /// The extent is read as a number of units, and multiplied.
  void countInUnits(Block &block) {
    std::vector<Stmt> all;
    for (Stmt &s : block.stmts) {
      forBlocks(s, [this](Block &inner) { countInUnits(inner); });
      const auto *read = std::get_if<Scalar>(&s.op);
      const int64_t unit = read && isUnknown(*read) ? unitOf(*read) : 1;
      if (unit == 1) {
        all.push_back(std::move(s));
        continue;
      }
      Scalar count = *read, size{ScalarOp::constant, fresh(), {}, unit};
      count.result = fresh();
      const Scalar product{ScalarOp::mul, read->result, {count.result, size.result}};
      for (const Scalar &scalar : {count, size, product})
        all.push_back({scalar, s.exec, s.pipe, s.loc});
    }
    block.stmts = std::move(all);
  }

  int64_t unitOf(const Scalar &unknown) const {
    for (const auto &[of, size] : guard_.units)
      if (isSame(of, unknown))
        return size;
    return 1;
  }

  ValueId fresh() {
    guard_.program.valueNames.emplace_back();
    return guard_.program.values++;
  }

  /// All behind the grid goes into a branch.
  void enclose(const Assumption &a, ValueId condition) {
    Program &p = guard_.program;
    std::vector<Stmt> &body = p.body.stmts;
    const auto isGrid = [](const Stmt &s) { return std::holds_alternative<Grid>(s.op); };
    auto at = std::find_if(body.begin(), body.end(), isGrid);
    at = at == body.end() ? body.begin() : at + 1;
    If branch;
    branch.condition = p.values + condition;
    branch.thenBlock.stmts.assign(std::make_move_iterator(at), std::make_move_iterator(body.end()));
    body.erase(at, body.end());
    for (Scalar s : a.scalars) {
      rename(s);
      s.result += p.values;
      for (ValueId &operand : s.operands)
        operand += p.values;
      body.push_back({std::move(s), Exec::threads, Pipe::none, a.loc});
    }
    branch.elseBlock.stmts = waits_;
    body.push_back({std::move(branch), Exec::threads, Pipe::none, a.loc});
    p.values += static_cast<int32_t>(a.scalars.size());
    p.valueNames.resize(p.values);
  }

  static constexpr int64_t largestUnit = 1 << 20;
  const Program &program_;
  std::vector<std::pair<const Assumption *, ValueId>> conditions_, equations_;
  std::vector<Stmt> waits_; // griddepcontrol.wait, if there is one: no launch ends without (R37)
  Guard guard_;
  bool takes_ = false; // some assumption
};

} // namespace

std::optional<Guard> guarded(const Program &program) {
  return Builder(program).build();
}

Launch Guard::inUnits(Launch launch) const {
  for (const auto &[unknown, size] : units)
    setNumber(unknown, (numberOf(unknown, launch) + size - 1) / size, launch);
  return launch;
}

Launch Guard::outOfUnits(Launch launch) const {
  for (const auto &[unknown, size] : units)
    setNumber(unknown, numberOf(unknown, launch) * size, launch);
  for (const Equation &equation : equations)
    launch = solved(equation, std::move(launch));
  for (const auto &[from, to] : same)
    setNumber(from, numberOf(to, launch), launch);
  return launch;
}

} // namespace sluice

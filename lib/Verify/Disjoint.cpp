#include "Verify/Disjoint.h"

#include <cstdlib>
#include <optional>
#include <set>

namespace sluice {
namespace {

class Offsets {
public:
  Offsets(const Terms &terms, const std::vector<Affine> &offsets, const std::vector<int64_t> &shape)
      : terms_(terms), offsets_(offsets), shape_(shape) {}

  bool apart() const {
    std::set<int32_t> variables;
    for (const Affine &a : offsets_)
      collect(a, variables);
    for (const int32_t v : variables)
      if (!movedBy(v) && !splitTile(v))
        return false;
    return true;
  }

private:
  void collect(Affine a, std::set<int32_t> &into) const {
    if (a.isConstant() || !terms_[a.term].hasIteration)
      return;
    const Term &t = terms_[a.term];
    if (t.kind == Term::iteration)
      into.insert(a.term);
    else
      for (int i = 0; i < t.operandCount; ++i)
        collect(t.operands[i], into);
  }

  /// The c of c * variable + what does not depend on it.
  std::optional<int64_t> coefficient(Affine a, int32_t variable) const {
    if (a.term == variable)
      return 1;
    std::set<int32_t> inside;
    collect(a, inside);
    if (!inside.count(variable))
      return 0;
    const Term &t = terms_[a.term];
    if (t.kind != Term::operation || t.operandCount != 2)
      return {};
    const auto left = coefficient(t.operands[0], variable);
    const auto right = coefficient(t.operands[1], variable);
    if (!left || !right)
      return {};
    if (t.op == ScalarOp::add)
      return *left + *right;
    if (t.op == ScalarOp::sub)
      return *left - *right;
    if (t.op == ScalarOp::mul && t.operands[0].isConstant())
      return t.operands[0].constant * *right;
    if (t.op == ScalarOp::mul && t.operands[1].isConstant())
      return t.operands[1].constant * *left;
    return {};
  }

  bool movedBy(int32_t variable) const {
    const Affine step = terms_[variable].operands[1];
    const int64_t steps =
        step.isConstant() ? std::abs(step.constant) : 1; // a loop's step is positive
    for (size_t d = 0; d < offsets_.size(); ++d)
      if (const auto c = coefficient(offsets_[d], variable); c && std::abs(*c) * steps >= shape_[d])
        return true;
    return false;
  }

  /// c * op(variable + constant, divisor): the divisor; c must be at least the box.
  std::optional<Affine> split(size_t d, int32_t variable, bool remainder) const {
    Affine a = offsets_[d];
    int64_t scale = 1;
    while (!a.isConstant() && terms_[a.term].op == ScalarOp::mul &&
           terms_[a.term].kind == Term::operation) {
      const Term &t = terms_[a.term];
      const int k = t.operands[0].isConstant() ? 0 : 1;
      if (!t.operands[k].isConstant())
        return {};
      scale *= t.operands[k].constant;
      a = t.operands[1 - k];
    }
    if (a.isConstant() || scale < shape_[d])
      return {};
    const Term &t = terms_[a.term];
    const bool fits =
        remainder ? t.op == ScalarOp::remS : t.op == ScalarOp::divS || t.op == ScalarOp::ceilDiv;
    if (t.kind != Term::operation || !fits || t.operands[0].term != variable)
      return {};
    return t.operands[1];
  }

  bool splitTile(int32_t variable) const {
    for (size_t row = 0; row < offsets_.size(); ++row)
      for (size_t column = 0; column < offsets_.size(); ++column) {
        const auto quotient = split(row, variable, false), rest = split(column, variable, true);
        if (quotient && rest && *quotient == *rest)
          return true;
      }
    return false;
  }

  const Terms &terms_;
  const std::vector<Affine> &offsets_;
  const std::vector<int64_t> &shape_;
};

} // namespace

bool movesApart(const Terms &terms, const std::vector<Affine> &offsets,
                const std::vector<int64_t> &shape) {
  return Offsets(terms, offsets, shape).apart();
}

} // namespace sluice

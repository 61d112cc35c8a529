#include "Verify/LinearForm.h"

#include "Verify/Integers.h"

#include "mlir/Analysis/Presburger/Simplex.h"

#include <cstdlib>
#include <numeric>

namespace sluice {
namespace presburger = mlir::presburger;

LinearForm operator+(LinearForm a, const LinearForm &b) {
  a.constant += b.constant;
  for (const auto &[column, factor] : b.factors)
    if ((a.factors[column] += factor) == 0)
      a.factors.erase(column);
  return a;
}

LinearForm operator-(const LinearForm &a, const LinearForm &b) {
  return a + -1 * b;
}

LinearForm operator*(int64_t factor, LinearForm a) {
  if (factor == 0)
    return {};
  a.constant *= factor;
  for (auto &[column, value] : a.factors)
    value *= factor;
  return a;
}

int64_t commonFactor(const LinearForm &form, bool withConstant) {
  int64_t factor = withConstant ? form.constant : 0;
  for (const auto &[column, value] : form.factors)
    factor = std::gcd(factor, value);
  return std::abs(factor);
}

LinearForm dividedBy(LinearForm form, int64_t number) {
  for (auto &[column, value] : form.factors)
    value /= number;
  const int64_t rest = form.constant % number;
  form.constant = form.constant / number - (rest < 0 ? 1 : 0);
  return form;
}

LinearConstraint atLeast(const LinearForm &a, const LinearForm &b) {
  return {a - b, false};
}

LinearConstraint below(const LinearForm &a, const LinearForm &b) {
  return {b - a + LinearForm::of(-1), false};
}

LinearConstraint same(const LinearForm &a, const LinearForm &b) {
  return {a - b, true};
}

namespace {

llvm::SmallVector<int64_t> numbersOf(const LinearForm &form, int columns) {
  llvm::SmallVector<int64_t> row(columns + 1, 0);
  for (const auto &[column, factor] : form.factors)
    row[column] = factor;
  row[columns] = form.constant;
  return row;
}

} // namespace

struct Solver::Rational {
  presburger::Simplex simplex;
};

Solver::Solver(int columns)
    : columns_(columns), rational_(new Rational{presburger::Simplex(columns)}) {}

Solver::~Solver() = default;

void Solver::add(const LinearConstraint &c) {
  all_.push_back(c);
  snapshots_.push_back(rational_->simplex.getSnapshot());
  const llvm::SmallVector<llvm::DynamicAPInt> row =
      presburger::getDynamicAPIntVec(numbersOf(c.form, columns_));
  if (c.equality)
    rational_->simplex.addEquality(row);
  else
    rational_->simplex.addInequality(row);
}

void Solver::back(size_t mark) {
  if (mark == all_.size())
    return;
  rational_->simplex.rollback(snapshots_[mark]);
  all_.resize(mark);
  snapshots_.resize(mark);
}

bool Solver::mayHold() const {
  return !rational_->simplex.isEmpty();
}

std::optional<std::vector<int64_t>> Solver::integerPoint() const {
  return integersOf(all_, columns_);
}

} // namespace sluice

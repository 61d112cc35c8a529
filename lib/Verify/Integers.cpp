#include "Verify/Integers.h"

#include "mlir/Analysis/Presburger/IntegerRelation.h"

#include <algorithm>

namespace sluice {
namespace {

namespace presburger = mlir::presburger;
using Number = llvm::DynamicAPInt; // of any size: factors grow
using Row = llvm::SmallVector<Number>;

/// Rows are the factors of the columns, and a constant behind them.
struct System {
  std::vector<Row> equalities, inequalities;
};

Row rowOf(const LinearForm &form, int columns) {
  Row row(columns + 1, Number(0));
  for (const auto &[column, factor] : form.factors)
    row[column] = Number(factor);
  row[columns] = Number(form.constant);
  return row;
}

enum class Says : uint8_t { something, nothing, never };

/// Divides a row by what its factors share, and says what is left of it.
Says reduce(Row &row, bool equality) {
  Number shared(0);
  for (const Number &factor : llvm::ArrayRef(row).drop_back())
    shared = llvm::gcd(shared, llvm::abs(factor));
  Number &constant = row.back();
  if (shared == 0)
    return (equality ? constant == 0 : constant >= 0) ? Says::nothing : Says::never;
  if (shared == 1)
    return Says::something;
  if (equality && llvm::mod(constant, shared) != 0)
    return Says::never;
  for (Number &factor : llvm::MutableArrayRef(row).drop_back())
    factor /= shared;
  constant = llvm::floorDiv(constant, shared); // the largest that integers satisfy
  return Says::something;
}

/// False: a row never holds.
bool reduceAll(std::vector<Row> &rows, bool equality) {
  bool holds = true;
  std::erase_if(rows, [&](Row &row) {
    const Says says = reduce(row, equality);
    holds &= says != Says::never;
    return says == Says::nothing;
  });
  return holds;
}

/// A column that an equality determines, as it has it once or minus once.
std::optional<size_t> determined(const Row &equality) {
  for (size_t c = 0; c + 1 < equality.size(); ++c)
    if (llvm::abs(equality[c]) == 1)
      return c;
  return std::nullopt;
}

void substitute(std::vector<Row> &rows, const Row &equality, size_t column) {
  for (Row &row : rows) {
    if (row[column] == 0)
      continue;
    const Number times = row[column] * equality[column];
    for (size_t c = 0; c < row.size(); ++c)
      if (equality[c] != 0)
        row[c] -= times * equality[c];
  }
}

/// Puts what equalities determine into the other rows: integers satisfy these where the columns
/// that are gone can be had as well. False: none do.
bool putDetermined(System &system) {
  while (reduceAll(system.equalities, true)) {
    const auto next = std::ranges::find_if(
        system.equalities, [](const Row &row) { return determined(row).has_value(); });
    if (next == system.equalities.end())
      return reduceAll(system.inequalities, false);
    const Row equality = *next;
    system.equalities.erase(next);
    const size_t column = *determined(equality);
    substitute(system.equalities, equality, column);
    substitute(system.inequalities, equality, column);
  }
  return false;
}

/// Columns that a row still has; of the others any number will do.
std::vector<size_t> columnsOf(const System &system, int columns) {
  std::vector<size_t> left;
  const auto has = [](const std::vector<Row> &rows, size_t c) {
    return std::ranges::any_of(rows, [c](const Row &row) { return row[c] != 0; });
  };
  for (size_t c = 0; c < size_t(columns); ++c)
    if (has(system.equalities, c) || has(system.inequalities, c))
      left.push_back(c);
  return left;
}

} // namespace

bool haveIntegers(const std::vector<LinearConstraint> &constraints, int columns) {
  System system;
  for (const LinearConstraint &c : constraints)
    (c.equality ? system.equalities : system.inequalities).push_back(rowOf(c.form, columns));
  if (!putDetermined(system))
    return false;
  const std::vector<size_t> left = columnsOf(system, columns);
  presburger::IntegerPolyhedron set(presburger::PresburgerSpace::getSetSpace(left.size()));
  const auto shortened = [&](const Row &row) {
    Row own;
    for (const size_t c : left)
      own.push_back(row[c]);
    own.push_back(row.back());
    return own;
  };
  for (const Row &row : system.equalities)
    set.addEquality(shortened(row));
  for (const Row &row : system.inequalities)
    set.addInequality(shortened(row));
  return set.findIntegerSample().has_value();
}

} // namespace sluice

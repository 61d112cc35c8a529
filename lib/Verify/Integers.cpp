#include "Verify/Integers.h"

#include "mlir/Analysis/Presburger/IntegerRelation.h"

#include <algorithm>
#include <limits>

namespace sluice {
namespace {

namespace presburger = mlir::presburger;
using Number = llvm::DynamicAPInt; // of any size: factors grow
using Row = llvm::SmallVector<Number>;

/// Rows are the factors of the columns, and a constant behind them.
struct System {
  std::vector<Row> equalities, inequalities;
  std::vector<std::pair<Row, size_t>> gone; // equalities that were put in, and what they determine
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
    system.gone.emplace_back(equality, column);
  }
  return false;
}

/// The last that was put in has columns that are left alone, or that came to be known since.
void determine(std::vector<Number> &point, const System &system) {
  for (const auto &[equality, column] : llvm::reverse(system.gone)) {
    Number rest = equality.back();
    for (size_t c = 0; c < point.size(); ++c)
      if (c != column)
        rest += equality[c] * point[c];
    point[column] = -rest * equality[column]; // which is 1 or -1
  }
}

/// A number outside of 64 bits becomes the nearest of them.
int64_t nearest(const Number &n) {
  constexpr auto least = std::numeric_limits<int64_t>::min();
  constexpr auto most = std::numeric_limits<int64_t>::max();
  return n < Number(least) ? least : n > Number(most) ? most : static_cast<int64_t>(n);
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

/// Of the columns that are left.
std::optional<llvm::SmallVector<Number, 8>> sampleOf(const System &system,
                                                     const std::vector<size_t> &left) {
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
  return set.findIntegerSample();
}

} // namespace

std::optional<std::vector<int64_t>> integersOf(const std::vector<LinearConstraint> &constraints,
                                               int columns) {
  System system;
  for (const LinearConstraint &c : constraints)
    (c.equality ? system.equalities : system.inequalities).push_back(rowOf(c.form, columns));
  if (!putDetermined(system))
    return std::nullopt;
  const std::vector<size_t> left = columnsOf(system, columns);
  const auto sample = sampleOf(system, left);
  if (!sample)
    return std::nullopt;
  std::vector<Number> point(columns, Number(0));
  for (size_t i = 0; i < left.size(); ++i)
    point[left[i]] = (*sample)[i];
  determine(point, system);
  std::vector<int64_t> integers;
  for (const Number &n : point)
    integers.push_back(nearest(n));
  return integers;
}

} // namespace sluice

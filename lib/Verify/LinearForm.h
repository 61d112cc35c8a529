// Linear forms over integer unknowns, and whether constraints on them have a solution.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

namespace sluice {

/// `constant` plus a multiple of each column; columns with the multiple 0 are not in the map.
struct LinearForm {
  std::map<int, int64_t> factors;
  int64_t constant = 0;

  static LinearForm of(int64_t constant) { return {{}, constant}; }
  static LinearForm column(int c) { return {{{c, 1}}, 0}; }
  bool isConstant() const { return factors.empty(); }
  bool operator==(const LinearForm &) const = default;
  bool operator<(const LinearForm &o) const {
    return std::tie(factors, constant) < std::tie(o.factors, o.constant);
  }
};

LinearForm operator+(LinearForm a, const LinearForm &b);
LinearForm operator-(const LinearForm &a, const LinearForm &b);
LinearForm operator*(int64_t factor, LinearForm a);

/// The largest number that divides all factors, and the constant if asked for; 0 of nothing.
int64_t commonFactor(const LinearForm &form, bool withConstant);
/// All divided by a number that divides them; the constant is rounded down.
LinearForm dividedBy(LinearForm form, int64_t number);

/// form >= 0, or form == 0.
struct LinearConstraint {
  LinearForm form;
  bool equality = false;

  bool operator==(const LinearConstraint &) const = default;
};

LinearConstraint atLeast(const LinearForm &a, const LinearForm &b); // a >= b
LinearConstraint below(const LinearForm &a, const LinearForm &b);   // a < b
LinearConstraint same(const LinearForm &a, const LinearForm &b);

/// Constraints that come and go, and whether they have a solution.
class Solver {
public:
  explicit Solver(int columns);
  ~Solver();

  void add(const LinearConstraint &c);
  /// Constraints so far; back() forgets all after.
  size_t mark() const { return all_.size(); }
  void back(size_t mark);
  /// Whether rationals satisfy all.
  bool mayHold() const;
  /// Integers that satisfy all, by column; nothing where there are none.
  std::optional<std::vector<int64_t>> integerPoint() const;

private:
  struct Rational;
  int columns_;
  std::vector<LinearConstraint> all_;
  std::vector<unsigned> snapshots_; // before each
  std::unique_ptr<Rational> rational_;
};

} // namespace sluice

// The scalars of two accesses as linear forms: what launches, CTAs and iterations they may be of.
#pragma once

#include "Verify/AccessSites.h"
#include "Verify/Counted.h"
#include "Verify/LinearForm.h"
#include "Verify/Sources.h"

#include <array>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace sluice {

/// One of these holds.
using Choice = std::vector<std::vector<LinearConstraint>>;

/// A whole number of times a unit that is no number: a product, or what is left of a dividend
/// without its remainder. whole = count * unit.
struct Multiple {
  LinearForm count, unit, whole;
  bool positive;    // the unit is >= 0 in every launch
  const Scalar *by; // what makes it; null: a loop
};

/// The columns of a launch and of two accesses in it. What both share (extents, arguments) has one
/// column.
class AccessForms {
public:
  /// Extents that the program counts in units (Guard.h), by tensor and dimension.
  using Units = std::map<std::pair<int, int>, int64_t>;

  /// `sameGroup`: both are of one cluster (Ascend: one core).
  AccessForms(const Program &program, const Sources &sources, const Units &units, bool sameGroup);

  /// All that the program says of an access at some point of some run. 0 or 1: which of the two.
  void add(const AccessSite &site, int which);

  /// The variable of a loop that steps by 1, wherever it is; asked for once, and before what is
  /// computed from it.
  LinearForm variable(const For &loop, int which);
  void constrain(LinearConstraint c);
  /// What a constraint on counts says of as many units.
  std::vector<LinearConstraint> multiplied(const LinearConstraint &c) const;

  /// The tensor has elements.
  void hasExtent(int tensor, int dimension);

  int addColumn() { return columns_++; }
  int columns() const { return columns_; }
  /// Iterations of a loop around the access that were before it.
  const LinearForm &iteration(const For &loop, int which) const {
    return trips_.at({&loop, which});
  }
  LinearForm value(ValueId v, int which);
  LinearForm index(const Index &i, int which);
  /// What a form with a choice in it may be; of others itself.
  std::vector<LinearForm> alternatives(const LinearForm &form) const;
  /// Of the cluster (Ascend: the core) that the access is made by.
  const std::array<LinearForm, 3> &group(int which) const { return groups_[which]; }
  /// The agent in it: place of its CTA in the cluster, number of its warp in the role (Ascend: of
  /// the vector core).
  const std::array<LinearForm, 4> &agent(int which) const { return agents_[which]; }
  /// Whether it says no more of an access than its cluster and its iterations.
  bool isOfIteration(const LinearForm &form, int which) const {
    return isWithin(form, ofIteration(which));
  }
  /// Null: one CTA.
  const Grid *grid() const { return grid_; }
  /// In elements.
  LinearForm extent(int tensor, int dimension);

  /// Those of the program, and what follows of them by multiplication with units.
  std::vector<LinearConstraint> constraints() const;
  /// What the two say of each other, and minima.
  std::vector<Choice> choices() const;
  /// What multiples of one point say of 0 and of each other, which pairs of accesses do without.
  std::vector<Choice> ofOnePoint() const;
  /// Whether something in the form is an integer that only the run has: of a tensor, drawn, or
  /// handed on through memory.
  bool ofData(const LinearForm &form) const;
  /// Where each number of data in the difference of two places is also taken away from it: both
  /// are the same element, or computed alike from the same ones. Nothing: of some that is not told.
  std::optional<std::vector<LinearConstraint>> ofOneNumber(const LinearForm &apart) const;
  /// Of a point: extents and arguments.
  const std::map<std::pair<int, int>, int> &extentColumns() const { return extents_; }
  const std::map<int, int> &argumentColumns() const { return arguments_; }

private:
  struct Quotient {
    LinearForm x, y, result, rest; // x = y * result + rest, 0 <= rest < y
  };

  std::set<int> ofIteration(int which) const;
  static bool isWithin(const LinearForm &form, const std::set<int> &columns);
  /// Sums of what is known to be so.
  bool isNeverNegative(const LinearForm &form) const;
  bool isPositive(const LinearForm &form) const;
  void findLaunchValues();
  void placeCtas(int which);
  void isThere(ValueId v, int which);
  void placeWarp(const AccessSite &site, int which);
  void addLoop(const For &loop, int which);
  bool endsAtZero(const For &loop, int which);
  Choice condition(ValueId v, bool holds, int which);
  LinearForm counted(int tensor, int dimension);
  LinearForm opaque(bool data);
  /// What gives one number of the same operands, in all accesses of a launch.
  struct Function {
    ScalarOp op;
    int64_t imm = 0;
    int object = -1;
    bool operator==(const Function &) const = default;
  };
  /// A column for what a function gives of these.
  LinearForm opaqueOf(const Function &function, const std::vector<LinearForm> &from);
  void isComputed(const LinearForm &number, const Function &function, std::vector<LinearForm> from);
  LinearForm scalar(const Scalar &s, int which);
  ValueId addedTo(ValueId v, ValueId next) const;
  LinearForm carried(ValueId v, int which);
  std::optional<LinearForm> oneTripBefore(const LinearForm &form, const LinearForm &trips,
                                          int which) const;
  std::optional<LinearForm> numberBefore(const LinearForm &form, const LinearForm &trips,
                                         int which);
  LinearForm loaded(const Scalar &s, int which);
  LinearForm chosen(ValueId v, int which);
  LinearForm computed(const Scalar &s, int which);
  LinearForm selected(const Scalar &s, int which);
  LinearForm multiplied(const Scalar &s, int which);
  LinearForm divided(const Scalar &s, int which);
  LinearForm truncated(const Scalar &s, const LinearForm &x, int64_t by);
  LinearForm limited(const Scalar &s, int which);
  LinearForm product(const LinearForm &x, const LinearForm &y, bool positive, int which,
                     const Scalar *by);
  LinearForm product(int column, const LinearForm &unit, bool positive, int which,
                     const Scalar *by);
  Quotient quotient(const LinearForm &x, const LinearForm &y, bool positive, int which,
                    const Scalar *by);
  std::vector<LinearConstraint> byZero(const Quotient &q) const;
  void addMultiple(const LinearForm &count, const LinearForm &unit, const LinearForm &whole,
                   bool positive, int which, const Scalar *by);
  std::vector<LinearConstraint> multipliedConstraints() const;
  bool isShared(const LinearForm &form) const;
  bool areTwins(const Multiple &a, const Multiple &b) const;
  static Choice ofZero(const Multiple &m);
  static Choice related(const Multiple &a, const Multiple &b);

  const Program &program_;
  const Sources &sources_;
  const CountedValues values_;
  const std::vector<bool> neverNegative_;
  const Units &units_;
  const bool sameGroup_;
  std::map<ValueId, const Scalar *> scalars_;
  std::map<ValueId, std::pair<const For *, size_t>> carried_; // iterArgs: their loop and number
  std::map<ValueId, std::pair<const If *, size_t>> chosen_;   // results of branches
  const Grid *grid_ = nullptr;
  int columns_ = 0;
  std::set<int> sharedColumns_, dataColumns_, neverNegativeColumns_, positiveColumns_;
  std::map<std::pair<int, int>, int> extents_;
  std::map<int, int> arguments_;
  std::map<std::pair<ValueId, int>, LinearForm> known_;
  std::map<std::pair<const For *, int>, LinearForm> trips_;                 // how many were before
  std::map<std::tuple<bool, LinearForm, LinearForm>, LinearForm> extremes_; // least of two?
  std::map<LinearForm, std::vector<LinearForm>> selections_;                // what is chosen from
  std::map<std::pair<int, std::vector<LinearForm>>, LinearForm> loads_;     // by tensor and place
  struct Number {
    Function function;
    std::vector<LinearForm> from;
  };
  std::optional<std::vector<LinearConstraint>>
  ofOneNumber(const Number &number, const std::vector<LinearForm> &from) const;
  std::map<int, Number> numbers_; // of data, by column
  struct Carried {
    LinearForm left;        // by the iteration before
    LinearConstraint later; // than the first
  };
  std::map<int, Carried> handedOn_; // numbers of data that a loop carries, by column
  std::vector<LinearConstraint> constraints_;
  std::vector<Choice> choices_;
  std::map<std::pair<LinearForm, LinearForm>, LinearForm> products_;
  std::vector<Quotient> quotients_;
  struct Whole {
    LinearForm form;
    int64_t times; // form = times * column * unit
  };
  std::map<LinearForm, std::map<int, Whole>> wholes_; // by unit >= 0 and column
  std::array<std::vector<Multiple>, 3> multiples_;    // of the first, the second, the launch
  std::vector<bool> ofLaunch_; // by value: the same for all accesses of a launch
  bool inLaunch_ = false;      // columns that are made now are shared
  std::array<std::array<LinearForm, 3>, 2> groups_;
  std::array<std::array<LinearForm, 4>, 2> agents_;
  std::array<int, 2> firstWarps_{}; // of the roles
  std::set<ValueId> inRoles_;       // scalars that stand in a role
};

} // namespace sluice

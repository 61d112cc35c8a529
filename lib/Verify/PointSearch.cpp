#include "Verify/PointSearch.h"

namespace sluice {
namespace {

/// Launches to look for first: those in which loops and tensors are small.
constexpr int64_t smallExtent = 4096, smallArgument = 64, largestNumber = 1 << 24;

} // namespace

Choice precedes(std::span<const LinearForm> a, std::span<const LinearForm> b) {
  Choice choice;
  Constraints before;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i])
      continue;
    choice.push_back(before);
    choice.back().push_back(below(a[i], b[i]));
    before.push_back(same(a[i], b[i]));
  }
  return choice;
}

Choice differ(std::span<const LinearForm> a, std::span<const LinearForm> b) {
  Choice choice = precedes(a, b);
  for (Constraints &other : precedes(b, a))
    choice.push_back(std::move(other));
  return choice;
}

bool PointSearch::mayHold(const std::vector<const Constraints *> &constraints,
                          std::vector<const Choice *> choices) {
  Solver solver(forms_.columns());
  for (const Constraints *all : constraints)
    for (const LinearConstraint &c : *all)
      solver.add(c);
  left_ = mostSteps;
  points_ = mostPoints;
  point_.reset();
  return solver.mayHold() && search(solver, std::move(choices));
}

/// What is left of a choice when rationals have excluded some.
std::vector<const Constraints *> PointSearch::possible(Solver &solver, const Choice &choice) {
  std::vector<const Constraints *> left;
  const size_t before = solver.mark();
  for (const Constraints &one : choice) {
    for (const LinearConstraint &c : one)
      solver.add(c);
    if (--left_ < 0 || solver.mayHold())
      left.push_back(&one);
    solver.back(before);
  }
  return left;
}

/// Takes what has one possibility left, then tries those of the choice that has the fewest.
bool PointSearch::search(Solver &solver, std::vector<const Choice *> choices) {
  std::vector<const Constraints *> fewest;
  const Choice *next = nullptr;
  for (bool again = true; again;) {
    again = false;
    next = nullptr;
    for (size_t i = 0; i < choices.size(); ++i) {
      std::vector<const Constraints *> left = possible(solver, *choices[i]);
      if (left.empty())
        return false;
      if (left_ < 0)
        return true; // not told
      if (left.size() == 1) {
        for (const LinearConstraint &c : *left[0])
          solver.add(c);
        choices.erase(choices.begin() + static_cast<std::ptrdiff_t>(i--));
        again = true;
      } else if (!next || left.size() < fewest.size()) {
        next = choices[i];
        fewest = std::move(left);
      }
    }
  }
  if (!next)
    return hasPoint(solver);
  std::erase(choices, next);
  const size_t before = solver.mark();
  for (const Constraints *one : fewest) {
    for (const LinearConstraint &c : *one)
      solver.add(c);
    if (search(solver, choices))
      return true;
    solver.back(before);
  }
  return false;
}

/// A small one is looked for. Where rationals hold together and no small integers are found, it
/// is not told that there are none.
bool PointSearch::hasPoint(Solver &solver) {
  if (--points_ < 0)
    return true;
  const size_t before = solver.mark();
  const auto within = [&](int column, int64_t least, int64_t most) {
    solver.add(atLeast(LinearForm::of(most), LinearForm::column(column)));
    solver.add(atLeast(LinearForm::column(column), LinearForm::of(least)));
  };
  for (int c = 0; c < forms_.columns(); ++c)
    within(c, -largestNumber, largestNumber);
  for (const auto &[where, column] : forms_.extentColumns())
    within(column, 0, smallExtent);
  for (const auto &[argument, column] : forms_.argumentColumns())
    within(column, -smallArgument, smallArgument);
  if (solver.mayHold())
    point_ = solver.integerPoint();
  solver.back(before);
  if (!point_)
    point_ = solver.integerPoint();
  return point_.has_value();
}

} // namespace sluice

#include "Verify/PointSearch.h"

#include <algorithm>

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
                          const std::vector<const Choice *> &choices) {
  Solver solver(forms_.columns());
  for (const Constraints *all : constraints)
    for (const LinearConstraint &c : *all)
      solver.add(c);
  left_ = mostSteps;
  points_ = mostPoints;
  point_.reset();
  std::vector<Options> all;
  for (const Choice *choice : choices) {
    Options &options = all.emplace_back();
    for (const Constraints &one : *choice)
      options.push_back(&one);
  }
  return solver.mayHold() && search(solver, std::move(all));
}

/// Without what rationals exclude. What they have excluded stays so, as constraints are added
/// alone.
void PointSearch::narrow(Solver &solver, Options &options) {
  const size_t before = solver.mark();
  std::erase_if(options, [&](const Constraints *one) {
    for (const LinearConstraint &c : *one)
      solver.add(c);
    const bool holds = --left_ < 0 || solver.mayHold();
    solver.back(before);
    return !holds;
  });
}

/// Takes what has one possibility left, then tries those of the choice that has the fewest.
bool PointSearch::search(Solver &solver, std::vector<Options> choices) {
  // Round and round, until all have been narrowed since the last constraint.
  for (size_t since = 0, at = 0; since < choices.size(); ++since, ++at) {
    at = at < choices.size() ? at : 0;
    narrow(solver, choices[at]);
    if (choices[at].empty())
      return false;
    if (left_ < 0)
      return true; // not told
    if (choices[at].size() > 1)
      continue;
    for (const LinearConstraint &c : *choices[at].front())
      solver.add(c);
    choices.erase(choices.begin() + static_cast<std::ptrdiff_t>(at--));
    since = size_t(-1);
  }
  if (choices.empty())
    return hasPoint(solver);
  const auto next = std::ranges::min_element(choices, {}, &Options::size);
  const Options fewest = std::move(*next);
  choices.erase(next);
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

#include "Verify/CounterTurns.h"

namespace sluice {

CounterTurns::CounterTurns(const Program &program, const Sources &sources, const AccessSite &add,
                           const Index &awaited)
    : program_(program), sources_(sources), add_(add), adds_(std::get<CounterAdd>(add.stmt->op)),
      awaited_(awaited) {}

std::string CounterTurns::missing() const {
  if (!goesOn(true) && !goesOn(false))
    return "elements that go up, or down, in the loops around the add";
  if (!areDisjoint())
    return "turns that no two CTAs have part of";
  if (!haveOneBefore())
    return "for each CTA whose turn is not at 0 one that adds up to it, the neighbour in the grid";
  return "";
}

/// A CTA's later visits are to elements further up (or down), so never to one again.
bool CounterTurns::goesOn(bool up) const {
  if (add_.loops.empty())
    return true;
  CounterVisits visits(program_, sources_, add_, true);
  for (const int which : {0, 1})
    visits.comes(which);
  const std::vector<LinearForm> from = visits.element(up ? 0 : 1), to = visits.element(up ? 1 : 0);
  Choice notOn = precedes(to, from);
  notOn.push_back(visits.oneElement());
  return visits.never({}, {precedes(visits.iterations(0), visits.iterations(1)), notOn});
}

/// Of two CTAs at one element, the turn of the one ends, further up, before the other's begins.
bool CounterTurns::areDisjoint() const {
  CounterVisits visits(program_, sources_, add_, false);
  for (const int which : {0, 1})
    visits.comes(which);
  const LinearForm first = turn(visits, 0), ends = after(visits, 0), next = turn(visits, 1);
  const std::vector<Choice> two{differ(visits.cta(0), visits.cta(1))};
  Constraints one = visits.oneElement();
  one.push_back(same(first, next));
  if (!visits.never(one, two))
    return false;
  one.back() = below(first, next);
  one.push_back(below(next, ends));
  if (!visits.never(one, two))
    return false;
  one.back() = atLeast(first, ends);
  return visits.never(one, two);
}

/// The CTA one further down, or up, along one coordinate comes to the element just before. In
/// clusters the one at the same place of the next cluster: so what a cluster waits for, its CTAs
/// for each other too, is done once those on one side of it have ended.
bool CounterTurns::haveOneBefore() const {
  const Grid *grid = CounterVisits(program_, sources_, add_, false).forms().grid();
  for (size_t d = 0; grid && d < grid->results.size(); ++d)
    for (const int64_t step : {-1, 1})
      if (isBefore(d, step))
        return true;
  return false;
}

/// Whether CTA 1, `step` clusters from CTA 0 along dimension d, ends a turn where one of CTA 0
/// begins: in the iterations of the same numbers, which it comes to.
bool CounterTurns::isBefore(size_t d, int64_t step) const {
  CounterVisits visits(program_, sources_, add_, false);
  visits.comes(0);
  AccessForms &forms = visits.forms();
  const LinearForm first = turn(visits, 0);
  const LinearForm neighbour = forms.group(0)[d] + LinearForm::of(step);
  const LinearForm extent = forms.value(forms.grid()->extents[d], 0);
  const int64_t size = program_.cluster[d];
  const LinearForm coordinate = size * neighbour + visits.place(d, 0);
  const Choice later{{below(first, {})}, {below({}, first)}}; // its turn is not at 0
  if (!visits.never({below(neighbour, {})}, {later}) ||
      !visits.never({atLeast(coordinate, extent)}, {later}))
    return false;
  Constraints there;
  for (size_t i = 0; i < 3; ++i) {
    there.push_back(same(forms.group(1)[i], i == d ? neighbour : forms.group(0)[i]));
    there.push_back(same(visits.place(i, 1), visits.place(i, 0)));
  }
  const auto never = [&](LinearConstraint more) {
    Constraints all = there;
    all.push_back(std::move(more));
    return visits.never(all, {later});
  };
  for (const For *loop : add_.loops) {
    const LinearForm lower = forms.value(loop->lower, 1), upper = forms.value(loop->upper, 1);
    const LinearForm variable = visits.variable(*loop, 1);
    there.push_back(same(variable, forms.value(loop->iv, 0)));
    if (!never(below(variable, lower)) || !never(atLeast(variable, upper)))
      return false;
    there.push_back(atLeast(variable, lower));
    there.push_back(below(variable, upper));
  }
  const LinearForm other = turn(visits, 1), ends = after(visits, 1);
  return visits.never(there, {later, differ(visits.element(0), visits.element(1))}) &&
         visits.never(there, {later, {{below(ends, first)}, {below(first, ends)}}}) &&
         never(atLeast(other, first));
}

} // namespace sluice

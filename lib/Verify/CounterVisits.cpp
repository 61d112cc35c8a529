#include "Verify/CounterVisits.h"

namespace sluice {
namespace {

const AccessForms::Units noUnits{};

/// What holds of counts holds of as many units.
Constraints withMultiples(const AccessForms &forms, const Constraints &these) {
  Constraints all = these;
  for (const LinearConstraint &c : these)
    for (LinearConstraint &more : forms.multiplied(c))
      all.push_back(std::move(more));
  return all;
}

} // namespace

CounterVisits::CounterVisits(const Program &program, const Sources &sources, const AccessSite &add,
                             bool ofOneCta)
    : add_(add), forms_(program, sources, noUnits, ofOneCta) {
  AccessSite outside = add; // its CTA
  outside.loops.clear();
  for (const int which : {0, 1})
    forms_.add(outside, which);
  for (size_t d = 0; d < 3; ++d)
    for (const int which : {0, 1})
      ctas_[which].push_back(program.cluster[d] * forms_.group(which)[d] + place(d, which));
  if (ofOneCta)
    for (size_t d = 0; d < 3; ++d)
      forms_.constrain(same(place(d, 0), place(d, 1)));
}

void CounterVisits::comes(int which) {
  for (const For *loop : add_.loops) {
    const LinearForm variable = this->variable(*loop, which);
    forms_.constrain(atLeast(variable, forms_.value(loop->lower, which)));
    forms_.constrain(below(variable, forms_.value(loop->upper, which)));
  }
}

std::vector<LinearForm> CounterVisits::iterations(int which) {
  std::vector<LinearForm> variables;
  for (const For *loop : add_.loops)
    variables.push_back(forms_.value(loop->iv, which));
  return variables;
}

std::vector<LinearForm> CounterVisits::element(int which) {
  std::vector<LinearForm> at;
  for (const Index &i : std::get<CounterAdd>(add_.stmt->op).counter.offset)
    at.push_back(forms_.index(i, which));
  return at;
}

Constraints CounterVisits::oneElement() {
  Constraints all;
  const std::vector<LinearForm> a = element(0), b = element(1);
  for (size_t d = 0; d < a.size(); ++d)
    all.push_back(same(a[d], b[d]));
  return all;
}

bool CounterVisits::never(const Constraints &these, std::vector<Choice> choices) {
  for (const std::vector<Choice> &own : {forms_.choices(), forms_.ofOnePoint()})
    choices.insert(choices.end(), own.begin(), own.end());
  std::vector<const Choice *> any;
  for (Choice &choice : choices) {
    for (Constraints &one : choice)
      one = withMultiples(forms_, one);
    any.push_back(&choice);
  }
  const Constraints all = forms_.constraints(), more = withMultiples(forms_, these);
  return !PointSearch(forms_).mayHold({&all, &more}, any);
}

} // namespace sluice

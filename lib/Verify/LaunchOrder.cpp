#include "Verify/LaunchOrder.h"

#include "Verify/PointSearch.h"

namespace sluice {

/// `violated` gives the constraint that no point may keep, of forms of an agent somewhere.
template <typename Violated> bool LaunchOrder::never(const Violated &violated) const {
  const AccessForms::Units none;
  AccessForms forms(program_, sources_, none, true);
  forms.add(AccessSite{}, 0);
  const Constraints these{violated(forms)}, all = forms.constraints();
  const std::vector<Choice> choices[2] = {forms.choices(), forms.ofOnePoint()};
  std::vector<const Choice *> any;
  for (const std::vector<Choice> &own : choices)
    for (const Choice &choice : own)
      any.push_back(&choice);
  return !PointSearch(forms).mayHold({&all, &these}, any);
}

bool LaunchOrder::isAtMost(ValueId x, ValueId y) const {
  if (x == y)
    return true;
  return x < program_.values && y < program_.values && never([&](AccessForms &forms) {
    return below(forms.value(y, 0), forms.value(x, 0));
  });
}

bool LaunchOrder::isAtLeast(ValueId x, int64_t number) const {
  return x < program_.values && never([&](AccessForms &forms) {
    return below(forms.value(x, 0), LinearForm::of(number));
  });
}

} // namespace sluice

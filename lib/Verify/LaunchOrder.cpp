#include "Verify/LaunchOrder.h"

#include "Program/Agent.h"
#include "Verify/PointSearch.h"

namespace sluice {

LaunchOrder::LaunchOrder(const Program &program)
    : program_(program), sources_(program_, {}), ranges_(program_) {
  walk(program_.body, [this](const Stmt &s) {
    if (auto *scalar = std::get_if<Scalar>(&s.op))
      scalars_[scalar->result] = scalar;
  });
}

/// `violated` gives the constraint that no point may keep, of forms of an agent somewhere.
bool LaunchOrder::never(const std::vector<ValueId> &of,
                        const std::function<LinearConstraint(AccessForms &)> &violated) const {
  const AccessForms::Units none;
  AccessForms forms(program_, sources_, none, true);
  forms.add(AccessSite{}, 0);
  std::set<ValueId> seen;
  for (const ValueId v : of)
    addRanges(v, forms, seen);
  const Constraints these{violated(forms)}, all = forms.constraints();
  const std::vector<Choice> choices[2] = {forms.choices(), forms.ofOnePoint()};
  std::vector<const Choice *> any;
  for (const std::vector<Choice> &own : choices)
    for (const Choice &choice : own)
      any.push_back(&choice);
  return !PointSearch(forms).mayHold({&all, &these}, any);
}

/// Of a value and all that it is computed from.
void LaunchOrder::addRanges(ValueId v, AccessForms &forms, std::set<ValueId> &seen) const {
  constexpr int64_t far = int64_t{1} << 40;
  if (!seen.insert(v).second)
    return;
  if (const auto at = scalars_.find(v); at != scalars_.end())
    for (const ValueId operand : at->second->operands)
      addRanges(operand, forms, seen);
  const LinearForm form = forms.value(v, 0);
  const IntegerRange range = ranges_.of(v);
  if (!form.isConstant() && range.least > -far)
    forms.constrain(atLeast(form, LinearForm::of(range.least)));
  if (!form.isConstant() && range.most < far)
    forms.constrain(atLeast(LinearForm::of(range.most), form));
}

bool LaunchOrder::isAtMost(ValueId x, ValueId y) const {
  if (x == y)
    return true;
  return x < program_.values && y < program_.values && never({x, y}, [&](AccessForms &forms) {
           return below(forms.value(y, 0), forms.value(x, 0));
         });
}

bool LaunchOrder::isAtLeast(ValueId x, int64_t number) const {
  return x < program_.values && never({x}, [&](AccessForms &forms) {
           return below(forms.value(x, 0), LinearForm::of(number));
         });
}

} // namespace sluice

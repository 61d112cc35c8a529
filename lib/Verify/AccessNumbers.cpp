// Numbers of data in the scalars of two accesses: integers of tensors, and what is computed from
// them. Which number it is only the run knows, but the same of the same elements.
#include "Verify/AccessForms.h"

#include <algorithm>

namespace sluice {

static bool isSymmetric(ScalarOp op) {
  return op == ScalarOp::mul || op == ScalarOp::minS || op == ScalarOp::maxS ||
         op == ScalarOp::andI || op == ScalarOp::orI || op == ScalarOp::xorI;
}

LinearForm AccessForms::opaqueOf(const Function &function, const std::vector<LinearForm> &from) {
  const LinearForm number =
      opaque(std::ranges::any_of(from, [this](const LinearForm &f) { return ofData(f); }));
  isComputed(number, function, from);
  return number;
}

void AccessForms::isComputed(const LinearForm &number, const Function &function,
                             std::vector<LinearForm> from) {
  if (ofData(number))
    numbers_[number.factors.begin()->first] = {function, std::move(from)};
}

/// Of an operation that forms say nothing of.
LinearForm AccessForms::computed(const Scalar &s, int which) {
  const LinearForm number = opaque(sources_.isOfData(s.result));
  if (!ofData(number))
    return number;
  std::vector<LinearForm> from;
  for (const ValueId operand : s.operands)
    from.push_back(value(operand, which));
  isComputed(number, {s.op, s.imm, s.object}, std::move(from));
  return number;
}

/// By a branch: as by a selection.
LinearForm AccessForms::chosen(ValueId v, int which) {
  const auto [branch, number] = chosen_.at(v);
  const LinearForm result = opaque(true);
  isComputed(result, {ScalarOp::select},
             {value(branch->condition, which), value(branch->thenBlock.yields[number], which),
              value(branch->elseBlock.yields[number], which)});
  return result;
}

/// No launch writes it: the same element is the same number.
LinearForm AccessForms::loaded(const Scalar &s, int which) {
  std::pair<int, std::vector<LinearForm>> element{s.object, {}};
  for (const ValueId at : s.operands)
    element.second.push_back(value(at, which));
  const auto [at, isNew] = loads_.try_emplace(element);
  if (isNew) {
    at->second = opaque(true);
    isComputed(at->second, {s.op, 0, s.object}, element.second);
    if (std::ranges::all_of(element.second, [this](const LinearForm &f) { return isShared(f); }))
      sharedColumns_.insert(at->second.factors.begin()->first);
  }
  return at->second;
}

/// What the iteration before has computed so.
std::optional<LinearForm> AccessForms::numberBefore(const LinearForm &form, const LinearForm &trips,
                                                    int which) {
  LinearForm before = LinearForm::of(form.constant);
  for (const auto &[column, factor] : form.factors) {
    const auto number = numbers_.find(column);
    auto one = number == numbers_.end() ? oneTripBefore(LinearForm::column(column), trips, which)
                                        : opaque(true);
    if (!one)
      return std::nullopt;
    before = before + factor * *one;
    if (number == numbers_.end())
      continue;
    std::vector<LinearForm> from;
    for (const LinearForm &f : number->second.from)
      if (const auto earlier = numberBefore(f, trips, which))
        from.push_back(*earlier);
      else
        return std::nullopt;
    isComputed(*one, number->second.function, std::move(from));
  }
  return before;
}

bool AccessForms::ofData(const LinearForm &form) const {
  return std::ranges::any_of(form.factors,
                             [this](const auto &f) { return dataColumns_.count(f.first) > 0; });
}

/// Where the operands of the first are these.
std::optional<std::vector<LinearConstraint>>
AccessForms::ofOneNumber(const Number &number, const std::vector<LinearForm> &from) const {
  std::vector<LinearConstraint> all;
  for (size_t i = 0; i < from.size(); ++i) {
    all.push_back(same(number.from[i], from[i]));
    if (number.function.op == ScalarOp::load) // elements of one number are one element
      continue;
    const auto inner = ofOneNumber(number.from[i] - from[i]);
    if (!inner)
      return std::nullopt;
    all.insert(all.end(), inner->begin(), inner->end());
  }
  return all;
}

std::optional<std::vector<LinearConstraint>>
AccessForms::ofOneNumber(const LinearForm &apart) const {
  std::vector<LinearConstraint> all;
  LinearForm open = apart;
  for (const auto &[column, times] : apart.factors)
    if (const auto at = handedOn_.find(column); at != handedOn_.end()) {
      const LinearForm here = LinearForm::column(column);
      all.insert(all.end(), {same(here, at->second.left), at->second.later});
      open = open + times * (at->second.left - here);
    }
  std::erase_if(open.factors, [this](const auto &f) { return dataColumns_.count(f.first) == 0; });
  while (!open.factors.empty()) {
    const auto [column, times] = *open.factors.begin();
    const auto one = numbers_.find(column);
    const auto other = std::ranges::find_if(open.factors, [&](const auto &f) {
      const auto at = numbers_.find(f.first);
      return one != numbers_.end() && at != numbers_.end() && f.second == -times &&
             at->second.function == one->second.function;
    });
    if (other == open.factors.end())
      return std::nullopt;
    const Number &a = one->second, &b = numbers_.at(other->first);
    auto operands = ofOneNumber(a, b.from);
    if (!operands && isSymmetric(a.function.op) && a.from.size() == 2)
      operands = ofOneNumber(a, {b.from[1], b.from[0]});
    if (!operands)
      return std::nullopt;
    all.push_back(same(LinearForm::column(column), LinearForm::column(other->first)));
    all.insert(all.end(), operands->begin(), operands->end());
    open.factors.erase(other);
    open.factors.erase(column);
  }
  return all;
}

} // namespace sluice

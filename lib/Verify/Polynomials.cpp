#include "Verify/Polynomials.h"

#include "Program/Agent.h"

#include <algorithm>

namespace sluice {
namespace {

Polynomial sum(Polynomial a, const Polynomial &b, int64_t times) {
  for (const auto &[factors, count] : b)
    a[factors] += times * count;
  std::erase_if(a, [](const auto &term) { return term.second == 0; });
  return a;
}

/// So small that sums and products of a few do not overflow.
bool isSmall(const Polynomial &p) {
  return p.size() < 64 && std::ranges::all_of(p, [](const auto &term) {
           return std::abs(term.second) < int64_t{1} << 24 && term.first.size() < 8;
         });
}

} // namespace

Polynomial operator*(const Polynomial &a, const Polynomial &b) {
  Polynomial product;
  for (const auto &[x, times] : a)
    for (const auto &[y, count] : b) {
      std::vector<std::string> factors = x;
      factors.insert(factors.end(), y.begin(), y.end());
      std::ranges::sort(factors);
      product = sum(std::move(product), {{std::move(factors), count}}, times);
    }
  return product;
}

Polynomial operator-(const Polynomial &a, const Polynomial &b) {
  return sum(a, b, -1);
}

Polynomials::Polynomials(const Program &program) {
  walk(program.body, [this](const Stmt &s) {
    if (auto *scalar = std::get_if<Scalar>(&s.op))
      scalars_[scalar->result] = scalar;
  });
}

/// What is no sum or product is a factor, the same one where it is computed alike.
std::string Polynomials::factor(ValueId v) const {
  const auto at = scalars_.find(v);
  const bool ofAgent =
      at != scalars_.end() && at->second->op >= ScalarOp::cursorInit; // by place, by data
  if (at == scalars_.end() || ofAgent)
    return "v" + std::to_string(v);
  const Scalar &s = *at->second;
  std::string text = std::to_string(static_cast<int>(s.op)) + "." + std::to_string(s.imm) + "." +
                     std::to_string(s.object) + "(";
  for (const ValueId operand : s.operands) {
    for (const auto &[factors, count] : of(operand)) {
      text += std::to_string(count);
      for (const std::string &f : factors)
        text += "*" + f;
      text += "+";
    }
    text += ",";
  }
  return text + ")";
}

Polynomial Polynomials::of(ValueId v) const {
  if (const auto at = scalars_.find(v); at != scalars_.end()) {
    const Scalar &s = *at->second;
    if (s.op == ScalarOp::constant && std::abs(s.imm) < int64_t{1} << 24)
      return sum({}, {{{}, s.imm}}, 1);
    if (s.op == ScalarOp::add || s.op == ScalarOp::sub || s.op == ScalarOp::mul) {
      const Polynomial a = of(s.operands[0]), b = of(s.operands[1]);
      if (isSmall(a) && isSmall(b))
        return s.op == ScalarOp::mul ? a * b : sum(a, b, s.op == ScalarOp::add ? 1 : -1);
    }
  }
  return {{{factor(v)}, 1}};
}

Polynomial Polynomials::of(const Index &i) const {
  const Polynomial constant{{{}, i.constant}};
  return sum(i.isConstant() ? Polynomial{} : of(i.value), constant, 1);
}

} // namespace sluice

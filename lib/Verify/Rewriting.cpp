#include "Verify/Rewriting.h"

namespace sluice {

Rewriting::Rewriting(Program program) : program_(std::move(program)) {
  forScalars(program_.body, [this](const Scalar &s) { define(s); });
}

std::optional<Program> Rewriting::result() {
  if (!found_)
    return {};
  std::vector<Stmt> numbers;
  for (const auto &[number, value] : constants_)
    numbers.push_back(statement(Scalar{ScalarOp::constant, value, {}, number}));
  std::vector<Stmt> &all = program_.body.stmts;
  all.insert(all.begin(), numbers.begin(), numbers.end());
  program_.valueNames.resize(program_.values);
  return std::move(program_);
}

const Scalar *Rewriting::definition(ValueId v) const {
  const auto at = scalars_.find(v);
  return at == scalars_.end() ? nullptr : &at->second;
}

const int64_t *Rewriting::constantOf(ValueId v) const {
  const Scalar *s = definition(v);
  return s && s->op == ScalarOp::constant ? &s->imm : nullptr;
}

bool Rewriting::isConstant(ValueId v, int64_t number) const {
  const int64_t *found = constantOf(v);
  return found && *found == number;
}

ValueId Rewriting::constant(int64_t number) {
  const auto [at, isNew] = constants_.try_emplace(number, program_.values);
  if (isNew)
    define({ScalarOp::constant, fresh(), {}, number});
  return at->second;
}

} // namespace sluice

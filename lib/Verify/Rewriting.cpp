#include "Verify/Rewriting.h"

#include "Program/Agent.h"

#include <algorithm>

namespace sluice {

void rename(Block &block, const std::map<ValueId, ValueId> &to) {
  const auto change = [&to](ValueId &v) {
    if (const auto at = to.find(v); at != to.end())
      v = at->second;
  };
  for (Stmt &s : block.stmts)
    usesIn(s, change);
  std::ranges::for_each(block.yields, change);
}

std::set<ValueId> changingIn(const For &loop) {
  std::set<ValueId> changing{loop.iv};
  changing.insert(loop.iterArgs.begin(), loop.iterArgs.end());
  walk(loop.body, [&changing](const Stmt &s) {
    forEachResult(s, [&changing](ValueId v) { changing.insert(v); });
  });
  return changing;
}

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

std::optional<Rewriting::Half> Rewriting::halfOf(ValueId v) const {
  const Scalar *s = definition(v);
  if (!s || s->operands.size() != 2)
    return {};
  const bool up = s->op == ScalarOp::ceilDiv, shifts = s->op == ScalarOp::shrS;
  if ((!up && !shifts && s->op != ScalarOp::divS) || !isConstant(s->operands[1], shifts ? 1 : 2))
    return {};
  const Scalar *of = definition(s->operands[0]);
  if (!up && of && of->op == ScalarOp::add) // (x + 1) / 2
    for (const size_t side : {size_t{0}, size_t{1}})
      if (isConstant(of->operands[1 - side], 1))
        return Half{of->operands[side], true};
  return Half{s->operands[0], up};
}

ValueId Rewriting::compute(std::vector<Stmt> &to, ScalarOp op, std::vector<ValueId> operands) {
  const Scalar s{op, fresh(), std::move(operands)};
  define(s);
  to.push_back(statement(s));
  return s.result;
}

ValueId Rewriting::addedTo(ValueId one, ValueId sum) const {
  const Scalar *s = definition(sum);
  if (!s || s->op != ScalarOp::add)
    return kNone;
  return s->operands[0] == one ? s->operands[1] : s->operands[1] == one ? s->operands[0] : kNone;
}

ValueId Rewriting::constant(int64_t number) {
  const auto [at, isNew] = constants_.try_emplace(number, program_.values);
  if (isNew)
    define({ScalarOp::constant, fresh(), {}, number});
  return at->second;
}

} // namespace sluice

#include "Program/Tokens.h"

#include "Program/Agent.h"
#include "Program/Blocks.h"
#include "Program/Uses.h"

namespace sluice {

Tokens::Tokens(const Program &program) : tests_(program.values) {
  bool any = false;
  walk(program.body, [&](const Stmt &s) {
    if (auto *test = std::get_if<MbarrierTest>(&s.op)) {
      tests_[test->result].insert(&s);
      any = true;
    }
  });
  for (bool grew = any; grew;) {
    grew = false;
    walk(program.body, [&](const Stmt &s) { grew |= flow(s); });
  }
}

bool Tokens::flow(const std::vector<ValueId> &from, const std::vector<ValueId> &to) {
  bool grew = false;
  for (size_t i = 0; i < from.size() && i < to.size(); ++i)
    for (const Stmt *test : tests_[from[i]])
      grew |= tests_[to[i]].insert(test).second;
  return grew;
}

bool Tokens::flow(const Stmt &s) {
  bool grew = false;
  forFlows(s, [&](const auto &from, const auto &to) { grew |= flow(from, to); });
  if (auto *scalar = std::get_if<Scalar>(&s.op); scalar && scalar->op == ScalarOp::select)
    for (const size_t side : {size_t{1}, size_t{2}})
      grew |= flow({scalar->operands[side]}, {scalar->result});
  return grew;
}

ValueId Tokens::misused(const Stmt &s) const {
  const auto first = [this](const std::vector<ValueId> &values) {
    for (const ValueId v : values)
      if (isToken(v))
        return v;
    return kNone;
  };
  if (auto *loop = std::get_if<For>(&s.op))
    return first({loop->lower, loop->upper, loop->step, loop->condition});
  if (auto *branch = std::get_if<If>(&s.op))
    return first({branch->condition});
  if (auto *scalar = std::get_if<Scalar>(&s.op); scalar && scalar->op == ScalarOp::select)
    return first({scalar->operands[0]});
  auto *wait = std::get_if<MbarrierWait>(&s.op);
  ValueId found = kNone;
  forEachUse(s, [&](ValueId v) {
    if (isToken(v) &&
        !(wait && v == wait->token && v != wait->parity.value && v != wait->barrier.slot.value))
      found = v;
  });
  return found;
}

} // namespace sluice

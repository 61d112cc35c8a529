// From where to where in its block a value that matters lives.
#include "Verify/Relevance.h"

#include "Program/Blocks.h"
#include "Program/Uses.h"

#include <algorithm>

namespace sluice {

void Relevance::define() {
  const auto add = [&](const Block &b, size_t after, ValueId v) {
    if (needs_[v].any())
      defined_[&b].push_back({after, after, v});
  };
  const std::function<void(const Block &)> visit = [&](const Block &b) {
    for (size_t i = 0; i < b.stmts.size(); ++i) {
      const Stmt &s = b.stmts[i];
      if (auto *loop = std::get_if<For>(&s.op)) {
        add(loop->body, 0, loop->iv);
        for (const ValueId v : loop->iterArgs)
          add(loop->body, 0, v);
      }
      forBlocks(s, visit);
      auto *scalar = std::get_if<Scalar>(&s.op);
      if (std::holds_alternative<Grid>(s.op) || (scalar && scalar->op == ScalarOp::constant))
        continue;
      forLeft(s, [&](ValueId v) { add(b, i + 1, v); });
    }
  };
  visit(program_.body);
}

/// Of all values that are read in a block or inside of it: how many statements have been begun when
/// that may happen for the last time. `atEnd`: what the loop around it reads then, beside what the
/// block yields: its variable, for the next one, and its condition.
Relevance::LastReads Relevance::findLastReads(const Block &block,
                                              const std::vector<ValueId> &atEnd) {
  LastReads last;
  const auto note = [&](ValueId v, size_t at) {
    size_t &until = last.try_emplace(v, at).first->second;
    until = std::max(until, at);
  };
  const auto noteInside = [&](const Block &inner, const std::vector<ValueId> &end, size_t at) {
    for (const auto &[v, until] : findLastReads(inner, end))
      note(v, at);
  };
  for (size_t i = 0; i < block.stmts.size(); ++i) {
    const Stmt &s = block.stmts[i];
    if (auto *loop = std::get_if<For>(&s.op)) {
      for (const ValueId v : loop->inits) // no longer read when it runs
        note(v, i);
      for (const ValueId v : {loop->lower, loop->upper, loop->step})
        note(v, i + 1);
      noteInside(loop->body, {loop->iv, loop->condition}, i + 1);
    } else if (auto *branch = std::get_if<If>(&s.op)) {
      note(branch->condition, i);
      noteInside(branch->thenBlock, {}, i + 1);
      noteInside(branch->elseBlock, {}, i + 1);
    } else if (auto *role = std::get_if<Role>(&s.op)) {
      noteInside(role->body, {}, i + 1);
    } else {
      forEachUse(s, [&](ValueId v) { note(v, i + 1); });
    }
  }
  for (const std::vector<ValueId> *values : {&atEnd, &block.yields})
    for (const ValueId v : *values)
      note(v, block.stmts.size());
  if (const auto at = defined_.find(&block); at != defined_.end())
    for (Defined &d : at->second)
      if (const auto read = last.find(d.value); read != last.end())
        d.until = read->second;
  return last;
}

} // namespace sluice

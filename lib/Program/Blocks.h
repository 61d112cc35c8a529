// Ways through the blocks of a program: of a loop, of a role, both of a branch.
#pragma once

#include "Program/Program.h"

namespace sluice {

/// Calls `visit` for each block of a loop, a role or a branch; `s` is a statement, const or not.
template <typename Statement, typename Visit> void forBlocks(Statement &s, const Visit &visit) {
  if (auto *loop = std::get_if<For>(&s.op)) {
    visit(loop->body);
  } else if (auto *role = std::get_if<Role>(&s.op)) {
    visit(role->body);
  } else if (auto *branch = std::get_if<If>(&s.op)) {
    visit(branch->thenBlock);
    visit(branch->elseBlock);
  }
}

/// Calls `visit` with every statement of the block and of those in it, in their order, and with the
/// role that it stands in; null: none.
template <typename Visit>
void walkRoles(const Block &block, const Visit &visit, const Role *role = nullptr) {
  for (const Stmt &s : block.stmts) {
    visit(s, role);
    auto *inner = std::get_if<Role>(&s.op);
    forBlocks(s, [&](const Block &b) { walkRoles(b, visit, inner ? inner : role); });
  }
}

/// Calls `flow` with values and those that they become: what a loop is given, hands on from round
/// to round and leaves, and what either side of a branch gives.
template <typename Flow> void forFlows(const Stmt &s, const Flow &flow) {
  if (auto *loop = std::get_if<For>(&s.op)) {
    flow(loop->inits, loop->iterArgs);
    flow(loop->body.yields, loop->iterArgs);
    flow(loop->iterArgs, loop->results);
  } else if (auto *branch = std::get_if<If>(&s.op)) {
    flow(branch->thenBlock.yields, branch->results);
    flow(branch->elseBlock.yields, branch->results);
  }
}

} // namespace sluice

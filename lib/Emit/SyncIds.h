// Numbers of the synchronisations of a program: what their wrappers carry into PTX as comments, and
// what the device reports when one never ends.
#pragma once

#include "Program/Program.h"

#include <map>
#include <vector>

namespace sluice {

template <typename... Ops> bool isOneOf(const Operation &op) {
  return (std::holds_alternative<Ops>(op) || ...);
}

struct Synchronisation {
  const Stmt *stmt;
  const Role *role; // null: all warps
};

bool isSynchronisation(const Operation &op);

/// In the order of the text; number n stands at n - 1.
std::vector<Synchronisation> synchronisations(const Program &program);

} // namespace sluice

// Where a program can be bent: the numbers, slots and barriers of its operations, and statements by
// their number. For the list of mutations and for making a mutant of one.
#pragma once

#include "Explore/Mutate.h"

#include <functional>
#include <optional>
#include <utility>

namespace sluice::mutation {

template <typename... Ops> bool isOneOf(const Operation &op) {
  return (std::holds_alternative<Ops>(op) || ...);
}

/// Nothing: no mutation is of this operation, except where it advances a cursor.
std::optional<Purpose> purposeOf(const Operation &op);

/// Moving over it may take an operation away from values that it uses.
bool hasResults(const Stmt &s);

/// The statement that an operation passes when it moves up or down its block, over the scalars.
std::optional<size_t> before(const Block &b, size_t i);
std::optional<size_t> after(const Block &b, size_t i);

/// Null where the operation has no such part.
Index *parityOf(Operation &op);
MbarrierRef *barrierOf(Operation &op);
int64_t *countOf(Operation &op);
Index *bytesOf(Operation &op);
Index *flagOf(Operation &op);
Scope *scopeOf(Operation &op);
int64_t *maskOf(Operation &op); // of a multicast to several CTAs

/// The next flag operation of the block with the same direction and kind, and another id.
std::optional<size_t> nextFlag(Block &b, size_t i);

/// The slot that an operation takes of a ring, and the ring's length.
std::pair<Index *, int64_t> slotOf(Program &p, Operation &op);

/// A statement and the block around it.
struct Place {
  Block *block = nullptr;
  size_t index = 0;
  Role *role = nullptr; // outermost

  Stmt &stmt() const { return block->stmts[index]; }
};

using Visit = std::function<bool(const Place &, int number)>; // false: stop
/// Every statement in the order of walk(), with its number.
void visit(Program &p, const Visit &visit);
Place find(Program &p, int target);

} // namespace sluice::mutation

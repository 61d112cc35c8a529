// Rings of slots that nothing tells apart but the distance from their cursors: two states of a run
// that differ by a turn of such a ring behave alike (docs/proof.md).
#pragma once

#include "Verify/Scalars.h"

#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace sluice {

/// A ring is the buffers in shared memory, the mbarriers and the cursors that meet in some
/// operation, with one number of slots. Mbarriers at fixed indices with a cursor of one slot for
/// their parity are a ring of one slot.
class Rings {
public:
  explicit Rings(const Program &program);

  size_t count() const { return slots_.size(); }
  int64_t slots(int ring) const { return slots_[ring]; }
  /// The ring that a cursor is of, or a slot or parity taken from one; -1: none.
  int of(ValueId v) const { return ringOf_[v]; }
  const std::vector<ValueId> &cursorsOf(int ring) const { return cursorsOf_[ring]; }
  /// The cursor that tells such a value.
  ValueId cursor(ValueId v) const { return cursors_[v]; }
  int ofBarrier(int array, int64_t slot) const { return barriers_[array][slot]; }
  int ofBuffer(int buffer) const { return buffers_[buffer]; }
  /// A bit for each ring whose slots or parities an agent may yet name by numbers.
  uint64_t namedAhead(const ProofAgent &agent, int32_t number) const;

private:
  uint64_t namedIn(const AgentPosition &at, const Block &block, size_t from) const;

  std::vector<int64_t> slots_;
  std::vector<int> ringOf_;                     // by value
  std::vector<ValueId> cursors_;                // the same
  std::vector<std::vector<ValueId>> cursorsOf_; // by ring
  std::vector<int> buffers_;
  std::vector<std::vector<int>> barriers_;           // by array and slot
  std::unordered_map<const Stmt *, uint64_t> named_; // rings that a statement names by numbers
  mutable std::map<std::tuple<int32_t, const Block *, size_t>, uint64_t> ahead_;
};

} // namespace sluice

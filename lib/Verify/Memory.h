// Who touched which bytes last: the state that the race rules look at.
#pragma once

#include "Verify/Clock.h"
#include "Verify/Partition.h"
#include "Verify/Terms.h"

#include <functional>
#include <vector>

namespace sluice {

/// One access by an operation, as later accesses have to see it.
struct Access {
  Stamp stamp;                // known to whoever is ordered after the end of the access
  const Stmt *stmt = nullptr; // null: never
  int32_t actor = -1;
  bool async = false;    // through the async proxy
  bool queued = false;   // by wgmma, tcgen05.mma: its own later ones may follow without a wait
  int32_t object = -1;   // the buffer through which it was made
  int64_t tag = -1;      // writes: where the data came from (RunOrigin.cpp), -1 unknown
  bool isNumber = false; // by a scalar write, or a copy of what one wrote, at its first bytes:
  Affine number = {};    // this
  /// cp.async of all lanes: the end of the elected lane's own copies, `stamp` being that of the
  /// others'. Each lane waits for its own.
  Stamp electedEnd = {};
  /// By st.async. PTX ISA does not say through which proxy it writes, so that both count: what it
  /// meets it meets as an asynchronous access, whoever comes after it meets a generic write.
  bool remoteStore = false;
  int64_t product = -1; // of a write by mmad: number of the last step of the sum, -1 unknown
  /// Which lane touches which bytes, where all lanes have a part each (RunLanes.cpp): two of one
  /// warp with equal ways leave every byte to the same lane. 0: one lane or a unit does it all;
  /// anyLanes: it is not known which, or not those of an access at another place.
  static constexpr uint64_t anyLanes = ~uint64_t{0};
  uint64_t way = 0;

  /// Whether `test` holds for all that the access ends with.
  template <typename Test> bool all(Test test) const {
    return test(stamp) && (electedEnd.component < 0 || test(electedEnd));
  }
};

/// The access at another place of the tensor: other lanes have the same elements.
inline Access elsewhere(Access access) {
  access.way = access.way ? Access::anyLanes : 0;
  return access;
}

/// Bytes with one history: a part of a memory.
struct Cell {
  Interval bytes{};          // the lowest of them, once they were touched
  Access write, older;       // the newest write and the one before it
  std::vector<Access> reads; // since `write`, the newest of each component and way
  bool wasRead = false;      // since `write`, by anybody
};

/// The histories of the parts of one memory, in one run.
class Memory {
public:
  explicit Memory(Partition &parts) : parts_(&parts) {}

  /// Calls `visit(Cell &)` for the cells that make up `where`, which is sorted and outlives the
  /// partition, those with the lowest bytes first. Stops when it returns false.
  template <typename Visit> void each(const std::vector<Interval> &where, Visit visit) {
    const std::vector<int32_t> &touched = parts_->of(where);
    grow();
    for (const int32_t part : touched) {
      cells_[part].bytes = parts_->lowest(part);
      if (!visit(cells_[part]))
        return;
    }
  }
  /// The cell of a byte; null when it was never touched.
  const Cell *at(int64_t byte);
  /// Whether one cell makes up `where`.
  bool isOne(const std::vector<Interval> &where) const { return parts_->of(where).size() == 1; }
  /// Whether it is one of these cells.
  bool owns(const Cell &cell) const {
    return !cells_.empty() && !std::less<>()(&cell, &cells_.front()) &&
           !std::less<>()(&cells_.back(), &cell);
  }
  /// The form of a cell, by its number (Partition::form).
  int32_t form(size_t cell) { return parts_->form(static_cast<int32_t>(cell)); }
  /// The lowest byte of a cell.
  int64_t begin(size_t cell) const { return parts_->lowest(static_cast<int32_t>(cell)).begin; }
  /// By the number of the part. Untouched ones have no write.
  std::vector<Cell> &cells() {
    grow();
    return cells_;
  }

private:
  /// What was split since then has the history of what it was split from.
  void grow();

  Partition *parts_;
  std::vector<Cell> cells_;
};

/// Records a read, forgetting older reads of the same component and way.
void addRead(std::vector<Access> &reads, const Access &read);

} // namespace sluice

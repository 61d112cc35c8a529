// Who touched which bytes last: the state that the race rules look at.
#pragma once

#include "Machine/LayoutMap.h"
#include "Verify/Clock.h"
#include "Verify/Terms.h"

#include <vector>

namespace sluice {

/// One access by an operation, as later accesses have to see it.
struct Access {
  Stamp stamp;                // known to whoever is ordered after the end of the access
  const Stmt *stmt = nullptr; // null: never
  int32_t actor = -1;
  bool async = false;  // through the async proxy
  bool queued = false; // by wgmma: its own later wgmmas may follow without a wait
  int32_t object = -1; // the buffer through which it was made
  int64_t tag = -1;    // writes: where the data came from (RunOrigin.cpp), -1 unknown
  Affine number = {};  // of a scalar write: what it wrote
  /// cp.async of all lanes: the end of the elected lane's own copies, `stamp` being that of the
  /// others'. Each lane waits for its own.
  Stamp electedEnd = {};
  /// By st.async. PTX ISA does not say through which proxy it writes, so that both count: what it
  /// meets it meets as an asynchronous access, whoever comes after it meets a generic write.
  bool remoteStore = false;
  int64_t product = -1; // of a write by mmad: number of the last step of the sum, -1 unknown

  /// Whether `test` holds for all that the access ends with.
  template <typename Test> bool all(Test test) const {
    return test(stamp) && (electedEnd.component < 0 || test(electedEnd));
  }
};

/// Bytes with one history.
struct Cell {
  int64_t begin, end;
  Access write, older;       // the newest write and the one before it
  std::vector<Access> reads; // since `write`, the newest of each component
  bool wasRead = false;      // since `write`, by anybody
};

/// The bytes of one memory, cut into cells at the borders of the accesses made so far.
class Memory {
public:
  /// Calls `visit(Cell &)` for the cells that make up `where`, which is sorted. Stops when it
  /// returns false.
  template <typename Visit> void each(const std::vector<Interval> &where, Visit visit) {
    cut(where);
    size_t i = 0;
    for (const Interval &w : where)
      for (i = firstEndingAfter(w.begin, i); i < cells_.size() && cells_[i].begin < w.end; ++i)
        if (!visit(cells_[i]))
          return;
  }
  /// The cell of a byte; null when it was never touched.
  const Cell *at(int64_t byte) const;
  const std::vector<Cell> &cells() const { return cells_; }

private:
  /// Makes cells for exactly the bytes `where`.
  void cut(const std::vector<Interval> &where);
  bool isCut(Interval where, size_t first) const;
  /// Number of the first cell that ends after a byte, not before cell `from`.
  size_t firstEndingAfter(int64_t byte, size_t from = 0) const;

  std::vector<Cell> cells_; // sorted, disjoint, not necessarily gapless
};

/// Records a read, forgetting older reads of the same component.
void addRead(std::vector<Access> &reads, const Access &read);

} // namespace sluice

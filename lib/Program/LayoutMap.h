// Where the elements of a tile lie: byte offsets per layout, byte intervals of views, and which
// rows of a register tile belong to which warp.
#pragma once

#include "Program/Program.h"

#include <memory>
#include <vector>

namespace sluice {

/// Half-open range of bytes.
struct Interval {
  int64_t begin, end;
  bool operator==(const Interval &) const = default;
};

/// Half-open range of rows.
struct RowRange {
  int64_t begin, end;
  bool operator==(const RowRange &) const = default;
};

/// Byte offsets of the elements of one slot, at the grain of *runs*: `run` elements along `minor`
/// that are contiguous and start at a multiple of `run`. Shared and immutable; made once per kind
/// of tile.
class LayoutMap {
public:
  /// Register layouts are stored as dense rows (or columns, minor 0) of the whole role's tile.
  static std::shared_ptr<const LayoutMap> of(DType type, const std::vector<int64_t> &shape,
                                             Layout layout, int minor, Space space);
  static std::shared_ptr<const LayoutMap> of(const Buffer &b) {
    return of(b.type, b.shape, b.layout, b.minor, b.space);
  }

  int64_t run() const { return run_; }
  int minor() const { return minor_; }
  int64_t elementBytes() const { return elementBytes_; }
  /// Bytes from the start of the slot to its end, padding of partial chunks or fractals included;
  /// in tensor memory from the first lane to behind the last.
  int64_t bytes() const { return bytes_; }
  /// Byte offset of run `r` (elements r*run ...) of line `line` (index of the other dimension).
  int64_t runOffset(int64_t line, int64_t r) const { return offsets_[line * runsPerLine_ + r]; }
  /// Byte offset of element (i, j) from the start of the slot.
  int64_t offset(int64_t i, int64_t j) const {
    int64_t line = minor_ == 1 ? i : j, along = minor_ == 1 ? j : i;
    return runOffset(line, along / run_) + along % run_ * elementBytes_;
  }

private:
  LayoutMap(DType type, const std::vector<int64_t> &shape, Layout layout, int minor, Space space);

  int64_t elementBytes_ = 0, run_ = 1, runsPerLine_ = 0, bytes_ = 0;
  int minor_ = 1;
  std::vector<int32_t> offsets_;
};

/// Bytes that a slot takes of its space, of a lane in tensor memory: slots lie so far apart at
/// least.
int64_t occupiedBytes(const Buffer &b);
/// Behind its last slot.
int64_t endInSpace(const Buffer &b);
/// Number of the slot that has a byte of the space.
int64_t slotOfByte(const Buffer &b, int64_t byte);

/// Sorted, disjoint, merged byte intervals that the view touches, from the start of the space
/// (`reg`: from the start of the buffer). `slot` and `offsets` are the resolved values of the
/// view's indices.
std::vector<Interval> footprint(const Program &program, const View &view, int64_t slot,
                                const std::vector<int64_t> &offsets);
/// The same for the rows [rows.begin, rows.end) of the view alone (rows counted in the view, before
/// transposition): what one warp touches of a tile that its role shares.
std::vector<Interval> footprint(const Program &program, const View &view, int64_t slot,
                                const std::vector<int64_t> &offsets, RowRange rows);
/// Byte intervals of a tensor view from the tensor's base, clipped at its extents.
std::vector<Interval> tensorFootprint(DType type, const Launch::Shape &shape, const View &view,
                                      const std::vector<int64_t> &offsets);

/// The rows of a tile of `rows` rows that a warp of the role executes or owns, in ascending order.
/// acc, fragA and rowVector: blocks of 64 rows are dealt to the warpgroups in turn, and warp w of a
/// warpgroup has rows 16w .. 16w+15 of the block. colVector, blockedColVector: every warp has its
/// own copy of the one row. Every other layout (blocked, shared memory): contiguous shares of
/// ceil(rows / warps).
std::vector<RowRange> rowsOfWarp(Layout layout, int64_t rows, int warpInRole, int warpsInRole);

} // namespace sluice

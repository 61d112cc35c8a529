// Tiles in registers as printed code has them: objects of device/sluice/fragment.cuh and
// blocked.cuh.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

namespace sluice::cuda {

/// A register tile as a view selects it: an object of the printed code and a range of its columns.
struct RegisterTile {
  enum Kind : uint8_t { fragment, rowVector, colVector } kind = fragment;
  bool blocked = false;   // whole rows to a warp, else wgmma's layout
  bool lanes = false;     // of a fragment: a row in every thread (device/sluice/tmem.cuh)
  int64_t lanesUsed = 32; // of a warp, where every lane has a row
  std::string name;
  std::string type; // "Fragment<float, 256>"
  int64_t columns = 0;
  int64_t blocks = 1; // of 64 rows that a warpgroup has; blocked: rows of a warp
  int64_t firstColumn = 0, viewColumns = 0;
  bool ofPiece = false; // lies in shared memory: the object has 8 columns of a lane at a time

  /// A column vector of few columns.
  bool isShort() const { return blocked && kind == colVector && columns < 256; }
  /// One column for each lane of a warp.
  bool isOfLanes() const { return blocked && kind == fragment && columns == 32; }
  /// One number for all, of any shape.
  bool isNumber() const { return isShort() && columns == 1; }
  /// Lanes among which those of a short one are dealt; 1: each has all (device/sluice/blocked.cuh).
  int64_t lanesOfShort() const {
    const bool dealt = columns >= 16 && (columns & (columns - 1)) == 0;
    return dealt ? std::min<int64_t>(columns, 32) : 1;
  }
  bool whole() const { return firstColumn == 0 && viewColumns == columns; }
  /// Has its values where `other` has them.
  bool isLike(const RegisterTile &other) const {
    return kind == other.kind && blocked == other.blocked && lanes == other.lanes &&
           lanesUsed == other.lanesUsed && viewColumns == other.viewColumns &&
           blocks == other.blocks;
  }
  /// Rows of which a lane has values.
  int64_t rowsOfLane() const { return blocked ? blocks : 2 * blocks; }
  /// Values of a lane of the view, without those that only make their number even.
  int64_t values() const {
    if (kind == rowVector)
      return rowsOfLane();
    if (isShort())
      return viewColumns / lanesOfShort();
    if (lanes)
      return viewColumns;
    if (blocked)
      return (kind == fragment ? blocks : 1) * viewColumns / 32;
    return kind == fragment ? blocks * viewColumns / 2 : viewColumns / 4;
  }
  /// "RowVector", of the types and of the functions that copy such tiles.
  std::string kindName() const {
    const std::string rows = blocked ? "Blocked" : "";
    return kind == rowVector   ? rows + "RowVector"
           : kind == colVector ? rows + "ColVector"
           : blocked           ? rows
           : lanes             ? "Lanes"
                               : "Fragment";
  }
};

} // namespace sluice::cuda

// A view with all its indices resolved: reads and writes of its elements as a dense matrix.
#pragma once

#include "Simulate/World.h"

#include <vector>

namespace sluice {

struct Tile {
  DType type = DType::f32;
  int64_t rows = 0, cols = 0; // after transposition
  bool transposed = false;

  // A buffer: the slot's first byte and the view's first element.
  std::byte *base = nullptr;
  const LayoutMap *map = nullptr;
  int64_t first[2] = {0, 0};

  // A tensor: rows run over all dimensions but the last, in order.
  HostTensor *tensor = nullptr;
  std::vector<int64_t> origin, shape, extents; // extents: of the tensor, or where it is clipped
  int64_t together = -1; // elements of all parts of a row, of which the last are short; -1: none is
  /// Of a gather: which row of the tensor each of the tile is, along that dimension; -1: none.
  std::vector<int64_t> named;
  int namedDimension = -1;
  std::byte beyond = {}; // every byte of an element outside of the tensor

  int64_t elements() const { return rows * cols; }
  /// Rows `range` to a dense row-major matrix of the tile's type. Of elements beyond the tensor
  /// every byte is `beyond`.
  void gather(RowRange range, std::byte *to) const;
  /// The reverse. Elements beyond the tensor are skipped.
  void scatter(RowRange range, const std::byte *from) const;
  void gather(RowRange range, float *to) const;
  void scatter(RowRange range, const float *from) const;
  void fill(RowRange range, std::byte pattern) const;
};

/// Rows of one tile that become those of another, converted where their types differ.
struct TileCopy {
  Tile source, destination;
  std::vector<RowRange> rows;
  void move() const;
};

} // namespace sluice

// What a kernel works on: tensors in global memory, boxes of them, and tiles on the chip.
#pragma once

#include "Program/Types.h"
#include "sluice/Index.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace sluice::lang {

using enum sluice::DType;

struct Box;

/// A kernel argument in global memory.
class Tensor {
public:
  Tensor(detail::Handle handle, std::string name, DType type, int rank)
      : handle_(handle), name_(std::move(name)), type_(type), rank_(rank) {}

  const std::string &name() const { return name_; }
  DType type() const { return type_; }
  int rank() const { return rank_; }
  /// Extent of a dimension, a run-time value.
  Index dim(int dimension, SourceLocation at = SourceLocation::current()) const;
  /// A box of it by its first element; the tile that moves says how large it is.
  Box at(std::vector<Index> offsets, SourceLocation at = SourceLocation::current()) const;
  const detail::Handle &handle() const { return handle_; }

private:
  detail::Handle handle_;
  std::string name_;
  DType type_;
  int rank_;
};

struct Box {
  /// A dimension that ends at `end`, if the tensor does not end before.
  struct End {
    int dimension;
    Index end;
  };
  Tensor tensor;
  std::vector<Index> offsets; // elements
  std::vector<End> ends = {};
  std::shared_ptr<const Tensor> rows = {}; // see gather()
};
/// The box up to `end` in one dimension: what lies beyond counts as outside of the tensor.
Box clip(const Box &box, int dimension, Index end, SourceLocation at = SourceLocation::current());
/// Rows that another tensor names, i32 of rank 1: row r of a tile is the one that element r of it,
/// from the box's own offset on, says. A number outside of the tensor stands for a row of zeros.
Box gather(const Box &box, const Tensor &rows, SourceLocation at = SourceLocation::current());

/// Extents of a tile. A vector is Rx1 or 1xC.
struct Shape {
  int64_t rows, cols;
};

/// A mutable tile on the chip. Where it lives and how it is laid out is the compiler's business.
class Tile {
public:
  Tile(detail::Handle handle, Shape shape, DType type)
      : handle_(handle), shape_(shape), type_(type) {}

  Shape shape() const { return shape_; }
  int64_t rows() const { return shape_.rows; }
  int64_t cols() const { return shape_.cols; }
  DType type() const { return type_; }
  const detail::Handle &handle() const { return handle_; }

private:
  detail::Handle handle_;
  Shape shape_;
  DType type_;
};

/// Rows and columns of a tile from `offsets` on; moves nothing.
Tile part(const Tile &tile, std::array<Index, 2> offsets, Shape shape,
          SourceLocation at = SourceLocation::current());

/// Rows and columns exchanged; moves nothing.
Tile transpose(const Tile &tile, SourceLocation at = SourceLocation::current());

} // namespace sluice::lang

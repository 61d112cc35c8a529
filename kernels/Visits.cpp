#include "kernels/Visits.h"

#include "kernels/Alignment.h"

namespace sluice::rows {

using namespace lang;

namespace {

/// Columns of a piece of a part of `width`: of 4096 bytes a row where rows are of a warp each and
/// where parts are whole; else as many as leave room for the rings of both visits.
int64_t columnsOfTile(const RowsConfig &c, int64_t width, int64_t streamed, bool whole) {
  constexpr int64_t room = 200 << 10, wide = 4096, narrow = 1024;
  RowsConfig part = c;
  part.columns = width;
  int64_t bytes = wide;
  if (c.parts > 1 && !whole)
    while (bytes > narrow && c.parts * bytes * streamed * c.stages > room)
      bytes /= 2;
  return columnsOfPiece(part, bytes / byteSize(c.type));
}

} // namespace

Visits::Visits(KernelBuilder &k, const RowsConfig &c, int64_t streamed, int64_t whole)
    : k_(k), c_(c), width_(c.columns / c.parts), rows_(c.parts > 1 ? c.parts : 4),
      whole_(c.parts > 1 && width_ * byteSize(c.type) <= whole) {
  k.fastMath({.approximate = true, .contract = true});
  columns_ = columnsOfTile(c, width_, streamed, whole_);
}

static lang::TensorOptions linesOf(const RowsConfig &c, int64_t width) {
  if (c.parts == 1)
    return {.align = alignmentOf(width, c.type), .extents = {anyExtent, width}};
  return {.align = alignmentOf(width, c.type), .extents = {anyExtent, c.parts, width}, .rows = 1};
}

lang::Tensor Visits::input(std::string name) {
  inputs_.push_back(k_.input(std::move(name), c_.type, shares() ? 3 : 2, linesOf(c_, width_)));
  return inputs_.back();
}

lang::Tensor Visits::output(std::string name) {
  return k_.output(std::move(name), c_.type, shares() ? 3 : 2, linesOf(c_, width_));
}

lang::Tensor Visits::vector(std::string name) {
  vectors_.push_back(shares() ? k_.input(std::move(name), c_.type, 3, linesOf(c_, width_))
                              : rows::vector(k_, c_, std::move(name)));
  return vectors_.back();
}

lang::Index Visits::left(const lang::Index &column) {
  return inputs_.front().dim(shares() ? 2 : 1) - column;
}

lang::Index Visits::count(const lang::Index &column) {
  return k_.name(min(left(column), columns_), "count");
}

void Visits::eachBlock(const std::function<void()> &body) {
  const lang::Tensor &x = inputs_.front();
  const int64_t each = shares() ? 1 : rows_; // rows of the tensor
  across_ = k_.name(ceilDiv(left(0), columns_), "across");
  const lang::Index blocks = k_.name(ceilDiv(x.dim(0), each), "blocks");
  const lang::Index ctas = k_.name(min(blocks, c_.ctas), "ctas");
  const auto [cta] = k_.grid(ctas);
  const lang::Index first = cta;
  if (whole_)
    heldVectors_ = vectorsAt(0);
  const lang::LoopOptions options = whole_ ? stages(c_.stages) : LoopOptions();
  k_.loop(k_.name(ceilDiv(blocks - first, ctas), "mine"), options, "t", [&](lang::Index t) {
    row_ = k_.name((first + t * ctas) * each, "row");
    body();
  });
}

Tile Visits::load(const lang::Tensor &from, const lang::Index &column, int64_t rows,
                  std::string name, LoadOptions options) {
  const lang::Index row = rows == rows_ ? *row_ : lang::Index(0);
  const Box box = shares() ? from.at({row, 0, column}) : from.at({row, column});
  return k_.load(box, {rows, columns_}, std::move(name), options);
}

Visits::Tiles Visits::vectorsAt(const lang::Index &column) {
  Tiles tiles;
  for (const lang::Tensor &from : vectors_) {
    const Box box = shares() ? from.at({0, 0, column}) : from.at({0, column});
    tiles.push_back(k_.load(box, {shares() ? rows_ : 1, columns_}, "v"));
  }
  return tiles;
}

void Visits::first(const std::function<void(const Tiles &tiles, const lang::Index &column)> &body) {
  const auto visit = [&](const lang::Index &column) {
    held_.clear();
    for (const lang::Tensor &from : inputs_)
      held_.push_back(load(from, column, rows_, "x"));
    body(held_, column);
  };
  if (whole_)
    return visit(0);
  k_.loop(*across_, stages(c_.stages), "p",
          [&](lang::Index p) { visit(k_.name(p * columns_, "column")); });
}

void Visits::second(const std::function<void(const Tiles &tiles, const Tiles &vectors,
                                             const lang::Index &column)> &body) {
  if (whole_)
    return body(held_, heldVectors_, 0);
  k_.loop(*across_, stages(c_.stages), "q", [&](lang::Index q) {
    const lang::Index column = k_.name((*across_ - 1 - q) * columns_, "column");
    Tiles again;
    for (const lang::Tensor &from : inputs_) // for the last time: let others stay in the cache
      again.push_back(
          load(from, column, rows_, "again", {.paced = false, .cache = CachePolicy::evictFirst}));
    body(again, vectorsAt(column), column);
  });
}

void Visits::store(const Tile &y, const lang::Tensor &to, const lang::Index &column) {
  k_.store(y, shares() ? to.at({*row_, 0, column}) : to.at({*row_, column}), staging(c_.staging));
}

Tile Visits::numbers(double from, const char *name) {
  Tile tile = k_.tile(f32, {rows_, 1}, name);
  k_.fill(tile, from);
  return tile;
}

Tile Visits::joined(const Tile &numbers, double identity,
                    const std::function<Element(Element, Element)> &op, const char *name) {
  return shares() ? k_.reduce(numbers, 0, identity, op, name) : numbers;
}

Tile Visits::inside(const Tile &x, const Tile &ofRow, const lang::Index &column, double outside,
                    const std::function<Element(Element, Element)> &fn, const char *name) {
  const lang::Index end = left(column);
  return k_.mapWithCoordinates(
      {x, ofRow}, f32,
      [&](auto x, auto ofRow, auto, auto at) {
        const Element y = fn(cast(x, f32), ofRow);
        return width_ % columns_ == 0 ? y : select(at < Element(end), y, outside);
      },
      name);
}

} // namespace sluice::rows

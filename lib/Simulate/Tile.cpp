#include "Simulate/Tile.h"

#include "Program/Joined.h"
#include "Simulate/Elements.h"

#include <algorithm>
#include <cstring>

namespace sluice {
namespace {

/// Moves `count` elements of `Size` bytes between two strided sequences (strides in bytes).
template <size_t Size>
void move(const std::byte *from, int64_t fromStride, std::byte *to, int64_t toStride,
          int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(to + i * toStride, from + i * fromStride, Size);
}

void moveElements(int64_t size, const std::byte *from, int64_t fromStride, std::byte *to,
                  int64_t toStride, int64_t count) {
  if (fromStride == size && toStride == size)
    std::memcpy(to, from, size * count);
  else if (size == 1)
    move<1>(from, fromStride, to, toStride, count);
  else if (size == 2)
    move<2>(from, fromStride, to, toStride, count);
  else if (size == 4)
    move<4>(from, fromStride, to, toStride, count);
  else
    move<8>(from, fromStride, to, toStride, count);
}

/// A piece of the tile: `count` elements at `address` with `stride` bytes between them, which are
/// elements (row, col), (row, col + 1) ... of the matrix, or (row, col), (row + 1, col) ... if
/// `down`. address null: outside of the tensor.
struct Piece {
  std::byte *address;
  int64_t stride, row, col, count;
  bool down;
};

template <typename Visit> void bufferPieces(const Tile &t, RowRange range, Visit visit) {
  // Box in the slot's own dimensions.
  int64_t begin[2] = {t.first[0], t.first[1]}, extent[2] = {t.rows, t.cols};
  if (t.transposed)
    std::swap(extent[0], extent[1]);
  int rowDim = t.transposed ? 1 : 0;
  begin[rowDim] += range.begin;
  extent[rowDim] = range.end - range.begin;
  int minor = t.map->minor(), other = 1 - minor;
  int64_t run = t.map->run(), size = t.map->elementBytes();
  bool down = minor == rowDim;
  for (int64_t line = 0; line < extent[other]; ++line)
    for (int64_t done = 0; done < extent[minor];) {
      int64_t at = begin[minor] + done;
      int64_t count = std::min(extent[minor] - done, run - at % run);
      std::byte *address =
          t.base + t.map->runOffset(begin[other] + line, at / run) + at % run * size;
      visit(Piece{address, size, range.begin + (down ? done : line), down ? line : done, count,
                  down});
      done += count;
    }
}

/// Elements along one dimension, which has `end` of them, that lie inside: [low, high) of
/// 0 .. extent.
RowRange inside(const Tile &t, int dim, int64_t end, int64_t extent) {
  int64_t low = std::clamp<int64_t>(-t.origin[dim], 0, extent);
  return {low, std::clamp<int64_t>(end - t.origin[dim], low, extent)};
}

/// Elements that a part of a row has, of which an operation touches those of a box.
int64_t elementsOf(const Tile &t, int64_t part) {
  const int64_t all = t.extents.back();
  return t.together >= 0 ? elementsOfPart(t.together, all, part) : all;
}

/// Lines of the untransposed matrix: `line` counts all dimensions but the last.
template <typename Visit> void tensorPieces(const Tile &t, RowRange range, Visit visit) {
  int last = static_cast<int>(t.shape.size()) - 1;
  int64_t size = byteSize(t.type), along = last < 0 ? 1 : t.shape[last];
  int64_t lines = t.elements() / std::max<int64_t>(along, 1);
  bool column = !t.transposed && t.rows == along && t.cols == 1 && lines == 1; // R x 1 of one line
  bool down = t.transposed || column;
  RowRange lineRange = down ? RowRange{0, lines} : range;
  RowRange alongRange = down ? range : RowRange{0, along};
  int64_t stride = last < 0 ? size : t.tensor->strides[last] * size;
  for (int64_t line = lineRange.begin; line < lineRange.end; ++line) {
    int64_t offset = 0, rest = line, part = 0; // along the dimension before the last
    bool valid = true;
    for (int d = last - 1; d >= 0; --d) {
      const int64_t at = rest % t.shape[d];
      const int64_t index = d == t.namedDimension ? t.named[at] : t.origin[d] + at;
      rest /= t.shape[d];
      part = d == last - 1 ? index : part;
      valid = valid && index >= 0 && index < t.extents[d];
      offset += index * t.tensor->strides[d];
    }
    RowRange in = last < 0 ? RowRange{0, 1} : inside(t, last, elementsOf(t, part), along);
    in = {std::max(in.begin, alongRange.begin), std::min(in.end, alongRange.end)};
    if (!valid || in.end < in.begin)
      in = {alongRange.begin, alongRange.begin};
    auto emit = [&](int64_t from, int64_t to, bool exists) {
      if (from >= to)
        return;
      int64_t at = last < 0 ? 0 : (t.origin[last] + from) * stride;
      std::byte *address = exists ? t.tensor->bytes.data() + offset * size + at : nullptr;
      visit(Piece{address, stride, down ? from : line, down ? line : from, to - from, down});
    };
    emit(alongRange.begin, in.begin, false);
    emit(in.begin, in.end, true);
    emit(in.end, alongRange.end, false);
  }
}

template <typename Visit> void pieces(const Tile &t, RowRange range, Visit visit) {
  if (t.tensor)
    tensorPieces(t, range, visit);
  else
    bufferPieces(t, range, visit);
}

} // namespace

void Tile::gather(RowRange range, std::byte *to) const {
  int64_t size = byteSize(type);
  pieces(*this, range, [&](const Piece &p) {
    std::byte *dense = to + ((p.row - range.begin) * cols + p.col) * size;
    int64_t denseStride = p.down ? cols * size : size;
    std::byte outside[8];
    std::fill(std::begin(outside), std::end(outside), beyond);
    if (p.address)
      moveElements(size, p.address, p.stride, dense, denseStride, p.count);
    else
      moveElements(size, outside, 0, dense, denseStride, p.count);
  });
}

void Tile::scatter(RowRange range, const std::byte *from) const {
  int64_t size = byteSize(type);
  pieces(*this, range, [&](const Piece &p) {
    const std::byte *dense = from + ((p.row - range.begin) * cols + p.col) * size;
    if (p.address)
      moveElements(size, dense, p.down ? cols * size : size, p.address, p.stride, p.count);
  });
}

void Tile::fill(RowRange range, std::byte pattern) const {
  std::byte element[8];
  std::fill(std::begin(element), std::end(element), pattern);
  pieces(*this, range, [&](const Piece &p) {
    if (p.address)
      moveElements(byteSize(type), element, 0, p.address, p.stride, p.count);
  });
}

void Tile::gather(RowRange range, float *to) const {
  int64_t count = (range.end - range.begin) * cols;
  if (type == DType::f32)
    return gather(range, reinterpret_cast<std::byte *>(to));
  std::vector<std::byte> raw(count * byteSize(type));
  gather(range, raw.data());
  loadElements(type, raw.data(), count, to);
}

void Tile::scatter(RowRange range, const float *from) const {
  int64_t count = (range.end - range.begin) * cols;
  if (type == DType::f32)
    return scatter(range, reinterpret_cast<const std::byte *>(from));
  std::vector<std::byte> raw(count * byteSize(type));
  storeElements(type, from, count, raw.data());
  scatter(range, raw.data());
}

void TileCopy::move() const {
  for (const RowRange r : rows) {
    if (source.type != destination.type) {
      sluice::scatter(destination, r, sluice::gather(source, r));
      continue;
    }
    std::vector<std::byte> block((r.end - r.begin) * destination.cols * byteSize(source.type));
    source.gather(r, block.data());
    destination.scatter(r, block.data());
  }
}

} // namespace sluice

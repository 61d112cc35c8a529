#include "Program/LayoutMap.h"

#include "Program/Fractals.h"
#include "Program/LineRoom.h"
#include "Program/TensorMemory.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>
#include <tuple>

namespace sluice {
namespace {

int64_t wholes(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

constexpr int64_t fractalLine = 32; // bytes of a fractal's line, Ascend

/// A tile seen along its contiguous dimension: `lines` lines of `along` elements.
struct Tile {
  int64_t lines, along, elementBytes;
  Layout layout;
  int64_t chunkBytes;      // of a line of a chunk; 0: lines are whole
  int64_t fractalElements; // elements of a fractal's line
};

/// Chunk after chunk, in each its lines. PTX ISA "swizzling modes": 16-byte units within 8 lines of
/// 128 bytes are XORed with the line, Swizzle<3,4,3>, <2,4,3>, <1,4,3> on byte addresses for spans
/// of 128, 64 and 32 bytes; those of panels stay.
int64_t inChunks(const Tile &t, int64_t line, int64_t byteAlong) {
  const int64_t chunk = byteAlong / t.chunkBytes, span = swizzleBytes(t.layout);
  const int64_t address = line * t.chunkBytes + byteAlong % t.chunkBytes;
  const int64_t mask = span ? span / 16 - 1 : 0;
  return chunk * t.lines * t.chunkBytes + (address ^ (((address >> 7) & mask) << 4));
}

/// `row`, `column`: element of the matrix; fractals of lines x fractalElements as the layout says.
int64_t fractalOffset(const Tile &t, int64_t rows, int64_t columns, int64_t row, int64_t column) {
  const int64_t c0 = t.fractalElements, size = linesOfFractal * c0;
  const bool upright = linesAreUpright(t.layout);
  const int64_t high = upright ? c0 : linesOfFractal, wide = upright ? linesOfFractal : c0;
  const int64_t down = row / high, across = column / wide;
  const int64_t fractal = followBelow(t.layout) ? across * wholes(rows, high) + down
                                                : down * wholes(columns, wide) + across;
  const int64_t inside =
      upright ? column % wide * c0 + row % high : row % high * c0 + column % wide;
  return (fractal * size + inside) * t.elementBytes;
}

void mergeSorted(std::vector<Interval> &list) {
  std::sort(list.begin(), list.end(), [](auto &a, auto &b) { return a.begin < b.begin; });
  size_t kept = 0;
  for (const Interval &i : list) {
    if (kept && i.begin <= list[kept - 1].end)
      list[kept - 1].end = std::max(list[kept - 1].end, i.end);
    else
      list[kept++] = i;
  }
  list.resize(kept);
}

} // namespace

LayoutMap::LayoutMap(DType type, const std::vector<int64_t> &shape, Layout layout, int minor,
                     Space space)
    : elementBytes_(byteSize(type)) {
  int64_t rows = shape.empty() ? 1 : shape[0], columns = shape.size() > 1 ? shape[1] : 1;
  if (isFractal(layout))
    minor = linesAreUpright(layout) ? 0 : 1; // the direction of a fractal's 32-byte lines
  minor_ = minor;
  int64_t lines = minor == 1 ? rows : columns, along = minor == 1 ? columns : rows;
  const int64_t chunk = chunkElements(layout, type) * elementBytes_;
  const int64_t margin = isAsItLies(layout) ? lineMargin : 0; // of a line, or of the slot
  const int64_t ofLine = layout == Layout::lines ? lineRoom : 0;
  const int64_t ofSlot = layout == Layout::span ? lineRoom : 0;
  Tile tile{lines, along, elementBytes_, layout, chunk, fractalLine / elementBytes_};
  if (space == Space::l0c)
    tile.fractalElements = 16; // L0C fractals are 16 x 16 elements of fp32 or int32
  if (chunk)
    run_ = (swizzleBytes(layout) ? 16 : chunk) / elementBytes_;
  else if (isFractal(layout))
    run_ = tile.fractalElements;
  else
    run_ = std::max<int64_t>(along, 1);
  runsPerLine_ = wholes(std::max<int64_t>(along, 1), run_);
  const int64_t lineBytes =
      space == Space::tmem ? TensorMemory::laneBytes : along * elementBytes_ + ofLine;
  offsets_.resize(lines * runsPerLine_);
  for (int64_t line = 0; line < lines; ++line)
    for (int64_t r = 0; r < runsPerLine_; ++r) {
      int64_t at = line * runsPerLine_ + r, first = r * run_;
      if (chunk)
        offsets_[at] = static_cast<int32_t>(inChunks(tile, line, first * elementBytes_));
      else if (isFractal(layout))
        offsets_[at] = static_cast<int32_t>(fractalOffset(
            tile, rows, columns, minor == 1 ? line : first, minor == 1 ? first : line));
      else if (space == Space::tmem)
        offsets_[at] = static_cast<int32_t>(TensorMemory::laneOf(line, lines) * lineBytes);
      else
        offsets_[at] = static_cast<int32_t>(line * lineBytes + margin);
    }
  bytes_ = lines * lineBytes + ofSlot;
  if (space == Space::tmem && lines > 0)
    bytes_ = (TensorMemory::laneOf(lines - 1, lines) + 1) * lineBytes;
  if (chunk)
    bytes_ = wholes(along * elementBytes_, chunk) * lines * chunk;
  else if (isFractal(layout))
    bytes_ = wholes(lines, linesOfFractal) * runsPerLine_ * linesOfFractal * run_ * elementBytes_;
}

std::shared_ptr<const LayoutMap> LayoutMap::of(DType type, const std::vector<int64_t> &shape,
                                               Layout layout, int minor, Space space) {
  using Key = std::tuple<DType, std::vector<int64_t>, Layout, int, Space>;
  static std::mutex mutex;
  static std::map<Key, std::shared_ptr<const LayoutMap>> made;
  std::lock_guard lock(mutex);
  const bool own = space == Space::l0c || space == Space::tmem; // others are laid out alike
  auto &entry = made[{type, shape, layout, minor, own ? space : Space::smem}];
  if (!entry)
    entry.reset(new LayoutMap(type, shape, layout, minor, space));
  return entry;
}

int64_t occupiedBytes(const Buffer &b) {
  return b.space == Space::tmem ? b.shape[1] * byteSize(b.type) : LayoutMap::of(b)->bytes();
}

int64_t endInSpace(const Buffer &b) {
  return b.offset + (b.slots - 1) * b.slotBytes + occupiedBytes(b);
}

int64_t slotOfByte(const Buffer &b, int64_t byte) {
  const int64_t at = b.space == Space::tmem ? byte % TensorMemory::laneBytes : byte;
  return (at - b.offset) / b.slotBytes;
}

std::vector<Interval> footprint(const Program &program, const View &view, int64_t slot,
                                const std::vector<int64_t> &offsets) {
  return footprint(program, view, slot, offsets, {0, view.shape[0]});
}

std::vector<Interval> footprint(const Program &program, const View &view, int64_t slot,
                                const std::vector<int64_t> &offsets, RowRange rows) {
  const Buffer &buffer = program.buffers[view.object];
  auto map = LayoutMap::of(buffer);
  int64_t base = slot * buffer.slotBytes + (buffer.space == Space::reg ? 0 : buffer.offset);
  // Box of the view in elements of the slot, clipped to it.
  int64_t begin[2] = {offsets[0] + rows.begin, offsets.size() > 1 ? offsets[1] : 0};
  int64_t end[2] = {offsets[0] + rows.end,
                    begin[1] + (view.shape.size() > 1 ? view.shape[1] : int64_t{1})};
  for (int d = 0; d < 2; ++d) {
    int64_t extent = d < int(buffer.shape.size()) ? buffer.shape[d] : 1;
    begin[d] = std::clamp<int64_t>(begin[d], 0, extent);
    end[d] = std::clamp<int64_t>(end[d], begin[d], extent);
  }
  int minor = map->minor(), other = 1 - minor;
  std::vector<Interval> result;
  if (buffer.layout == Layout::span) { // whose lines lie where the head says
    if (begin[other] < end[other] && begin[minor] < end[minor])
      result.push_back({base, base + map->bytes()});
    return result;
  }
  if (buffer.layout == Layout::lines) { // who touches a part of a line touches its head
    const int64_t bytes = map->bytes() / buffer.shape[other];
    if (begin[other] < end[other] && begin[minor] < end[minor])
      result.push_back({base + begin[other] * bytes, base + end[other] * bytes});
    return result;
  }
  for (int64_t line = begin[other]; line < end[other]; ++line)
    for (int64_t at = begin[minor]; at < end[minor];) {
      int64_t runEnd = std::min(end[minor], (at / map->run() + 1) * map->run());
      int64_t byte =
          base + map->runOffset(line, at / map->run()) + at % map->run() * map->elementBytes();
      int64_t last = byte + (runEnd - at) * map->elementBytes();
      if (!result.empty() && result.back().end == byte)
        result.back().end = last;
      else
        result.push_back({byte, last});
      at = runEnd;
    }
  mergeSorted(result);
  return result;
}

std::vector<Interval> tensorFootprint(DType type, const Launch::Shape &shape, const View &view,
                                      const std::vector<int64_t> &offsets) {
  std::vector<Interval> result{{0, byteSize(type)}};
  for (size_t d = 0; d < shape.extents.size(); ++d) {
    int64_t begin = std::max<int64_t>(offsets[d], 0);
    int64_t end = std::min(offsets[d] + view.shape[d], shape.extents[d]);
    int64_t stride = shape.strides[d] * byteSize(type);
    std::vector<Interval> next;
    for (const Interval &i : result)
      for (int64_t k = begin; k < end; ++k)
        next.push_back({i.begin + k * stride, i.end + k * stride});
    mergeSorted(next);
    result = std::move(next);
  }
  return result;
}

std::vector<RowRange> rowsOfWarp(Layout layout, int64_t rows, int warpInRole, int warpsInRole) {
  std::vector<RowRange> result;
  auto add = [&](int64_t begin, int64_t end) {
    end = std::min(end, rows);
    if (begin < end)
      result.push_back({begin, end});
  };
  int warpgroups = std::max(1, warpsInRole / 4);
  switch (layout) {
  case Layout::acc:
  case Layout::fragA:
  case Layout::rowVector:
    for (int64_t block = warpInRole / 4; block * 64 < rows; block += warpgroups)
      add(block * 64 + warpInRole % 4 * 16, block * 64 + warpInRole % 4 * 16 + 16);
    return result;
  case Layout::colVector:
  case Layout::blockedColVector:
    add(0, rows);
    return result;
  default: {
    int64_t share = wholes(rows, std::max(1, warpsInRole));
    add(warpInRole * share, warpInRole * share + share);
    return result;
  }
  }
}

} // namespace sluice

// The explorer's footprints and shares against the checker's. They have no code in common: a
// mistake in one of them shows here, by the view on which they differ.
#include "Explore/Places.h"
#include "Explore/Touches.h"
#include "Program/Sharing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace sluice::test {
namespace {

using explorer::ByteRange;
using explorer::Share;
using explorer::Standpoint;

struct Draw {
  std::mt19937_64 random;
  int64_t upTo(int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); }
  template <typename T> T any(const std::vector<T> &of) {
    return of[static_cast<size_t>(upTo(static_cast<int64_t>(of.size())))];
  }
};

std::string list(const std::vector<int64_t> &numbers) {
  std::string text;
  for (const int64_t n : numbers)
    text += (text.empty() ? "" : "x") + std::to_string(n);
  return text;
}

std::string textOf(const Buffer &b) {
  return std::string(name(b.space)) + " " + std::string(name(b.layout)) + " " +
         std::string(name(b.type)) + " " + list(b.shape) + " minor " + std::to_string(b.minor);
}

std::string textOf(const Program &program, const View &v) {
  const Buffer *b = program.buffer(v);
  std::string text =
      b ? "tile of " + textOf(*b) + ", slot " + std::to_string(v.slot.constant) : "box of a tensor";
  text += ", " + list(v.shape) + " at";
  for (const Index &i : v.offset)
    text += " " + std::to_string(i.constant);
  return text + (v.transposed ? ", transposed" : "");
}

std::vector<Index> indices(const std::vector<int64_t> &numbers) {
  std::vector<Index> out;
  for (const int64_t n : numbers)
    out.push_back({kNone, n});
  return out;
}

/// A program with a buffer and a tensor, and one warp of a role in it.
struct Scene {
  Program program;
  Launch launch;
  Role role;
  AgentId id;

  int add(Buffer b) {
    b.name = "t";
    b.slotBytes = (LayoutMap::of(b)->bytes() + 1023) / 1024 * 1024;
    program.buffers.push_back(b);
    return static_cast<int>(program.buffers.size()) - 1;
  }
  Standpoint standpoint() const {
    return {program, launch, {id.cta, id.warp, id.core, id.pipe}, &role, {}};
  }
};

/// Stands where the scene's warp stands, for the checker's functions.
class Position : public AgentPosition {
public:
  explicit Position(const Scene &s) : AgentPosition(s.program, s.id) { role_ = &s.role; }
};

std::vector<Interval> put(std::vector<Interval> list) {
  std::ranges::sort(list, {}, &Interval::begin);
  std::vector<Interval> out;
  for (const Interval &i : list)
    if (out.empty() || out.back().end < i.begin)
      out.push_back(i);
    else
      out.back().end = std::max(out.back().end, i.end);
  std::erase_if(out, [](const Interval &i) { return i.begin == i.end; });
  return out;
}

/// What the checker says that rows of an operation touch of a view.
std::vector<Interval> checkers(const Scene &s, const View &view,
                               const std::vector<RowRange> &ranges, int64_t rows) {
  std::vector<Interval> found;
  for (const RowRange &r : ranges)
    for (const View &part : restrictedTo(view, r, rows)) {
      std::vector<int64_t> at;
      for (const Index &i : part.offset)
        at.push_back(i.constant);
      const std::vector<Interval> bytes =
          part.kind == View::tensor ? tensorFootprint(s.program.tensors[part.object].type,
                                                      s.launch.tensors[part.object], part, at)
                                    : footprint(s.program, part, part.slot.constant, at);
      found.insert(found.end(), bytes.begin(), bytes.end());
    }
  return put(std::move(found));
}

std::string rangesText(const auto &ranges) {
  std::string out;
  for (const auto &r : ranges)
    out += " " + std::to_string(r.begin) + ".." + std::to_string(r.end);
  return out;
}

/// Both say the same of every view of an operation.
void expectSame(const Scene &s, const Stmt &stmt, const std::vector<const View *> &views) {
  const bool columns = copiesColumns(s.program, stmt);
  const auto counted = [&](const View &v) { return columns ? turned(v) : v; };
  const View first = counted(*views[0]);
  const std::vector<RowRange> ranges =
      sharedRows(s.program, Position(s), stmt.exec, columns ? std::vector{&first} : views,
                 [](const Index &i) { return i.constant; });
  explorer::CellMap memory;
  explorer::Toucher toucher(s.program, s.launch, memory);
  const Share share = explorer::shareOf(s.standpoint(), stmt, views);
  for (const View *v : views) {
    const std::string theirs = rangesText(checkers(s, counted(*v), ranges, rowCount(first)));
    const std::string own = rangesText(toucher.bytesOf(s.standpoint(), *v, share));
    EXPECT_EQ(own, theirs) << textOf(s.program, *v) << "; warp " << s.id.warp - s.role.firstWarp
                           << " of " << s.role.warps << ", an operation of "
                           << explorer::rowsOf(*views[0]) << " rows";
  }
  EXPECT_FALSE(toucher.outOfBounds) << *toucher.outOfBounds;
}

Stmt by(Exec exec, Operation op) {
  Stmt s;
  s.op = std::move(op);
  s.exec = exec;
  return s;
}

Buffer drawnBuffer(Draw &draw, Layout layout, Space space) {
  Buffer b;
  b.space = space;
  b.layout = layout;
  b.type = draw.any<DType>({DType::e4m3, DType::f16, DType::bf16, DType::f32});
  b.minor = layout == Layout::nZ || layout == Layout::nN ? 0 : static_cast<int>(draw.upTo(2));
  b.shape = {1 + draw.upTo(100), 1 + draw.upTo(100)};
  b.slots = 1 + draw.upTo(3);
  b.offset = 1024 * draw.upTo(4);
  // Strips of a swizzled tile begin with a whole pattern (R17).
  if (swizzleBytes(layout))
    b.shape[b.minor == 1 ? 0 : 1] = 8 * (1 + draw.upTo(12));
  if (layout == Layout::zN || layout == Layout::zZ)
    b.minor = 1;
  if (layout == Layout::panels)
    b.shape[b.minor] = 1 + draw.upTo(600);
  if (layout == Layout::rowVector || layout == Layout::blockedRowVector)
    b.shape[1] = 1;
  if (isCopiedPerWarp(layout))
    b.shape[0] = 1;
  return b;
}

View drawnView(Draw &draw, const Program &program, int object) {
  const Buffer &b = program.buffers[object];
  View v;
  v.object = object;
  v.slot = {kNone, draw.upTo(b.slots)};
  for (const int64_t extent : b.shape) {
    const int64_t size = 1 + draw.upTo(extent);
    v.shape.push_back(size);
    v.offset.push_back({kNone, draw.upTo(extent - size + 1)});
  }
  v.transposed = draw.upTo(4) == 0;
  return v;
}

void drawWarp(Draw &draw, Scene &s) {
  s.role.warps = draw.any<int>({1, 2, 3, 4, 4, 8, 12});
  s.role.firstWarp = static_cast<int>(draw.upTo(3)) * 4;
  s.program.warps = s.role.firstWarp + s.role.warps;
  s.id.warp = s.role.firstWarp + static_cast<int>(draw.upTo(s.role.warps));
}

const std::vector<std::pair<Layout, Space>> tiles{{Layout::row, Space::smem},
                                                  {Layout::sw32, Space::smem},
                                                  {Layout::sw64, Space::smem},
                                                  {Layout::sw128, Space::smem},
                                                  {Layout::zN, Space::l1},
                                                  {Layout::nZ, Space::l1},
                                                  {Layout::zZ, Space::l1},
                                                  {Layout::nN, Space::l1},
                                                  {Layout::zN, Space::l0c},
                                                  {Layout::nZ, Space::l0b},
                                                  {Layout::zZ, Space::l0a},
                                                  {Layout::row, Space::ub},
                                                  {Layout::acc, Space::reg},
                                                  {Layout::fragA, Space::reg},
                                                  {Layout::rowVector, Space::reg},
                                                  {Layout::colVector, Space::reg},
                                                  {Layout::blocked, Space::reg},
                                                  {Layout::row, Space::reg},
                                                  {Layout::panels, Space::smem},
                                                  {Layout::blockedRowVector, Space::reg},
                                                  {Layout::blockedColVector, Space::reg}};

/// A row in each lane; of 64 rows 16 to each quarter of the lanes.
TEST(Footprints, LanesOfTensorMemory) {
  for (const int64_t rows : {64, 128}) {
    Scene s;
    Buffer b;
    b.name = "d";
    b.space = Space::tmem;
    b.layout = Layout::row;
    b.type = DType::f32;
    b.shape = {rows, 24};
    b.slots = 2;
    b.slotBytes = 24 * 4;
    b.offset = 32;
    s.program.buffers.push_back(b);
    const std::vector<int64_t> places = explorer::elementPlaces(b, 1);
    for (int64_t row = 0; row < rows; ++row)
      for (const int64_t column : {0, 23}) {
        View v;
        v.object = 0;
        v.shape = {1, 1};
        const std::vector<Interval> bytes = footprint(s.program, v, 1, {row, column});
        ASSERT_EQ(bytes.size(), 1u);
        const int64_t lane = rows == 64 ? row / 16 * 32 + row % 16 : row;
        EXPECT_EQ(bytes[0].begin, lane * 2048 + 32 + 96 + 4 * column);
        EXPECT_EQ(places[static_cast<size_t>(row * 24 + column)], bytes[0].begin) << row;
      }
  }
}

/// Every element alone.
TEST(Footprints, PlacesOfElements) {
  Draw draw{std::mt19937_64(1)};
  auto all = tiles;
  all.emplace_back(Layout::lines, Space::smem); // of which views touch whole lines
  all.emplace_back(Layout::span, Space::smem);  // of which they touch all
  for (const auto &[layout, space] : all)
    for (int i = 0; i < 40; ++i) {
      Scene s;
      const int object = s.add(drawnBuffer(draw, layout, space));
      const Buffer &b = s.program.buffers[object];
      const int64_t slot = draw.upTo(b.slots);
      const std::vector<int64_t> own = explorer::elementPlaces(b, slot);
      const int64_t start = slot * b.slotBytes + (space == Space::reg ? 0 : b.offset);
      for (int64_t row = 0; row < b.shape[0]; ++row)
        for (int64_t column = 0; column < b.shape[1]; ++column)
          ASSERT_EQ(own[row * b.shape[1] + column], start + LayoutMap::of(b)->offset(row, column))
              << "element " << row << ", " << column << " of " << textOf(b);
    }
}

/// Parts of tiles, whole or as one warp has them.
TEST(Footprints, ViewsOfTiles) {
  Draw draw{std::mt19937_64(2)};
  for (const auto &[layout, space] : tiles)
    for (int i = 0; i < 60 && !HasFailure(); ++i) {
      Scene s;
      drawWarp(draw, s);
      const int object = s.add(drawnBuffer(draw, layout, space));
      const View view = drawnView(draw, s.program, object);
      const Stmt fill = by(draw.upTo(4) ? Exec::threads : Exec::one, Fill{view, 0});
      expectSame(s, fill, {&view});
    }
}

/// A view of `rows` rows, or of one that is broadcast; some read a tile in shared memory turned.
View operand(Draw &draw, Scene &s, int64_t rows, bool broadcasts) {
  auto [layout, space] = draw.any(tiles);
  if (space != Space::reg)
    space = Space::smem;
  if (broadcasts)
    layout = space == Space::reg ? Layout::colVector : Layout::row;
  else if (isCopiedPerWarp(layout))
    layout = Layout::acc;
  Buffer b = drawnBuffer(draw, layout, space);
  const bool turns = space == Space::smem && draw.upTo(4) == 0;
  const int along = turns ? 1 : 0;
  if (broadcasts)
    rows = 1;
  b.shape[along] = (rows + 127) / 64 * 64;
  if (isCopiedPerWarp(layout))
    b.shape[0] = 1;
  View v = drawnView(draw, s.program, s.add(b));
  v.transposed = turns;
  v.shape[along] = rows;
  v.offset[along].constant = draw.upTo(b.shape[along] - rows + 1);
  return v;
}

/// Tiles in registers say whose rows they are; the others follow, or are met whole.
TEST(Footprints, SharesOfOperations) {
  Draw draw{std::mt19937_64(3)};
  for (int i = 0; i < 1500 && !HasFailure(); ++i) {
    Scene s;
    drawWarp(draw, s);
    const int64_t rows = 1 + draw.upTo(150);
    Map map;
    map.outs = {operand(draw, s, rows, false)};
    for (int64_t n = draw.upTo(3); n > 0; --n)
      map.ins.push_back(operand(draw, s, rows, draw.upTo(4) == 0));
    std::vector<const View *> all{&map.outs[0]};
    for (const View &v : map.ins)
      all.push_back(&v);
    expectSame(s, by(Exec::threads, map), all);
  }
}

/// Copies between tensors of one to four dimensions and tiles: what lies outside is left out.
TEST(Footprints, BoxesOfTensors) {
  Draw draw{std::mt19937_64(4)};
  for (int i = 0; i < 1500 && !HasFailure(); ++i) {
    Scene s;
    drawWarp(draw, s);
    const int rank = 1 + static_cast<int>(draw.upTo(4));
    Tensor tensor;
    tensor.type = draw.any<DType>({DType::f16, DType::f32});
    tensor.rank = rank;
    Launch::Shape shape;
    int64_t stride = 1;
    for (int d = 0; d < rank; ++d) {
      shape.extents.push_back(draw.upTo(12));
      shape.strides.push_back(stride);
      stride *= std::max<int64_t>(shape.extents[d], 1) + draw.upTo(2);
    }
    if (draw.upTo(2)) // the last dimension contiguous, or the first
      std::ranges::reverse(shape.extents), std::ranges::reverse(shape.strides);
    s.program.tensors.push_back(tensor);
    s.launch.tensors.push_back(shape);
    View box;
    box.kind = View::tensor;
    box.object = 0;
    std::vector<int64_t> at;
    for (int d = 0; d < rank; ++d) {
      box.shape.push_back(1 + draw.upTo(9));
      at.push_back(draw.upTo(12) - 2);
    }
    box.offset = indices(at);
    box.transposed = rank > 1 && draw.upTo(3) == 0;
    Buffer b;
    b.space = Space::smem;
    b.type = tensor.type;
    b.minor = static_cast<int>(draw.upTo(2));
    b.shape = {explorer::rowsOf(box), explorer::columnsOf(box)};
    View tile;
    tile.object = s.add(b);
    tile.shape = b.shape;
    tile.offset = indices({0, 0});
    const bool stores = draw.upTo(2);
    const Copy copy{stores ? box : tile, stores ? tile : box};
    expectSame(s, by(draw.upTo(4) ? Exec::threads : Exec::one, copy),
               {&copy.destination, &copy.source});
  }
}

/// Nobody shares a row of an accumulator, and every row is somebody's.
TEST(Footprints, RowsOfAccumulators) {
  for (const Layout layout :
       {Layout::acc, Layout::fragA, Layout::rowVector, Layout::blocked, Layout::blockedRowVector})
    for (const int warps : {4, 8, 12})
      for (const int64_t rows : {64, 128, 192, 256}) {
        Buffer b;
        b.space = Space::reg;
        b.type = layout == Layout::fragA ? DType::f16 : DType::f32;
        b.layout = layout;
        const bool vector = layout == Layout::rowVector || layout == Layout::blockedRowVector;
        b.shape = {rows, vector ? 1 : 32};
        std::vector<int> owners(rows);
        for (int warp = 0; warp < warps; ++warp) {
          const std::vector<bool> held = explorer::heldRows(b, warp, warps);
          std::vector<bool> ranges(rows);
          for (const RowRange &r : rowsOfWarp(layout, rows, warp, warps))
            std::fill(ranges.begin() + r.begin, ranges.begin() + r.end, true);
          EXPECT_EQ(held, ranges) << textOf(b) << ", warp " << warp << " of " << warps;
          for (int64_t row = 0; row < rows; ++row)
            owners[row] += held[row];
        }
        EXPECT_EQ(owners, std::vector<int>(rows, 1)) << textOf(b);
      }
}

} // namespace
} // namespace sluice::test

#include "Explore/Shares.h"

#include <algorithm>
#include <numeric>

namespace sluice::explorer {
namespace {

int64_t product(const std::vector<int64_t> &shape, size_t from, size_t to) {
  int64_t all = 1;
  for (size_t d = from; d < to; ++d)
    all *= shape[d];
  return all;
}

/// The first numbers of a shape, counted with the last one fastest.
void countOut(const std::vector<int64_t> &shape, size_t dimensions, int64_t number,
              std::vector<int64_t> &out) {
  for (size_t d = 0; d < dimensions; ++d) {
    const int64_t behind = product(shape, d + 1, dimensions);
    out[d] = number / behind % shape[d];
  }
}

struct Element {
  int64_t row, column;
};

/// PTX ISA, wgmma.m64nNk*, the fragment of D: element `i` of thread `t` of a warpgroup.
Element elementOfD(int64_t t, int64_t i) {
  const int64_t group = t % 32 / 4, inGroup = t % 4;
  return {16 * (t / 32) + group + (i % 4 < 2 ? 0 : 8), 8 * (i / 4) + 2 * inGroup + i % 2};
}

/// The same, the fragments of A: a register has 4 bytes of a row, the next one is 8 rows below, and
/// two of each go on by 16 bytes.
Element elementOfA(int64_t t, int64_t i, int64_t elementBytes) {
  const int64_t inRegister = 4 / elementBytes, reg = i / inRegister;
  const int64_t group = t % 32 / 4, inGroup = t % 4;
  return {16 * (t / 32) + group + (reg % 2 == 0 ? 0 : 8),
          reg / 2 * 4 * inRegister + inGroup * inRegister + i % inRegister};
}

/// Marks the rows of a block of 64 of which warp `warp` of a warpgroup holds an element. Of a value
/// per row all four threads of a group have a copy, as if it were the first column of D.
void markHeld(const Buffer &tile, int64_t block, int warp, std::vector<bool> &held) {
  const int64_t columns = tile.layout == Layout::rowVector ? 1 : tile.shape[1];
  for (int64_t t = 32 * warp; t < 32 * (warp + 1); ++t)
    for (int64_t i = 0; i < columns + 16; ++i) { // half of the columns, whole instructions
      const Element e =
          tile.layout == Layout::fragA ? elementOfA(t, i, byteSize(tile.type)) : elementOfD(t, i);
      if (64 * block + e.row < tile.shape[0] && e.column < columns)
        held[64 * block + e.row] = true;
    }
}

/// Equal parts, in order; the last ones may be shorter, or empty.
std::vector<bool> equalPart(int64_t rows, int warp, int warps) {
  std::vector<bool> mine(rows);
  const int64_t part = (rows + std::max(warps, 1) - 1) / std::max(warps, 1);
  for (int64_t row = 0; row < rows; ++row)
    mine[row] = row / part == warp;
  return mine;
}

/// A copy by threads goes line by line of the tile in shared memory: are its lines the columns?
bool goesByColumns(const Program &program, const Stmt &s) {
  auto *copy = std::get_if<Copy>(&s.op);
  if (!copy)
    return false;
  const View *tile = &copy->source, *tensor = &copy->destination;
  if (tensor->kind == View::buffer)
    std::swap(tile, tensor);
  if (tile->kind != View::buffer || tensor->kind != View::tensor || tile->shape.size() != 2 ||
      tensor->shape.size() < 2)
    return false;
  const Buffer &b = program.buffers[tile->object];
  const bool contiguousRows = (b.minor == 1) != tile->transposed;
  return b.space == Space::smem && !contiguousRows;
}

/// Rows of the view that lie in rows of the tile which the warp holds.
std::vector<bool> partOfTile(const Standpoint &at, const View &view,
                             const std::vector<bool> &held) {
  const int64_t first = at.value(view.offset[0]);
  std::vector<bool> mine(rowsOf(view));
  for (int64_t row = 0; row < rowsOf(view); ++row) {
    const int64_t inTile = first + row;
    mine[row] = inTile >= 0 && inTile < static_cast<int64_t>(held.size()) && held[inTile];
  }
  return mine;
}

} // namespace

int64_t rowsOf(const View &v) {
  const size_t last = v.shape.size() - 1;
  return v.transposed ? v.shape[last] : product(v.shape, 0, last);
}

int64_t columnsOf(const View &v) {
  const size_t last = v.shape.size() - 1;
  return v.transposed ? product(v.shape, 0, last) : v.shape[last];
}

std::vector<int64_t> elementOf(const View &v, int64_t row, int64_t column) {
  if (v.transposed)
    std::swap(row, column);
  std::vector<int64_t> at(v.shape.size());
  at.back() = column;
  countOut(v.shape, v.shape.size() - 1, row, at);
  return at;
}

int64_t Share::count() const {
  return std::count(mine.begin(), mine.end(), true);
}

std::vector<bool> heldRows(const Buffer &tile, int warpInRole, int warpsInRole) {
  const int64_t rows = tile.shape[0];
  if (tile.layout == Layout::blocked || tile.layout == Layout::blockedRowVector ||
      tile.layout == Layout::row) // a row in each thread, of warps one after the other
    return equalPart(rows, warpInRole, warpsInRole);
  if (tile.layout != Layout::acc && tile.layout != Layout::fragA &&
      tile.layout != Layout::rowVector)
    return {};
  std::vector<bool> held(rows);
  const int warpgroups = std::max(1, warpsInRole / 4); // they take blocks of 64 rows in turns
  for (int64_t block = 0; 64 * block < rows; ++block)
    if (block % warpgroups == warpInRole / 4)
      markHeld(tile, block, warpInRole % 4, held);
  return held;
}

Share shareOf(const Standpoint &at, const Stmt &s, const std::vector<const View *> &views) {
  const Program &program = at.program;
  const bool shared = !isAscend(program.target) && s.exec == Exec::threads;
  if (shared && goesByColumns(program, s))
    return {equalPart(columnsOf(*views[0]), at.warpInRole(), at.warpsInRole()), true};
  const int64_t rows = rowsOf(*views[0]);
  bool everyWarpHasAll = !shared;
  for (const View *v : views) {
    const Buffer *b = program.buffer(*v);
    if (!shared || !b || b->space != Space::reg)
      continue;
    everyWarpHasAll |= b->layout == Layout::colVector || b->layout == Layout::blockedColVector;
    if (v->transposed)
      continue;
    if (const auto held = heldRows(*b, at.warpInRole(), at.warpsInRole()); !held.empty())
      return {partOfTile(at, *v, held)};
  }
  return everyWarpHasAll ? Share::whole(rows)
                         : Share{equalPart(rows, at.warpInRole(), at.warpsInRole())};
}

std::vector<const View *> dividedBy(const Program &program, const Raw &raw, const View &view) {
  if (!raw.divided)
    return program.buffers[view.object].space == Space::reg ? std::vector{&view}
                                                            : std::vector<const View *>();
  std::vector<const View *> all;
  for (const View &v : raw.writes)
    all.push_back(&v);
  for (const View &v : raw.reads)
    all.push_back(&v);
  return all;
}

} // namespace sluice::explorer

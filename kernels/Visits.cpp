#include "kernels/Visits.h"

#include "kernels/Alignment.h"

namespace sluice::rows {

using namespace lang;

namespace {

/// Columns of a piece of a part of `width`: all that are held; of 4096 bytes a row where rows are
/// of a warp each; else as many as leave room for the rings of both visits.
int64_t columnsOfTile(const RowsConfig &c, int64_t width, int64_t streamed, bool whole) {
  constexpr int64_t room = 200 << 10, wide = 4096, narrow = 1024;
  RowsConfig part = c;
  part.columns = width;
  const int64_t all = (width + columnsOfWarp - 1) / columnsOfWarp * columnsOfWarp;
  int64_t bytes = whole ? std::max(wide, all * byteSize(c.type)) : wide;
  if (c.parts > 1 && !whole)
    while (bytes > narrow && partsOfCta(c) * bytes * streamed * c.stages > room)
      bytes /= 2;
  return columnsOfPiece(part, bytes / byteSize(c.type));
}

} // namespace

Visits::Visits(KernelBuilder &k, const RowsConfig &c, int64_t streamed, int64_t whole, bool tiles)
    : k_(k), c_(c), width_(rows::columnsOfPart(c)), rows_(c.parts > 1 ? partsOfCta(c) : 4),
      whole_(c.parts > 1 ? width_ * byteSize(c.type) <= whole : tiles && isOneTile(c)) {
  k.fastMath({.approximate = true, .contract = true});
  columns_ = columnsOfTile(c, width_, streamed, whole_);
  if (whole_ && !shares())
    columns_ = columnsOfRow(c), rows_ = rowsOfTile(c, columns_, streamed / 2);
}

/// Rows x columns to who launches, whoever shares a row.
static lang::TensorOptions linesOf(const RowsConfig &c, int64_t width, DType type) {
  const int64_t align = alignmentOf(c.columns + c.pad, type);
  if (c.parts == 1)
    return {.align = align, .extents = {anyExtent, width}};
  return {.align = std::min(align, alignmentOf(width, type)),
          .extents = {anyExtent, c.parts, width},
          .rows = 1,
          .joined = 1,
          .joinedExtent = hasShortParts(c) ? c.columns : 0};
}

lang::Tensor Visits::input(std::string name) {
  inputs_.push_back(
      k_.input(std::move(name), c_.type, shares() ? 3 : 2, linesOf(c_, width_, c_.type)));
  return inputs_.back();
}

lang::Tensor Visits::output(std::string name, DType type) {
  return k_.output(std::move(name), type, shares() ? 3 : 2, linesOf(c_, width_, type));
}

lang::Tensor Visits::vector(std::string name) {
  lang::TensorOptions options = linesOf(c_, width_, c_.type);
  if (hasShortParts(c_)) // its address alone is aligned
    options.align = alignmentOf(width_, c_.type);
  vectors_.push_back(shares() ? k_.input(std::move(name), c_.type, 3, options)
                              : rows::vector(k_, c_, std::move(name)));
  return vectors_.back();
}

lang::Index Visits::columnsFrom(const lang::Index &column) {
  return inputs_.front().dim(shares() ? 2 : 1) - column;
}

Visits::Left Visits::left(const lang::Index &column) {
  const lang::Index ofPart = columnsFrom(column);
  return {ofPart, hasShortParts(c_) ? c_.columns - before(column) : ofPart};
}

Element Visits::columnsOf(const Element &part) const {
  return hasShortParts(c_) ? cast(max(min(Element(c_.columns) - part * width_, width_), 0), f32)
                           : Element(double(width_));
}

Element Visits::leftOf(const Left &left, const Element &line) const {
  const Element ofPart(left.ofPart);
  return hasShortParts(c_) ? max(min(ofPart, Element(left.ofRow) - line * width_), 0) : ofPart;
}

Element Visits::countOf(const Left &left, const Element &line) const {
  return min(leftOf(left, line), columns_);
}

void Visits::blocksOf(const Share &share, const std::function<void()> &body) {
  const auto load = [&](const Ahead &numbers, const lang::Index &row, const Tile &to) {
    k_.load(numbers.from.at({row, 0}), to);
  };
  for (const Ahead &numbers : ahead_)
    load(numbers, share.block(0) * each(), numbers.now);
  const LoopOptions options = whole_ ? loopOf(c_) : LoopOptions();
  k_.loop(share.count, options, "t", [&](lang::Index t) {
    row_ = k_.name(share.block(t) * each(), "row");
    const auto ask = [&] {
      for (const Ahead &numbers : ahead_)
        load(numbers, *row_ + share.step * each(), numbers.coming);
    };
    if (whole_)
      ask();
    else
      ask_ = ask;
    body();
    ask_ = nullptr;
    for (const Ahead &numbers : ahead_)
      k_.copy(numbers.coming, numbers.now);
  });
}

/// A block for each number that a CTA or a cluster draws. Numbers count CTAs, as all that are
/// drawn.
void Visits::drawnBlocks(const lang::Index &blocks, const lang::Index &team,
                         const lang::Index &teams, const std::function<void()> &body) {
  const int64_t together = ctasOfRow(c_);
  const Range range(team * together, blocks * together, teams * together);
  k_.loop(range, whole_ ? loopOf(c_) : LoopOptions(), "t", [&](lang::Index t) {
    row_ = k_.name(t / together, "row");
    body();
  });
}

void Visits::eachBlock(const std::function<void()> &body) {
  if (c_.onChip)
    return blocksOfVectors(body);
  across_ = k_.name(ceilDiv(columnsFrom(0), columns_), "across");
  const lang::Index blocks = k_.name(ceilDiv(inputs_.front().dim(0), each()), "blocks");
  const lang::Index teams = teamsFor(k_, c_, blocks);
  const bool drawn = c_.drawn && shares() && c_.share == 0;
  const lang::Index team = teamOf(teams, drawn);
  if (whole_)
    heldVectors_ = loadedVectors(0);
  if (drawn)
    return drawnBlocks(blocks, team, teams, body);
  blocksOf(shareOf(k_, c_, blocks, team, teams), body);
}

/// Every grid is dealt to the cores, and their tiles are whole rows.
void Visits::blocksOfVectors(const std::function<void()> &body) {
  heldVectors_ = loadedVectors(0);
  const auto [block] = k_.grid(k_.name(ceilDiv(inputs_.front().dim(0), rows_), "blocks"));
  row_ = k_.name(block * rows_, "row");
  body();
}

lang::Index Visits::teamOf(const lang::Index &teams, bool drawn) {
  const int64_t together = ctasOfRow(c_);
  GridOptions options = gridOf(c_);
  options.dynamic = drawn;
  if (together == 1)
    return k_.grid(teams, options)[0];
  options.cluster = {together, 1};
  const auto [place, team] = k_.grid(together, teams, options);
  place_ = place;
  return team;
}

lang::Index Visits::firstPart() const {
  return place_ ? *place_ * partsOfCta(c_) : lang::Index(0);
}

lang::Index Visits::before(const lang::Index &column) const {
  return place_ ? column + firstPart() * width_ : column;
}

Element Visits::placeOf(const lang::Index &before, const Element &line, const Element &at) const {
  const Element place = at + Element(before);
  return shares() ? place + line * width_ : place;
}

void Visits::everyCta(const std::function<void()> &before, const std::function<void()> &body,
                      const std::function<void()> &behind) {
  team_ = teamOf(teamsOf(c_));
  const lang::Index blocks = k_.name(ceilDiv(inputs_.front().dim(0), each()), "blocks");
  if (whole_ && (shares() || columns_ <= 1024 || c_.onChip))
    heldVectors_ = loadedVectors(0);
  before();
  const int64_t teams = teamsOf(c_);
  blocksOf({*team_, teams, k_.name(ceilDiv(max(blocks - *team_, 0), teams), "mine")}, body);
  behind();
}

lang::Tensor Visits::linesOfSums(std::string name) {
  RowsConfig dense = c_;
  dense.pad = 0;
  lang::TensorOptions options = linesOf(dense, width_, f32);
  if (c_.onChip) // what tiles have here, launches are held to
    options.extents[0] = teamsOf(c_) * rows_;
  return k_.output(std::move(name), f32, shares() ? 3 : 2, options);
}

Tile Visits::zeros(const char *name) {
  Tile tile = k_.tile(f32, {rows_, columns_}, name);
  k_.fill(tile, 0);
  return tile;
}

void Visits::storeSums(const Tile &tile, const lang::Tensor &to) {
  const lang::Index line = *team_ * each();
  k_.store(tile, shares() ? to.at({line, firstPart(), 0}) : to.at({line, 0}));
}

Tile Visits::load(const lang::Tensor &from, const lang::Index &column, int64_t rows,
                  std::string name, LoadOptions options) {
  const lang::Index row = rows == rows_ ? *row_ : lang::Index(0);
  const Box box = shares() ? from.at({row, firstPart(), column}) : from.at({row, column});
  return k_.load(box, {rows, columns_}, std::move(name), options);
}

/// Beside sums they would not fit into registers: from the first-level cache row by row.
Visits::Tiles Visits::vectorsAt(const lang::Index &column) {
  return heldVectors_.empty() ? loadedVectors(column) : heldVectors_;
}

Visits::Tiles Visits::loadedVectors(const lang::Index &column) {
  Tiles tiles;
  for (const lang::Tensor &from : vectors_) {
    const Box box = shares() ? from.at({0, firstPart(), column}) : from.at({0, column});
    // Behind those that registers hold.
    const auto held = static_cast<int64_t>(vectors_.size()) - vectorsInShared();
    LoadOptions options;
    if (static_cast<int64_t>(tiles.size()) >= held)
      options.by = hasShortParts(c_) ? LoadedBy::threads : LoadedBy::tensor;
    tiles.push_back(k_.load(box, {shares() ? rows_ : 1, columns_}, "v", options));
  }
  return tiles;
}

int64_t Visits::vectorsInShared() const {
  if (!whole_ || !shares())
    return 0;
  return sluice::vectorsInShared(static_cast<int64_t>(inputs_.size()),
                                 static_cast<int64_t>(vectors_.size()), width_ * byteSize(c_.type),
                                 c_.perSm);
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
  k_.loop(*across_, loopOf(c_), "p",
          [&](lang::Index p) { visit(k_.name(p * columns_, "column")); });
  if (ask_)
    ask_();
}

void Visits::second(const std::function<void(const Tiles &tiles, const Tiles &vectors,
                                             const lang::Index &column)> &body) {
  if (whole_)
    return body(held_, vectorsAt(0), 0);
  k_.loop(*across_, loopOf(c_), "q", [&](lang::Index q) {
    const lang::Index column = k_.name((*across_ - 1 - q) * columns_, "column");
    Tiles again;
    for (const lang::Tensor &from : inputs_) // for the last time: let others stay in the cache
      again.push_back(
          load(from, column, rows_, "again", {.paced = false, .cache = CachePolicy::evictFirst}));
    body(again, vectorsAt(column), column);
  });
}

void Visits::store(const Tile &y, const lang::Tensor &to, const lang::Index &column) {
  k_.store(y, shares() ? to.at({*row_, firstPart(), column}) : to.at({*row_, column}),
           storesOf(c_));
}

Tile Visits::numbers(double from, const char *name) {
  Tile tile = k_.tile(f32, {rows_, 1}, name);
  k_.fill(tile, from);
  return tile;
}

static constexpr int64_t lanes = 32; // of a warp, which has rows

int64_t Visits::columnsOfSums() const {
  return whole_ || c_.onChip || !shares() ? 1 : lanes; // bench/ROWS.md
}

Tile Visits::sums(const char *name) {
  Tile tile = k_.tile(f32, {rows_, columnsOfSums()}, name);
  k_.fill(tile, 0);
  return tile;
}

Tile Visits::sumsOf(const Tile &piece, const std::function<Element(Element)> &element) {
  const int64_t columns = columnsOfSums();
  return k_.reduceInto({columns, columns == 1 ? 1 : columnsOfWarp / lanes}, piece, 0, f32, element,
                       std::plus<Element>());
}

Tile Visits::ofRows(const Tile &sums, const char *name) {
  return sums.cols() == 1 ? sums : k_.rowSum(sums, name);
}

Tile Visits::numbersOf(const lang::Tensor &from, const char *name) {
  return k_.load(from.at({*row_, 0}), {each(), 1}, name);
}

Tile Visits::numbersAhead(const lang::Tensor &from, const char *name) {
  const auto tile = [&](const std::string &called) {
    return k_.tile(from.type(), {each(), 1}, called);
  };
  ahead_.push_back({from, tile(name), tile(std::string("coming_") + name)});
  return ahead_.back().now;
}

void Visits::storeNumbers(const Tile &ofRows, const lang::Tensor &to) {
  if (!shares())
    return k_.store(to.type() == ofRows.type() ? ofRows : k_.cast(ofRows, to.type()),
                    to.at({*row_, 0}));
  Tile same = k_.map( // in every line of the tile, of which the first alone is stored
      {numbers(0, "zero"), ofRows}, to.type(),
      [type = to.type()](auto, auto x) { return lang::cast(x, type); }, "same");
  const auto store = [&] { k_.store(same, clip(to.at({*row_, 0}), 0, *row_ + 1)); };
  if (place_)
    k_.when(*place_ == 0, store);
  else
    store();
}

Visits::Tiles Visits::ofAllParts(const Tiles &numbers) {
  return place_ ? k_.allRowsAcross(0, numbers) : k_.allRows(numbers);
}

Tile Visits::joined(const Tile &numbers, double identity,
                    const std::function<Element(Element, Element)> &op, const char *name) {
  if (place_)
    return k_.reduceAcross(0, numbers, identity, op, name);
  return shares() ? k_.reduce(numbers, 0, identity, op, name) : numbers;
}

bool Visits::isInside() const {
  return width_ % columns_ == 0 && !hasShortParts(c_);
}

Tile Visits::inside(const Tile &x, const Tile &ofRow, const lang::Index &column, double outside,
                    const std::function<Element(Element, Element)> &fn, const char *name) {
  const Left left = this->left(column);
  return k_.mapWithCoordinates(
      {x, ofRow}, f32,
      [&](auto x, auto ofRow, auto line, auto at) {
        const Element y = fn(cast(x, f32), ofRow);
        return isInside() ? y : select(at < leftOf(left, line), y, outside);
      },
      name);
}

} // namespace sluice::rows

// Where products are stored: finds an operand that was not brought in again for the next tile.
#include "Verify/Names.h"
#include "Verify/Run.h"

namespace sluice {
namespace {

/// Coordinate of the view's first element along one of its own dimensions, and the dimension of the
/// tensor that this is.
Affine coordinate(const Origin &o, size_t own, int64_t offset, int &dimension) {
  dimension = static_cast<int>(o.swapped ? 1 - own : own);
  return plus(o.at[dimension], offset);
}

} // namespace

/// D = A B of one core, up to what is added later: which tiles D's first element comes from.
int64_t RunProducts::productOf(Actor &a, const Mmad &op) {
  const int64_t tags[2] = {parts_.origin.tagIn(a, op.a, a.cta),
                           parts_.origin.tagIn(a, op.b, a.cta)};
  if (op.anyTiles || tags[0] < 0 || tags[1] < 0 || op.d.transposed)
    return -1;
  Product p;
  for (const int side : {0, 1}) { // A: rows and K; B: columns and K
    const View &v = side ? op.b : op.a;
    const Origin &o = context_.origins[tags[side]];
    Operand &operand = p.operands[side];
    operand.tensor = o.tensor;
    for (const size_t logical : {size_t{0}, size_t{1}}) {
      const size_t own = v.transposed ? 1 - logical : logical;
      int dimension = 0;
      const Affine at = coordinate(o, own, a.agent.value(v.offset[own]), dimension);
      operand.at[dimension] = at;
      if (logical == static_cast<size_t>(side)) {
        operand.along = dimension;
        operand.place = context_.places.shifted(o.place[dimension], a.agent.value(v.offset[own]));
      }
    }
    operand.first = -a.agent.value(op.d.offset[side]);
  }
  return context_.productNumber(p);
}

void RunProducts::markProduct(Actor &a, const Stmt &s, const Mmad &op) {
  const int64_t product = productOf(a, op);
  const Rows rows{{{0, op.d.rows()}}, op.d.rows()};
  if (const std::vector<Interval> *bytes = parts_.memory.intervals(a, s, op.d, rows))
    parts_.memory.of(a, op.d, a.cta).each(*bytes, [&](Cell &c) {
      c.write.product = product;
      return true;
    });
}

/// The product that a view holds, as `tagIn`.
int64_t RunProducts::productIn(Actor &a, const Stmt &s, const View &view) {
  const Rows rows{{{0, view.rows()}}, view.rows()};
  const std::vector<Interval> *bytes = parts_.memory.intervals(a, s, view, rows);
  if (!bytes || bytes->empty())
    return -1;
  Memory &m = parts_.memory.of(a, view, a.cta);
  const Cell *front = m.at(bytes->front().begin), *back = m.at(bytes->back().end - 1);
  if (!front || !back || !front->write.stmt || !back->write.stmt)
    return -1;
  return front->write.product == back->write.product ? front->write.product : -1;
}

/// How far the store lies from the operands that it comes from, where the two are counted alike.
std::optional<RunProducts::Stored> RunProducts::storedFrom(const Actor &a, const Stmt &s,
                                                           const Copy &op, const Product &p) {
  if (op.destination.shape.size() != 2 || op.destination.transposed || op.source.transposed)
    return {};
  Stored now{p, {0, 0}, 0, {}, {false, false}, false};
  Affine k[2];
  for (const int side : {0, 1}) {
    const Operand &o = p.operands[side];
    if (program_.tensors[o.tensor].rank > 2) { // of which `at` has two coordinates
      parts_.origin.assumeInStep(a, s);
      return {};
    }
    const Affine at = plus(o.at[o.along], o.first + a.agent.value(op.source.offset[side]));
    const Affine to = a.agent.affine(op.destination.offset[side]);
    if (at.term != to.term) {
      parts_.origin.assumeInStep(a, s);
      return {};
    }
    if (!context_.launch)
      now.told[side] = context_.places.distance(
          o.place, context_.places.at(a.agent, op.destination.offset[side]));
    now.distance[side] = to.constant - at.constant;
    k[side] = o.at[1 - o.along];
  }
  if (k[0].term != k[1].term) {
    parts_.origin.assumeInStep(a, s);
    return {};
  }
  now.alongK = k[0].constant - k[1].constant;
  return now;
}

/// Whether normal forms tell that the store keeps its distance from what it comes from, or that the
/// other side does not.
bool RunProducts::isToldInStep(const Stored &before, const Stored &now, int side) {
  const auto same = [&](int of) -> std::optional<bool> {
    if (!before.told[of] || !now.told[of])
      return {};
    return before.told[of] == now.told[of];
  };
  return same(side) == true || same(1 - side) == false;
}

/// A store that moves along D's rows (columns) while A (B) stays the tile it was, and all else
/// keeps its distance, writes what belongs elsewhere.
RunProducts::Step RunProducts::storeProduct(Actor &a, const Stmt &s, const Copy &op) {
  const int64_t number = productIn(a, s, op.source);
  const auto key = std::make_tuple(a.index, &s, op.destination.object);
  std::optional<Stored> now;
  if (number >= 0)
    now = storedFrom(a, s, op, context_.products[number]);
  if (!now) {
    stored_.erase(key);
    return Step::done;
  }
  const auto [at, isNew] = stored_.try_emplace(key, *now);
  const Stored before = at->second;
  at->second = *now;
  at->second.roams =
      before.roams || before.distance != now->distance || before.alongK != now->alongK;
  for (const int side : {0, 1}) {
    if (!context_.launch && !isNew && !before.again[side] && !isToldInStep(before, *now, side))
      parts_.origin.assumeInStep(a, s);
    const int other = 1 - side;
    const Operand &was = before.product.operands[side], &is = now->product.operands[side];
    if (isNew || before.roams || before.again[side] || was.tensor != is.tensor || was.at != is.at ||
        before.product.operands[other].tensor != now->product.operands[other].tensor ||
        before.distance[side] == now->distance[side] ||
        before.distance[other] != now->distance[other] || before.alongK != now->alongK)
      continue;
    const std::string tensor = program_.tensors[is.tensor].name;
    const std::string to = program_.tensors[op.destination.object].name;
    return refuse("R28",
                  what(a, s) + " stores to other " + (side ? "columns" : "rows") + " of " + to +
                      " than before what comes from the same tile of " + tensor +
                      ": the product took a slot that nothing has brought in since. Load the "
                      "operand of every tile, or store to where it belongs",
                  s, program_.buffers[op.source.object].name);
  }
  return Step::done;
}

/// A tile that is loaded again is no leftover.
void RunProducts::broughtIn(int tensor, const Affine (&at)[2], const int64_t (&extents)[2]) {
  for (auto &[key, stored] : stored_)
    for (const int side : {0, 1}) {
      const Operand &o = stored.product.operands[side];
      bool covers = o.tensor == tensor;
      for (const int d : {0, 1}) {
        const int64_t inside = o.at[d].constant - at[d].constant;
        covers &= o.at[d].term != at[d].term || (inside >= 0 && inside < extents[d]);
      }
      stored.again[side] |= covers;
    }
}

} // namespace sluice

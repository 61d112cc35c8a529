// Where the data of a tile came from: finds sums over K that mix tiles (a stale slot).
#include "Verify/Names.h"
#include "Verify/Run.h"

namespace sluice {
namespace {

/// The two dimensions of a tensor that a view spans, columns along the last; false when it spans
/// more than two.
bool planeOf(const View &v, size_t dims[2]) {
  const size_t rank = v.shape.size();
  if (rank < 2)
    return false;
  size_t longer = 0;
  dims[0] = rank - 2;
  dims[1] = rank - 1;
  for (size_t d = 0; d + 1 < rank; ++d)
    if (v.shape[d] != 1) {
      dims[0] = d;
      ++longer;
    }
  return longer < 2;
}

} // namespace

int64_t RunOrigin::tagAfterCopy(Actor &a, const View &to, const View &from, int cta) {
  const auto offset = [&](const View &v, size_t d) { return a.agent.value(v.offset[d]); };
  Origin o;
  Affine start[2]; // tensor coordinates of the source view's first element
  int64_t shift[2] = {0, 0};
  if (from.kind == View::tensor) {
    size_t dims[2];
    if (!planeOf(from, dims))
      return -1;
    o.tensor = from.object;
    if (!context_.launch && context_.multiplied[to.object])
      o.place = {context_.places.at(a.agent, from.offset[dims[0]]),
                 context_.places.at(a.agent, from.offset[dims[1]])};
    start[0] = a.agent.affine(from.offset[dims[0]]);
    start[1] = a.agent.affine(from.offset[dims[1]]);
    if (const auto at = context_.gathered.find(&from); at != context_.gathered.end())
      o.gathered = {at->second[dims[0]], at->second[dims[1]]};
    parts_.products.broughtIn(o.tensor, start, {from.shape[dims[0]], from.shape[dims[1]]});
  } else if (!context_.multiplied[to.object]) {
    return -1;
  } else {
    const int64_t tag = tagIn(a, from, cta);
    if (tag < 0)
      return -1;
    o = context_.origins[tag];
    const size_t first = o.swapped ? 1 : 0;
    for (const size_t d : {size_t{0}, size_t{1}}) {
      shift[d] = offset(from, first ^ d);
      start[d] = plus(o.at[d], shift[d]);
    }
  }
  o.swapped ^= to.transposed != from.transposed;
  const size_t first = o.swapped ? 1 : 0;
  for (const size_t d : {size_t{0}, size_t{1}}) {
    o.at[d] = plus(start[d], -offset(to, first ^ d));
    o.place[d] = context_.places.shifted(o.place[d], shift[d] - offset(to, first ^ d));
  }
  return context_.tagOf(o);
}

int64_t RunOrigin::tagIn(Actor &a, const View &view, int cta) {
  const Rows rows{{{0, view.rows()}}, view.rows()};
  const std::vector<Interval> *bytes = parts_.memory.intervals(a, *a.agent.current(), view, rows);
  if (!bytes || bytes->empty())
    return -1;
  // Both ends stand for all: a tile of mixed origin differs there or is no single load's.
  Memory &m = parts_.memory.of(a, view, cta);
  const Cell *front = m.at(bytes->front().begin), *back = m.at(bytes->back().end - 1);
  if (!front || !back || !front->write.stmt || !back->write.stmt)
    return -1;
  const int64_t tags[2] = {front->write.tag, back->write.tag};
  if (tags[0] == tags[1] || tags[0] < 0 || tags[1] < 0)
    return tags[0] == tags[1] ? tags[0] : -1;
  return context_.launch ? -1 : tagOfParts(a, tags[0], tags[1]);
}

/// Of a tile that was loaded in two parts, in every launch: whether they are parts of one is told
/// by their places.
int64_t RunOrigin::tagOfParts(const Actor &a, int64_t front, int64_t back) {
  Origin parts[2] = {context_.origins[front], context_.origins[back]};
  if (parts[0].tensor != parts[1].tensor || parts[0].swapped != parts[1].swapped)
    return -1;
  for (const int d : {0, 1})
    if (context_.places.distance(parts[0].place[d], parts[1].place[d]).value_or(0) != 0)
      return -1;
  assumeInStep(a, *a.agent.current());
  parts[0].place = parts[1].place = {TilePlaces::none, TilePlaces::none};
  return parts[0] == parts[1] ? context_.tagOf(parts[0]) : -1;
}

/// What follows of places that normal forms do not tell.
void RunOrigin::assumeInStep(const Actor &a, const Stmt &s) {
  context_.assumptions.insert("tiles-in-step: tiles that " + operationName(s.op) + place(s.loc) +
                              " takes belong together in every launch (R28)");
}

bool RunOrigin::continuesSum(Actor &a, const View &d) {
  Rows rows = rowsFor(a, *a.agent.current(), {&d});
  if (rows.ranges.empty())
    return false;
  rows.ranges.resize(1);
  const std::vector<Interval> *bytes = parts_.memory.intervals(a, *a.agent.current(), d, rows);
  if (!bytes || bytes->empty())
    return false;
  const Cell *cell = parts_.memory.of(a, d, a.cta).at(bytes->front().begin);
  return cell && cell->write.stmt && productOf(cell->write.stmt->op);
}

/// Whether two parts of a tile have columns in common; those that are not known may.
static bool meet(const View &one, const View &other) {
  const Index &a = one.offset[1], &b = other.offset[1];
  return !a.isConstant() || !b.isConstant() ||
         (a.constant < b.constant + other.cols() && b.constant < a.constant + one.cols());
}

/// Forgets what earlier sums in the same accumulator have taken.
void RunOrigin::beginSum(const Actor &a, const View &d) {
  const int64_t slot = a.agent.value(d.slot);
  std::erase_if(distances_, [&](const auto &entry) {
    const auto &[actor, stmt, itsSlot, left, right] = entry.first;
    const View &other = *touchedBy(stmt->op).writes[0];
    return actor == a.index && itsSlot == slot && other.object == d.object && meet(other, d);
  });
}

template <typename Product>
bool RunOrigin::belongTogether(Actor &a, const Stmt &s, const Product &op, bool accumulates) {
  if (!op.anyTiles)
    return belongTogether(a, s, op.d, op.a, op.b, accumulates);
  context_.assumptions.insert("any-tiles: the product" + place(s.loc) +
                              " multiplies the tiles that its author means");
  return true;
}

template bool RunOrigin::belongTogether(Actor &, const Stmt &, const Wgmma &, bool);
template bool RunOrigin::belongTogether(Actor &, const Stmt &, const Mmad &, bool);
template bool RunOrigin::belongTogether(Actor &, const Stmt &, const Tcgen05Mma &, bool);

bool RunOrigin::belongTogether(Actor &a, const Stmt &s, const View &d, const View &left,
                               const View &right, bool accumulates) {
  const int64_t tagA = tagIn(a, left, a.cta), tagB = tagIn(a, right, a.cta);
  if (tagA < 0 || tagB < 0)
    return true;
  // Coordinate along K of the first column of A and of the first row of B.
  const auto inView = [&](const View &v, size_t logical) {
    return a.agent.value(v.offset[v.transposed ? 1 - logical : logical]);
  };
  const auto along = [&](const View &v, const Origin &o, size_t logical, int &dimension) {
    dimension = static_cast<int>((v.transposed != o.swapped) ? 1 - logical : logical);
    return plus(o.at[dimension], inView(v, logical));
  };
  const Origin &oa = context_.origins[tagA], &ob = context_.origins[tagB];
  Distance now{0, oa.tensor, 0, ob.tensor, 0, {}};
  const Affine kA = along(left, oa, 1, now.dimensionA), kB = along(right, ob, 0, now.dimensionB);
  if (oa.gathered[now.dimensionA] || ob.gathered[now.dimensionB])
    return true; // in an order that only integers of tensors know
  now.value = kA.constant - kB.constant;
  now.at = kA;
  now.alike = kA.term == kB.term; // else counted from different places
  if (!context_.launch) {
    TilePlaces &places = context_.places;
    now.place = places.shifted(oa.place[now.dimensionA], inView(left, 1));
    const int32_t b = places.shifted(ob.place[now.dimensionB], inView(right, 0));
    now.told = now.alike && places.distance(now.place, b);
  }
  const auto key = std::make_tuple(a.index, &s, a.agent.value(d.slot), oa.tensor, ob.tensor);
  const auto [at, isNew] = distances_.try_emplace(key, now);
  if (!accumulates || !continuesSum(a, d)) {
    beginSum(a, d);
    distances_[key] = now;
    return true;
  }
  if (isNew)
    return true;
  // Of steps whose places are counted from different unknowns only the distance is told.
  const Distance before = at->second;
  const std::optional<int64_t> told = context_.places.distance(before.place, now.place);
  const bool up = context_.places.goesUp(before.place, now.place);
  if (!context_.launch && !(before.told && now.told && (told || up)))
    assumeInStep(a, s);
  const bool comparable = told || up || before.at.term == kA.term;
  const int64_t step = told ? *told : up ? 1 : kA.constant - before.at.constant;
  const int direction = !comparable ? before.direction : step > 0 ? 1 : step < 0 ? -1 : 0;
  if (!before.alike || !now.alike) {
    at->second = now;
    return true;
  }
  const bool goesOn = direction != 0 && (before.direction == 0 || before.direction == direction);
  if (before.value == now.value && (goesOn || !comparable)) {
    now.direction = direction;
    at->second = now;
    return true;
  }
  const std::string nameA = program_.tensors[oa.tensor].name;
  const std::string nameB = program_.tensors[ob.tensor].name;
  if (before.value == now.value) {
    refuse("R28",
           what(a, s) + " multiplies columns of " + nameA + " from " + std::to_string(kA.constant) +
               " again: the same sum was at " + std::to_string(before.at.constant) +
               " before and goes " + (before.direction < 0 ? "down" : "up") +
               ". Every step of a sum takes the next tile along K; if these are meant, as in a "
               "convolution, mark the product {sluice.any_tiles}",
           s, program_.buffers[left.object].name);
    return false;
  }
  refuse("R28",
         what(a, s) + " multiplies columns of " + nameA + " from " + std::to_string(kA.constant) +
             " by rows of " + nameB + " from " + std::to_string(kB.constant) +
             "; earlier steps of the same sum were " + std::to_string(before.value) +
             " apart: one operand is a stale or a wrong slot. Producer and consumer of both must "
             "count the same slots; if these are meant, mark the product {sluice.any_tiles}",
         s, program_.buffers[left.object].name);
  return false;
}

} // namespace sluice

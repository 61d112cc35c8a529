// Factors of block-scaled products in a canonical run: whether they are of the step along K that
// their tiles are of (R28). 32 lines of a tensor of factors, one below the other, are of four
// blocks along K (Program/BlockScales.h).
#include "Program/BlockScales.h"
#include "Program/TensorMemory.h"
#include "Verify/Names.h"
#include "Verify/Run.h"

namespace sluice {

/// Of A, or of B, of one product.
struct RunOrigin::FactorsOf {
  const View &tile, &factors;
  size_t alongK; // dimension of the tile
  int64_t perLine;
  FactorPieces pieces;
};

/// Of a piece of factors in tensor memory.
std::set<int64_t> RunOrigin::tagsIn(Actor &a, const View &view, int cta) {
  std::set<int64_t> tags;
  const Rows rows{{{0, view.rows()}}, view.rows()};
  if (const std::vector<Interval> *bytes =
          parts_.memory.intervals(a, *a.agent.current(), view, rows))
    parts_.memory.of(a, view, cta).each(*bytes, [&](Cell &c) {
      tags.insert(c.write.stmt ? c.write.tag : -1);
      return true;
    });
  return tags;
}

/// How far along K the tile lies from the columns that its factors are of, `perLine` of them for a
/// line; nothing: not known.
std::optional<RunOrigin::Distance> RunOrigin::fromFactors(Actor &a, const FactorsOf &what, int cta,
                                                          int64_t tagOfFactors) {
  const auto &[tile, factors, alongK, perLine, pieces] = what;
  const int64_t tagOfTile = tagIn(a, tile, cta);
  if (tagOfTile < 0 || tagOfFactors < 0)
    return std::nullopt;
  const Origin &of = context_.origins[tagOfTile], &by = context_.origins[tagOfFactors];
  const size_t own = tile.transposed ? 1 - alongK : alongK;
  const int dimension = static_cast<int>(of.swapped ? 1 - own : own);
  const int64_t shift = a.agent.value(tile.offset[own]);
  const Affine k = plus(of.at[dimension], shift), line = by.at[by.swapped ? 1 : 0];
  if (of.gathered[dimension] || by.gathered[0])
    return std::nullopt;
  Distance now{k.constant - perLine * line.constant, of.tensor, dimension, by.tensor, 0, k};
  std::optional<int64_t> far; // from the tile to the columns, whatever both are counted from
  if (!context_.launch) {
    TilePlaces &places = context_.places;
    now.place = places.shifted(of.place[dimension], shift);
    far = places.distance(now.place, places.times(by.place[by.swapped ? 1 : 0], perLine));
    now.told = far.has_value();
  }
  if (k.isConstant() && line.isConstant())
    return now;
  if (!far) // both are unknown numbers
    return std::nullopt;
  now.value = -*far;
  return now;
}

/// Every step of a sum takes factors as far from its tile as those of the steps before; so does
/// each CTA of a pair.
bool RunOrigin::factorsInStep(Actor &a, const Stmt &s, const Tcgen05Mma &op, bool adds) {
  for (const int side : {0, 1}) {
    const View &tile = side ? op.b : op.a, &factors = side ? op.scales->b : op.scales->a;
    const int64_t block = elementsOfBlock(program_.type(op.a), program_.type(factors)),
                  lines = side ? linesOfFactorsB(op) : rowsOfA(op);
    const FactorsOf of{tile, factors, side ? size_t{0} : size_t{1},
                       FactorPieces::blocks * block / FactorPieces::rows,
                       piecesOf(lines, op.a.cols(), block)};
    bool begins = !adds || !continuesSum(a, op.d);
    for (const int cta : op.pair ? std::vector{a.cta & ~1, a.cta | 1} : std::vector{a.cta})
      if (!inStepIn(a, s, op, of, cta, begins))
        return false;
  }
  return true;
}

/// The same of what one CTA holds. `begins`: nothing of this sum has been looked at so far.
bool RunOrigin::inStepIn(Actor &a, const Stmt &s, const Tcgen05Mma &op, const FactorsOf &of,
                         int cta, bool &begins) {
  const auto open = [&] {
    context_.assumptions.insert("factors-in-step: the product" + place(s.loc) +
                                " takes the factors of its tiles (R28)");
  };
  for (int64_t piece = 0; piece < of.pieces.count(); ++piece) {
    View columns = of.factors;
    columns.shape[1] = FactorPieces::bytes;
    columns.offset[1].constant += FactorPieces::bytes * piece;
    for (const int64_t tag : tagsIn(a, columns, cta)) {
      auto now = fromFactors(a, of, cta, tag);
      if (!now || !now->told || op.anyTiles)
        open();
      if (!now || op.anyTiles)
        continue;
      // Pieces further along K are of lines as much further down.
      now->value += piece / of.pieces.ofLines * FactorPieces::rows * of.perLine;
      const auto key =
          std::make_tuple(a.index, &s, a.agent.value(op.d.slot), now->tensorA, now->tensorB);
      if (begins)
        distances_.erase(key);
      begins = false;
      const auto [at, isNew] = distances_.try_emplace(key, *now);
      if (at->second.value != now->value)
        return isOfAnotherStep(a, s, of, at->second, *now, op.pair), false;
      at->second = *now;
    }
  }
  return true;
}

void RunOrigin::isOfAnotherStep(Actor &a, const Stmt &s, const FactorsOf &of,
                                const Distance &before, const Distance &now, bool pair) {
  const std::string tensor = program_.tensors[now.tensorA].name;
  const int64_t line = (now.at.constant - now.value) / of.perLine;
  refuse(
      "R28",
      what(a, s) + " multiplies columns of " + tensor + " from " + std::to_string(now.at.constant) +
          " with lines of " + program_.tensors[now.tensorB].name + " from " + std::to_string(line) +
          ", the factors of columns from " + std::to_string(of.perLine * line) +
          "; in earlier steps of the same sum" + (pair ? ", or in the other CTA," : "") +
          " the two were " + std::to_string(before.value) +
          " apart: the factors are of a stale or a wrong slot. Producer and consumer of both must "
          "count the same slots",
      s, program_.buffers[of.factors.object].name);
}

} // namespace sluice

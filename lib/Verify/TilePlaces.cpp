#include "Verify/TilePlaces.h"

#include "Program/Blocks.h"
#include "Program/OperationFacts.h"

#include <algorithm>

namespace sluice {
namespace {

/// Whether it is the same for whoever is in the same iterations, in every launch with the same
/// extents, arguments and integers.
bool dependsOnOperandsAlone(ScalarOp op) {
  return op < ScalarOp::cursorInit || op > ScalarOp::cursorPhase;
}

constexpr int64_t unlimited = int64_t{1} << 40;

} // namespace

std::vector<bool> multipliedBuffers(const Program &program) {
  std::vector<bool> found(program.buffers.size(), false);
  bool grew = true;
  const auto mark = [&](const View &v) {
    if (v.kind == View::buffer && !found[v.object])
      grew = found[v.object] = true;
  };
  const auto markSource = [&](const View &source, const View &destination) {
    if (destination.kind == View::buffer && found[destination.object])
      mark(source);
  };
  while (grew) {
    grew = false;
    walk(program.body, [&](const Stmt &s) {
      const OperationFacts facts = factsOf(s.op);
      if (facts.product)
        mark(*facts.product.a), mark(*facts.product.b);
      if (auto *scaled = std::get_if<Tcgen05Mma>(&s.op); scaled && scaled->scales)
        mark(scaled->scales->a), mark(scaled->scales->b);
      if (auto *copy = std::get_if<TmemCopy>(&s.op))
        markSource(copy->source, copy->destination);
      else if (facts.move && !facts.ofTensorMemory)
        markSource(*facts.move.source, *facts.move.destination);
    });
  }
  return found;
}

TilePlaces::TilePlaces(const Program &program, const Terms &terms)
    : terms_(terms), pure_(program.values, false) {
  findPure(program.body);
}

void TilePlaces::findPure(const Block &block) {
  for (const Stmt &s : block.stmts) {
    if (auto *scalar = std::get_if<Scalar>(&s.op)) {
      scalars_[scalar->result] = scalar;
      pure_[scalar->result] =
          dependsOnOperandsAlone(scalar->op) &&
          std::ranges::all_of(scalar->operands, [this](ValueId v) { return isPure(v); });
    } else if (auto *grid = std::get_if<Grid>(&s.op)) {
      for (const ValueId v : grid->results)
        pure_[v] = true;
    } else if (auto *loop = std::get_if<For>(&s.op)) {
      if (!loop->isWhile()) {
        ofLoops_[loop->iv] = {loop, 0};
        pure_[loop->iv] = isPure(loop->lower) && isPure(loop->step);
        for (size_t i = 0; i < loop->iterArgs.size(); ++i)
          ofLoops_[loop->iterArgs[i]] = {loop, i + 1};
      }
    }
    forBlocks(s, [this](const Block &inner) { findPure(inner); });
  }
}

/// A coordinate that is being taken apart.
struct TilePlaces::Sum {
  const TilePlaces &places;
  const ProofAgent &agent;
  TilePlace place{};

  const CountedValues &values() const { return places.terms_.values(); }

  /// False where normal forms do not tell it.
  bool add(ValueId v, int64_t factor) {
    if (const int64_t *constant = values().constant(v)) {
      place.constant += factor * *constant;
      return true;
    }
    if (const auto at = places.ofLoops_.find(v); at != places.ofLoops_.end())
      return at->second.second == 0 ? addVariable(*at->second.first, factor)
                                    : addCarried(*at->second.first, at->second.second - 1, factor);
    const auto at = places.scalars_.find(v);
    const Affine raw = agent.frame()[v];
    if (values().isFinite(v)) // Relevance::placeInTensor asks for it
      if (const Affine known = agent.scalars().resolve(raw); known.isConstant()) {
        place.constant += factor * known.constant;
        return true;
      }
    if (at != places.scalars_.end())
      if (const auto sum = addParts(*at->second, factor))
        return *sum;
    if (!places.isPure(v))
      return false;
    place.constant += factor * raw.constant;
    if (raw.isConstant())
      return true;
    place.terms[raw.term] += factor;
    place.values[v] += factor;
    return true;
  }

  /// Nothing: it is no sum.
  std::optional<bool> addParts(const Scalar &s, int64_t factor) {
    const auto constant = [&](size_t i) { return values().constant(s.operands[i]); };
    if (s.op == ScalarOp::add || s.op == ScalarOp::sub)
      return add(s.operands[0], factor) &&
             add(s.operands[1], s.op == ScalarOp::add ? factor : -factor);
    for (const size_t i : {size_t{0}, size_t{1}})
      if (s.op == ScalarOp::mul && constant(i))
        return add(s.operands[1 - i], factor * *constant(i));
    if (s.op == ScalarOp::shl && constant(1) && *constant(1) >= 0 && *constant(1) < 32)
      return add(s.operands[0], factor << *constant(1));
    return {};
  }

  /// Depth of a loop of an unknown length that the agent is in.
  std::optional<size_t> depthOf(const For &loop) const {
    const std::vector<LoopLevel> &levels = agent.scalars().levels();
    for (size_t d = 1; d < levels.size(); ++d)
      if (levels[d].loop == &loop)
        return d;
    return {};
  }

  /// How the paths of a loop count: from where it starts, by its variable, or its iterations.
  /// Nothing: normal forms do not tell which.
  enum class Counts { variable, iterations };
  std::optional<Counts> pathsOf(const For &loop) const {
    if (agent.frame()[loop.lower].isConstant())
      return Counts::variable;
    if (values().isToldAtStart(loop.lower))
      return {};
    return Counts::iterations;
  }

  void addStride(size_t depth, int64_t stride) {
    place.strides.resize(std::max(place.strides.size(), depth));
    place.strides[depth - 1] += stride;
  }

  /// Elements for each of the loop's steps so far, in a loop whose iteration forms have as it is.
  bool addIterations(const For &loop, int64_t step, int64_t factor) {
    const Affine lower = agent.frame()[loop.lower], now = agent.frame()[loop.iv];
    place.constant += factor * ((now.constant - lower.constant) / step);
    return lower.isConstant() && now.isConstant();
  }

  bool addVariable(const For &loop, int64_t factor) {
    const int64_t *step = values().constant(loop.step), *lower = values().constant(loop.lower);
    const std::optional<size_t> depth = depthOf(loop);
    const std::optional<Counts> counts = pathsOf(loop);
    if (!step || *step <= 0 || !counts)
      return false;
    if (!depth)
      return addIterations(loop, *step, factor * *step) && add(loop.lower, factor);
    if (*counts == Counts::iterations) {
      addStride(*depth, factor * *step);
      return add(loop.lower, factor);
    }
    addStride(*depth, factor);
    place.least += lower ? factor * *lower : -unlimited;
    return true;
  }

  /// A number that grows by the same in each iteration.
  bool addCarried(const For &loop, size_t i, int64_t factor) {
    const int64_t *step = values().constant(loop.step), *lower = values().constant(loop.lower);
    const std::optional<size_t> depth = depthOf(loop);
    const std::optional<Counts> counts = pathsOf(loop);
    const std::optional<int64_t> by = addedTo(loop, i);
    const bool starts = !values().counts(loop.inits[i]); // else its finite parts may be untold
    if (!step || *step <= 0 || !counts || !by || !starts || !add(loop.inits[i], factor))
      return false;
    if (!depth)
      return addIterations(loop, *step, factor * *by);
    if (*counts == Counts::iterations) {
      addStride(*depth, factor * *by);
      return true;
    }
    const int64_t stride = factor * *by / *step;
    if (!lower || stride * *step != factor * *by)
      return false;
    addStride(*depth, stride);
    place.constant -= stride * *lower;
    place.least += stride * *lower;
    return true;
  }

  std::optional<int64_t> addedTo(const For &loop, size_t i) const {
    const auto next = places.scalars_.find(loop.body.yields[i]);
    if (next == places.scalars_.end() || next->second->op != ScalarOp::add)
      return {};
    const std::vector<ValueId> &sides = next->second->operands;
    for (const size_t side : {size_t{0}, size_t{1}})
      if (const int64_t *by = values().constant(sides[1 - side]);
          by && sides[side] == loop.iterArgs[i])
        return *by;
    return {};
  }
};

int32_t TilePlaces::outside(int32_t path, size_t depth) const {
  while (terms_.path(path).depth > static_cast<int>(depth))
    path = terms_.path(path).parent;
  return path;
}

int32_t TilePlaces::number(TilePlace place) {
  while (!place.strides.empty() && place.strides.back() == 0)
    place.strides.pop_back();
  std::erase_if(place.terms, [](const auto &part) { return part.second == 0; });
  std::erase_if(place.values, [](const auto &part) { return part.second == 0; });
  const bool moves = std::ranges::any_of(
      place.terms, [this](const auto &part) { return terms_[part.first].hasIteration; });
  if (!moves) // no iteration matters of loops further in than those that move it
    place.path = outside(place.path, place.strides.size());
  const auto [at, isNew] = numbers_.try_emplace(place, static_cast<int32_t>(places_.size()));
  if (isNew) {
    places_.push_back(place);
    place.path = 0;
    place.constant = 0;
    place.terms.clear();
    shapes_.push_back(
        shapeNumbers_.try_emplace(place, static_cast<int32_t>(shapeNumbers_.size())).first->second);
  }
  return at->second;
}

int32_t TilePlaces::at(const ProofAgent &agent, const Index &i) {
  Sum sum{*this, agent};
  sum.place.path = agent.scalars().levels().back().path;
  sum.place.constant = i.constant;
  return i.isConstant() || sum.add(i.value, 1) ? number(std::move(sum.place)) : none;
}

int32_t TilePlaces::shifted(int32_t place, int64_t by) {
  if (place == none || by == 0)
    return place;
  TilePlace moved = places_[place];
  moved.constant += by;
  return number(std::move(moved));
}

int32_t TilePlaces::times(int32_t place, int64_t factor) {
  if (place == none)
    return none;
  TilePlace all = places_[place];
  for (int64_t &stride : all.strides)
    stride *= factor;
  for (auto &[term, elements] : all.terms)
    elements *= factor;
  for (auto &[value, elements] : all.values)
    elements *= factor;
  all.constant *= factor;
  all.least *= factor;
  return number(std::move(all));
}

std::optional<int64_t> TilePlaces::distance(int32_t from, int32_t to) const {
  if (from == none || to == none)
    return {};
  const TilePlace &a = places_[from], &b = places_[to];
  if (a.terms != b.terms || a.strides != b.strides)
    return {};
  int64_t far = b.constant - a.constant;
  for (size_t d = 1; d <= a.strides.size(); ++d) {
    const Path &x = terms_.path(outside(a.path, d)), &y = terms_.path(outside(b.path, d));
    if (a.strides[d - 1] == 0)
      continue;
    if (x.parent != y.parent || x.bound != y.bound || x.ordinal != y.ordinal)
      return {};
    far += a.strides[d - 1] * (y.iteration - x.iteration);
  }
  return far;
}

bool TilePlaces::goesUp(int32_t from, int32_t to) const {
  if (from == none || to == none)
    return false;
  const TilePlace &a = places_[from], &b = places_[to];
  const Path &at = terms_.path(b.path);
  if (a.terms != b.terms || !a.strides.empty() || at.depth > 1 || at.iteration < 0)
    return false;
  const int64_t stride = b.strides.empty() ? 0 : b.strides.front();
  // Normal forms tell the first iteration of an outermost loop from others.
  const int64_t least = std::max(stride * std::min(at.iteration, int64_t{1}), b.least);
  return stride >= 0 && b.constant + least > a.constant;
}

} // namespace sluice

#include "Verify/Scalars.h"

#include "Program/Watchers.h"
#include "Verify/Lifting.h"

#include <algorithm>

namespace sluice {

Affine ProofScalars::scalar(const Scalar &s, const std::vector<Affine> &frame,
                            const AgentPosition &at) {
  switch (s.op) {
  case ScalarOp::constant:
    return {-1, s.imm};
  case ScalarOp::dim: {
    const std::vector<int64_t> &fixed = program_->tensors[s.object].extents;
    if (launch_)
      return {-1, launch_->tensors[s.object].extents[s.imm]};
    if (static_cast<size_t>(s.imm) < fixed.size() && fixed[s.imm] >= 0)
      return {-1, fixed[s.imm]};
    return terms_->extent(s.object, s.imm);
  }
  case ScalarOp::argument:
    return launch_ ? Affine{-1, launch_->arguments[s.object]} : terms_->argument(s.object);
  case ScalarOp::warpInRole:
    return {-1, at.warpInRole()};
  case ScalarOp::subblock:
    return {-1, at.id().core == "aiv1"};
  case ScalarOp::clusterRank:
    return {-1, clusterRank(*program_, at.id())};
  case ScalarOp::load:
    return integer(s, frame);
  default:
    break;
  }
  Affine a[3];
  const size_t count = std::min<size_t>(s.operands.size(), 3);
  for (size_t i = 0; i < count; ++i)
    a[i] = frame[s.operands[i]];
  if (s.op == ScalarOp::cursorAdvance)
    a[0] = resolve(a[0]);
  const bool compares = isComparison(s.op) || isExtreme(s.op);
  return terms_->operation(s.op, a, static_cast<int>(count),
                           compares ? static_cast<int64_t>(terms_->values().comparison(s)) : s.imm);
}

/// No launch writes the tensor: one element is one unknown, whoever reads it.
Affine ProofScalars::integer(const Scalar &load, const std::vector<Affine> &frame) {
  std::vector<Affine> index;
  for (const ValueId v : load.operands)
    index.push_back(frame[v]);
  if (!launch_)
    return terms_->element(load.object, index);
  std::vector<int64_t> at;
  for (const Affine &i : index)
    at.push_back(i.constant);
  return {-1, integerAt(*launch_, load.object, at).value_or(1)};
}

Affine ProofScalars::coordinate(int dimension, const AgentPosition &at) {
  const int64_t here = at.id().cta[dimension];
  return launch_ ? Affine{-1, here} : terms_->coordinate(dimension, here);
}

// ---- What is decided -------------------------------------------------------------------------

/// A bit for each pipe with an operation in the loop; NVIDIA: all, since the roles have loops of
/// their own.
uint32_t ProofScalars::pipesIn(const For &f) const {
  const auto [at, isNew] = pipes_->try_emplace(&f, ~0u);
  if (!isNew || !isAscend(program_->target))
    return at->second;
  at->second = 0;
  walk(f.body, [&](const Stmt &s) {
    const bool control = s.op.index() <= 4; // scalars, loops, branches, roles
    if (!control)
      at->second |= pipesOf(s);
  });
  return at->second;
}

bool ProofScalars::skips(const For &f, const AgentPosition &at, const std::vector<Affine> &frame) {
  if (!isAscend(program_->target) || !f.results.empty() ||
      (pipesIn(f) >> static_cast<unsigned>(at.id().pipe) & 1))
    return false;
  query_.reset();
  const std::optional<TripCount> t = tripCount(f, frame);
  if (!t || t->trip.isConstant())
    return t.has_value();
  const Terms::Probe p = terms_->probe(t->trip.term, 0);
  passed(nextInstance(p.term, f), t->trip.term, f, true);
  return true;
}

/// Loops one after the other over one unknown have each their own trip count, unless no agent is in
/// both. Those that other roles alone have count too.
Instance ProofScalars::nextInstance(int32_t term, const For &f) const {
  const LoopLevel &here = levels_.back();
  const int missing = terms_->loops().missingBefore(f);
  for (const LoopsOver &l : here.entered)
    if (l.term == term) {
      const int32_t next = l.times + std::max(0, missing - l.missing);
      return {term, here.path, l.pipes & pipesIn(f) ? next : l.times - 1};
    }
  return {term, here.path, missing};
}

void ProofScalars::passed(const Instance &i, int32_t trip, const For &f, bool skipped) {
  std::vector<LoopsOver> &entered = levels_.back().entered;
  const int missing = terms_->loops().missingBefore(f);
  const auto at = std::find_if(entered.begin(), entered.end(),
                               [&](const LoopsOver &l) { return l.term == i.term; });
  if (at == entered.end()) {
    entered.push_back({i.term, i.ordinal + 1, trip, pipesIn(f), skipped, missing});
    return;
  }
  at->pipes = i.ordinal < at->times ? at->pipes | pipesIn(f) : pipesIn(f);
  at->times = i.ordinal + 1;
  at->trip = trip;
  at->skipped &= skipped;
  at->missing = missing;
}

Instance ProofScalars::instanceOf(int32_t term) const {
  if (apart_)
    return {term, levels_.back().path, Instance::apart};
  for (size_t i = levels_.size(); i-- > 0;)
    for (const LoopsOver &l : levels_[i].entered)
      if (l.term == term)
        return {term, levels_[i].path, l.times - 1};
  const Term &t = (*terms_)[term];
  const bool ofLaunch = t.isDifference() && !opaque_;
  return {term, ofLaunch ? 0 : t.ofData ? t.home : levels_.back().path, 0};
}

std::optional<bool> ProofScalars::exceeds(const Instance &i, int32_t trip,
                                          int64_t threshold) const {
  ++terms_->questions;
  const int64_t base = terms_->probe(trip, threshold).threshold;
  const Range r = facts_->range(*terms_, i);
  if (r.lo > base)
    return true;
  if (r.hi <= base && r.hi < Range::infinite)
    return false;
  if (const auto known = apart_ ? std::nullopt : fromResidue(i, trip, threshold))
    return known;
  if (const auto known = apart_ ? std::nullopt : fromRemainders(i, trip, threshold))
    return known;
  if (!query_)
    query_ = Query{i, base, trip, small_ && !apart_};
  return {};
}

int64_t ProofScalars::position(const LoopLevel &l) const {
  return terms_->probe(l.trip, l.threshold(l.iteration)).threshold;
}

/// Of what small questions have told, and are to tell, normal forms have all.
void ProofScalars::lookBack(const Terms::Probe &p) const {
  const auto tells = [&p](Range r) { return r.lo > p.threshold || r.hi <= p.threshold; };
  const auto small = facts_->small().find(p.term);
  const bool bySmall = small != facts_->small().end() && tells(small->second);
  if (small_ && (bySmall || !tells(facts_->range(*terms_, instanceOf(p.term)))))
    return;
  const int64_t here = levels_.size() > 1 ? position(levels_[1]) : Range::infinite;
  terms_->lookBack = std::max(terms_->lookBack, here - p.threshold);
}

std::optional<bool> ProofScalars::exceeds(int32_t term, int64_t threshold) const {
  const Terms::Probe p = terms_->probe(term, threshold);
  if ((*terms_)[p.term].moves() && !apart_)
    lookBack(p);
  if (const auto told = fromDividend((*terms_)[p.term], p.threshold))
    return told;
  return exceeds(instanceOf(p.term), term, threshold);
}

Range ProofScalars::known(int32_t term) const {
  const int32_t base = terms_->probe(term, 0).term;
  return terms_->derived(term, facts_->range(*terms_, instanceOf(base)));
}

/// What is beyond all numbers stays there (Terms::probe).
static int64_t minus(int64_t a, int64_t b) {
  int64_t difference = 0;
  if (__builtin_sub_overflow(a, b, &difference))
    difference = a < 0 ? -Range::infinite : Range::infinite;
  return std::clamp(difference, -Range::infinite, Range::infinite);
}

/// "a < b" as a question about an unknown, or about the difference of two.
std::optional<ProofScalars::Question> ProofScalars::question(Affine a, Affine b) const {
  if (a.isConstant() && b.isConstant())
    return {};
  if (b.isConstant()) // X + a < b
    return Question{a.term, minus(minus(b.constant, a.constant), 1), false};
  if (a.isConstant())
    return Question{b.term, minus(a.constant, b.constant), true};
  if (a.term == b.term)
    return {};
  // All comparisons of the two agree, and with loops from a coordinate to what an extent tells.
  const auto rank = [this](const Affine &of) {
    const Term::Kind kind = (*terms_)[of.term].kind;
    return kind == Term::extent ? 2 : kind == Term::coordinate ? 0 : 1;
  };
  const bool swapped = rank(a) == rank(b) ? b.term < a.term : rank(a) > rank(b);
  const Affine terms[2] = {{swapped ? a.term : b.term, 0}, {swapped ? b.term : a.term, 0}};
  const Affine difference = terms_->operation(ScalarOp::sub, terms, 2, 0);
  const int64_t threshold =
      minus(swapped ? minus(minus(b.constant, a.constant), 1) : minus(a.constant, b.constant),
            difference.constant);
  if ((*terms_)[difference.term].ofData)
    terms_->compared = std::max(terms_->compared, threshold);
  return Question{difference.term, threshold, !swapped};
}

std::optional<bool> ProofScalars::less(Affine a, Affine b) const {
  const std::optional<Question> q = question(a, b);
  if (!q)
    return a.constant < b.constant;
  const auto greater = exceeds(q->term, q->threshold);
  return greater ? std::optional(*greater == q->lessIfGreater) : greater;
}

std::optional<bool> ProofScalars::equal(Affine a, Affine b) const {
  if (a.isConstant())
    std::swap(a, b);
  if (b.isConstant()) {
    const int64_t value = minus(b.constant, a.constant);
    const auto atLeast = exceeds(a.term, minus(value, 1));
    if (!atLeast || !*atLeast)
      return atLeast;
    const auto above = exceeds(a.term, value);
    return above ? std::optional(!*above) : above;
  }
  const Affine operands[2] = {std::min(a, b), std::max(a, b)};
  const Affine same = terms_->operation(ScalarOp::eq, operands, 2, 0);
  return same.isConstant() ? std::optional(same.constant != 0) : exceeds(same.term, 0);
}

std::optional<bool> ProofScalars::compare(ScalarOp op, Affine a, Affine b) const {
  std::optional<bool> result;
  switch (op) {
  case ScalarOp::lt:
    return less(a, b);
  case ScalarOp::gt:
    return less(b, a);
  case ScalarOp::ge:
    result = less(a, b);
    break;
  case ScalarOp::le:
    result = less(b, a);
    break;
  case ScalarOp::eq:
    return equal(a, b);
  default: // ne
    result = equal(a, b);
  }
  return result ? std::optional(!*result) : result;
}

/// A remainder, or a step of a ring, by a trip count of which no more than its residue matters.
Affine ProofScalars::representative(const Term &t, const Affine *operands) const {
  const bool ring = t.op == ScalarOp::cursorAdvance && t.operandCount == 2;
  const bool remainder = t.op == ScalarOp::remS && operands[1].isConstant();
  const Affine &count = operands[ring ? 1 : 0];
  const Facts::Residue *residue =
      (ring || remainder) && !count.isConstant() ? facts_->residue(count.term) : nullptr;
  const int64_t period = ring ? 2 * t.immediate : operands[1].constant;
  if (!residue || period <= 0 || residue->modulus % period != 0)
    return {0, 0};
  if (lifting().firstRounds && remainder && known(count.term).lo + count.constant < 0)
    return {0, 0}; // a negative dividend leaves a negative remainder
  Affine chosen[2] = {operands[0], operands[1]};
  // Far enough up to be positive with the constant.
  const int64_t up = count.constant < 0 ? (-count.constant / period + 1) * period : 0;
  chosen[ring ? 1 : 0] = {-1, residue->value + count.constant + up};
  return terms_->operation(t.op, chosen, 2, t.immediate);
}

/// Whether it is what ends a loop that the agent is in or has been in, as it is written: of that
/// facts tell more than of what facts have made of it.
bool ProofScalars::endsLoops(int32_t term) const {
  return std::ranges::any_of(levels_, [term](const LoopLevel &l) {
    return std::ranges::any_of(l.entered, [term](const LoopsOver &o) { return o.trip == term; });
  });
}

Affine ProofScalars::resolve(Affine v) const {
  if (v.isConstant())
    return v;
  const Term &t = (*terms_)[v.term];
  if (t.value)
    return {-1, *t.value + v.constant};
  Affine found{v.term, 0};
  if (t.kind == Term::iteration) {
    // Of a start or a step that facts alone tell nothing is told: a normal form that was written
    // before they did has the iterations alike.
  } else if (const Range r = known(v.term); r.exact()) {
    found = {-1, r.lo};
  } else if (terms_->isWhole(t)) {
    // Neither side of it.
  } else if (lifting().apart && (t.counts || t.ofUnknowns) && !inStep(t)) {
    const bool extreme = isExtreme(t.op);
    if (const auto known = compareApart(extreme ? ScalarOp::lt : t.op, t); known && extreme)
      found = resolve(t.operands[*known == (t.op == ScalarOp::minS) ? 0 : 1]);
    else if (known)
      found = {-1, *known};
  } else if (t.kind == Term::operation && t.op != ScalarOp::load) {
    Affine operands[3];
    for (int i = 0; i < t.operandCount; ++i)
      operands[i] = resolve(t.operands[i]);
    found = terms_->operation(t.op, operands, t.operandCount, t.immediate);
    if (!found.isConstant())
      if (const Affine alike = representative(t, operands); alike.isConstant())
        found = alike;
    if (!found.isConstant() && isComparison(t.op)) {
      if (const auto known = compare(t.op, operands[0], operands[1]))
        found = {-1, *known};
    } else if (!found.isConstant() && isExtreme(t.op)) {
      if (const auto known = less(operands[0], operands[1]))
        found = operands[*known == (t.op == ScalarOp::minS) ? 0 : 1];
    } else if (!found.isConstant() && found.term != v.term) {
      found = endsLoops(v.term) ? Affine{v.term, 0} : resolve(found);
    }
  }
  found.constant += v.constant;
  return found;
}

std::optional<bool> ProofScalars::holds(Affine value) {
  query_.reset();
  small_ = value.isConstant() || !(*terms_)[value.term].hasIteration ||
           levels_.back().iteration <= facts_->head();
  const Affine r = resolve(value);
  if (r.isConstant())
    return r.constant != 0;
  if (query_)
    return {};
  const auto zero = equal(r, {-1, 0});
  return zero ? std::optional(!*zero) : zero;
}

// ---- Loops -----------------------------------------------------------------------------------

static bool isChoice(const Term &t) {
  return t.kind == Term::operation && (isExtreme(t.op) || t.op == ScalarOp::select);
}

/// Of a minimum or maximum. A choice in it is decided first: answers about the choice and answers
/// about what it chooses from need not fit together.
std::optional<Affine> ProofScalars::side(Affine value) {
  if (!value.isConstant() && isChoice((*terms_)[value.term]))
    return bound(value);
  const Affine r = resolve(value);
  return r.isConstant() ? r : value;
}

/// A loop's bound: minima and choices are decided first, what remains is counted up to.
std::optional<Affine> ProofScalars::bound(Affine value) {
  if (value.isConstant())
    return value;
  const Term &t = (*terms_)[value.term];
  const bool finite = t.range.lo > -Range::infinite && t.range.hi < Range::infinite;
  const bool choice = isChoice(t);
  const unsigned untold = choice ? CountedValues::handedOn : ~0u; // normal forms have it as a term
  if ((!finite && !choice) || (t.hasIteration && (openEnds_ & untold)) || terms_->isWhole(t))
    return value;
  if (!choice) {
    const Affine r = resolve(value);
    return r.isConstant() || !query_ ? std::optional(r) : std::nullopt;
  }
  std::optional<bool> first;
  const bool selects = t.op == ScalarOp::select;
  if (selects)
    first = holds(t.operands[0]);
  else if (lifting().apart && (t.counts || t.ofUnknowns) && !inStep(t))
    first = compareApart(t.op == ScalarOp::minS ? ScalarOp::lt : ScalarOp::gt, t);
  else if (const auto a = side(t.operands[0]), b = a ? side(t.operands[1]) : a; !b)
    return {};
  else if (a->isConstant() && b->isConstant())
    first = (a->constant < b->constant) == (t.op == ScalarOp::minS);
  else if (const auto below = less(*a, *b))
    first = *below == (t.op == ScalarOp::minS);
  if (!first)
    return {};
  std::optional<Affine> chosen = bound(t.operands[selects ? (*first ? 1 : 2) : (*first ? 0 : 1)]);
  if (chosen)
    chosen->constant += value.constant;
  return chosen;
}

/// Where a loop starts, or its step. It stays a term unless normal forms have its value: what facts
/// tell of an unknown they have up to what is asked of it, what loops around count up to the number
/// of the iteration.
Affine ProofScalars::start(ValueId v, const std::vector<Affine> &frame) const {
  return terms_->values().isToldAtStart(v) ? resolve(frame[v]) : frame[v];
}

std::optional<ProofScalars::TripCount> ProofScalars::tripCount(const For &f,
                                                               const std::vector<Affine> &frame) {
  openEnds_ = terms_->values().openEnds(f.upper);
  const std::optional<Affine> upper = bound(frame[f.upper]);
  if (!upper)
    return {};
  const Affine lower = start(f.lower, frame), step = start(f.step, frame);
  if (lower.isConstant() && step.isConstant()) {
    if (step.constant <= 0)
      return TripCount{{-1, 0}, 0, 1};
    return TripCount{*upper, lower.constant, step.constant};
  }
  const Affine span[2] = {*upper, frame[f.lower]};
  const Affine distance[2] = {terms_->operation(ScalarOp::sub, span, 2, 0), frame[f.step]};
  return TripCount{terms_->operation(ScalarOp::ceilDiv, distance, 2, 0), 0, 1};
}

std::optional<bool> ProofScalars::iterates(const For &f, int64_t iteration,
                                           const std::vector<Affine> &frame) {
  query_.reset();
  if (f.isWhile() && iteration > 0)
    return holds(frame[f.condition]);
  if (f.isWhile()) {
    LoopLevel level;
    level.loop = &f;
    level.trip = terms_->rounds().term;
    level.instance = nextInstance(level.trip, f);
    entering_ = std::move(level);
    return true;
  }
  small_ = iteration <= facts_->head();
  if (levels_.back().loop == &f && iteration > 0) {
    const LoopLevel &l = levels_.back();
    return exceeds(l.instance, l.trip, l.threshold(iteration));
  }
  const std::optional<TripCount> t = tripCount(f, frame);
  entering_.reset();
  if (!t)
    return {};
  if (t->trip.isConstant()) {
    meet(f, -1, -1);
    return t->trip.constant > t->first + iteration * t->step;
  }
  LoopLevel level;
  level.loop = &f;
  level.trip = t->trip.term;
  level.first = t->first - t->trip.constant;
  level.shift = t->trip.constant;
  level.step = t->step;
  const Terms::Probe p = terms_->probe(level.trip, level.first);
  level.instance = nextInstance(p.term, f);
  terms_->comeTo.insert({&f, terms_->classOf(p.term, level.instance.ordinal, level.instance.path)});
  const std::optional<bool> runs = exceeds(level.instance, level.trip, level.first);
  if (runs)
    entering_ = std::move(level);
  return runs;
}

/// A start that facts tell is a number for who comes after them, and a term for who came before.
void ProofScalars::meet(const For &f, int32_t trip, int32_t ordinal) const {
  const bool plain = terms_->values().constant(f.lower) && terms_->values().constant(f.step);
  if (trip >= 0 || !plain)
    terms_->met[&f].insert({plain ? 0 : trip, ordinal});
}

int32_t ProofScalars::pathOf(const LoopLevel &l, int32_t outside, int64_t iteration) const {
  return terms_->path(outside, l.trip, l.instance.ordinal, l.threshold(iteration) + l.shift);
}

void ProofScalars::entered(const For &f) {
  if (!entering_)
    return;
  LoopLevel level = std::move(*entering_);
  entering_.reset();
  passed(level.instance, level.trip, f, false);
  meet(f, level.trip, level.instance.ordinal);
  level.path = pathOf(level, levels_.back().path, 0);
  levels_.push_back(std::move(level));
}

void ProofScalars::advanced(const For &f, int64_t iteration) {
  LoopLevel &l = levels_.back();
  if (l.loop != &f)
    return;
  l.iteration = iteration;
  l.path = pathOf(l, levels_[levels_.size() - 2].path, iteration);
  l.entered.clear();
}

void ProofScalars::left(const For &f) {
  if (levels_.back().loop == &f)
    levels_.pop_back();
}

Affine ProofScalars::inductionValue(const For &f, int64_t iteration,
                                    const std::vector<Affine> &frame) {
  const Affine lower = frame[f.lower], step = frame[f.step];
  if (levels_.back().loop == &f)
    return terms_->iteration(f, levels_.back().path, levels_.back().trip, iteration, lower, step);
  return {lower.term, lower.constant + iteration * start(f.step, frame).constant};
}

int64_t ProofAgent::value(const Index &i) const {
  const Affine a = affine(i);
  if (!a.isConstant() && !unresolved_)
    unresolved_ = a;
  return a.isConstant() ? a.constant : 0;
}

} // namespace sluice

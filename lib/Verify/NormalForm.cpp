#include "Verify/NormalForm.h"

#include <algorithm>

namespace sluice {

std::string NormalForm::write() {
  out_.reserve(1 << 14);
  for (const Actor &a : run_.actors_)
    if (!a.done)
      running_.push_back(&a);
  run_.parts_.launches.forgetGiven(); // as facts tell that are forgotten next
  forgetFacts();
  trimGroups();
  forgetBoxes();
  forgetPlaces();
  turnRings();
  for (const int64_t turn : turns_)
    put(turn >= 0);
  collectClocks();
  for (const Actor &a : run_.actors_)
    actor(a);
  facts();
  barriers();
  hardwareBarriers();
  flags();
  mutexes();
  units();
  memory();
  tensorMemory();
  tensors();
  counters();
  launches();
  debts();
  distances();
  products();
  return std::string(out_); // no longer than it is: it is kept
}

// ---- Primitives ------------------------------------------------------------------------------

void NormalForm::put(int64_t v) {
  if (v >= 0 && v < 250) { // most are small
    out_.push_back(static_cast<char>(v));
    return;
  }
  out_.push_back(static_cast<char>(250));
  out_.append(reinterpret_cast<const char *>(&v), sizeof v);
}

const uint32_t *NormalForm::Knowers::column(int32_t component) {
  if (static_cast<size_t>(component) >= starts.size())
    starts.resize(component + 1, -1);
  int32_t &start = starts[component];
  if (start < 0) {
    start = static_cast<int32_t>(columns.size());
    columns.resize(columns.size() + height());
    std::transform(clocks.begin(), clocks.end(), columns.begin() + start,
                   [&](const Known &k) { return k.of(component); });
  }
  return columns.data() + start;
}

/// Who of them knows an event, eight to a byte.
void NormalForm::bits(Stamp s, Knowers &clocks) {
  const uint32_t *column = clocks.column(s.component);
  for (size_t first = 0; first < clocks.height(); first += 8) {
    unsigned eight = 0;
    for (size_t i = 0; i < 8; ++i)
      eight |= static_cast<unsigned>(column[first + i] >= s.count) << i;
    out_.push_back(static_cast<char>(eight));
  }
}

void NormalForm::bits(const Access &a, Knowers &clocks) {
  bits(a.stamp, clocks);
  if (a.electedEnd.component >= 0)
    bits(a.electedEnd, clocks);
}

void NormalForm::stamp(Stamp s) {
  put(nameOf(s.component) + 1);
  bits(s, known_);
}

bool NormalForm::knownToAll(Stamp s) const {
  return std::all_of(running_.begin(), running_.end(), [&](const Actor *a) {
    return a->lanes.order.knows(s) && a->elected.order.knows(s);
  });
}

bool NormalForm::fencedByAll(const Access &access, Place where) const {
  const auto covers = [&](const Knowledge &k, Stamp s) {
    return where == Place::asyncTensor ? k.sight.global.knows(s) : k.proxy.knows(s);
  };
  return std::all_of(running_.begin(), running_.end(), [&](const Actor *a) {
    return access.all([&](Stamp s) { return covers(a->lanes, s) && covers(a->elected, s); });
  });
}

bool NormalForm::behindFencesOfAll(const Access &access) const {
  return std::all_of(running_.begin(), running_.end(), [&](const Actor *a) {
    return access.all(
        [&](Stamp s) { return a->lanes.after.knows(s) && a->elected.after.knows(s); });
  });
}

bool NormalForm::seenByAll(const Access &write, Place place) const {
  if (place == Place::tensorMemory && !behindFencesOfAll(write))
    return false;
  const bool fences = !write.async && place != Place::other;
  const auto seesEnd = [&](const Knowledge &k, Stamp s) {
    if (!k.order.knows(s) || !k.sight.memory.knows(s))
      return false;
    if (!fences)
      return true;
    return place == Place::shared ? k.proxy.knows(s) && k.sight.shared.knows(s)
                                  : k.sight.global.knows(s);
  };
  const auto sees = [&](const Knowledge &k) {
    return write.all([&](Stamp s) { return seesEnd(k, s); });
  };
  return std::all_of(running_.begin(), running_.end(),
                     [&](const Actor *a) { return sees(a->lanes) && sees(a->elected); });
}

/// A clock that knows nothing is told by one byte here, instead of by a bit of every event.
void NormalForm::add(Knowers &to, const Clock &clock) {
  put(clock.empty());
  if (!clock.empty())
    to.clocks.push_back({&clock, {}});
}

void NormalForm::add(const Sight &s) {
  add(memories_, s.memory);
  add(shared_, s.shared);
  add(global_, s.global);
  if (run_.program_.target == Target::sm_100a)
    add(columns_, s.columns);
}

void NormalForm::add(const Knowledge &k) {
  add(known_, k.order);
  add(proxies_, k.proxy);
  if (run_.program_.target == Target::sm_100a)
    add(afters_, k.after);
  add(k.sight);
}

/// The end of asynchronous operations that somebody may come to know.
void NormalForm::addEnd(Stamp upTo) {
  known_.clocks.push_back({nullptr, upTo});
  memories_.clocks.push_back({nullptr, upTo});
}

void NormalForm::collectClocks() {
  const auto groups = [&](const Queue &q) {
    put(static_cast<int64_t>(q.groups.size()));
    for (const uint32_t upTo : q.groups)
      addEnd({q.component, upTo});
  };
  for (const Actor *a : running_) {
    add(a->lanes);
    add(a->elected);
    add(ended_, a->shownEnds);
    groups(a->wgmmas);
    groups(a->bulkReads);
    for (const uint32_t upTo : a->bulkReads.groups)
      addEnd({a->bulkWrites, upTo});
    groups(a->copies);
    groups(a->electedCopies);
  }
  eachBarrier([&](const TrackedMbarrier &b, bool) {
    add(b.joined());
    add(known_, b.joinedArrivals());
    add(b.completed());
    add(b.joinedCluster());
    add(b.completedCluster());
  });
  for (const auto &[key, b] : run_.parts_.meetings.named_)
    add(b.joined);
  for (const auto &[key, b] : run_.parts_.meetings.pipes_)
    add(b.joined);
  add(run_.parts_.meetings.cluster_.joined.knowledge);
  add(ended_, run_.parts_.meetings.cluster_.joined.ends);
  for (const auto &[phase, m] : run_.parts_.meetings.cluster_.completed) {
    add(m.knowledge);
    add(ended_, m.ends);
  }
  for (const auto &[key, f] : run_.parts_.flags.flags_)
    if (f.state.passes())
      add(f.carried);
  for (const auto &[key, f] : run_.parts_.flags.crossFlags_)
    for (const Knowledge &k : f.carried)
      add(k);
  const auto &meeting = run_.parts_.flags.meeting_;
  for (const auto &[core, known] : meeting.sets)
    if (meeting.waited.size() < meeting.sets.size())
      add(known);
  for (const auto &[key, m] : run_.parts_.mutexes.mutexes_)
    add(m.carried);
  for (const auto &[key, tile] : run_.parts_.units.tiles_)
    add(tile.carried);
}

void NormalForm::events(const std::vector<BarrierEvent> &list) {
  kept_.clear();
  for (const BarrierEvent &e : list)
    if (!knownToAll(e.stamp))
      kept_.push_back(e);
  writeKept();
}

void NormalForm::everyEvent(const std::vector<BarrierEvent> &list) {
  kept_ = list;
  writeKept();
}

void NormalForm::writeKept() {
  std::sort(kept_.begin(), kept_.end(), [this](auto &x, auto &y) {
    return nameOf(x.stamp.component) < nameOf(y.stamp.component);
  });
  put(static_cast<int64_t>(kept_.size()));
  for (const BarrierEvent &e : kept_)
    stamp(e.stamp);
}

// ---- Agents ----------------------------------------------------------------------------------

void NormalForm::actor(const Actor &a) {
  put(a.done);
  if (a.done)
    return;
  put(a.agent.undecided() | a.arrived << 1 | a.released << 2 | a.wgmmaFenced << 3 |
      (a.wgmmaFence < a.steps) << 4 | a.previousEnded << 5 | a.hasAddress << 6);
  put(a.clusterPhase < 0 ? 0 : 1 + run_.parts_.meetings.cluster_.phase - a.clusterPhase);
  size_t depth = 1; // in loops over unknowns
  const std::vector<LoopLevel> &around = a.agent.scalars().levels();
  for (const auto &f : a.agent.stack()) {
    place(f.block);
    put(static_cast<int64_t>(f.next));
    auto *loop = f.owner ? std::get_if<For>(&f.owner->op) : nullptr;
    if (loop && depth < around.size() && around[depth].loop == loop)
      ++depth;
    else if (loop)
      put(f.iteration);
    eachLive(a, f, [&](ValueId v) { value(a, v); });
  }
  levels(a);
}

void NormalForm::value(const Actor &a, ValueId v) {
  if (const int ring = rings_.of(v); isTurned(ring))
    return put(fromTurn(ring, *positionOf(a, rings_.cursor(v))));
  const Need &need = needs_.need(v);
  const Affine raw = a.agent.frame()[v];
  if (needs_.isToken(v) && token(a, a.agent.scalars().resolve(raw)))
    return;
  if (need.bound || need.order)
    reference(a, raw, need);
  else if (need.drawn && !raw.isConstant() && run_.context_.terms[raw.term].hasDrawn)
    term(raw);
  if (!need.value())
    return;
  const Affine known = a.agent.scalars().resolve(raw);
  const int64_t c = known.constant;
  if (!known.isConstant()) {
    term(raw);
    return rounds(raw.term, need);
  }
  matters(c, need);
}

/// Of a token the barrier, counted as its ring is turned, and how many phases of it have completed
/// since the one before that asked for: with two a wait finds another phase, however many more.
bool NormalForm::token(const Actor &a, Affine known) {
  if (!known.isConstant())
    return false;
  const auto of = RunBarriers::Token::of(known.constant);
  put(of.has_value());
  if (!of)
    return true;
  const int ring = rings_.ofBarrier(of->object, of->slot);
  const bool turned = isTurned(ring) && rings_.slots(ring) > 1;
  const auto &arrays =
      run_.parts_.barriers.mbarriers_[a.cta * run_.program_.mbarriers.size() + of->object];
  put(of->object);
  put(turned ? fromTurn(ring, of->slot) % rings_.slots(ring) : of->slot);
  put(std::min<int64_t>(arrays[of->slot].state.phase() - of->phase, 2));
  return true;
}

/// Of a number, up to what it is needed.
void NormalForm::matters(int64_t c, const Need &need) {
  if (need.exact)
    return number(c);
  if (need.slot)
    put(arithmetic(ScalarOp::cursorSlot, &c, 1, 0));
  put((c % need.modulus + need.modulus) % need.modulus);
  put(need.head >= 0 ? std::min(c, need.head + 1) : 0);
}

/// A number exactly, by its distance from the loop variable around it, or both.
void NormalForm::reference(const Actor &a, Affine raw, const Need &need) {
  if (!raw.isConstant())
    return term(raw);
  const LoopLevel &inner = a.agent.scalars().levels().back();
  if (need.bound || !inner.loop)
    number(raw.constant);
  if (need.order && inner.loop)
    number(raw.constant - inner.threshold(inner.iteration));
}

void NormalForm::term(Affine raw) {
  put(-2);
  shape(raw.term);
  put(raw.constant);
}

/// What the numbers of iterations in a term tell of its value, should the rest be known later: the
/// term tells them by their distance from an agent alone. A variable whose start or step no number
/// tells stays a term (ProofScalars::resolve); of comparisons and elements facts tell.
void NormalForm::rounds(int32_t number, const Need &need) {
  const Term &t = run_.context_.terms[number];
  if (!t.hasIteration)
    return;
  if (t.value)
    return matters(*t.value, need);
  if (t.kind != Term::operation || isComparison(t.op) || t.op == ScalarOp::load)
    return;
  const bool keeps = t.op == ScalarOp::add || t.op == ScalarOp::sub || t.op == ScalarOp::mul ||
                     t.op == ScalarOp::select || isExtreme(t.op);
  const bool ofRemainders = !need.exact && !need.slot && need.head < 0;
  for (int i = 0; i < t.operandCount; ++i)
    if (!t.operands[i].isConstant())
      rounds(t.operands[i].term, keeps && ofRemainders ? need : Need::exactly());
}

/// A term up to the numbers of iterations, which are counted from the last agent in their loop.
void NormalForm::shape(int32_t number) {
  const Term &t = run_.context_.terms[number];
  if (!t.hasIteration)
    return put(number);
  put(-3);
  put(static_cast<int64_t>(t.op));
  if (t.kind == Term::drawn) { // up to their names
    put(-14);
    return put(drawn_.try_emplace(number, static_cast<int64_t>(drawn_.size())).first->second);
  }
  if (t.kind == Term::iteration) // of which loop, its path tells
    path(t.object);
  else
    put(t.op == ScalarOp::load ? t.object : t.immediate);
  for (int i = 0; i < (t.kind == Term::iteration ? 2 : t.operandCount); ++i)
    operand(t.operands[i]);
}

void NormalForm::operand(Affine a) {
  put(a.isConstant());
  put(a.constant);
  if (!a.isConstant())
    shape(a.term);
}

void NormalForm::levels(const Actor &a) {
  const Terms &terms = run_.context_.terms;
  for (const LoopLevel &l : a.agent.scalars().levels()) {
    put(static_cast<int64_t>(l.entered.size()));
    for (const LoopsOver &o : l.entered) {
      shape(o.term);
      put(o.times * 2 + o.skipped);
    }
    if (!l.loop)
      continue;
    bool inside = false;
    const Terms::Probe p = terms.probe(l.trip, l.threshold(l.iteration));
    put(p.threshold - lowest(l.instance, inside));
    put(p.remainder);
    // Iterations that are there in any case: a bound may say so, or a loop over it before.
    const Range known = run_.facts_.range(terms, l.instance);
    bounds({std::max(known.lo, p.threshold), known.hi}, p.threshold);
    path(l.path);
  }
}

// ---- Trip counts -----------------------------------------------------------------------------

/// Where the last of the agents in the loops over an instance is.
int64_t NormalForm::lowest(const Instance &i, bool &inside) const {
  int64_t least = 0;
  inside = false;
  for (const Actor *a : running_)
    for (const LoopLevel &l : a->agent.scalars().levels())
      if (l.loop && l.instance == i) {
        const int64_t at = run_.context_.terms.probe(l.trip, l.threshold(l.iteration)).threshold;
        least = inside ? std::min(least, at) : at;
        inside = true;
      }
  return least;
}

/// A path, with iterations counted from the last of the agents in that loop.
void NormalForm::path(int32_t number) {
  const Terms &terms = run_.context_.terms;
  put(terms.path(number).depth);
  for (; number != 0; number = terms.path(number).parent) {
    const Path &p = terms.path(number);
    shape(p.bound);
    put(p.ordinal);
    put(p.iteration - last(p));
  }
}

/// Where the last of the agents in the loop of a path is; 0: nobody is in it.
int64_t NormalForm::last(const Path &of) {
  const Terms &terms = run_.context_.terms;
  const auto [known, isNew] = last_.try_emplace({of.parent, of.bound, of.ordinal}, 0);
  if (!isNew)
    return known->second;
  int64_t least = INT64_MAX;
  for (const Actor *a : running_)
    for (const LoopLevel &l : a->agent.scalars().levels())
      if (l.loop && terms.path(l.path).parent == of.parent && l.trip == of.bound &&
          l.instance.ordinal == of.ordinal)
        least = std::min(least, l.threshold(l.iteration) + l.shift);
  return known->second = least == INT64_MAX ? 0 : least;
}

/// Where the last of the agents in the outermost loop is: comparisons in the loop move with it.
int64_t NormalForm::front(bool &inside) const {
  for (const Actor *a : running_)
    if (const auto &levels = a->agent.scalars().levels(); levels.size() > 1)
      return lowest(levels[1].instance, inside);
  return 0;
}

void NormalForm::facts() {
  const Terms &terms = run_.context_.terms;
  for (const auto &[term, range] : run_.facts_.small()) {
    put(term);
    put(range.lo);
    put(range.hi);
  }
  put(-5);
  for (const auto &[trip, residue] : run_.facts_.residues()) {
    put(trip);
    put(residue.value);
    put(residue.modulus);
  }
  put(-5);
  const bool together = allGoTogether();
  for (const auto &[i, own] : run_.facts_.instances()) {
    const Range range =
        terms[i.term].moves() ? run_.facts_.beyondSmall(i) : run_.facts_.range(terms, i);
    shape(i.term);
    path(i.path);
    put(i.ordinal);
    const bool yesOrNo = isComparison(terms[i.term].op);
    if (i.ordinal == Instance::apart && (yesOrNo || terms[i.term].hasIteration)) {
      bounds(range, 0); // it does not move with the path
      continue;
    }
    if (i.ordinal < 0) {
      bounds(range, terms.path(i.path).iteration);
      continue;
    }
    bool inside = false;
    int64_t base = lowest(i, inside);
    if (!inside && terms[i.term].moves())
      base = front(inside);
    if (together && inside && terms[i.term].moves() && range.hi < base - terms.lookBack) {
      outOfSight(run_.facts_.range(terms, i));
      continue;
    }
    Need need = needs_.trip(terms, terms[i.term]);
    if (terms[i.term].isDifference() && terms[i.term].ofData)
      need.join(Need::upTo(terms.compared));
    const int64_t known = inside ? base : std::max(range.lo, int64_t{-1});
    // Who comes to that loop makes as many rounds as are known here.
    const bool exact = need.exact || std::ranges::any_of(running_, [&](const Actor *a) {
                         return !isInside(*a, i) && comesLater(*a, i);
                       });
    put(exact ? known : std::min(known, need.head + 1));
    put((known % need.modulus + need.modulus) % need.modulus);
    bounds(range, known);
  }
}

/// A difference that every later comparison with a loop is beyond: what is left is what its value
/// tells, and of its remainder what ProofScalars::fromDividend tells.
void NormalForm::outOfSight(Range range) {
  const Need &need = needs_.difference();
  put(-12);
  if (need.exact || need.slot)
    return bounds(range, 0);
  if (!need.value())
    return;
  const bool open = range.lo <= -Range::infinite;
  put(open ? -1 : std::min(range.hi - range.lo, ProofScalars::mostDividends + 1));
  matters(range.hi, need);
  if (!open)
    matters(range.lo, need);
}

void NormalForm::bounds(Range range, int64_t from) {
  put(range.lo <= -Range::infinite ? INT64_MIN : range.lo - from);
  put(range.hi >= Range::infinite ? INT64_MIN : range.hi - from);
}

} // namespace sluice

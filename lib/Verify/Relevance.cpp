#include "Verify/Relevance.h"

#include "Program/Agent.h"
#include "Program/Blocks.h"
#include "Program/OperationFacts.h"
#include "Program/Sharing.h"
#include "Program/Uses.h"
#include "Verify/AccessSites.h"
#include "Verify/Signs.h"
#include "Verify/TilePlaces.h"

#include <algorithm>

namespace sluice {
namespace {

constexpr int mostRounds = 64; // beyond, a head that still grows does so with a loop

const Need exactly = Need::exactly();

} // namespace

Relevance::Relevance(const Program &program)
    : program_(program), tokens_(program), values_(program), neverNegative_(neverNegative(program)),
      operands_(values_, neverNegative_), needs_(program.values), numbers_(program.buffers.size()),
      comesFrom_(program.values), written_(writtenTensors(program)),
      multiplied_(multipliedBuffers(program)) {
  collect(program.body);
  findLaunchValues();
  walk(program.body, [&](const Stmt &s) { uses(s); });
  for (const Scalar *s : scalars_)
    if (std::set<ValueId> seen; isComparison(s->op))
      for (const size_t side : {size_t{0}, size_t{1}}) {
        chosen(s->operands[side], seen);
        if (const int64_t *number = values_.constant(s->operands[1 - side]);
            number && values_.comparison(*s) == Comparison::open)
          compared(s->operands[side], *number);
      }
  while (propagate())
    ++rounds_;
  findHead();
  derive();
  define();
  findLastReads(program.body, {});
}

const std::vector<Relevance::Defined> &Relevance::definedIn(const Block &block) const {
  static const std::vector<Defined> none;
  const auto at = defined_.find(&block);
  return at == defined_.end() ? none : at->second;
}

void Relevance::collect(const Block &block) {
  for (const Stmt &s : block.stmts) {
    if (auto *scalar = std::get_if<Scalar>(&s.op)) {
      scalars_.push_back(scalar);
    } else if (std::holds_alternative<For>(s.op) || std::holds_alternative<If>(s.op)) {
      control_.push_back(&s);
    } else if (std::holds_alternative<ScalarRead>(s.op) ||
               std::holds_alternative<ScalarWrite>(s.op)) {
      handedOn_.push_back(&s);
    } else if (const OperationFacts facts = factsOf(s.op); facts.group.kind == GroupDeed::waits) {
      int64_t &most = mostPending[facts.group.queue];
      most = std::max(most, facts.group.pending);
    } else if (facts.flag.kind == FlagDeed::set && facts.flag.cross) {
      crossSetters |= 1u << static_cast<unsigned>(executingPipe(s));
    } else {
      draws_ |= facts.number != kNone || std::holds_alternative<ClcTryCancel>(s.op);
    }
    forBlocks(s, [this](const Block &inner) { collect(inner); });
  }
}

void Relevance::needs(ValueId v, const Need &need) {
  if (v != kNone)
    needs_[v].join(need);
}

/// A loop asks about its bound, and of what has limits on both sides it takes the value. What a
/// bound is chosen by is asked too, of facts that other loops have told (ProofScalars::bound).
void Relevance::end(ValueId bound) {
  const auto at = std::find_if(scalars_.begin(), scalars_.end(),
                               [&](const Scalar *s) { return s->result == bound; });
  if (at == scalars_.end())
    return;
  const Scalar &s = **at;
  const bool selects = s.op == ScalarOp::select;
  if (selects)
    needs(s.operands[0], exactly);
  else if (isExtreme(s.op))
    for (const size_t i : {size_t{0}, size_t{1}})
      if (const int64_t *limit = values_.constant(s.operands[1 - i]))
        needs(s.operands[i], Need::upTo(std::max<int64_t>(*limit, 0) + 1));
  if (isExtreme(s.op) || selects)
    for (size_t i = selects; i < s.operands.size(); ++i)
      end(s.operands[i]);
  else if (values_.isFinite(bound))
    needs(bound, exactly);
}

/// What an operand of a comparison is chosen by, wherever in it: facts that other loops have told
/// decide that, and the comparison with it.
void Relevance::chosen(ValueId operand, std::set<ValueId> &seen) {
  const auto at = std::find_if(scalars_.begin(), scalars_.end(),
                               [&](const Scalar *s) { return s->result == operand; });
  if (at == scalars_.end() || !seen.insert(operand).second)
    return;
  const Scalar &s = **at;
  if (s.op == ScalarOp::select)
    needs(s.operands[0], exactly);
  else if (isExtreme(s.op))
    for (const size_t i : {size_t{0}, size_t{1}})
      if (const int64_t *limit = values_.constant(s.operands[1 - i]))
        needs(s.operands[i], Need::upTo(std::max<int64_t>(*limit, 0) + 1));
  for (const ValueId part : s.operands)
    chosen(part, seen);
}

void Relevance::needs(const Index &i, const Need &need) {
  needs(i.value, need);
}

void Relevance::placeInTensor(const View &v) {
  for (const Index &i : v.offset)
    if (!i.isConstant())
      placeInTensor(i.value);
}

/// Of a sum the finite parts, whose distance from the loop's variable changes
/// (Sources::keepDistance); of what products multiply those of multiples too (TilePlaces).
void Relevance::placeInTensor(ValueId v) {
  if (values_.isFinite(v))
    return needs(v, exactly);
  const auto at = std::find_if(scalars_.begin(), scalars_.end(),
                               [&](const Scalar *s) { return s->result == v; });
  if (at == scalars_.end())
    return;
  const Scalar &s = **at;
  const bool multiple = (s.op == ScalarOp::mul || s.op == ScalarOp::shl) &&
                        std::ranges::any_of(s.operands, [this](ValueId of) {
                          return values_.constant(of) != nullptr;
                        });
  if (multiple || s.op == ScalarOp::add || s.op == ScalarOp::sub)
    for (const ValueId part : s.operands)
      placeInTensor(part);
}

void Relevance::view(const View &v) {
  needs(v.slot, exactly);
  for (const Index &i : v.offset)
    if (v.kind == View::buffer)
      needs(i, exactly);
  if (v.kind != View::tensor || !written_[v.object])
    return;
  placeInTensor(v);
  for (const Index &i : v.offset)
    if (draws_)
      needs(i, Need::ofDrawn());
}

/// What a product multiplies must belong together (R28), by the places where it was loaded.
void Relevance::loaded(const View &from, const View &to) {
  if (from.kind == View::tensor && to.kind == View::buffer && multiplied_[to.object])
    placeInTensor(from);
}

void Relevance::barrier(const MbarrierRef &ref) {
  needs(ref.slot, exactly);
  if (ref.remote)
    needs(*ref.remote, exactly);
}

/// What an operation looks at. The scalars of raw text change nothing that it declares.
void Relevance::uses(const Stmt &s) {
  for (const View *v : viewsOf(s.op))
    view(*v);
  if (const MbarrierRef *ref = mbarrierOf(s.op))
    barrier(*ref);
  if (const Index *bytes = barrierDeed(s.op).announces)
    needs(*bytes, exactly);
  for (const Index *id : {flagDeed(s.op).id, meetingDeed(s.op).id})
    if (id)
      needs(*id, exactly);
  if (auto *branch = std::get_if<If>(&s.op)) {
    needs(branch->condition, exactly);
  } else if (auto *loop = std::get_if<For>(&s.op)) {
    bounds(*loop);
  } else if (auto *wait = std::get_if<MbarrierWait>(&s.op)) {
    needs(wait->parity, Need::remainder(2));
    needs(wait->token, exactly);
  } else if (auto *test = std::get_if<MbarrierTest>(&s.op)) {
    needs(test->parity, Need::remainder(2));
  } else if (const TileMove move = moveOf(s.op)) {
    loaded(*move.source, *move.destination);
  } else if (const TileProduct product = productOf(s.op)) {
    needs(*product.accumulate, Need::upTo(0));
  }
}

void Relevance::bounds(const For &loop) {
  for (const ValueId v : {loop.lower, loop.upper, loop.step})
    needs(v, Need::ofBound());
  for (const ValueId v : {loop.lower, loop.step}) // ProofScalars::start takes the value of these
    if (v != kNone && values_.isToldAtStart(v))
      needs(v, exactly);
  end(loop.upper);
  needs(loop.condition, exactly);
}

bool Relevance::propagate(const Scalar &s) {
  const Need need = needs_[s.result];
  if (!need.any())
    return false;
  bool grew = false;
  for (size_t i = 0; i < s.operands.size(); ++i) {
    Need &operand = needs_[s.operands[i]];
    Need n = operands_.of(s, i, need, isFromLaunch(s.result));
    if (rounds_ > mostRounds && n.head > operand.head)
      n = exactly;
    grew |= operand.join(n);
  }
  return grew;
}

bool Relevance::propagate() {
  bool grew = false;
  for (size_t i = scalars_.size(); i-- > 0;)
    grew |= propagate(*scalars_[i]);
  const auto flow = [&](const std::vector<ValueId> &from, const std::vector<ValueId> &to,
                        bool sameLoop) {
    for (size_t i = 0; i < from.size() && i < to.size(); ++i)
      grew |= needs_[from[i]].join(sameLoop ? needs_[to[i]] : elsewhere(needs_[to[i]]));
  };
  for (const Stmt *s : handedOn_) {
    if (auto *read = std::get_if<ScalarRead>(&s->op))
      grew |= numbers_[read->source.object].join(elsewhere(needs_[read->result]));
    else if (auto &write = std::get<ScalarWrite>(s->op); !write.value.isConstant())
      grew |= needs_[write.value.value].join(numbers_[write.destination.object]);
  }
  for (const Stmt *s : control_) {
    if (auto *branch = std::get_if<If>(&s->op)) {
      flow(branch->thenBlock.yields, branch->results, true);
      flow(branch->elseBlock.yields, branch->results, true);
      continue;
    }
    const For &f = std::get<For>(s->op);
    flow(f.iterArgs, f.results, false); // results are the last of them
    flow(f.inits, f.iterArgs, false);
    flow(f.inits, f.results, true);
    flow(f.body.yields, f.iterArgs, true);
    flow(f.body.yields, f.results, false);
    grew |= needs_[f.lower].join(elsewhere(needs_[f.iv]));
    const Need &variable = needs_[f.iv]; // where it matters as a term, so does the step
    grew |= needs_[f.step].join(variable.value() || variable.order ? exactly
                                : variable.bound                   ? Need::ofBound()
                                                                   : Need{});
    if (variable.drawn)
      grew |= needs_[f.step].join(Need::ofDrawn());
  }
  return grew;
}

/// Of a value that one loop hands to another: its distance is from that one's variable.
Need Relevance::elsewhere(Need need) {
  if (need.order)
    need.join(Need::ofBound());
  need.order = false;
  return need;
}

/// Whether it takes few values by its form: comparisons, remainders by a number, what is of a ring.
static bool takesFew(ScalarOp op, bool byNumber) {
  return isComparison(op) || (op == ScalarOp::remS && byNumber) ||
         (op >= ScalarOp::cursorInit && op <= ScalarOp::cursorPhase);
}

/// Of which extents and arguments values are computed, wherever they are handed on. `launch`: of
/// any, or of coordinates and numbers drawn, but for what takes few values by its form.
void Relevance::findLaunchValues() {
  bool grew = true;
  const auto mark = [&](ValueId v, uint64_t from) {
    grew |= (from & ~comesFrom_[v]) != 0;
    comesFrom_[v] |= from;
  };
  const auto flow = [&](const std::vector<ValueId> &from, const std::vector<ValueId> &to) {
    for (size_t i = 0; i < from.size() && i < to.size(); ++i)
      mark(to[i], comesFrom_[from[i]]);
  };
  walk(program_.body, [&](const Stmt &s) {
    if (auto *grid = std::get_if<Grid>(&s.op))
      for (const ValueId v : grid->results)
        mark(v, launch);
    if (const CounterDeed deed = counterDeed(s.op); deed.kind == CounterDeed::add)
      if (const ValueId old = numberOf(s.op); old != kNone)
        mark(old, launch);
    if (auto *read = std::get_if<ScalarRead>(&s.op); read && read->response)
      mark(read->result, launch);
  });
  while (grew) {
    grew = false;
    for (const Scalar *s : scalars_) {
      const bool extent = s->op == ScalarOp::dim, argument = s->op == ScalarOp::argument;
      uint64_t from = extent || argument ? unknownBit(extent, s->object, s->imm) : 0;
      if (extent || argument || s->op == ScalarOp::load)
        from |= launch;
      for (const ValueId v : s->operands)
        from |= comesFrom_[v];
      if (takesFew(s->op, s->op == ScalarOp::remS && values_.constant(s->operands[1])))
        from &= ~launch;
      mark(s->result, from);
    }
    for (const Stmt *s : handedOn_)
      if (auto *write = std::get_if<ScalarWrite>(&s->op); write && !write->value.isConstant())
        for (const Stmt *other : handedOn_)
          if (auto *read = std::get_if<ScalarRead>(&other->op)) {
            const bool here = read->source.object == write->destination.object;
            mark(read->result, comesFrom_[write->value.value] & (here ? ~uint64_t{0} : ~launch));
          }
    for (const Stmt *s : control_) {
      if (auto *f = std::get_if<For>(&s->op); f && !f->isWhile())
        mark(f->iv, comesFrom_[f->lower] | comesFrom_[f->step] | (comesFrom_[f->upper] & ~launch));
      forFlows(*s, flow);
    }
  }
}

/// The largest small constant in a comparison that matters.
void Relevance::findHead() {
  constexpr int64_t mostCompared = 16;
  for (const Scalar *s : scalars_) {
    const bool compares = isComparison(s->op) || s->op == ScalarOp::minS || s->op == ScalarOp::maxS;
    if (!compares || !needs_[s->result].any())
      continue;
    for (const ValueId v : s->operands)
      if (const auto c = values_.constant(v); c && *c <= mostCompared)
        head_ = std::max(head_, *c);
  }
}

/// By its form no difference of two unknowns: an extent or argument, and what products, sums with
/// numbers and quotients by numbers make of such.
bool Relevance::isSize(ValueId v) const {
  const auto at = std::ranges::find(scalars_, v, [](const Scalar *s) { return s->result; });
  if (at == scalars_.end())
    return false;
  const Scalar &s = **at;
  const auto isNumber = [&](size_t i) { return values_.constant(s.operands[i]) != nullptr; };
  switch (s.op) {
  case ScalarOp::dim:
  case ScalarOp::argument:
    return true;
  case ScalarOp::add:
  case ScalarOp::sub:
  case ScalarOp::ceilDiv:
  case ScalarOp::divS:
    return isSize(s.operands[0]) && isNumber(1);
  case ScalarOp::mul:
    return isSize(s.operands[0]) && isSize(s.operands[1]);
  default:
    return false;
  }
}

/// Quotients have one form (Terms::divided); by numbers and by unknowns they are other terms.
static std::pair<ScalarOp, bool> termOf(ScalarOp op, bool byNumber) {
  const bool divides = op == ScalarOp::divS || op == ScalarOp::ceilDiv;
  return {divides ? ScalarOp::ceilDiv : op, divides && byNumber};
}

/// What is needed of all terms that a scalar may have. What is no number in the text may be one for
/// some agent. x + c and x - c are no terms of their own (Terms::simplified).
void Relevance::computed(const Scalar &s, const Need &need) {
  const bool adds = s.op == ScalarOp::add, moves = adds || s.op == ScalarOp::sub;
  if (moves && (values_.constant(s.operands[1]) || (adds && values_.constant(s.operands[0]))))
    return;
  operations_[termOf(s.op, true)][comesFrom_[s.result] & ~launch].join(need);
  if (s.operands.size() < 2 || !values_.constant(s.operands[1]))
    operations_[termOf(s.op, false)][comesFrom_[s.result] & ~launch].join(need);
}

/// Of what is computed from counts and unknowns a number that it is compared with matters, of the
/// terms that it has (ProofScalars::compareWithNumber); of launches as ever.
void Relevance::compared(ValueId v, int64_t number) {
  constexpr int64_t most = 64;
  const auto at = std::ranges::find(scalars_, v, [](const Scalar *s) { return s->result; });
  if (at == scalars_.end() || std::abs(number) > most)
    return;
  if (!values_.counts(v))
    return needs(v, Need::upTo(std::max<int64_t>(number, 0) + 1));
  const Scalar &s = **at;
  const int64_t *constant = s.operands.size() == 2 ? values_.constant(s.operands[1]) : nullptr;
  if (isExtreme(s.op))
    for (const ValueId side : s.operands)
      compared(side, number);
  else if (constant && s.op == ScalarOp::add)
    compared(s.operands[0], number - *constant);
  else if (constant && s.op == ScalarOp::sub)
    compared(s.operands[0], number + *constant);
  else
    computed(s, Need::upTo(std::max<int64_t>(number, 0) + 1));
}

void Relevance::derive() {
  measures_ = std::ranges::any_of(scalars_, [this](const Scalar *s) {
    return s->op == ScalarOp::ceilDiv && !values_.constant(s->operands[1]) &&
           !isSize(s->operands[0]);
  });
  for (const Scalar *s : scalars_) {
    const Need &need = needs_[s->result];
    if (s->op == ScalarOp::sub)
      differences_.join(need);
    if (isFromLaunch(s->result) || values_.of(s->result) == Counted::byNumber)
      computed(*s, need);
    if (!isFromLaunch(s->result))
      continue;
    if (s->op == ScalarOp::dim)
      trips_[{Term::extent, s->object, s->imm}].join(need);
    else if (s->op == ScalarOp::argument)
      trips_[{Term::argument, s->object, 0}].join(need);
    else if (s->op == ScalarOp::load)
      trips_[{Term::operation, s->object, 0}].join(need); // Terms::element
    else
      otherTrips_.join(need);
  }
  for (ValueId v = 0; v < program_.values; ++v) // coordinates, what loops and branches hand on
    if (isFromLaunch(v) && std::ranges::none_of(scalars_, [v](auto *s) { return s->result == v; }))
      otherTrips_.join(needs_[v]);
}

/// ceildiv(upper - lower, step) of unknowns is what ProofScalars::tripCount makes of a loop: where
/// no scalar is such a term, its value is in nothing else.
Need Relevance::trip(const Terms &terms, const Term &unknown) const {
  const Affine &span = unknown.operands[0];
  const bool operates = unknown.kind == Term::operation;
  if (operates && takesFew(unknown.op, unknown.operands[1].isConstant()))
    return exactly; // whoever computes it
  if (!measures_ && operates && unknown.op == ScalarOp::ceilDiv && !span.isConstant() &&
      terms[span.term].isDifference() && !unknown.operands[1].isConstant())
    return {};
  if (unknown.kind == Term::operation && unknown.op != ScalarOp::load) {
    Need all;
    const auto at = operations_.find(termOf(unknown.op, unknown.operands[1].isConstant()));
    if (at != operations_.end())
      for (const auto &[from, need] : at->second)
        if ((unknown.unknowns & ~from) == 0)
          all.join(need);
    return all;
  }
  const auto at = trips_.find({unknown.kind, unknown.object, unknown.immediate});
  return at == trips_.end() ? otherTrips_ : at->second;
}

int64_t Relevance::tripModulus(const Terms &terms, int32_t tripCount) const {
  constexpr int64_t mostDivisor = 1 << 20;
  int64_t divisor = 1;
  const int32_t unknown = terms.probe(tripCount, 0).term;
  for (int32_t term = tripCount; term != unknown;) {
    const Term &t = terms[term];
    const bool first = t.operands[0].isConstant();
    const int64_t by = t.op == ScalarOp::ceilDiv ? t.operands[1].constant : 1;
    if (by > mostDivisor / divisor)
      return 1;
    divisor *= by;
    term = t.operands[first ? 1 : 0].term;
  }
  const Need need = trip(terms, terms[unknown]);
  return need.exact || need.modulus % divisor != 0 ? 1 : need.modulus / divisor;
}

} // namespace sluice

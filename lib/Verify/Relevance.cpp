#include "Verify/Relevance.h"

#include "Machine/Agent.h"
#include "Machine/Sharing.h"
#include "Machine/Uses.h"
#include "Verify/Terms.h"

#include <algorithm>
#include <numeric>

namespace sluice {
namespace {

constexpr int64_t largestModulus = 1 << 20;
constexpr int64_t largestHead = int64_t{1} << 40;
constexpr int mostRounds = 64; // beyond, a head that still grows does so with a loop

const Need exactly{true, 1, -1, false, false, false};
const Need slotOnly{false, 1, -1, false, false, true};

} // namespace

bool Need::join(const Need &o) {
  const Need before = *this;
  exact |= o.exact;
  order |= o.order;
  bound |= o.bound;
  slot |= o.slot;
  head = std::max(head, o.head);
  modulus = std::lcm(modulus, o.modulus);
  if (modulus > largestModulus || head > largestHead)
    exact = true;
  if (exact)
    *this = Need{true, 1, -1, order, bound, false};
  return exact != before.exact || modulus != before.modulus || head != before.head ||
         order != before.order || bound != before.bound || slot != before.slot;
}

Relevance::Relevance(const Program &program)
    : program_(program), needs_(program.values), numbers_(program.buffers.size()),
      writtenTensor_(program.tensors.size(), false), fromLaunch_(program.values, false),
      finite_(program.values, false) {
  for (size_t i = 0; i < program.tensors.size(); ++i)
    writtenTensor_[i] = program.tensors[i].output || !program.tensors[i].input;
  collect(program.body);
  findLaunchValues();
  walk(program.body, [&](const Stmt &s) { uses(s); });
  while (propagate())
    ++rounds_;
  findHead();
  derive();
  findLastReads(program.body, {});
}

const std::vector<Relevance::Defined> &Relevance::definedIn(const Block &block) const {
  static const std::vector<Defined> none;
  const auto at = defined_.find(&block);
  return at == defined_.end() ? none : at->second;
}

bool Relevance::loopsFrom(const Block &block, size_t from) const {
  const auto at = lastLoop_.find(&block);
  return at != lastLoop_.end() && from < at->second;
}

void Relevance::collect(const Block &block) {
  for (const Stmt &s : block.stmts) {
    const size_t next = &s - block.stmts.data() + 1;
    if (auto *scalar = std::get_if<Scalar>(&s.op)) {
      scalars_.push_back(scalar);
      if (scalar->op == ScalarOp::constant)
        constants_[scalar->result] = scalar->imm;
    } else if (auto *loop = std::get_if<For>(&s.op)) {
      control_.push_back(&s);
      if (loop->isWhile() || !constants_.count(loop->upper))
        lastLoop_[&block] = next;
      collect(loop->body);
    } else if (auto *branch = std::get_if<If>(&s.op)) {
      control_.push_back(&s);
      collect(branch->thenBlock);
      collect(branch->elseBlock);
      if (lastLoop_.count(&branch->thenBlock) || lastLoop_.count(&branch->elseBlock))
        lastLoop_[&block] = next;
    } else if (auto *role = std::get_if<Role>(&s.op)) {
      collect(role->body);
    } else if (std::holds_alternative<ScalarRead>(s.op) ||
               std::holds_alternative<ScalarWrite>(s.op)) {
      handedOn_.push_back(&s);
    } else if (auto *bulk = std::get_if<BulkWait>(&s.op)) {
      bulkPending = std::max(bulkPending, bulk->pending);
    } else if (auto *copies = std::get_if<CpAsyncWait>(&s.op)) {
      copyPending = std::max(copyPending, copies->pending);
    } else if (auto *wgmmas = std::get_if<WgmmaWait>(&s.op)) {
      wgmmaPending = std::max(wgmmaPending, wgmmas->pending);
    } else if (std::holds_alternative<CrossSet>(s.op)) {
      crossSetters |= 1u << static_cast<unsigned>(executingPipe(s));
    }
  }
}

void Relevance::needs(ValueId v, const Need &need) {
  if (v != kNone)
    needs_[v].join(need);
}

/// A loop asks about its bound, and of what has limits on both sides it takes the value.
void Relevance::end(ValueId bound) {
  const auto at = std::find_if(scalars_.begin(), scalars_.end(),
                               [&](const Scalar *s) { return s->result == bound; });
  if (at == scalars_.end())
    return;
  const Scalar &s = **at;
  if (isExtreme(s.op) || s.op == ScalarOp::select)
    for (size_t i = s.op == ScalarOp::select; i < s.operands.size(); ++i)
      end(s.operands[i]);
  else if (finite_[bound])
    needs(bound, exactly);
}

void Relevance::needs(const Index &i, const Need &need) {
  needs(i.value, need);
}

void Relevance::view(const View &v) {
  needs(v.slot, exactly);
  if (v.kind == View::buffer)
    for (const Index &i : v.offset)
      needs(i, exactly);
}

void Relevance::barrier(const MbarrierRef &ref) {
  needs(ref.slot, exactly);
  if (ref.remote)
    needs(*ref.remote, exactly);
}

/// What an operation looks at.
struct Relevance::Visit {
  Relevance &r;
  void operator()(const If &op) { r.needs(op.condition, exactly); }
  void operator()(const For &op) {
    r.needs(op.upper, {false, 1, -1, false, true});
    r.end(op.upper);
    r.needs(op.condition, exactly);
  }
  void operator()(const ScalarRead &op) { r.view(op.source); }
  void operator()(const ScalarWrite &op) { r.view(op.destination); }
  void operator()(const RemoteCopy &op) {
    r.view(op.destination);
    r.view(op.source);
    r.barrier(op.barrier);
  }
  void operator()(const MbarrierInit &op) { r.barrier(op.barrier); }
  void operator()(const MbarrierInval &op) { r.barrier(op.barrier); }
  void operator()(const MbarrierArrive &op) { r.barrier(op.barrier); }
  void operator()(const MbarrierArriveExpectTx &op) {
    r.barrier(op.barrier);
    r.needs(op.bytes, exactly);
  }
  void operator()(const MbarrierExpectTx &op) {
    r.barrier(op.barrier);
    r.needs(op.bytes, exactly);
  }
  void operator()(const MbarrierWait &op) {
    r.barrier(op.barrier);
    r.needs(op.parity, {false, 2, -1, false, false});
  }
  void operator()(const CpAsyncArrive &op) { r.barrier(op.barrier); }
  void operator()(const SetFlag &op) { r.needs(op.id, exactly); }
  void operator()(const WaitFlag &op) { r.needs(op.id, exactly); }
  void operator()(const CrossSet &op) { r.needs(op.id, exactly); }
  void operator()(const CrossWait &op) { r.needs(op.id, exactly); }
  void operator()(const TmaLoad &op) {
    r.view(op.destination);
    r.view(op.source);
    r.barrier(op.barrier);
  }
  void operator()(const TmaStore &op) {
    r.view(op.destination);
    r.view(op.source);
  }
  void operator()(const Copy &op) {
    r.view(op.destination);
    r.view(op.source);
  }
  void operator()(const Fill &op) { r.view(op.destination); }
  void operator()(const Print &op) { r.view(op.source); }
  void operator()(const Wgmma &op) { matrix(op.d, op.a, op.b, op.accumulate); }
  void operator()(const Mmad &op) { matrix(op.d, op.a, op.b, op.accumulate); }
  void operator()(const Map &op) {
    for (const View &v : op.outs)
      r.view(v);
    for (const View &v : op.ins)
      r.view(v);
  }
  void operator()(const Reduce &op) {
    r.view(op.out);
    r.view(op.in);
  }
  void operator()(const Raw &op) { // its scalars change nothing that it declares
    for (const View *v : operandsOf(op))
      r.view(*v);
  }
  template <typename Op> void operator()(const Op &) {} // names no scalar

  void matrix(const View &d, const View &a, const View &b, const Index &accumulate) {
    r.view(d);
    r.view(a);
    r.view(b);
    r.needs(accumulate, {false, 1, 0, false, false});
  }
};

void Relevance::uses(const Stmt &s) {
  std::visit(Visit{*this}, s.op);
}

bool Relevance::propagate(const Scalar &s) {
  const Need need = needs_[s.result];
  if (!need.any())
    return false;
  bool grew = false;
  const auto constant = [&](size_t i) -> const int64_t * {
    const auto at = constants_.find(s.operands[i]);
    return at == constants_.end() ? nullptr : &at->second;
  };
  const auto give = [&](size_t i, Need n) {
    if (rounds_ > mostRounds && n.head > needs_[s.operands[i]].head)
      n = exactly;
    grew |= needs_[s.operands[i]].join(n);
  };
  if (need.bound)
    for (size_t i = 0; i < s.operands.size(); ++i)
      give(i, {false, 1, -1, false, true});
  if (!need.value())
    return grew;
  if (s.operands.size() == 2 && isComparison(s.op)) {
    for (size_t i : {size_t{0}, size_t{1}})
      if (const int64_t *c = constant(1 - i))
        give(i, {false, 1, std::max<int64_t>(*c, 0) + 1, false, false});
      else
        give(i, {false, 1, -1, true, false});
    return grew;
  }
  const bool shifted = s.op == ScalarOp::add || s.op == ScalarOp::sub;
  if (shifted && (constant(0) || constant(1))) {
    const size_t i = constant(0) ? 1 : 0;
    const bool mirrored = s.op == ScalarOp::sub && i == 1;
    const int64_t more = s.op == ScalarOp::add ? *constant(1 - i) : -*constant(1 - i);
    Need n = need;
    if (n.head >= 0)
      n.head = mirrored ? largestHead + 1 : std::max(n.head - more, int64_t{0});
    give(i, n);
  } else if (shifted && !need.exact && need.head < 0) {
    give(0, need); // remainders and distances of a sum follow from those of its parts
    give(1, need);
  } else if (s.op == ScalarOp::mul && (constant(0) || constant(1))) {
    give(constant(0) ? 1 : 0, need); // x mod m tells c * x mod m
  } else if (s.op == ScalarOp::remS && constant(1) && *constant(1) > 0) {
    give(0, {false, *constant(1), -1, false, false});
  } else if ((s.op == ScalarOp::divS || s.op == ScalarOp::ceilDiv) && constant(1) &&
             *constant(1) > 0 && !need.exact && (!need.order || fromLaunch_[s.result])) {
    // The order of a trip count is a fact about what it is a quotient of.
    const int64_t c = *constant(1);
    give(0, {false, need.modulus > 1 ? need.modulus * c : 1,
             need.head >= 0 ? (need.head + 1) * c : -1, false, false});
  } else if ((s.op == ScalarOp::minS || s.op == ScalarOp::maxS) && !need.exact &&
             (constant(0) || constant(1))) {
    // Beyond the constant it is the other operand, or the constant.
    const int64_t c = std::max<int64_t>(*constant(constant(0) ? 0 : 1), 0);
    Need n = need;
    n.head = std::max(need.head, c + 1);
    give(constant(0) ? 1 : 0, n);
  } else if (s.op == ScalarOp::minS && (constant(0) || constant(1))) {
    const size_t c = constant(0) ? 0 : 1; // beyond the constant it is that
    give(1 - c, {false, 1, std::max<int64_t>(*constant(c), 0), false, false});
  } else if (s.op == ScalarOp::andI && constant(1) && *constant(1) == 1) {
    give(0, {false, 2, -1, false, false});
  } else if (s.op == ScalarOp::cursorSlot) {
    give(0, slotOnly);
  } else if (s.op == ScalarOp::cursorAdvance) {
    give(0, need.exact ? exactly : slotOnly);
    if (s.operands.size() > 1)
      give(1, {false, 2 * std::max<int64_t>(s.imm, 1), -1, false, false});
  } else if (s.op == ScalarOp::select) {
    give(0, exactly);
    give(1, need);
    give(2, need);
  } else {
    for (size_t i = 0; i < s.operands.size(); ++i)
      give(i, exactly);
  }
  return grew;
}

bool Relevance::propagate() {
  bool grew = false;
  for (size_t i = scalars_.size(); i-- > 0;)
    grew |= propagate(*scalars_[i]);
  const auto flow = [&](const std::vector<ValueId> &from, const std::vector<ValueId> &to) {
    for (size_t i = 0; i < from.size() && i < to.size(); ++i)
      grew |= needs_[from[i]].join(needs_[to[i]]);
  };
  for (const Stmt *s : handedOn_) {
    if (auto *read = std::get_if<ScalarRead>(&s->op))
      grew |= numbers_[read->source.object].join(needs_[read->result]);
    else if (auto &write = std::get<ScalarWrite>(s->op); !write.value.isConstant())
      grew |= needs_[write.value.value].join(numbers_[write.destination.object]);
  }
  for (const Stmt *s : control_) {
    if (auto *branch = std::get_if<If>(&s->op)) {
      flow(branch->thenBlock.yields, branch->results);
      flow(branch->elseBlock.yields, branch->results);
      continue;
    }
    const For &f = std::get<For>(s->op);
    flow(f.iterArgs, f.results); // results are the last of them
    flow(f.inits, f.iterArgs);
    flow(f.inits, f.results);
    flow(f.body.yields, f.iterArgs);
    flow(f.body.yields, f.results);
    grew |= needs_[f.lower].join(needs_[f.iv]);
    grew |= needs_[f.step].join(needs_[f.iv].any() ? exactly : Need{});
  }
  return grew;
}

void Relevance::findLaunchValues() {
  for (const Scalar *s : scalars_) {
    const auto isFinite = [&](ValueId v) { return finite_[v]; };
    finite_[s->result] = isComparison(s->op) || s->op == ScalarOp::constant ||
                         (s->op == ScalarOp::remS && constants_.count(s->operands[1])) ||
                         (s->op == ScalarOp::minS && std::ranges::any_of(s->operands, isFinite)) ||
                         (!s->operands.empty() && s->op != ScalarOp::load &&
                          std::ranges::all_of(s->operands, isFinite));
    const bool limited = isComparison(s->op) || s->op == ScalarOp::remS ||
                         (s->op >= ScalarOp::cursorInit && s->op <= ScalarOp::cursorPhase);
    bool launch = s->op == ScalarOp::dim || s->op == ScalarOp::argument || s->op == ScalarOp::load;
    for (const ValueId v : s->operands)
      launch |= fromLaunch_[v];
    fromLaunch_[s->result] = launch && !limited;
  }
}

/// So many trips fill the rings: proofs of loops over tiles with fewer or more have up to eight
/// times the states. Then what is compared with.
void Relevance::findHead() {
  constexpr int64_t least = 3, mostSlots = 8, mostCompared = 16;
  head_ = least;
  for (const Buffer &b : program_.buffers)
    head_ = std::max(head_, std::min(b.slots, mostSlots));
  for (const Scalar *s : scalars_) {
    const bool compares = isComparison(s->op) || s->op == ScalarOp::minS || s->op == ScalarOp::maxS;
    if (!compares || !needs_[s->result].any())
      continue;
    for (const ValueId v : s->operands)
      if (const auto at = constants_.find(v); at != constants_.end() && at->second <= mostCompared)
        head_ = std::max(head_, at->second);
  }
}

void Relevance::derive() {
  for (const Scalar *s : scalars_) {
    if (!fromLaunch_[s->result])
      continue;
    const bool dim = s->op == ScalarOp::dim, argument = s->op == ScalarOp::argument;
    if (dim || argument)
      trips_[{dim ? Term::extent : Term::argument, s->object, dim ? s->imm : 0}].join(
          needs_[s->result]);
    else
      otherTrips_.join(needs_[s->result]);
  }
  const auto add = [&](const Block &b, size_t after, ValueId v) {
    if (needs_[v].any())
      defined_[&b].push_back({after, after, v});
  };
  const std::function<void(const Block &)> visit = [&](const Block &b) {
    for (size_t i = 0; i < b.stmts.size(); ++i) {
      const Stmt &s = b.stmts[i];
      if (auto *scalar = std::get_if<Scalar>(&s.op)) {
        if (scalar->op != ScalarOp::constant)
          add(b, i + 1, scalar->result);
      } else if (auto *read = std::get_if<ScalarRead>(&s.op)) {
        add(b, i + 1, read->result);
      } else if (auto *counter = std::get_if<CounterAdd>(&s.op); counter && counter->old != kNone) {
        add(b, i + 1, counter->old);
      } else if (auto *loop = std::get_if<For>(&s.op)) {
        add(loop->body, 0, loop->iv);
        for (const ValueId v : loop->iterArgs)
          add(loop->body, 0, v);
        visit(loop->body);
        for (const ValueId v : loop->results)
          add(b, i + 1, v);
      } else if (auto *branch = std::get_if<If>(&s.op)) {
        visit(branch->thenBlock);
        visit(branch->elseBlock);
        for (const ValueId v : branch->results)
          add(b, i + 1, v);
      } else if (auto *role = std::get_if<Role>(&s.op)) {
        visit(role->body);
      }
    }
  };
  visit(program_.body);
}

/// Of all values that are read in a block or inside of it: how many statements have been begun when
/// that may happen for the last time. `atEnd`: what the loop around it reads then, beside what the
/// block yields: its variable, for the next one, and its condition.
Relevance::LastReads Relevance::findLastReads(const Block &block,
                                              const std::vector<ValueId> &atEnd) {
  LastReads last;
  const auto note = [&](ValueId v, size_t at) {
    size_t &until = last.try_emplace(v, at).first->second;
    until = std::max(until, at);
  };
  const auto noteInside = [&](const Block &inner, const std::vector<ValueId> &end, size_t at) {
    for (const auto &[v, until] : findLastReads(inner, end))
      note(v, at);
  };
  for (size_t i = 0; i < block.stmts.size(); ++i) {
    const Stmt &s = block.stmts[i];
    if (auto *loop = std::get_if<For>(&s.op)) {
      for (const ValueId v : loop->inits) // no longer read when it runs
        note(v, i);
      for (const ValueId v : {loop->lower, loop->upper, loop->step})
        note(v, i + 1);
      noteInside(loop->body, {loop->iv, loop->condition}, i + 1);
    } else if (auto *branch = std::get_if<If>(&s.op)) {
      note(branch->condition, i);
      noteInside(branch->thenBlock, {}, i + 1);
      noteInside(branch->elseBlock, {}, i + 1);
    } else if (auto *role = std::get_if<Role>(&s.op)) {
      noteInside(role->body, {}, i + 1);
    } else {
      forEachUse(s, [&](ValueId v) { note(v, i + 1); });
    }
  }
  for (const std::vector<ValueId> *values : {&atEnd, &block.yields})
    for (const ValueId v : *values)
      note(v, block.stmts.size());
  if (const auto at = defined_.find(&block); at != defined_.end())
    for (Defined &d : at->second)
      if (const auto read = last.find(d.value); read != last.end())
        d.until = read->second;
  return last;
}

const Need &Relevance::trip(const Term &unknown) const {
  const auto at = trips_.find({unknown.kind, unknown.object, unknown.immediate});
  return at == trips_.end() ? otherTrips_ : at->second;
}

int64_t Relevance::tripModulus(const Terms &terms, int32_t tripCount) const {
  int64_t divisor = 1;
  const int32_t unknown = terms.probe(tripCount, 0).term;
  for (int32_t term = tripCount; term != unknown;) {
    const Term &t = terms[term];
    const bool first = t.operands[0].isConstant();
    if (t.op == ScalarOp::ceilDiv)
      divisor *= t.operands[1].constant;
    term = t.operands[first ? 1 : 0].term;
  }
  const Need &need = trip(terms[unknown]);
  return need.exact || need.modulus % divisor != 0 ? 1 : need.modulus / divisor;
}

} // namespace sluice

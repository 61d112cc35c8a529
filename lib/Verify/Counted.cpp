#include "Verify/Counted.h"

#include "Program/Agent.h"
#include "Program/Blocks.h"
#include "Program/OperationFacts.h"
#include "Program/Uses.h"
#include "Verify/Terms.h"

#include <algorithm>

namespace sluice {

bool isComparison(ScalarOp op) {
  return op >= ScalarOp::eq && op <= ScalarOp::ge;
}

bool isExtreme(ScalarOp op) {
  return op == ScalarOp::minS || op == ScalarOp::maxS;
}

namespace {

class Counting {
public:
  explicit Counting(const Program &program)
      : counted_(program.values, Counted::no), constant_(program.values) {
    walk(program.body, [&](const Stmt &s) {
      if (auto *scalar = std::get_if<Scalar>(&s.op); scalar && scalar->op == ScalarOp::constant)
        constant_[scalar->result] = true;
    });
    do {
      grew_ = false;
      walk(program.body, [&](const Stmt &s) { statement(s); });
    } while (grew_);
  }

  std::vector<Counted> counted_;

private:
  bool counts(ValueId v) const { return counted_[v] != Counted::no; }
  void mark(ValueId v, Counted how) {
    if (v == kNone || counted_[v] >= how)
      return;
    counted_[v] = how;
    grew_ = true;
  }
  void markAll(const std::vector<ValueId> &values, Counted how) {
    for (const ValueId v : values)
      mark(v, how);
  }
  void flow(const std::vector<ValueId> &from, const std::vector<ValueId> &to) {
    for (size_t i = 0; i < from.size() && i < to.size(); ++i)
      mark(to[i], counted_[from[i]]);
  }
  void statement(const Stmt &s) {
    if (auto *scalar = std::get_if<Scalar>(&s.op)) {
      const bool unknown = scalar->op == ScalarOp::load; // wherever it stands in the tensor
      for (size_t i = 0; i < scalar->operands.size() && !unknown; ++i)
        mark(scalar->result, counted_[scalar->operands[i]]);
    } else if (auto *branch = std::get_if<If>(&s.op)) {
      for (const Block *side : {&branch->thenBlock, &branch->elseBlock})
        for (size_t i = 0; i < branch->results.size() && i < side->yields.size(); ++i)
          if (counts(branch->condition) || counts(side->yields[i]))
            mark(branch->results[i], Counted::byNumber);
    } else if (auto *loop = std::get_if<For>(&s.op)) {
      this->loop(*loop);
    } else {
      mark(numberOf(s.op), Counted::byNumber);
    }
  }

  void loop(const For &f) {
    const bool unknown =
        f.isWhile() || !constant_[f.lower] || !constant_[f.upper] || !constant_[f.step];
    if (unknown) {
      mark(f.iv, Counted::byVariable);
      markAll(f.iterArgs, Counted::byNumber);
      markAll(f.results, Counted::byNumber);
    }
    for (const ValueId v : {f.lower, f.step})
      mark(f.iv, counted_[v]);
    flow(f.inits, f.iterArgs);
    flow(f.body.yields, f.iterArgs);
    flow(f.iterArgs, f.results);
    flow(f.body.yields, f.results);
  }

  std::vector<bool> constant_;
  bool grew_ = false;
};

} // namespace

CountedValues::CountedValues(const Program &program)
    : counted_(Counting(program).counted_), openEnds_(program.values), small_(program.values),
      finite_(program.values), ofLaunch_(program.values), mixed_(program.values),
      loop_(program.values, nullptr) {
  for (ValueId v = 0; v < program.values; ++v)
    openEnds_[v] = openEnd(v);
  walk(program.body, [this](const Stmt &s) {
    if (auto *scalar = std::get_if<Scalar>(&s.op))
      settle(*scalar);
  });
  place(program.body, nullptr);
}

const int64_t *CountedValues::constant(ValueId v) const {
  const auto at = constants_.find(v);
  return at == constants_.end() ? nullptr : &at->second;
}

uint8_t CountedValues::openEnd(ValueId v) const {
  if (counted_[v] == Counted::no)
    return 0;
  return counted_[v] == Counted::byNumber ? handedOn : ofVariables;
}

/// Operands come before what is computed from them.
void CountedValues::settle(const Scalar &s) {
  const auto isFinite = [this](ValueId v) { return finite_[v]; };
  const bool plain = s.op != ScalarOp::dim && s.op != ScalarOp::argument &&
                     s.op != ScalarOp::load && s.op < ScalarOp::warpInRole;
  int64_t operands[3] = {0, 0, 0};
  bool known = plain && !s.operands.empty() && s.operands.size() <= 3;
  for (size_t i = 0; known && i < s.operands.size(); ++i) {
    const int64_t *value = constant(s.operands[i]);
    known = value != nullptr;
    operands[i] = known ? *value : 0;
  }
  if (s.op == ScalarOp::constant)
    constants_[s.result] = s.imm;
  else if (known)
    constants_[s.result] = arithmetic(s.op, operands, s.operands.size(), s.imm);
  finite_[s.result] =
      constants_.count(s.result) ||
      isFiniteOperation(s.op, s.operands, isFinite, [this](ValueId v) { return constant(v); });
  constexpr int64_t small = 16;
  const bool limits = s.op == ScalarOp::minS || s.op == ScalarOp::remS || s.op == ScalarOp::andI;
  const auto isSmall = [this](ValueId v) { return constant(v) && std::abs(*constant(v)) <= small; };
  small_[s.result] = constants_.count(s.result) ||
                     (limits && finite_[s.result] && std::ranges::any_of(s.operands, isSmall));
  const bool selects = s.op == ScalarOp::select;
  if (selects || isExtreme(s.op))
    openEnds_[s.result] = 0;
  for (size_t i = selects; (selects || isExtreme(s.op)) && i < s.operands.size(); ++i)
    openEnds_[s.result] |= openEnds_[s.operands[i]];
  if (!selects && !isExtreme(s.op))
    openEnds_[s.result] = finite_[s.result] ? 0 : openEnd(s.result);
  ofLaunch_[s.result] = s.op == ScalarOp::dim || s.op == ScalarOp::argument ||
                        s.op == ScalarOp::load ||
                        std::ranges::any_of(s.operands, [this](ValueId v) { return ofLaunch_[v]; });
  mixed_[s.result] = (counts(s.result) && ofLaunch_[s.result] && !finite_[s.result]) ||
                     (isExtreme(s.op) && (mixed_[s.operands[0]] || mixed_[s.operands[1]]));
}

void CountedValues::place(const Block &block, const For *loop) {
  for (const Stmt &s : block.stmts) {
    auto *f = std::get_if<For>(&s.op);
    const bool known =
        !f || (!f->isWhile() && constant(f->lower) && constant(f->upper) && constant(f->step));
    const For *inside = known ? loop : f;
    forEachResult(s, [&](ValueId v) { loop_[v] = inside; });
    forLeft(s, [&](ValueId v) { loop_[v] = loop; });
    forBlocks(s, [&](const Block &b) { place(b, inside); });
  }
}

Comparison CountedValues::comparison(const Scalar &s) const {
  const ValueId a = s.operands[0], b = s.operands[1];
  if (constant(a) || constant(b))
    return mixed_[a] || mixed_[b] ? Comparison::open : Comparison::plain;
  if ((finite_[a] && finite_[b]) || (!counts(a) && !counts(b)))
    return Comparison::plain;
  const auto isNumberHere = [&](ValueId v) {
    return !counts(v) || (counted_[v] == Counted::byNumber && loop_[v] == loop_[s.result]);
  };
  return isNumberHere(a) && isNumberHere(b) ? Comparison::ofNumbers : Comparison::open;
}

} // namespace sluice

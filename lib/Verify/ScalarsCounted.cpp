// Comparisons of unknowns with what loops count up (docs/proof.md): normal forms tell where agents
// are in their loops, not how many rounds they have made.
#include "Verify/Scalars.h"

#include <algorithm>

namespace sluice {

/// As far as the numbers of iterations and choices between unknowns tell, whatever else is known.
Affine ProofScalars::counted(Affine v) const {
  if (v.isConstant())
    return v;
  const Term &t = (*terms_)[v.term];
  Affine found{v.term, 0};
  if (t.value) {
    found = {-1, *t.value};
  } else if (isExtreme(t.op) && !t.counts && !terms_->isWhole(t)) {
    if (const auto less = this->less(t.operands[0], t.operands[1]))
      found = counted(t.operands[*less == (t.op == ScalarOp::minS) ? 0 : 1]);
  } else if (t.hasIteration && t.kind == Term::operation && t.op != ScalarOp::load) {
    Affine operands[3];
    for (int i = 0; i < t.operandCount; ++i)
      operands[i] = counted(t.operands[i]);
    found = terms_->operation(t.op, operands, t.operandCount, t.immediate);
  }
  found.constant += v.constant;
  return found;
}

/// What counted() will be there, where each iteration of the loop adds the same.
std::optional<Affine> ProofScalars::inNextIteration(Affine v, const LoopLevel &l) const {
  if (v.isConstant() || !(*terms_)[v.term].hasIteration)
    return counted(v);
  const Term &t = (*terms_)[v.term];
  Affine next;
  if (t.kind == Term::iteration) {
    if (t.object != l.path || !t.value || t.operands[1] != Affine{-1, l.step})
      return {};
    next = {-1, *t.value + l.step};
  } else if (t.op == ScalarOp::add || t.op == ScalarOp::sub || t.op == ScalarOp::mul) {
    const auto a = inNextIteration(t.operands[0], l), b = inNextIteration(t.operands[1], l);
    const bool square =
        t.op == ScalarOp::mul && a != counted(t.operands[0]) && b != counted(t.operands[1]);
    if (!a || !b || square)
      return {};
    next = terms_->operation(t.op, std::array{*a, *b}.data(), 2, t.immediate);
  } else {
    return {};
  }
  next.constant += v.constant;
  return next;
}

/// Whether the threshold of a comparison keeps its distance from where the agent is in a loop that
/// facts about its unknown are counted from.
bool ProofScalars::inStep(const Term &by, size_t level) const {
  const LoopLevel &l = levels_[level];
  const Affine a = counted(by.operands[0]), b = counted(by.operands[1]);
  std::optional<Affine> nextA, nextB;
  if (by.immediate != static_cast<int64_t>(Comparison::ofNumbers) || by.hasIteration) {
    nextA = inNextIteration(by.operands[0], l);
    nextB = inNextIteration(by.operands[1], l);
  } else if (level + 1 == levels_.size()) {
    // Normal forms tell the number from where the innermost loop is.
    nextA = Affine{a.term, a.constant + (a.isConstant() ? l.step : 0)};
    nextB = Affine{b.term, b.constant + (b.isConstant() ? l.step : 0)};
  }
  if (!nextA || !nextB)
    return false;
  const auto now = question(a, b), next = question(*nextA, *nextB);
  if (!now || !next || now->term != next->term)
    return false;
  const Terms::Probe here = terms_->probe(now->term, now->threshold),
                     there = terms_->probe(next->term, next->threshold);
  if (now->term == l.trip && instanceOf(here.term) == l.instance) // what ends the loop itself
    return next->threshold - now->threshold == l.step;
  const bool fromThere =
      (*terms_)[here.term].isDifference() ? level == 1 : instanceOf(here.term) == l.instance;
  const int64_t stride =
      terms_->probe(l.trip, l.threshold(l.iteration + 1)).threshold - position(l);
  return fromThere && here.remainder == there.remainder &&
         there.threshold - here.threshold == stride;
}

/// Of comparisons that facts about a loop around may decide: normal forms keep both together.
bool ProofScalars::inStep(const Term &by) const {
  for (size_t level = 1; level < levels_.size(); ++level)
    if (inStep(by, level))
      return true;
  return false;
}

/// Of a count with an unknown that normal forms do not set against it: either way, in each
/// iteration anew.
std::optional<bool> ProofScalars::compareApart(ScalarOp op, const Term &by) const {
  const bool inLoop = levels_.size() > 1 || by.hasIteration;
  const bool told = !inLoop || !by.hasCount;
  const Affine a = told ? counted(by.operands[0]) : by.operands[0];
  const Affine b = told ? counted(by.operands[1]) : by.operands[1];
  if (a.isConstant() && b.isConstant())
    return arithmetic(op, std::array{a.constant, b.constant}.data(), 2, 0) != 0;
  if (by.open && inLoop)
    return a.isConstant() == b.isConstant() ? either(op, by) : compareWithNumber(op, by, a, b);
  apart_ = by.counts;
  const std::optional<bool> result = compare(op, a, b);
  apart_ = false;
  return result;
}

/// What is computed from counts and unknowns is an unknown of its own in each iteration, the same
/// for loops over it and for comparisons with numbers, as far as normal forms have it. Of minima
/// and maxima the side that a loop takes is compared.
std::optional<bool> ProofScalars::compareWithNumber(ScalarOp op, const Term &by, Affine a,
                                                    Affine b) const {
  const std::optional<Affine> left = chosen(a), right = left ? chosen(b) : left;
  if (!right)
    return {};
  if (left->isConstant() && right->isConstant())
    return arithmetic(op, std::array{left->constant, right->constant}.data(), 2, 0) != 0;
  const std::optional<Question> asked = question(*left, *right);
  if (!asked) // of one term
    return compare(op, *left, *right);
  const Terms::Probe p = terms_->probe(asked->term, asked->threshold);
  if (!facts_->tell(*terms_, p.term, p.threshold + 1))
    return either(op, by);
  opaque_ = (*terms_)[p.term].hasIteration;
  const std::optional<bool> result = compare(op, *left, *right);
  opaque_ = false;
  return result;
}

/// Of a minimum or maximum that ProofScalars::bound decides in the same way.
std::optional<Affine> ProofScalars::chosen(Affine value) const {
  if (value.isConstant())
    return value;
  const Term &t = (*terms_)[value.term];
  if (t.kind != Term::operation || !isExtreme(t.op) || !(t.counts || t.ofUnknowns) || inStep(t) ||
      terms_->isWhole(t))
    return value;
  const auto first = compareApart(t.op == ScalarOp::minS ? ScalarOp::lt : ScalarOp::gt, t);
  std::optional<Affine> side = first ? chosen(t.operands[*first ? 0 : 1]) : std::nullopt;
  if (side)
    side->constant += value.constant;
  return side;
}

/// One answer for one comparison of the same iteration, whoever asks and however it is written.
std::optional<bool> ProofScalars::either(ScalarOp op, const Term &by) const {
  Affine a = by.operands[0], b = by.operands[1];
  const bool swapped = op == ScalarOp::gt || op == ScalarOp::le;
  const bool equality = op == ScalarOp::eq || op == ScalarOp::ne;
  bool negated = op == ScalarOp::ge || op == ScalarOp::le || op == ScalarOp::ne;
  if (swapped || (equality && b < a))
    std::swap(a, b);
  if (!equality && b.term < a.term) { // a < b is not b < a + 1
    std::swap(a, b);
    ++b.constant;
    negated = !negated;
  }
  b.constant -= a.constant; // both sides without the same
  a.constant = 0;
  const Affine asked =
      terms_->operation(equality ? ScalarOp::eq : ScalarOp::lt, std::array{a, b}.data(), 2,
                        static_cast<int64_t>(Comparison::open));
  if (asked.isConstant())
    return (asked.constant != 0) != negated;
  apart_ = true;
  const Instance instance{asked.term, 0, Instance::apart};
  const std::optional<bool> holds = exceeds(instance, asked.term, 0);
  apart_ = false;
  return holds ? std::optional(*holds != negated) : holds;
}

} // namespace sluice

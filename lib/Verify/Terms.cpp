#include "Verify/Terms.h"

#include "Program/Agent.h"

#include <algorithm>

namespace sluice {
namespace {

int64_t floorDiv(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

int64_t plus(int64_t a, int64_t b) {
  if (a <= -Range::infinite || b <= -Range::infinite)
    return -Range::infinite;
  if (a >= Range::infinite || b >= Range::infinite)
    return Range::infinite;
  return std::clamp(a + b, -Range::infinite, Range::infinite);
}

/// What is beyond all numbers stays there.
int64_t times(int64_t a, int64_t b) {
  int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product))
    product = (a < 0) == (b < 0) ? Range::infinite : -Range::infinite;
  return std::clamp(product, -Range::infinite, Range::infinite);
}

/// Rounded up.
int64_t quotient(int64_t bound, int64_t divisor) {
  const bool finite = bound > -Range::infinite && bound < Range::infinite;
  return finite ? -floorDiv(-bound, divisor) : bound;
}

const char *symbol(ScalarOp op) {
  switch (op) {
  case ScalarOp::add:
    return " + ";
  case ScalarOp::sub:
    return " - ";
  case ScalarOp::mul:
    return " * ";
  case ScalarOp::divS:
    return " / ";
  case ScalarOp::remS:
    return " % ";
  case ScalarOp::eq:
    return " == ";
  case ScalarOp::ne:
    return " != ";
  case ScalarOp::lt:
    return " < ";
  case ScalarOp::le:
    return " <= ";
  case ScalarOp::gt:
    return " > ";
  case ScalarOp::ge:
    return " >= ";
  case ScalarOp::andI:
    return " & ";
  case ScalarOp::orI:
    return " | ";
  default:
    return nullptr;
  }
}

const char *function(ScalarOp op) {
  switch (op) {
  case ScalarOp::ceilDiv:
    return "ceildiv";
  case ScalarOp::minS:
    return "min";
  case ScalarOp::maxS:
    return "max";
  case ScalarOp::select:
    return "select";
  default:
    return "f";
  }
}

} // namespace

Terms::Terms(const Program &program)
    : program_(program), values_(program), loops_(program, values_) {}

size_t Terms::Hash::operator()(const Key &key) const {
  uint64_t hash = 0;
  const auto mix = [&](int64_t v) {
    hash = (hash ^ static_cast<uint64_t>(v)) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  };
  mix(static_cast<int64_t>(key.kind) << 16 | static_cast<int64_t>(key.op) << 8 | key.operandCount);
  mix(key.object);
  mix(key.immediate);
  for (const Affine &a : key.operands) {
    mix(a.term);
    mix(a.constant);
  }
  return hash;
}

Affine Terms::intern(Term term) {
  const auto next = static_cast<int32_t>(terms_.size());
  const Key key{term.kind, term.op, term.operandCount, term.object, term.immediate, term.operands};
  const auto [at, isNew] = numbers_.try_emplace(key, next);
  if (!isNew)
    return {at->second, 0};
  const auto deeper = [this](int32_t a, int32_t b) {
    return paths_[a].depth < paths_[b].depth ? b : a;
  };
  const bool loads = term.kind == Term::operation && term.op == ScalarOp::load;
  for (int i = 0; i < term.operandCount; ++i)
    if (!term.operands[i].isConstant()) {
      const Term &t = terms_[term.operands[i].term];
      term.unknowns |= t.unknowns;
      term.ofLaunch &= t.ofLaunch;
      term.hasIteration |= t.hasIteration;
      term.hasCount |= t.hasCount && !loads;
      term.grows |= t.grows;
      term.home = deeper(term.home, t.home);
      term.ofData |= t.ofData;
      term.hasDrawn |= t.hasDrawn;
    }
  if (term.kind == Term::extent || term.kind == Term::argument)
    term.unknowns = unknownBit(term.kind == Term::extent, term.object, term.immediate);
  if (term.kind == Term::iteration || term.kind == Term::drawn) {
    term.ofLaunch = false;
    term.hasIteration = term.hasCount = true;
    term.home = deeper(term.home, term.object);
  }
  term.hasDrawn |= term.kind == Term::drawn;
  term.ofData |= term.hasDrawn || loads;
  const bool compares =
      term.kind == Term::operation && (isComparison(term.op) || isExtreme(term.op));
  term.counts = compares && (term.hasCount || term.immediate);
  const auto how = static_cast<Comparison>(compares ? term.immediate : 0);
  term.open = how == Comparison::open || (how == Comparison::ofNumbers && term.hasCount);
  term.ofUnknowns = compares && !term.operands[0].isConstant() && !term.operands[1].isConstant();
  term.range = rangeOf(term);
  term.value = valueOf(term);
  term.grows = term.kind == Term::iteration || (term.grows && term.range.hi >= Range::infinite);
  terms_.push_back(term);
  return {next, 0};
}

Affine Terms::extent(int tensor, int64_t dimension) {
  Term t;
  t.kind = Term::extent;
  t.object = tensor;
  t.immediate = dimension;
  return intern(t);
}

Affine Terms::argument(int number) {
  Term t;
  t.kind = Term::argument;
  t.object = number;
  return intern(t);
}

Affine Terms::coordinate(int dimension, int64_t offset) {
  Term t;
  t.kind = Term::coordinate;
  t.immediate = dimension;
  return {intern(t).term, offset};
}

Affine Terms::element(int tensor, const std::vector<Affine> &index) {
  Term t;
  t.kind = Term::operation;
  t.op = ScalarOp::load;
  t.object = tensor;
  t.operandCount = static_cast<int>(index.size());
  std::copy(index.begin(), index.end(), t.operands.begin());
  return intern(t);
}

Affine Terms::rounds() {
  Term t;
  t.kind = Term::rounds;
  return intern(t);
}

Affine Terms::drawn(int tensor, int32_t path, int64_t number) {
  Term t;
  t.kind = Term::drawn;
  t.object = path;
  t.immediate = number;
  t.operands[0] = {-1, tensor};
  t.operandCount = 1;
  return intern(t);
}

Affine Terms::iteration(const For &loop, int32_t path, int32_t bound, int64_t number, Affine lower,
                        Affine step) {
  Term t;
  t.kind = Term::iteration;
  t.loop = &loop;
  t.object = path;
  t.immediate = number;
  t.operands = {lower, step, {bound, 0}};
  t.operandCount = 3;
  return intern(t);
}

Range Terms::range(Affine a) const {
  if (a.isConstant())
    return {a.constant, a.constant};
  const Range r = terms_[a.term].range;
  return {plus(r.lo, a.constant), plus(r.hi, a.constant)};
}

Range Terms::rangeOf(const Term &t) const {
  const auto operand = [&](int i) { return range(t.operands[i]); };
  if (t.kind == Term::drawn)
    return t.operands[0].constant == ofLaunches ? Range{-1, Range::infinite} : Range{};
  if (t.kind != Term::operation && t.kind != Term::iteration)
    return t.kind == Term::argument ? Range{} : Range{0, Range::infinite};
  if (t.kind == Term::iteration) // counts up
    return {operand(1).lo > 0 ? operand(0).lo : -Range::infinite, Range::infinite};
  if (isComparison(t.op))
    return {0, 1};
  switch (t.op) {
  case ScalarOp::add:
    return {plus(operand(0).lo, operand(1).lo), plus(operand(0).hi, operand(1).hi)};
  case ScalarOp::mul:
    return operand(0).lo >= 0 && operand(1).lo >= 0 ? Range{0, Range::infinite} : Range{};
  case ScalarOp::ceilDiv:
    if (const Affine d = t.operands[1]; d.isConstant() && d.constant > 0)
      return {quotient(operand(0).lo, d.constant), quotient(operand(0).hi, d.constant)};
    [[fallthrough]];
  case ScalarOp::divS:
    return operand(0).lo >= 0 && operand(1).lo >= 0 ? Range{0, Range::infinite} : Range{};
  case ScalarOp::remS:
    if (const Affine d = t.operands[1]; d.isConstant() && d.constant != 0) {
      const int64_t most = std::abs(d.constant) - 1; // of the sign of the dividend
      return {operand(0).lo >= 0 ? 0 : -most, operand(0).hi <= 0 ? 0 : most};
    }
    return {};
  case ScalarOp::minS:
    return {std::min(operand(0).lo, operand(1).lo), std::min(operand(0).hi, operand(1).hi)};
  case ScalarOp::maxS:
    return {std::max(operand(0).lo, operand(1).lo), std::max(operand(0).hi, operand(1).hi)};
  case ScalarOp::select:
    return {std::min(operand(1).lo, operand(2).lo), std::max(operand(1).hi, operand(2).hi)};
  case ScalarOp::andI:
    for (const Affine &mask : {t.operands[0], t.operands[1]})
      if (mask.isConstant() && mask.constant >= 0)
        return {0, mask.constant};
    [[fallthrough]];
  case ScalarOp::orI:
  case ScalarOp::xorI:
    return operand(0).lo >= 0 && operand(0).hi <= 1 && operand(1).lo >= 0 && operand(1).hi <= 1
               ? Range{0, 1}
               : Range{};
  default:
    return {};
  }
}

std::optional<int64_t> Terms::valueOf(const Term &t) const {
  const bool operation = t.kind == Term::operation && t.op != ScalarOp::load;
  if ((t.kind != Term::iteration && !operation) || t.open)
    return {};
  int64_t values[3] = {0, 0, 0};
  for (int i = 0; i < (operation ? t.operandCount : 2); ++i) {
    const Affine &o = t.operands[i];
    if (!o.isConstant() && !terms_[o.term].value)
      return {};
    values[i] = o.constant + (o.isConstant() ? 0 : *terms_[o.term].value);
  }
  return operation ? arithmetic(t.op, values, t.operandCount, t.immediate)
                   : values[0] + t.immediate * values[1];
}

Terms::Probe Terms::probe(int32_t term, int64_t threshold) const {
  Probe p{term, threshold, 0};
  for (;;) {
    const Term &t = terms_[p.term];
    const Affine &a = t.operands[0], &b = t.operands[1];
    if (t.kind != Term::operation || t.operandCount != 2 || a.isConstant() == b.isConstant())
      return p;
    const Affine &inner = a.isConstant() ? b : a;
    const int64_t c = a.isConstant() ? a.constant : b.constant;
    if (c <= 0)
      return p;
    if (t.op == ScalarOp::ceilDiv && b.isConstant()) { // ceil(x / c) > t: x > t c
      p.threshold = plus(times(p.threshold, c), -inner.constant);
    } else if (t.op == ScalarOp::mul) {
      p.remainder = plus(times(p.remainder, c), p.threshold - floorDiv(p.threshold, c) * c);
      p.threshold = plus(floorDiv(p.threshold, c), -inner.constant);
    } else {
      return p;
    }
    p.term = inner.term;
  }
}

Range Terms::derived(int32_t term, Range base) const {
  const Term &t = terms_[term];
  if (probe(term, 0).term == term)
    return base;
  const Affine &inner = t.operands[0].isConstant() ? t.operands[1] : t.operands[0];
  const int64_t c = t.operands[0].isConstant() ? t.operands[0].constant : t.operands[1].constant;
  const Range r = derived(inner.term, base);
  const Range shifted{plus(r.lo, inner.constant), plus(r.hi, inner.constant)};
  if (t.op == ScalarOp::ceilDiv)
    return {quotient(shifted.lo, c), quotient(shifted.hi, c)};
  return {times(shifted.lo, c), times(shifted.hi, c)};
}

/// A number times a multiple of the divisor.
static bool isMultiple(const Term &t, int64_t divisor) {
  return t.kind == Term::operation && t.op == ScalarOp::mul && t.operands[0].isConstant() &&
         t.operands[0].constant % divisor == 0;
}

Affine Terms::divided(ScalarOp op, Affine a, int64_t divisor, bool &done) {
  done = true;
  if (divisor == 1)
    return a;
  const bool whole = isMultiple(terms_[a.term], divisor);
  // floor(a / c) = ceil((a - c + 1) / c): one form for both, so that roles that write the same trip
  // count differently are seen to agree. divS rounds towards zero, as floor does from 0 on.
  if (op == ScalarOp::divS && range(a).lo >= 0)
    a.constant -= divisor - 1;
  else if (op == ScalarOp::divS && !(whole && a.constant == 0))
    return done = false, a;
  const int64_t constant = -floorDiv(-a.constant, divisor); // the rest is in (-divisor, 0]
  if (whole) {                                              // (c k x) / c
    const std::array<Affine, 3> &factors = terms_[a.term].operands;
    const Affine left[2] = {factors[1], {-1, factors[0].constant / divisor}};
    const Affine product = operation(ScalarOp::mul, left, 2, 0);
    return {product.term, product.constant + constant};
  }
  const Affine rest{a.term, a.constant - constant * divisor};
  const Affine operands[2] = {rest, {-1, divisor}};
  Term t;
  t.kind = Term::operation;
  t.op = ScalarOp::ceilDiv;
  t.operands = {operands[0], operands[1], {}};
  t.operandCount = 2;
  return {intern(t).term, constant};
}

Affine Terms::simplified(ScalarOp op, const Affine *a, int64_t immediate, bool &done) {
  done = true;
  const bool leftKnown = a[0].isConstant(), rightKnown = a[1].isConstant();
  switch (op) {
  case ScalarOp::add:
    if (rightKnown)
      return {a[0].term, a[0].constant + a[1].constant};
    if (leftKnown)
      return {a[1].term, a[1].constant + a[0].constant};
    break;
  case ScalarOp::sub:
    if (rightKnown)
      return {a[0].term, a[0].constant - a[1].constant};
    if (a[0].term == a[1].term)
      return {-1, a[0].constant - a[1].constant};
    break;
  case ScalarOp::mul:
    if (rightKnown && a[1].constant == 1)
      return a[0];
    if (leftKnown && a[0].constant == 1)
      return a[1];
    if ((leftKnown && a[0].constant == 0) || (rightKnown && a[1].constant == 0))
      return {-1, 0};
    if (const int k = rightKnown ? 1 : 0; (leftKnown || rightKnown) && a[1 - k].constant != 0) {
      const Affine whole[2] = {{a[1 - k].term, 0}, a[k]};
      const Affine product = operation(ScalarOp::mul, whole, 2, 0);
      return {product.term, product.constant + a[1 - k].constant * a[k].constant};
    }
    break;
  case ScalarOp::divS:
  case ScalarOp::ceilDiv:
    if (rightKnown && a[1].constant > 0)
      return divided(op, a[0], a[1].constant, done);
    break;
  case ScalarOp::remS:
    if (rightKnown && a[1].constant == 1)
      return {-1, 0};
    if (rightKnown && a[1].constant > 1 && a[0].constant >= 0 && range(a[0]).lo >= 0 &&
        isMultiple(terms_[a[0].term], a[1].constant))
      return {-1, a[0].constant % a[1].constant};
    // The first CTA of a cluster stands at a multiple of the cluster. (Before it, remainders are
    // negative in the first cluster alone.)
    if (rightKnown && a[0].constant >= 0 && terms_[a[0].term].kind == Term::coordinate &&
        a[1].constant == program_.cluster[terms_[a[0].term].immediate])
      return {-1, a[0].constant % a[1].constant};
    break;
  case ScalarOp::select:
    if (a[1] == a[2])
      return a[1];
    if (leftKnown)
      return a[0].constant ? a[1] : a[2];
    break;
  case ScalarOp::minS:
  case ScalarOp::maxS:
    if (a[0].term == a[1].term)
      return {a[0].term, op == ScalarOp::minS ? std::min(a[0].constant, a[1].constant)
                                              : std::max(a[0].constant, a[1].constant)};
    if (immediate)
      break; // what loops count up is not told from its next value
    if (range(a[0]).hi <= range(a[1]).lo)
      return op == ScalarOp::minS ? a[0] : a[1];
    if (range(a[1]).hi <= range(a[0]).lo)
      return op == ScalarOp::minS ? a[1] : a[0];
    break;
  default:
    if (isComparison(op) && a[0].term == a[1].term) {
      const int64_t constants[2] = {a[0].constant, a[1].constant};
      return {-1, arithmetic(op, constants, 2, 0)};
    }
  }
  done = false;
  return {};
}

Affine Terms::operation(ScalarOp op, const Affine *operands, int count, int64_t immediate) {
  bool known = true;
  int64_t values[3] = {0, 0, 0};
  for (int i = 0; i < count; ++i) {
    known &= operands[i].isConstant();
    values[i] = operands[i].constant;
  }
  if (known)
    return {-1, arithmetic(op, values, count, immediate)};
  bool done = false;
  if (count >= 2)
    if (const Affine simple = simplified(op, operands, immediate, done); done)
      return simple;
  Term t;
  t.kind = Term::operation;
  t.op = op;
  std::copy(operands, operands + count, t.operands.begin());
  t.operandCount = count;
  t.immediate = immediate;
  const bool unknowns = !operands[0].isConstant() && !operands[1].isConstant();
  if ((op == ScalarOp::add || op == ScalarOp::mul || (isExtreme(op) && unknowns)) &&
      t.operands[1] < t.operands[0])
    std::swap(t.operands[0], t.operands[1]);
  return intern(t);
}

bool Terms::growsWith(Affine a, int32_t bound, int64_t number) const {
  if (a.isConstant() || !terms_[a.term].grows)
    return false;
  const Term &t = terms_[a.term];
  if (t.kind == Term::iteration)
    return t.operands[2].term == bound && t.immediate <= number;
  return std::any_of(t.operands.begin(), t.operands.begin() + t.operandCount,
                     [&](Affine o) { return growsWith(o, bound, number); });
}

int32_t Terms::path(int32_t parent, int32_t bound, int32_t ordinal, int64_t iteration) {
  const auto next = static_cast<int32_t>(paths_.size());
  const auto [at, isNew] = pathNumbers_.try_emplace({parent, bound, ordinal, iteration}, next);
  if (isNew)
    paths_.push_back({parent, bound, ordinal, iteration, paths_[parent].depth + 1});
  return at->second;
}

Terms::LoopClass Terms::classOf(int32_t term, int32_t ordinal, int32_t path) {
  LoopClass c{terms_[term].hasIteration ? -1 : term, ordinal, 0};
  if (path != 0) {
    const Path &p = paths_[path];
    const LoopClass around = classOf(p.bound, p.ordinal, p.parent);
    c.around =
        classes_.try_emplace(around, static_cast<int32_t>(classes_.size()) + 1).first->second;
  }
  return c;
}

std::string Terms::text(Affine a) const {
  if (a.isConstant())
    return std::to_string(a.constant);
  const Term &t = terms_[a.term];
  std::string text;
  switch (t.kind) {
  case Term::extent:
    text = "extent " + std::to_string(t.immediate) + " of " + program_.tensors[t.object].name;
    break;
  case Term::argument:
    text = program_.arguments[t.object].name;
    break;
  case Term::coordinate:
    text = std::string("cta.") + "xyz"[t.immediate];
    break;
  case Term::iteration:
    text = t.loop->name.empty() ? "i" : t.loop->name;
    break;
  case Term::rounds:
    text = "rounds";
    break;
  case Term::drawn:
    text = t.operands[0].constant == ofLaunches
               ? "response " + std::to_string(t.immediate)
               : "number " + std::to_string(t.immediate) + " drawn from " +
                     program_.tensors[t.operands[0].constant].name;
    break;
  case Term::operation:
    if (t.op == ScalarOp::load) {
      text = program_.tensors[t.object].name + "[";
      for (int i = 0; i < t.operandCount; ++i)
        text += (i ? ", " : "") + this->text(t.operands[i]);
      text += "]";
    } else if (const char *infix = symbol(t.op)) {
      text = "(" + this->text(t.operands[0]) + infix + this->text(t.operands[1]) + ")";
    } else {
      text = std::string(function(t.op)) + "(";
      for (int i = 0; i < t.operandCount; ++i)
        text += (i ? ", " : "") + this->text(t.operands[i]);
      text += ")";
    }
  }
  if (a.constant == 0)
    return text;
  return text + (a.constant > 0 ? " + " : " - ") + std::to_string(std::abs(a.constant));
}

} // namespace sluice

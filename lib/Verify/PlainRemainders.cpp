#include "Verify/PlainRemainders.h"

#include "Verify/Counted.h"
#include "Verify/Rewriting.h"
#include "Verify/Rotations.h"
#include "Verify/Signs.h"

#include <bit>

namespace sluice {
namespace {

/// What a whole multiple or a remainder is of: by a constant, rounded down or towards zero. Of what
/// is never negative the two are one.
struct Parts {
  ValueId of = kNone;
  int64_t by = 0;
  bool down = false;
  bool operator==(const Parts &) const = default;
};

class Remainders : Rewriting {
public:
  explicit Remainders(const Program &program)
      : Rewriting(program), neverNegative_(neverNegative(program)) {}

  std::optional<Program> remainders() {
    each(program_.body, [this](Block &b, size_t i) {
      rewriteBound(b.stmts[i]);
      return rewriteScalar(b, i);
    });
    return result();
  }
  std::optional<Program> tails() {
    each(program_.body, [this](Block &b, size_t i) { return rewriteTail(b, i); });
    each(program_.body, [this](Block &b, size_t i) { return rewriteComparison(b, i); });
    return result();
  }

  std::optional<Program> branches() {
    each(program_.body, [this](Block &b, size_t i) { return rewriteSelection(b, i); });
    return result();
  }

private:
  /// `rewrite` returns how many statements it has put before statement i.
  template <typename Rewrite> void each(Block &block, const Rewrite &rewrite) {
    for (size_t i = 0; i < block.stmts.size(); ++i) {
      i += rewrite(block, i);
      forBlocks(block.stmts[i], [&](Block &inner) { each(inner, rewrite); });
    }
  }

  size_t rewriteScalar(Block &block, size_t i) {
    auto *s = std::get_if<Scalar>(&block.stmts[i].op);
    if (!s || s->operands.size() != 2)
      return 0;
    const ValueId a = s->operands[0], b = s->operands[1];
    if (const int64_t *by = constantOf(b);
        s->op == ScalarOp::shrS && by && *by > 0 && *by < 32 && isNeverNegative(a))
      return become(*s, {ScalarOp::divS, s->result, {a, constant(int64_t{1} << *by)}});
    const auto whole = wholeOf(b), rest = remainderOf(b);
    if (s->op == ScalarOp::sub && whole && whole->of == a)
      return become(*s, remainder(*whole, s->result));
    if (s->op == ScalarOp::sub && rest && rest->of == a)
      return becomeWhole(block, i, *rest);
    for (const size_t side : {size_t{0}, size_t{1}})
      if (const int64_t *c = constantOf(s->operands[1 - side])) {
        if (s->op == ScalarOp::andI && *c < 0 && *c >= -largestMask &&
            std::has_single_bit(uint64_t(-*c)))
          return becomeWhole(block, i, parts(s->operands[side], -*c, true));
        if (s->op == ScalarOp::mul && isComparison(s->operands[side]))
          return become(
              *s, {ScalarOp::select, s->result, {s->operands[side], constant(*c), constant(0)}});
      }
    if (s->op == ScalarOp::orI)
      for (const size_t side : {size_t{0}, size_t{1}})
        if (const int64_t *c = constantOf(s->operands[1 - side]); c && isMask(*c))
          return fillUp(block, i, parts(s->operands[side], *c + 1, true));
    if (const auto half = halfOfPositive(b); s->op == ScalarOp::sub && half && half->of == a)
      return become(*s, otherHalf(*half, s->result));
    if (const auto one = halfOfPositive(a), other = halfOfPositive(b);
        s->op == ScalarOp::add && one && other && one->of == other->of && one->up != other->up)
      return become(*s, {ScalarOp::add, s->result, {one->of, constant(0)}});
    const bool sum = (wholeOf(a) && wholeOf(a) == rest) || (whole && whole == remainderOf(a));
    if (s->op == ScalarOp::add && sum)
      return become(*s, {ScalarOp::add, s->result, {(whole ? whole : rest)->of, constant(0)}});
    return 0;
  }

  /// (x / c) * c
  size_t becomeWhole(Block &block, size_t i, const Parts &p) {
    auto &s = std::get<Scalar>(block.stmts[i].op);
    const Scalar q = quotient(p, fresh());
    become(s, {ScalarOp::mul, s.result, {q.result, constant(p.by)}});
    return insert(block, i, q);
  }

  /// x | (c - 1) is (x / c) * c and that.
  size_t fillUp(Block &block, size_t i, const Parts &p) {
    auto &s = std::get<Scalar>(block.stmts[i].op);
    const Scalar q = quotient(p, fresh());
    const Scalar whole{ScalarOp::mul, fresh(), {q.result, constant(p.by)}};
    become(s, {ScalarOp::add, s.result, {whole.result, constant(p.by - 1)}});
    return insert(block, i, std::vector{q, whole});
  }

  /// 1, 3, 7 and so on.
  static bool isMask(int64_t number) {
    return number > 0 && number < largestMask && std::has_single_bit(uint64_t(number) + 1);
  }

  bool isComparison(ValueId v) const {
    const Scalar *s = definition(v);
    return s && sluice::isComparison(s->op);
  }

  /// A loop from 0 to max(x, 0) is one to x.
  void rewriteBound(Stmt &s) {
    auto *loop = std::get_if<For>(&s.op);
    const int64_t *lower = loop && !loop->isWhile() ? constantOf(loop->lower) : nullptr;
    const Scalar *upper = lower ? definition(loop->upper) : nullptr;
    if (!upper || upper->op != ScalarOp::maxS)
      return;
    for (const size_t side : {size_t{0}, size_t{1}})
      if (const int64_t *least = constantOf(upper->operands[side]); least && *least <= *lower) {
        loop->upper = upper->operands[1 - side];
        found_ = true;
        return;
      }
  }

  /// A loop that starts at no number counts from 0: its variable is its start and that.
  size_t rewriteTail(Block &block, size_t i) {
    auto *loop = std::get_if<For>(&block.stmts[i].op);
    if (!loop || loop->isWhile() || constantOf(loop->lower))
      return 0;
    const std::vector<Scalar> length = distance(loop->lower, loop->upper);
    if (length.front().op == ScalarOp::sub && !constantOf(loop->step)) // of the tiles of a CTA
      return 0;
    const ValueId from = fresh();
    ends_.insert({loop->lower, loop->upper});
    fromZero_[loop->iv] = {loop->lower, from};
    loop->body.stmts.insert(loop->body.stmts.begin(),
                            statement(Scalar{ScalarOp::add, loop->iv, {loop->lower, from}}));
    loop->iv = from;
    loop->lower = constant(0);
    loop->upper = length.back().result;
    found_ = true;
    return insert(block, i, length);
  }

  /// From one value to another: the last of these scalars.
  std::vector<Scalar> distance(ValueId from, ValueId to) {
    if (const auto whole = wholeOf(from); whole && whole->of == to)
      return {remainder(*whole, fresh())};
    if (const auto half = halfOfPositive(from); half && half->of == to)
      return {otherHalf(*half, fresh())};
    const Scalar *least = definition(to);
    for (const size_t side : {size_t{0}, size_t{1}})
      if (const ValueId more =
              least && least->op == ScalarOp::minS ? addedTo(from, least->operands[side]) : kNone;
          more != kNone) { // min(x, from + more)
        const Scalar rest{ScalarOp::sub, fresh(), {least->operands[1 - side], from}};
        return {rest, {ScalarOp::minS, fresh(), {rest.result, more}}};
      }
    return {{ScalarOp::sub, fresh(), {to, from}}};
  }

  /// Start and end of such a loop, or its start and variable, are compared as 0 and their distance.
  size_t rewriteComparison(Block &block, size_t i) {
    auto *s = std::get_if<Scalar>(&block.stmts[i].op);
    if (!s || !sluice::isComparison(s->op))
      return 0;
    for (const size_t side : {size_t{0}, size_t{1}}) {
      const ValueId start = s->operands[1 - side], other = s->operands[side];
      std::vector<Scalar> far;
      const auto variable = fromZero_.find(other);
      const bool moves = variable != fromZero_.end() && variable->second.first == start;
      if (!moves && ends_.contains({start, other}))
        far = distance(start, other);
      if (!moves && far.empty())
        continue;
      s->operands[side] = moves ? variable->second.second : far.back().result;
      s->operands[1 - side] = constant(0);
      define(*s);
      return insert(block, i, far);
    }
    return 0;
  }

  size_t rewriteSelection(Block &block, size_t i) {
    auto *s = std::get_if<Scalar>(&block.stmts[i].op);
    if (!s || s->op != ScalarOp::select || !isFew(s->operands[1]) || !isFew(s->operands[2]))
      return 0;
    const Scalar chosen = *s;
    block.stmts[i].op = If{chosen.operands[0],
                           {{}, {chosen.operands[1]}},
                           {{}, {chosen.operands[2]}},
                           {chosen.result}};
    found_ = true;
    return 0;
  }

  /// Slots, ids, parities: by their form one of few numbers.
  bool isFew(ValueId v) const {
    const Scalar *s = definition(v);
    return s && (s->op == ScalarOp::constant || s->op == ScalarOp::cursorSlot ||
                 s->op == ScalarOp::cursorPhase || remainderOf(v));
  }

  /// (x / c) * c.
  std::optional<Parts> wholeOf(ValueId v) const {
    const Scalar *s = definition(v);
    if (!s || s->operands.size() != 2)
      return {};
    const int64_t *by = constantOf(s->operands[1]);
    if (s->op == ScalarOp::shl && by && *by >= 0 && *by < 32)
      return quotientBy(s->operands[0], int64_t{1} << *by);
    for (const size_t side : {size_t{0}, size_t{1}})
      if (const int64_t *factor = constantOf(s->operands[1 - side]);
          factor && s->op == ScalarOp::mul)
        return quotientBy(s->operands[side], *factor);
    return {};
  }

  std::optional<Parts> quotientBy(ValueId v, int64_t by) const {
    const Scalar *s = definition(v);
    const int64_t *c = s && s->operands.size() == 2 ? constantOf(s->operands[1]) : nullptr;
    if (!c || by <= 0)
      return {};
    if (s->op == ScalarOp::divS && *c == by)
      return parts(s->operands[0], by, false);
    if (s->op == ScalarOp::shrS && *c >= 0 && *c < 32 && int64_t{1} << *c == by)
      return parts(s->operands[0], by, true);
    return {};
  }

  std::optional<Parts> remainderOf(ValueId v) const {
    const Scalar *s = definition(v);
    if (!s || s->operands.size() != 2)
      return {};
    const int64_t *c = constantOf(s->operands[1]);
    if (s->op == ScalarOp::remS && c && *c > 0)
      return parts(s->operands[0], *c, false);
    if (s->op == ScalarOp::andI && c && *c >= 0 && std::has_single_bit(uint64_t(*c) + 1))
      return parts(s->operands[0], *c + 1, true);
    return {};
  }

  std::optional<Half> halfOfPositive(ValueId v) const {
    const auto half = halfOf(v);
    return half && isNeverNegative(half->of) ? half : std::nullopt;
  }
  /// What is left of a number without one half.
  Scalar otherHalf(const Half &half, ValueId result) {
    return {half.up ? ScalarOp::divS : ScalarOp::ceilDiv, result, {half.of, constant(2)}};
  }

  bool isNeverNegative(ValueId v) const {
    return static_cast<size_t>(v) < neverNegative_.size() && neverNegative_[v];
  }

  Parts parts(ValueId of, int64_t by, bool down) const {
    return {of, by, down && !isNeverNegative(of)};
  }

  Scalar remainder(const Parts &p, ValueId result) {
    if (p.down)
      return {ScalarOp::andI, result, {p.of, constant(p.by - 1)}};
    return {ScalarOp::remS, result, {p.of, constant(p.by)}};
  }
  Scalar quotient(const Parts &p, ValueId result) {
    if (p.down)
      return {ScalarOp::shrS, result, {p.of, constant(std::countr_zero(uint64_t(p.by)))}};
    return {ScalarOp::divS, result, {p.of, constant(p.by)}};
  }

  size_t become(Scalar &s, Scalar other) {
    s = std::move(other);
    define(s);
    found_ = true;
    return 0;
  }
  size_t insert(Block &block, size_t i, const Scalar &s) {
    define(s);
    block.stmts.insert(block.stmts.begin() + static_cast<std::ptrdiff_t>(i), statement(s));
    return 1;
  }
  size_t insert(Block &block, size_t i, const std::vector<Scalar> &all) {
    for (const Scalar &s : all)
      i += insert(block, i, s);
    return all.size();
  }
  static constexpr int64_t largestMask = int64_t{1} << 31;
  const std::vector<bool> neverNegative_; // of the values that the author has
  // Of loops that count from 0 now: where they started and ended; by variable, the start and what
  // counts.
  std::set<std::pair<ValueId, ValueId>> ends_;
  std::map<ValueId, std::pair<ValueId, ValueId>> fromZero_;
};

} // namespace

std::optional<Program> withPlainRemainders(const Program &program) {
  auto rotated = withoutRotations(program);
  auto plain = Remainders(rotated ? *rotated : program).remainders();
  return plain ? plain : rotated;
}

std::optional<Program> withBranches(const Program &program) {
  return Remainders(program).branches();
}

std::optional<Program> withTailsFromZero(const Program &program) {
  return Remainders(program).tails();
}

} // namespace sluice

// A program whose waits may be spared: before some of them, or a step ahead of them and carried by
// their loop, stands a test that gives them a token. Not all of these tests are right.
#pragma once

#include "Program/Uses.h"

#include <algorithm>
#include <random>

namespace sluice::test {

class AskedAhead {
public:
  AskedAhead(Program &program, uint64_t seed) : program_(program), random_(seed) {}

  void ask() { block(program_.body); }

private:
  bool chance(int percent) { return static_cast<int>(random_() % 100) < percent; }
  ValueId fresh() { return program_.values++; }

  void block(Block &b) {
    for (size_t i = 0; i < b.stmts.size(); ++i) {
      if (auto *loop = std::get_if<For>(&b.stmts[i].op)) {
        block(loop->body);
        i += carry(b, i);
      } else if (auto *branch = std::get_if<If>(&b.stmts[i].op)) {
        block(branch->thenBlock);
        block(branch->elseBlock);
      } else if (auto *role = std::get_if<Role>(&b.stmts[i].op)) {
        block(role->body);
      } else if (auto *wait = std::get_if<MbarrierWait>(&b.stmts[i].op);
                 wait && wait->token == kNone && chance(50)) {
        i += before(b, i);
      }
    }
  }

  static Stmt testOf(const Stmt &wait, Index slot, Index parity, ValueId token) {
    const auto &op = std::get<MbarrierWait>(wait.op);
    Stmt test = wait;
    test.op = MbarrierTest{{op.barrier.object, slot, op.barrier.remote}, parity, op.scope, token};
    return test;
  }

  /// Somewhere in front of the wait, behind what gives its slot and parity. How many statements.
  size_t before(Block &b, size_t at) {
    const Stmt wait = b.stmts[at];
    size_t first = at;
    const auto givesOperand = [&](const Stmt &s) {
      bool gives = false;
      forEachResult(s, [&](ValueId v) { forEachUse(wait, [&](ValueId u) { gives |= u == v; }); });
      return gives;
    };
    while (first > 0 && !givesOperand(b.stmts[first - 1]))
      --first;
    first += random_() % (at - first + 1);
    const auto &op = std::get<MbarrierWait>(wait.op);
    Index parity = op.parity;
    if (parity.isConstant() && chance(15))
      parity.constant ^= 1;
    const ValueId token = fresh();
    std::get<MbarrierWait>(b.stmts[at].op).token = token;
    b.stmts.insert(b.stmts.begin() + static_cast<long>(first),
                   testOf(wait, op.barrier.slot, parity, token));
    return 1;
  }

  /// The scalar of a block that gives a value.
  static const Scalar *scalarOf(const Block &b, ValueId v) {
    for (const Stmt &s : b.stmts)
      if (auto *scalar = std::get_if<Scalar>(&s.op); scalar && scalar->result == v)
        return scalar;
    return nullptr;
  }

  /// Which of the loop's carried values slot and parity of a wait are taken from; nothing: none.
  static std::optional<size_t> cursorOf(const For &loop, const MbarrierWait &wait) {
    const Scalar *parity = wait.parity.isConstant() || wait.parity.constant
                               ? nullptr
                               : scalarOf(loop.body, wait.parity.value);
    if (!parity || parity->op != ScalarOp::cursorPhase)
      return {};
    const Index &slot = wait.barrier.slot;
    const Scalar *from = slot.isConstant() ? nullptr : scalarOf(loop.body, slot.value);
    if (!slot.isConstant() && (!from || from->op != ScalarOp::cursorSlot || slot.constant ||
                               from->operands != parity->operands))
      return {};
    const auto at = std::ranges::find(loop.iterArgs, parity->operands[0]);
    return at == loop.iterArgs.end()
               ? std::nullopt
               : std::optional(static_cast<size_t>(at - loop.iterArgs.begin()));
  }

  /// Asks under a cursor, in a block from `at` on; how many statements.
  size_t askUnder(Block &b, size_t at, const Stmt &wait, ValueId cursor, int64_t slots,
                  ValueId token) {
    const auto &op = std::get<MbarrierWait>(wait.op);
    std::vector<Stmt> added(2, wait);
    const ValueId parity = fresh(), slot = fresh();
    added[0].op = Scalar{ScalarOp::cursorPhase, parity, {cursor}, slots, -1};
    added[1].op = Scalar{ScalarOp::cursorSlot, slot, {cursor}, slots, -1};
    const Index where = op.barrier.slot.isConstant() ? op.barrier.slot : Index{slot, 0};
    added.push_back(testOf(wait, where, {parity, 0}, token));
    b.stmts.insert(b.stmts.begin() + static_cast<long>(at), added.begin(), added.end());
    return added.size();
  }

  /// For one wait of the loop, for the next step at the end of each; now and then at its beginning,
  /// or under the cursor of this one. How many statements in front of the loop.
  size_t carry(Block &b, size_t at) {
    auto &loop = std::get<For>(b.stmts[at].op);
    for (Stmt &s : loop.body.stmts) {
      auto *wait = std::get_if<MbarrierWait>(&s.op);
      const auto cursor = wait && wait->token == kNone ? cursorOf(loop, *wait) : std::nullopt;
      if (!cursor || !chance(70))
        continue;
      const int64_t slots = scalarOf(loop.body, wait->parity.value)->imm;
      const ValueId first = fresh(), carried = fresh(), next = fresh();
      wait->token = carried;
      const Stmt asked = s;
      const bool stale = chance(15);
      const ValueId under = stale ? loop.iterArgs[*cursor] : loop.body.yields[*cursor];
      size_t place = loop.body.stmts.size();
      for (size_t i = 0; !stale && chance(20) && i < loop.body.stmts.size(); ++i) // too early?
        forEachResult(loop.body.stmts[i], [&](ValueId v) { place = v == under ? i + 1 : place; });
      askUnder(loop.body, place, asked, under, slots, next);
      loop.inits.push_back(first);
      loop.iterArgs.push_back(carried);
      loop.results.push_back(fresh());
      loop.body.yields.push_back(next);
      return askUnder(b, at, asked, loop.inits[*cursor], slots, first);
    }
    return 0;
  }

  Program &program_;
  std::mt19937_64 random_;
};

} // namespace sluice::test

// wgmma operations are executed by whole warpgroups (R13): no branch or loop around them parts the
// warps of one, which give the same tiles.
#include "Program/Agent.h"
#include "Program/Uses.h"
#include "Verify/Names.h"
#include "Verify/Structure.h"

#include <algorithm>
#include <map>
#include <set>

namespace sluice {
namespace {

bool isOfWarpgroup(const Operation &op) {
  return factsOf(op).executors == Executors::warpgroups;
}

/// Walks a program and keeps which values the warps of one warpgroup may have apart: those that
/// follow from the number of the warp, but for what is the same in all four, as that number / 4.
class WarpgroupFlow {
public:
  explicit WarpgroupFlow(const StructureContext &c) : c_(c), warps_(c.program.warps) {}

  void check() { walkBlock(c_.program.body, nullptr); }

private:
  /// By warp of the CTA.
  using Numbers = std::vector<int64_t>;

  void walkBlock(const Block &block, const Stmt *parting) {
    for (const Stmt &s : block.stmts)
      walkStatement(s, parting);
  }

  /// `parting`: the innermost branch or loop around in which not all four warps may be.
  void walkStatement(const Stmt &s, const Stmt *parting) {
    if (auto *scalar = std::get_if<Scalar>(&s.op)) {
      compute(*scalar);
    } else if (auto *loop = std::get_if<For>(&s.op)) {
      walkLoop(s, *loop, parting);
    } else if (auto *branch = std::get_if<If>(&s.op)) {
      const bool parts = apart_.contains(branch->condition);
      walkBlock(branch->thenBlock, parts ? &s : parting);
      walkBlock(branch->elseBlock, parts ? &s : parting);
      for (size_t i = 0; i < branch->results.size(); ++i)
        join(branch->results[i], {branch->thenBlock.yields[i], branch->elseBlock.yields[i]}, parts);
    } else if (auto *role = std::get_if<Role>(&s.op)) {
      const Role *outer = role_;
      role_ = role;
      walkBlock(role->body, parting);
      role_ = outer;
    } else if (isOfWarpgroup(s.op)) {
      if (parting)
        refuse(s, *parting);
      else if (isApart(usedBy(s)))
        c_.refuse("R13",
                  operationName(s.op) + place(s.loc) +
                      ": a wgmma operation is one of its whole warpgroup, whose warps name "
                      "different tiles by their numbers. Name one by the number / 4",
                  s.loc);
    } else {
      read(s);
    }
  }

  /// Until no round tells of another value: those of the next round may be apart by this one.
  void walkLoop(const Stmt &s, const For &loop, const Stmt *parting) {
    const size_t found = c_.found.size();
    for (size_t before = size_t(-1); before != apart_.size();) {
      before = apart_.size();
      c_.found.resize(found);
      const bool parts = loop.isWhile() ? apart_.contains(loop.condition)
                                        : isApart({loop.lower, loop.upper, loop.step});
      for (size_t i = 0; i < loop.inits.size(); ++i) {
        join(loop.iterArgs[i], {loop.inits[i], loop.body.yields[i]}, false);
        join(loop.results[i], {loop.inits[i], loop.body.yields[i]}, parts);
      }
      if (parts)
        apart_.insert(loop.iv);
      walkBlock(loop.body, parts ? &s : parting);
    }
  }

  void join(ValueId result, const std::vector<ValueId> &from, bool parts) {
    if (parts || isApart(from))
      apart_.insert(result);
  }

  bool isApart(const std::vector<ValueId> &values) const {
    return std::ranges::any_of(values, [this](ValueId v) { return apart_.contains(v); });
  }

  void compute(const Scalar &s) {
    if (const auto numbers = numbersOf(s)) {
      numbers_[s.result] = *numbers;
      if (partsWarps(*numbers))
        apart_.insert(s.result);
      return;
    }
    join(s.result, s.operands, false);
  }

  /// What each warp has, if that follows from constants and the warp alone.
  std::optional<Numbers> numbersOf(const Scalar &s) const {
    Numbers numbers(warps_, s.imm);
    const bool isWarp = s.op == ScalarOp::warpInRole;
    for (int w = 0; isWarp && w < warps_; ++w)
      numbers[w] = w - (role_ ? role_->firstWarp : 0);
    if (isWarp || s.op == ScalarOp::constant)
      return numbers;
    if (s.op < ScalarOp::add || s.op > ScalarOp::cursorPhase || s.operands.size() > 3)
      return {};
    std::vector<const Numbers *> operands;
    for (const ValueId v : s.operands) {
      const auto at = numbers_.find(v);
      if (at == numbers_.end())
        return {};
      operands.push_back(&at->second);
    }
    for (int w = 0; w < warps_; ++w) {
      int64_t a[3] = {};
      for (size_t i = 0; i < operands.size(); ++i)
        a[i] = (*operands[i])[w];
      numbers[w] = arithmetic(s.op, a, operands.size(), s.imm);
    }
    return numbers;
  }

  bool partsWarps(const Numbers &numbers) const {
    const int first = role_ ? role_->firstWarp : 0, end = first + (role_ ? role_->warps : warps_);
    for (int w = first; w < std::min(end, warps_); ++w)
      if (numbers[w] != numbers[w / 4 * 4 < first ? first : w / 4 * 4])
        return true;
    return false;
  }

  /// A number that is drawn one lane has alone; what is read from memory follows from where it
  /// lies.
  void read(const Stmt &s) {
    const bool draws = std::holds_alternative<CounterAdd>(s.op);
    forEachResult(s, [&](ValueId v) { join(v, usedBy(s), draws); });
  }

  static std::vector<ValueId> usedBy(const Stmt &s) {
    std::vector<ValueId> used;
    forEachUse(s, [&used](const ValueId &v) { used.push_back(v); });
    return used;
  }

  void refuse(const Stmt &s, const Stmt &parting) const {
    c_.refuse("R13",
              operationName(s.op) + place(s.loc) +
                  ": wgmma operations are executed by whole warpgroups, and the " +
                  (std::holds_alternative<For>(parting.op) ? "loop" : "branch") +
                  place(parting.loc) + " parts the warps of one. Let all four come to it",
              s.loc);
  }

  const StructureContext &c_;
  const int warps_; // of the CTA
  const Role *role_ = nullptr;
  std::set<ValueId> apart_;
  std::map<ValueId, Numbers> numbers_;
};

} // namespace

void checkWarpgroups(const StructureContext &c) {
  bool any = false;
  walk(c.program.body, [&any](const Stmt &s) { any |= isOfWarpgroup(s.op); });
  if (any)
    WarpgroupFlow(c).check();
}

} // namespace sluice

#include "Verify/JoinedLoops.h"

#include "Verify/LaunchOrder.h"
#include "Verify/Rewriting.h"

#include <algorithm>
#include <map>
#include <set>

namespace sluice {
namespace {

class Joiner : Rewriting {
public:
  explicit Joiner(const Program &program) : Rewriting(program), order_(program) {
    for (Stmt &s : program_.body.stmts)
      usesIn(s, [this](ValueId v) { ++uses_[v]; });
    forScalars(program_.body, [this](const Scalar &s) {
      if (s.op == ScalarOp::add)
        sums_.insert(std::minmax(s.operands[0], s.operands[1]));
    });
  }

  std::optional<Program> joined() {
    joinIn(program_.body);
    return result();
  }

private:
  using Statements = std::vector<Stmt>;
  static For *loopAt(Statements &all, size_t i) { return std::get_if<For>(&all[i].op); }

  /// From the last on: what has been joined may go on where a third one ends.
  void joinIn(Block &block) {
    Statements &all = block.stmts;
    for (size_t i = all.size(); i-- > 0;) {
      forBlocks(all[i], [this](Block &inner) { joinIn(inner); });
      if (loopAt(all, i))
        join(all, i);
    }
  }

  /// The loop at `first` with the next one, if only scalars lie between.
  void join(Statements &all, size_t first) {
    size_t second = first + 1;
    while (second < all.size() && std::holds_alternative<Scalar>(all[second].op))
      ++second;
    if (second == all.size() || !loopAt(all, second))
      return;
    if (!isJoinable(*loopAt(all, first), *loopAt(all, second)) || !findShared(all, first, second))
      return;
    if (!goesOn(*loopAt(all, first), *loopAt(all, second)))
      second += countOn(all, first, second);
    Stmt loop = all[first];
    loop.op = joined(std::move(*loopAt(all, first)), std::move(*loopAt(all, second)), loop);
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(second));
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(first));
    all.insert(all.begin() + static_cast<std::ptrdiff_t>(second) - 1, std::move(loop));
    found_ = true;
  }

  bool isJoinable(const For &x, const For &y) const {
    return !x.isWhile() && !y.isWhile() && isConstant(x.step, 1) && isConstant(y.step, 1) &&
           order_.isAtMost(y.lower, y.upper) &&
           (goesOn(x, y) || (order_.isAtMost(x.lower, x.upper) && isPartOfSum(x, y)));
  }

  /// The second begins where the first one ends, which may be where it begins.
  bool goesOn(const For &x, const For &y) const {
    if (x.upper == y.lower)
      return order_.isAtMost(x.lower, x.upper);
    const Scalar *s = definition(y.lower); // max(x's end, its start)
    return s && s->op == ScalarOp::maxS &&
           std::minmax(s->operands[0], s->operands[1]) == std::minmax(x.lower, x.upper);
  }

  /// Both are counted from 0, and the program counts to the sum of both somewhere.
  bool isPartOfSum(const For &x, const For &y) const {
    return isConstant(x.lower, 0) && isConstant(y.lower, 0) &&
           (together(x, y) || sums_.count(std::minmax(x.upper, y.upper)));
  }
  /// What the two loops make together, where the second makes what the first one leaves of it.
  std::optional<ValueId> together(const For &x, const For &y) const {
    const Scalar *rest = definition(y.upper);
    if (rest && rest->op == ScalarOp::sub && rest->operands[1] == x.upper)
      return rest->operands[0];
    const auto one = halfOf(x.upper), other = halfOf(y.upper);
    if (!one || !other || one->of != other->of || one->up == other->up ||
        !order_.isAtLeast(one->of, 0))
      return {};
    return one->of;
  }

  /// Has the second loop go on where the first one ends. Returns how many scalars that takes before
  /// it.
  size_t countOn(Statements &all, size_t first, size_t second) {
    const For &x = *loopAt(all, first);
    For &y = *loopAt(all, second);
    const ValueId from = fresh();
    y.body.stmts.insert(y.body.stmts.begin(),
                        statement(Scalar{ScalarOp::sub, y.iv, {from, x.upper}}));
    y.iv = from;
    y.lower = x.upper;
    if (const auto both = together(x, y)) {
      y.upper = *both;
      return 0;
    }
    const Scalar sum{ScalarOp::add, fresh(), {x.upper, y.upper}};
    y.upper = sum.result;
    all.insert(all.begin() + static_cast<std::ptrdiff_t>(second), statement(sum));
    return 1;
  }

  /// Which results of the first loop the second begins with; false: they are read in other ways.
  bool findShared(Statements &all, size_t first, size_t second) {
    const For &x = std::get<For>(all[first].op), &y = std::get<For>(all[second].op);
    shared_.assign(y.inits.size(), -1);
    std::map<ValueId, int> near;
    for (size_t i = first + 1; i <= second; ++i)
      usesIn(all[i], [&near](ValueId v) { ++near[v]; });
    for (size_t j = 0; j < x.results.size(); ++j) {
      const auto at = std::find(y.inits.begin(), y.inits.end(), x.results[j]);
      const int allowed = at == y.inits.end() ? 0 : 1;
      if (near[x.results[j]] != allowed || (allowed == 1 && uses_[x.results[j]] != 1))
        return false;
      if (allowed == 1)
        shared_[at - y.inits.begin()] = static_cast<int>(j);
    }
    return true;
  }

  For joined(For x, For y, const Stmt &at) {
    const size_t own = x.iterArgs.size();
    std::map<ValueId, ValueId> renamed{{y.iv, x.iv}};
    std::vector<ValueId> last = x.iterArgs; // of each slot, what the second loop hands on
    for (size_t k = 0; k < y.iterArgs.size(); ++k) {
      size_t slot = shared_[k];
      if (shared_[k] < 0) {
        slot = x.inits.size();
        x.inits.push_back(y.inits[k]);
        x.iterArgs.push_back(fresh());
        x.body.yields.push_back(x.iterArgs.back());
        x.results.push_back(y.results[k]);
        last.push_back(kNone);
      }
      renamed[y.iterArgs[k]] = x.iterArgs[slot];
      last[slot] = y.body.yields[k];
      if (slot < own)
        x.results[slot] = y.results[k];
    }
    rename(y.body, renamed);
    for (ValueId &v : last)
      if (const auto to = renamed.find(v); to != renamed.end())
        v = to->second;

    const Scalar before{ScalarOp::lt, fresh(), {x.iv, x.upper}};
    If branch{before.result, std::move(x.body), std::move(y.body), {}};
    branch.elseBlock.yields = std::move(last);
    for (size_t i = 0; i < x.iterArgs.size(); ++i)
      branch.results.push_back(fresh());
    x.body = {};
    x.body.yields = branch.results;
    x.body.stmts.push_back({before, Exec::threads, Pipe::none, at.loc});
    x.body.stmts.push_back({std::move(branch), Exec::threads, Pipe::none, at.loc});
    x.upper = y.upper;
    x.pipelined |= y.pipelined;
    return x;
  }

  const LaunchOrder order_;
  std::map<ValueId, int> uses_;                // in the program as it was
  std::set<std::pair<ValueId, ValueId>> sums_; // that it computes; the lesser operand first
  std::vector<int> shared_; // by iterArg of the second loop; -1: begins with something else
};

} // namespace

std::optional<Program> withJoinedLoops(const Program &program) {
  return Joiner(program).joined();
}

} // namespace sluice

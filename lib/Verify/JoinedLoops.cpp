#include "Verify/JoinedLoops.h"

#include "Program/Agent.h"
#include "Program/Ranges.h"
#include "Program/Uses.h"
#include "Verify/Rewriting.h"

#include <algorithm>
#include <map>

namespace sluice {
namespace {

/// Which of two values is at most the other in every launch, from how they are computed.
class Order {
public:
  explicit Order(const Program &program) : ranges_(program) {
    walk(program.body, [this](const Stmt &s) {
      if (auto *scalar = std::get_if<Scalar>(&s.op))
        scalars_[scalar->result] = *scalar;
    });
  }

  bool isOne(ValueId v) const { return ranges_.of(v).least == 1 && ranges_.of(v).most == 1; }
  bool isAtMost(ValueId x, ValueId y) const { return isAtMost(x, y, 0); }

private:
  bool isAtMost(ValueId x, ValueId y, int depth) const {
    if (x == y || ranges_.of(x).most <= ranges_.of(y).least)
      return true;
    return depth < deepest && (shrinks(x, y, depth + 1) || grows(x, y, depth + 1));
  }

  /// x is computed from what is at most y, and no larger than that.
  bool shrinks(ValueId x, ValueId y, int depth) const {
    const Scalar *s = definition(x);
    if (!s || s->operands.size() != 2)
      return false;
    const ValueId a = s->operands[0], b = s->operands[1];
    switch (s->op) {
    case ScalarOp::minS:
      return isAtMost(a, y, depth) || isAtMost(b, y, depth);
    case ScalarOp::maxS:
      return isAtMost(a, y, depth) && isAtMost(b, y, depth);
    case ScalarOp::sub:
      return ranges_.of(b).least >= 0 && isAtMost(a, y, depth);
    case ScalarOp::divS:
    case ScalarOp::shrS:
    case ScalarOp::remS:
      return ranges_.of(a).least >= 0 && ranges_.of(b).least >= (s->op == ScalarOp::shrS ? 0 : 1) &&
             isAtMost(a, y, depth);
    case ScalarOp::mul: // (a / c) * c
      return isQuotient(a, b) && isAtMost(definition(a)->operands[0], y, depth);
    default:
      return false;
    }
  }

  /// y is computed from what x is at most, and no smaller than that.
  bool grows(ValueId x, ValueId y, int depth) const {
    const Scalar *s = definition(y);
    if (!s || s->operands.size() != 2)
      return false;
    const ValueId a = s->operands[0], b = s->operands[1];
    switch (s->op) {
    case ScalarOp::minS:
      return isAtMost(x, a, depth) && isAtMost(x, b, depth);
    case ScalarOp::maxS:
      return isAtMost(x, a, depth) || isAtMost(x, b, depth);
    case ScalarOp::add:
      return (ranges_.of(b).least >= 0 && isAtMost(x, a, depth)) ||
             (ranges_.of(a).least >= 0 && isAtMost(x, b, depth));
    default:
      return false;
    }
  }

  bool isQuotient(ValueId v, ValueId by) const {
    const Scalar *s = definition(v);
    return s && s->op == ScalarOp::divS && s->operands[1] == by && ranges_.of(by).least >= 1 &&
           ranges_.of(s->operands[0]).least >= 0;
  }
  const Scalar *definition(ValueId v) const {
    const auto at = scalars_.find(v);
    return at == scalars_.end() ? nullptr : &at->second;
  }

  static constexpr int deepest = 8;
  Ranges ranges_;
  std::map<ValueId, Scalar> scalars_;
};

/// Calls `visit` for what the statement reads, and for what those in it do.
template <typename Visit> void usesIn(Stmt &s, const Visit &visit) {
  forEachUse(s, visit);
  forBlocks(s, [&visit](Block &block) {
    for (Stmt &inner : block.stmts)
      usesIn(inner, visit);
  });
}

class Joiner : Rewriting {
public:
  explicit Joiner(const Program &program) : Rewriting(program), order_(program) {
    for (Stmt &s : program_.body.stmts)
      usesIn(s, [this](ValueId v) { ++uses_[v]; });
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
    const For &x = *loopAt(all, first), &y = *loopAt(all, second);
    if (!goesOn(x, y) || !findShared(all, first, second))
      return;
    Stmt loop = all[first];
    loop.op = together(std::move(*loopAt(all, first)), std::move(*loopAt(all, second)), loop);
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(second));
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(first));
    all.insert(all.begin() + static_cast<std::ptrdiff_t>(second) - 1, std::move(loop));
    found_ = true;
  }

  bool goesOn(const For &x, const For &y) const {
    return !x.isWhile() && !y.isWhile() && x.upper == y.lower && order_.isOne(x.step) &&
           order_.isOne(y.step) && order_.isAtMost(x.lower, x.upper) &&
           order_.isAtMost(y.lower, y.upper);
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

  For together(For x, For y, const Stmt &at) {
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

  static void rename(Block &block, const std::map<ValueId, ValueId> &to) {
    for (Stmt &s : block.stmts)
      usesIn(s, [&to](ValueId &v) {
        if (const auto at = to.find(v); at != to.end())
          v = at->second;
      });
  }

  const Order order_;
  std::map<ValueId, int> uses_; // in the program as it was
  std::vector<int> shared_;     // by iterArg of the second loop; -1: begins with something else
};

} // namespace

std::optional<Program> withJoinedLoops(const Program &program) {
  return Joiner(program).joined();
}

} // namespace sluice

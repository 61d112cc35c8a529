#include "Verify/Gathered.h"

#include "Program/OperationFacts.h"

#include <set>

namespace sluice {
namespace {

class Gathering {
public:
  explicit Gathering(const Program &program)
      : readIn_(program.values), handed_(program.buffers.size(), false) {
    do {
      grew_ = false;
      block(program.body);
    } while (grew_);
  }

  std::map<const View *, std::vector<bool>> views_;

private:
  using Loops = std::set<const For *>;

  void join(ValueId to, const Loops &from) {
    const size_t before = readIn_[to].size();
    readIn_[to].insert(from.begin(), from.end());
    grew_ |= readIn_[to].size() > before;
  }
  void flow(const std::vector<ValueId> &from, const std::vector<ValueId> &to) {
    for (size_t i = 0; i < from.size() && i < to.size(); ++i)
      join(to[i], readIn_[from[i]]);
  }

  void block(const Block &b) {
    for (const Stmt &s : b.stmts)
      statement(s);
  }

  void statement(const Stmt &s) {
    if (auto *it = std::get_if<Scalar>(&s.op)) {
      if (it->op == ScalarOp::load)
        join(it->result, {around_.begin(), around_.end()});
      for (const ValueId v : it->operands)
        join(it->result, readIn_[v]);
    } else if (auto *it = std::get_if<ScalarWrite>(&s.op)) {
      if (!it->value.isConstant() && !readIn_[it->value.value].empty())
        handed_[it->destination.object] = true;
    } else if (auto *it = std::get_if<ScalarRead>(&s.op)) {
      if (handed_[it->source.object])
        join(it->result, {around_.begin(), around_.end()});
    } else if (auto *it = std::get_if<If>(&s.op)) {
      branch(*it);
    } else if (auto *it = std::get_if<For>(&s.op)) {
      loop(*it);
    } else if (auto *it = std::get_if<Role>(&s.op)) {
      block(it->body);
    } else if (const TileMove move = moveOf(s.op)) {
      tile(*move.source);
    }
  }

  void branch(const If &f) {
    for (const Block *side : {&f.thenBlock, &f.elseBlock}) {
      block(*side);
      flow(side->yields, f.results);
    }
    for (const ValueId v : f.results)
      join(v, readIn_[f.condition]);
  }

  void loop(const For &f) {
    if (!f.isWhile())
      for (const ValueId v : {f.lower, f.step})
        join(f.iv, readIn_[v]);
    flow(f.inits, f.iterArgs);
    around_.push_back(&f);
    block(f.body);
    around_.pop_back();
    flow(f.body.yields, f.iterArgs);
    flow(f.iterArgs, f.results);
  }

  void tile(const View &source) {
    if (source.kind != View::tensor || around_.empty())
      return;
    std::vector<bool> &dimensions = views_[&source];
    dimensions.assign(source.offset.size(), false);
    for (size_t d = 0; d < source.offset.size(); ++d)
      if (const Index &at = source.offset[d]; !at.isConstant())
        dimensions[d] = readIn_[at.value].contains(around_.back());
  }

  std::vector<Loops> readIn_; // of a value: loops in which an integer in it was read
  std::vector<bool> handed_;  // buffers by which such an integer goes to other roles
  std::vector<const For *> around_;
  bool grew_ = false;
};

} // namespace

std::map<const View *, std::vector<bool>> gatheredViews(const Program &program) {
  return std::move(Gathering(program).views_);
}

} // namespace sluice

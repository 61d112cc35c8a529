#include "Language/Cursors.h"

using namespace mlir;

namespace sluice::lang::detail {

int Cursors::add(Value start) {
  values_.push_back(start);
  return int(values_.size()) - 1;
}

void Cursors::end() {
  std::fill(values_.begin(), values_.end(), Value());
}

Cursors::Scope Cursors::open(Operation *op) const {
  Scope scope{op, {}, {}, values_.size()};
  for (size_t i = 0; i < values_.size(); ++i)
    if (values_[i]) {
      scope.cursors.push_back(int(i));
      scope.entries.push_back(values_[i]);
    }
  return scope;
}

std::vector<Value> Cursors::now(const Scope &scope) const {
  std::vector<Value> values;
  for (int cursor : scope.cursors)
    values.push_back(values_[cursor]);
  return values;
}

/// What was made inside stays there.
void Cursors::forget(const Scope &scope) {
  std::fill(values_.begin() + ptrdiff_t(scope.known), values_.end(), Value());
}

// ---- Loops ------------------------------------------------------------------------------------

/// Arguments from `first` on that nothing moved are what they began as.
static void dropArguments(Block &block, unsigned first, const llvm::BitVector &kept,
                          ArrayRef<Value> starts) {
  for (unsigned i = kept.size(); i-- > 0;)
    if (!kept[i]) {
      block.getArgument(first + i).replaceAllUsesWith(starts[i]);
      block.eraseArgument(first + i);
    }
}

scf::ForOp Cursors::openLoop(OpBuilder &b, mlir::Location loc, Value from, Value to, Value step) {
  Scope scope = open(nullptr);
  auto loop = scf::ForOp::create(b, loc, from, to, step, scope.entries);
  scope.op = loop;
  // As if all were moved; closeLoop() drops the others.
  for (auto [i, argument] : llvm::enumerate(loop.getRegionIterArgs()))
    values_[scope.cursors[i]] = scope.entries[i] = argument;
  b.setInsertionPointToEnd(loop.getBody());
  if (scope.cursors.empty()) // otherwise the yield comes at the end
    b.setInsertionPoint(loop.getBody()->getTerminator());
  scopes_.push_back(std::move(scope));
  return loop;
}

void Cursors::closeLoop(OpBuilder &b) {
  const Scope scope = std::move(scopes_.back());
  scopes_.pop_back();
  auto loop = llvm::cast<scf::ForOp>(scope.op);
  forget(scope);
  b.setInsertionPointAfter(loop);
  if (scope.cursors.empty())
    return;
  const SmallVector<Value> all(loop.getInitArgs());
  SmallVector<Value> starts, ends;
  llvm::BitVector kept(all.size());
  for (auto [i, end] : llvm::enumerate(now(scope)))
    if (end != scope.entries[i]) {
      kept.set(i);
      starts.push_back(all[i]);
      ends.push_back(end);
    }
  b.setInsertionPointToEnd(loop.getBody());
  scf::YieldOp::create(b, loop.getLoc(), ends);
  b.setInsertionPointAfter(loop);
  auto carrying = scf::ForOp::create(b, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(),
                                     loop.getStep(), starts);
  carrying->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  carrying.getRegion().takeBody(loop.getRegion());
  dropArguments(*carrying.getBody(), 1, kept, all);
  size_t result = 0;
  for (auto [i, cursor] : llvm::enumerate(scope.cursors))
    values_[cursor] = kept[i] ? carrying.getResult(result++) : all[i];
  loop.erase();
}

void Cursors::openWhile(OpBuilder &b, mlir::Location loc) {
  Scope scope = open(nullptr);
  auto loop = scf::WhileOp::create(b, loc, TypeRange(), scope.entries);
  scope.op = loop;
  Block *before = b.createBlock(&loop.getBefore());
  for (auto [i, cursor] : llvm::enumerate(scope.cursors))
    values_[cursor] = before->addArgument(scope.entries[i].getType(), loc);
  scopes_.push_back(std::move(scope));
}

Value Cursors::openBody(OpBuilder &b, Value more, Value what) {
  Scope &scope = scopes_.back();
  auto loop = llvm::cast<scf::WhileOp>(scope.op);
  scope.under = now(scope);
  forget(scope);
  SmallVector<Value> handed = {what};
  llvm::append_range(handed, scope.under);
  scf::ConditionOp::create(b, loop.getLoc(), more, handed);
  Block *after = b.createBlock(&loop.getAfter());
  Value own = after->addArgument(what.getType(), loop.getLoc());
  for (auto [i, cursor] : llvm::enumerate(scope.cursors))
    values_[cursor] = after->addArgument(scope.entries[i].getType(), loop.getLoc());
  return own;
}

void Cursors::closeWhile(OpBuilder &b) {
  const Scope scope = std::move(scopes_.back());
  scopes_.pop_back();
  forget(scope);
  auto loop = llvm::cast<scf::WhileOp>(scope.op);
  Block &before = loop.getBefore().front(), &after = loop.getAfter().front();
  auto condition = llvm::cast<scf::ConditionOp>(before.back());
  SmallVector<Value> starts, handed = {condition.getArgs()[0]}, ends;
  llvm::BitVector kept(scope.cursors.size());
  for (auto [i, end] : llvm::enumerate(now(scope))) {
    kept[i] = scope.under[i] != before.getArgument(i) || end != after.getArgument(i + 1);
    if (!kept[i])
      continue;
    starts.push_back(scope.entries[i]);
    handed.push_back(scope.under[i]);
    ends.push_back(end);
  }
  condition.getArgsMutable().assign(handed);
  b.setInsertionPointToEnd(&after);
  scf::YieldOp::create(b, loop.getLoc(), ends);
  b.setInsertionPointAfter(loop);
  auto carrying = scf::WhileOp::create(b, loop.getLoc(), ValueRange(handed).getTypes(), starts);
  carrying.getBefore().takeBody(loop.getBefore());
  carrying.getAfter().takeBody(loop.getAfter());
  dropArguments(before, 0, kept, scope.entries);
  dropArguments(after, 1, kept, scope.entries);
  size_t result = 1;
  for (auto [i, cursor] : llvm::enumerate(scope.cursors))
    values_[cursor] = kept[i] ? carrying.getResult(result++) : scope.entries[i];
  loop.erase();
}

// ---- Branches ---------------------------------------------------------------------------------

void Cursors::openBranch(OpBuilder &b, mlir::Location loc, Value condition) {
  auto branch = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/false);
  scopes_.push_back(open(branch));
  b.setInsertionPoint(branch.thenBlock()->getTerminator());
}

void Cursors::otherwise(OpBuilder &b) {
  Scope &scope = scopes_.back();
  scope.under = now(scope);
  for (auto [i, cursor] : llvm::enumerate(scope.cursors))
    values_[cursor] = scope.entries[i];
  forget(scope);
  auto branch = llvm::cast<scf::IfOp>(scope.op);
  b.createBlock(&branch.getElseRegion());
  scf::YieldOp::create(b, branch.getLoc());
  b.setInsertionPoint(branch.elseBlock()->getTerminator());
}

/// A branch that yields what one of its cases moved.
static scf::IfOp yieldFrom(OpBuilder &b, scf::IfOp branch, ValueRange under, ValueRange otherwise) {
  auto yielding = scf::IfOp::create(b, branch.getLoc(), under.getTypes(), branch.getCondition(),
                                    /*addThenBlock=*/false, /*addElseBlock=*/false);
  yielding.getThenRegion().takeBody(branch.getThenRegion());
  if (branch.elseBlock())
    yielding.getElseRegion().takeBody(branch.getElseRegion());
  else
    yielding.getElseRegion().emplaceBlock();
  for (auto [block, values] :
       {std::pair(yielding.thenBlock(), under), std::pair(yielding.elseBlock(), otherwise)}) {
    if (!block->empty() && llvm::isa<scf::YieldOp>(block->back()))
      block->back().erase();
    b.setInsertionPointToEnd(block);
    scf::YieldOp::create(b, branch.getLoc(), values);
  }
  b.setInsertionPointAfter(yielding);
  branch.erase();
  return yielding;
}

void Cursors::closeBranch(OpBuilder &b) {
  const Scope scope = std::move(scopes_.back());
  scopes_.pop_back();
  forget(scope);
  auto branch = llvm::cast<scf::IfOp>(scope.op);
  b.setInsertionPointAfter(branch);
  const auto last = now(scope);
  const auto &under = branch.elseBlock() ? scope.under : last;
  const auto &otherwise = branch.elseBlock() ? last : scope.entries;
  SmallVector<Value> yielded[2];
  SmallVector<int> moved;
  for (auto [i, cursor] : llvm::enumerate(scope.cursors))
    if (under[i] != otherwise[i]) {
      moved.push_back(cursor);
      yielded[0].push_back(under[i]);
      yielded[1].push_back(otherwise[i]);
    }
  if (moved.empty())
    return;
  auto yielding = yieldFrom(b, branch, yielded[0], yielded[1]);
  for (auto [i, cursor] : llvm::enumerate(moved))
    values_[cursor] = yielding.getResult(i);
}

} // namespace sluice::lang::detail

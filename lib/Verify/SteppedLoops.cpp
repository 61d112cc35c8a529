#include "Verify/SteppedLoops.h"

#include "Program/Agent.h"

namespace sluice {

SteppedLoops::SteppedLoops(const Program &program, bool byGrid)
    : Rewriting(program), byGrid_(byGrid) {
  walk(program_.body, [this](const Stmt &s) {
    if (auto *grid = std::get_if<Grid>(&s.op))
      extents_.insert(grid->extents.begin(), grid->extents.end());
  });
}

std::optional<Program> SteppedLoops::counted() {
  countIn(program_.body);
  return result();
}

void SteppedLoops::countIn(Block &block) {
  for (size_t i = 0; i < block.stmts.size(); ++i) {
    forBlocks(block.stmts[i], [this](Block &inner) { countIn(inner); });
    auto *loop = std::get_if<For>(&block.stmts[i].op);
    if (!loop || loop->isWhile() || constantOf(loop->step) ||
        extents_.contains(loop->step) != byGrid_)
      continue;
    const std::vector<Stmt> before = count(*loop);
    block.stmts.insert(block.stmts.begin() + static_cast<std::ptrdiff_t>(i), before.begin(),
                       before.end());
    i += before.size();
  }
}

ValueId SteppedLoops::compute(std::vector<Stmt> &to, ScalarOp op, std::vector<ValueId> operands) {
  const Scalar s{op, fresh(), std::move(operands)};
  define(s);
  to.push_back(statement(s));
  return s.result;
}

void SteppedLoops::countBy(For &loop, ValueId number, std::vector<Stmt> before) {
  const ValueId way = fresh();
  before.push_back(statement(Scalar{ScalarOp::mul, way, {number, loop.step}}));
  before.push_back(statement(Scalar{ScalarOp::add, loop.iv, {loop.lower, way}}));
  loop.body.stmts.insert(loop.body.stmts.begin(), before.begin(), before.end());
  loop.iv = number;
  loop.lower = constant(0);
  loop.step = constant(1);
  found_ = true;
}

bool SteppedLoops::asksForMore(const Scalar &s, size_t side) {
  return s.op == (side == 0 ? ScalarOp::lt : ScalarOp::gt) ||
         s.op == (side == 0 ? ScalarOp::ge : ScalarOp::le);
}

} // namespace sluice

#include "Verify/SteppedLoops.h"

#include "Program/Agent.h"

namespace sluice {

SteppedLoops::SteppedLoops(const Program &program, bool sure) : Rewriting(program), sure_(sure) {
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
    if (!loop || loop->isWhile() || !isCounted(*loop))
      continue;
    const std::vector<Stmt> before = count(*loop);
    block.stmts.insert(block.stmts.begin() + static_cast<std::ptrdiff_t>(i), before.begin(),
                       before.end());
    i += before.size();
  }
}

/// Those of a known length are not.
bool SteppedLoops::isCounted(const For &loop) const {
  if (const int64_t *step = constantOf(loop.step))
    return sure_ && *step > 1 && !(constantOf(loop.lower) && constantOf(loop.upper));
  return extents_.contains(loop.step) == sure_;
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

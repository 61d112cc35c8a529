// Roles of the leader alone ask for the rank of their CTA: the other CTAs of the cluster have warps
// that do nothing.
#include "Transform/Passes.h"
#include "Transform/Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace sluice {
namespace {

using namespace ir;

/// Registers are declared for the role as a whole.
void askForRank(RoleOp role, mlir::Value rank) {
  mlir::Block &body = role.getBody().front();
  std::vector<mlir::Operation *> statements;
  for (mlir::Operation &op : body)
    if (!mlir::isa<AllocOp>(op))
      statements.push_back(&op);
  auto b = mlir::OpBuilder::atBlockEnd(&body);
  auto loc = role.getLoc();
  auto leads = mlir::arith::CmpIOp::create(b, loc, mlir::arith::CmpIPredicate::eq, rank,
                                           constantIndex(b, loc, 0));
  auto branch = mlir::scf::IfOp::create(b, loc, leads, /*withElseRegion=*/false);
  for (auto *op : statements)
    op->moveBefore(branch.thenYield());
  role.setLeader(false);
}

} // namespace

mlir::LogicalResult askForLeaders(KernelOp kernel, const Arch & /*arch*/) {
  mlir::Value rank;
  for (RoleOp role : kernel.getOps<RoleOp>()) {
    if (!role.getLeader())
      continue;
    auto b = mlir::OpBuilder::atBlockBegin(&kernel.getBody().front());
    if (!rank)
      rank = ClusterRankOp::create(b, role.getLoc(), b.getIndexType());
    askForRank(role, rank);
  }
  return mlir::success();
}

} // namespace sluice

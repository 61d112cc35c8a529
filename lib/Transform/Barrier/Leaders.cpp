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

class Leaders : public mlir::PassWrapper<Leaders, mlir::OperationPass<KernelOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Leaders)
  llvm::StringRef getArgument() const override { return "sluice-leaders"; }
  llvm::StringRef getDescription() const override {
    return "roles of the leader ask for the rank of their CTA";
  }

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    mlir::Value rank;
    for (RoleOp role : kernel.getOps<RoleOp>()) {
      if (!role.getLeader())
        continue;
      auto b = mlir::OpBuilder::atBlockBegin(&kernel.getBody().front());
      if (!rank)
        rank = ClusterRankOp::create(b, role.getLoc(), b.getIndexType());
      askForRank(role, rank);
    }
  }
};

} // namespace

bool hasLeaders(KernelOp kernel) {
  return llvm::any_of(kernel.getOps<RoleOp>(), [](RoleOp role) { return role.getLeader(); });
}

std::unique_ptr<mlir::Pass> createLeadersPass() {
  return std::make_unique<Leaders>();
}

} // namespace sluice

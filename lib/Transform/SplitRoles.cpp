// Pipeline level, NVIDIA: one stream in which every operation names its role becomes one body per
// role: a copy of the stream that keeps what is the role's own.
#include "Transform/Passes.h"
#include "Transform/Tiles.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

namespace sluice {
namespace {

using namespace ir;
using mlir::dyn_cast;
using mlir::isa;

/// Declarations, scalars and the grid stay in front of the roles.
bool isShared(mlir::Operation &op) {
  if (auto alloc = dyn_cast<AllocOp>(op))
    return alloc.getBuffer().getType().getSpace() != Space::reg;
  return isa<PipelineOp, GridOp, AssumeOp>(op) || mlir::isMemoryEffectFree(&op);
}

bool isForeign(mlir::Operation *op, llvm::StringRef role) {
  auto agent = agentOf(op);
  return !agent.empty() && agent != role;
}

/// Statements of the stream in order, with the scalars that need their results. Other scalars
/// behind its first statement move in front of it.
std::vector<mlir::Operation *> takeStream(mlir::Block &body) {
  std::vector<mlir::Operation *> stream;
  for (mlir::Operation &op : llvm::make_early_inc_range(body)) {
    bool needs = llvm::any_of(op.getOperands(), [&](mlir::Value v) {
      return llvm::is_contained(stream, v.getDefiningOp());
    });
    if (!isShared(op) || needs)
      stream.push_back(&op);
    else if (!stream.empty())
      op.moveBefore(stream.front());
  }
  return stream;
}

/// Copies of what other roles do go; then what only they used.
void keepOwn(RoleOp role) {
  std::vector<mlir::Operation *> all, foreign;
  role.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (op == role)
      return mlir::WalkResult::advance();
    if (isForeign(op, role.getName())) {
      foreign.push_back(op);
      return mlir::WalkResult::skip(); // its regions go with it
    }
    all.push_back(op);
    return mlir::WalkResult::advance();
  });
  for (auto *op : llvm::reverse(foreign))
    op->erase();
  for (auto *op : llvm::reverse(all))
    if (op->use_empty() && (isa<AllocOp>(op) || mlir::isMemoryEffectFree(op)) &&
        !op->hasTrait<mlir::OpTrait::IsTerminator>())
      op->erase();
}

class SplitRoles : public mlir::PassWrapper<SplitRoles, mlir::OperationPass<KernelOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SplitRoles)
  explicit SplitRoles(const Arch &) {}
  llvm::StringRef getArgument() const override { return "sluice-split-roles"; }
  llvm::StringRef getDescription() const override { return "one body per role"; }

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    mlir::Block &body = kernel.getBody().front();
    auto stream = takeStream(body);
    if (stream.empty() || isa<RoleOp>(stream.front()))
      return;
    Warps warps = warpsOf(kernel);
    auto b = mlir::OpBuilder::atBlockEnd(&body);
    addRole(b, kernel, "mma", 0, warps.consumer, stream);
    addRole(b, kernel, "load", warps.consumer, warps.consumer + warps.producer, stream);
    for (auto *op : llvm::reverse(stream))
      op->erase();
    kernel.setWarps(warps.consumer + warps.producer);
  }

private:
  static void addRole(mlir::OpBuilder &b, KernelOp kernel, llvm::StringRef name, int first, int end,
                      llvm::ArrayRef<mlir::Operation *> stream) {
    auto role =
        RoleOp::create(b, kernel.getLoc(), b.getStringAttr(name), b.getI64IntegerAttr(first),
                       b.getI64IntegerAttr(end), nullptr, mlir::IntegerAttr());
    auto inside = mlir::OpBuilder::atBlockEnd(&role.getBody().emplaceBlock());
    mlir::IRMapping mapping;
    for (auto *op : stream)
      inside.clone(*op, mapping);
    keepOwn(role);
  }
};

} // namespace

std::unique_ptr<mlir::Pass> createSplitRolesPass(const Arch &arch) {
  return std::make_unique<SplitRoles>(arch);
}

} // namespace sluice

// Barrier level, Ascend: the stream becomes a role of the cube core and, where element functions
// have agents on them, one of the vector cores: copies that keep what is the core's own.
#include "Dialect/Marks.h"
#include "Transform/Cores.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

namespace sluice {
namespace {

using namespace ir;
using mlir::dyn_cast;
using mlir::isa;
namespace scf = mlir::scf;

/// What the statements of a role need, directly or through loops and branches.
class Liveness {
public:
  explicit Liveness(RoleOp role) {
    role.walk([&](mlir::Operation *op) {
      const bool leaf = op->getNumRegions() == 0 && !mlir::isMemoryEffectFree(op);
      if ((op != role && leaf) || isa<MapOp, ReduceOp>(op))
        markStatement(op, role);
      if (isa<MapOp>(op)) // its function may take indices from outside
        op->walk([&](mlir::Operation *inner) { markOperands(inner); });
    });
  }
  bool contains(mlir::Value value) const { return live_.contains(value); }

private:
  void markStatement(mlir::Operation *op, RoleOp role) {
    markOperands(op);
    for (auto *parent = op->getParentOp(); parent != role; parent = parent->getParentOp())
      markControl(parent);
  }
  void markOperands(mlir::Operation *op) {
    for (mlir::Value operand : op->getOperands())
      mark(operand);
  }
  /// Trip count of a loop, condition of a branch.
  void markControl(mlir::Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      for (mlir::Value bound : {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
        mark(bound);
    else
      markOperands(op);
  }
  void markCarried(scf::ForOp loop, unsigned i) {
    mark(loop.getInitArgs()[i]);
    mark(loop.getYieldedValues()[i]);
    mark(loop.getRegionIterArgs()[i]);
    mark(loop.getResult(i));
  }
  void mark(mlir::Value value) {
    if (!live_.insert(value).second)
      return;
    if (auto argument = dyn_cast<mlir::BlockArgument>(value)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (loop && argument.getArgNumber() > 0)
        markCarried(loop, argument.getArgNumber() - 1);
      return;
    }
    auto result = mlir::cast<mlir::OpResult>(value);
    markControl(result.getOwner());
    if (auto loop = dyn_cast<scf::ForOp>(result.getOwner()))
      markCarried(loop, result.getResultNumber());
    else if (auto branch = dyn_cast<scf::IfOp>(result.getOwner()))
      for (mlir::Region &region : branch->getRegions())
        if (!region.empty())
          mark(region.front().getTerminator()->getOperand(result.getResultNumber()));
  }

  llvm::DenseSet<mlir::Value> live_;
};

/// Values that loops carry for nobody stay what they were: canonicalisation then drops them. Their
/// names go here.
void stopDeadValues(RoleOp role) {
  Liveness live(role);
  role.walk([&](scf::ForOp loop) {
    auto yield = mlir::cast<scf::YieldOp>(loop.getBody()->getTerminator());
    auto names = marks::carries.of(loop);
    llvm::SmallVector<mlir::Attribute> kept;
    for (auto [i, argument] : llvm::enumerate(loop.getRegionIterArgs())) {
      if (!live.contains(argument))
        yield.setOperand(i, argument);
      else if (names && i < names.size())
        kept.push_back(names[i]);
    }
    if (names)
      marks::carries.set(loop, mlir::ArrayAttr::get(loop.getContext(), kept));
  });
}

void keepOwnCore(RoleOp role) {
  std::vector<mlir::Operation *> foreign;
  role.walk([&](mlir::Operation *op) {
    auto agent = agentOf(op);
    if (!agent.empty() && coreOf(agent) != *role.getCore())
      foreign.push_back(op);
  });
  for (auto *op : llvm::reverse(foreign))
    op->erase();
  stopDeadValues(role);
}

RoleOp createRole(mlir::OpBuilder &b, mlir::Location loc, llvm::StringRef name,
                  llvm::StringRef core) {
  auto role = RoleOp::create(b, loc, b.getStringAttr(name), mlir::IntegerAttr(),
                             mlir::IntegerAttr(), b.getStringAttr(core), mlir::IntegerAttr());
  role.getBody().emplaceBlock();
  return role;
}

} // namespace

llvm::SmallVector<RoleOp> splitCores(KernelOp kernel) {
  mlir::Block &body = kernel.getBody().front();
  std::vector<mlir::Operation *> stream;
  bool vector = false;
  for (mlir::Operation &op : body)
    if (!isa<AllocOp, GridOp, AssumeOp>(op) && !mlir::isMemoryEffectFree(&op))
      stream.push_back(&op);
  kernel.walk([&](mlir::Operation *op) { vector |= onVectorCore(agentOf(op)); });
  auto b = mlir::OpBuilder::atBlockEnd(&body);
  llvm::SmallVector<RoleOp> roles = {createRole(b, kernel.getLoc(), "cube", "aic")};
  if (vector) {
    roles.push_back(createRole(b, kernel.getLoc(), "vector", "aiv"));
    auto inside = mlir::OpBuilder::atBlockEnd(&roles[1].getBody().front());
    mlir::IRMapping mapping;
    for (auto *op : stream)
      inside.clone(*op, mapping);
  }
  mlir::Block &cube = roles[0].getBody().front();
  for (auto *op : stream)
    op->moveBefore(&cube, cube.end());
  for (RoleOp role : roles)
    if (vector)
      keepOwnCore(role);
  return roles;
}

} // namespace sluice

#include "Language/RolesOfTiles.h"

#include "Dialect/Marks.h"
#include "Language/Recorder.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace sluice::lang::detail {

static std::string text(ir::RoleOp role) {
  return "role '" + role.getName().str() + "'";
}

bool areAmongTiles(Recorder &recorder, const std::vector<WrittenRole> &roles) {
  if (roles.empty() || llvm::any_of(roles, [](WrittenRole role) { return role.op.getCore(); }))
    return false;
  ir::KernelOp kernel = recorder.kernel();
  const auto found = kernel.walk([&](Operation *op) {
    const bool tile = isa<ir::AllocOp>(op) && !op->getParentOfType<ir::RoleOp>();
    const bool inside = isa<ir::RoleOp>(op) && op->getParentOp() != kernel;
    return tile || inside ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found.wasInterrupted();
}

/// `others` were written before it.
static void check(Recorder &recorder, WrittenRole role, ArrayRef<WrittenRole> others) {
  if (role.warps.each)
    recorder.fail(role.op, text(role.op) +
                               " is among tiles, whose registers follow from those that "
                               "it holds; leave registers() out");
  if (role.warps.leads)
    recorder.fail(role.op, text(role.op) + " is among tiles, of every CTA; leave leader() out");
  for (WrittenRole other : others)
    if (other.op.getName() == role.op.getName() && other.warps.count != role.warps.count)
      return recorder.fail(role.op, text(role.op) + " has " + std::to_string(role.warps.count) +
                                        " warps here, and " + std::to_string(other.warps.count) +
                                        " before; it has as many everywhere");
}

static void nameStatements(Recorder &recorder, ir::RoleOp role) {
  role.getBody().walk([&](Operation *op) {
    if (isa<ir::LoadOp, ir::StoreOp, ir::CopyOp, ir::FillOp, ir::MapOp, ir::ReduceOp, ir::MmaOp,
            ir::PrintOp>(op))
      ir::marks::inRole.set(op, role.getName());
    else if (!isa<ir::AllocOp, ir::ScalarLoadOp, ir::UniformOp, scf::ForOp, scf::IfOp>(op) &&
             !op->hasTrait<OpTrait::IsTerminator>() && !isMemoryEffectFree(op))
      recorder.fail(op, "stands in " + text(role) +
                            " among tiles, where roles load, store, compute and multiply these");
  });
}

void nameAmongTiles(Recorder &recorder, const std::vector<WrittenRole> &roles) {
  NamedAttrList warps;
  for (auto [i, written] : llvm::enumerate(roles)) {
    WrittenRole role = written;
    check(recorder, role, ArrayRef(roles).take_front(i));
    warps.set(role.op.getName(), recorder.builder.getI64IntegerAttr(role.warps.count));
    nameStatements(recorder, role.op);
  }
  ir::KernelOp kernel = recorder.kernel();
  ir::marks::roles.set(kernel, warps.getDictionary(kernel.getContext()));
  for (WrittenRole role : roles) {
    auto &body = role.op.getBody().front().getOperations();
    role.op->getBlock()->getOperations().splice(role.op->getIterator(), body);
    role.op.erase();
  }
}

} // namespace sluice::lang::detail

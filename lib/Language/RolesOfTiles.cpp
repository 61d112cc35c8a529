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

static std::string text(Warps warps) {
  return "warps(" + std::to_string(warps.count) + ")" +
         (warps.each ? ".registers(" + std::to_string(warps.each) + ")" : "") +
         (warps.leads ? ".leader()" : "");
}

/// `others` were written before it.
static void check(Recorder &recorder, WrittenRole role, ArrayRef<WrittenRole> others) {
  for (WrittenRole other : others)
    if (other.op.getName() == role.op.getName() && text(other.warps) != text(role.warps))
      return recorder.fail(role.op, text(role.op) + " has " + text(role.warps) + " here, and " +
                                        text(other.warps) + " before; it has the same everywhere");
}

/// As `sluice.roles` has it.
static Attribute valueOf(Builder &b, Warps warps) {
  Attribute count = b.getI64IntegerAttr(warps.count);
  if (!warps.each && !warps.leads)
    return count;
  SmallVector<NamedAttribute> said = {b.getNamedAttr("warps", count)};
  if (warps.each)
    said.push_back(b.getNamedAttr("registers", b.getI64IntegerAttr(warps.each)));
  if (warps.leads)
    said.push_back(b.getNamedAttr("leader", b.getUnitAttr()));
  return b.getDictionaryAttr(said);
}

static void nameStatements(Recorder &recorder, ir::RoleOp role) {
  role.getBody().walk([&](Operation *op) {
    if (isa<ir::LoadOp, ir::StoreOp, ir::CopyOp, ir::FillOp, ir::MapOp, ir::ReduceOp, ir::MmaOp,
            ir::PrintOp, ir::CounterAddOp, ir::CounterWaitOp>(op))
      ir::marks::inRole.set(op, role.getName());
    else if (!isa<ir::AllocOp, ir::ScalarLoadOp, ir::UniformOp, scf::ForOp, scf::IfOp>(op) &&
             !op->hasTrait<OpTrait::IsTerminator>() && !isMemoryEffectFree(op))
      recorder.fail(
          op, "stands in " + text(role) +
                  " among tiles, where roles load, store, compute and multiply these, and ask "
                  "counters");
  });
}

void nameAmongTiles(Recorder &recorder, const std::vector<WrittenRole> &roles) {
  NamedAttrList warps;
  for (auto [i, written] : llvm::enumerate(roles)) {
    WrittenRole role = written;
    check(recorder, role, ArrayRef(roles).take_front(i));
    warps.set(role.op.getName(), valueOf(recorder.builder, role.warps));
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

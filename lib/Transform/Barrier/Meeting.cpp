#include "Transform/Barrier/Meeting.h"

#include "Dialect/ValueNames.h"
#include "Transform/Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace sluice {

using namespace ir;

void meet(mlir::OpBuilder &b, mlir::Location loc, const Meeting &meeting) {
  if (!meeting.group) {
    BarSyncOp::create(b, loc, meeting.barrier, meeting.threads);
    return;
  }
  for (int64_t group = 0; group < meeting.groups; ++group) {
    auto isOwn = mlir::arith::CmpIOp::create(b, loc, mlir::arith::CmpIPredicate::eq, meeting.group,
                                             constantIndex(b, loc, group));
    auto branch = mlir::scf::IfOp::create(b, loc, isOwn, /*withElseRegion=*/false);
    auto inside = branch.getThenBodyBuilder();
    BarSyncOp::create(inside, loc, meeting.barrier + group, meeting.threads);
  }
}

int64_t lastBarrier(KernelOp kernel, RoleOp except) {
  int64_t last = 0;
  kernel.walk([&](BarSyncOp op) {
    auto role = op->getParentOfType<RoleOp>();
    if (!except || role != except)
      last = std::max<int64_t>(last, op.getId().value_or(0));
  });
  return last;
}

mlir::Value warpgroupOf(RoleOp role, mlir::Location loc) {
  auto b = mlir::OpBuilder::atBlockBegin(&role.getBody().front());
  mlir::Value warp = WarpOp::create(b, loc, b.getIndexType());
  mlir::Value group = mlir::arith::DivSIOp::create(b, loc, warp, constantIndex(b, loc, 4));
  setValueName(group, "group");
  return group;
}

} // namespace sluice

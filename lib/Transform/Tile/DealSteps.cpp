#include "Transform/Tile/DealSteps.h"

#include "Dialect/Marks.h"
#include "Dialect/ValueNames.h"
#include "Transform/Pipeline/RolePlan.h"
#include "Transform/Tile/DealtLoop.h"
#include "Transform/Tile/Narrowing.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace sluice {

using namespace ir;
using mlir::failed;
using mlir::failure;
using mlir::isa;
using mlir::LogicalResult;
using mlir::success;
using mlir::Value;
namespace arith = mlir::arith;
namespace scf = mlir::scf;

/// Who multiplies has the parts of it.
static llvm::StringRef roleOfSum(AllocOp tile) {
  for (const TileAccess &access : accessesOf(tile))
    if (isa<MmaOp>(access.op))
      return roleFor(access.op);
  return "";
}

int64_t ctasOf(scf::ForOp splitLoop) {
  auto split = splitLoop ? marks::split.of(splitLoop) : nullptr;
  return split ? split.getInt() : 1;
}

mlir::FailureOr<scf::ForOp> findSplitLoop(KernelOp kernel, int64_t ctas) {
  scf::ForOp found;
  auto wrong = kernel.walk([&](scf::ForOp loop) {
    if (ctasOf(loop) == 1)
      return mlir::WalkResult::advance();
    if (found)
      loop.emitError("a second loop that is split is not supported");
    else if (loop->getParentOp() != kernel)
      loop.emitError("a loop that is split within another loop or a branch is not supported");
    else
      return found = loop, mlir::WalkResult::advance();
    return mlir::WalkResult::interrupt();
  });
  if (wrong.wasInterrupted() ||
      (found && failed(verifyDealtLoop(found, "split", ctas ? ctas : ctasOf(found)))))
    return failure();
  return found;
}

void takePart(scf::ForOp splitLoop, int64_t parts, Value place) {
  mlir::OpBuilder b(splitLoop);
  auto loc = splitLoop.getLoc();
  Value own = named(
      arith::CeilDivSIOp::create(b, loc, splitLoop.getUpperBound(), constantIndex(b, loc, parts)),
      "steps");
  Value first = named(arith::MulIOp::create(b, loc, place, own), "firstStep");
  splitLoop.setUpperBound(own);
  b.setInsertionPointToStart(splitLoop.getBody());
  Value t = splitLoop.getInductionVar();
  auto step = arith::AddIOp::create(b, loc, first, t);
  setValueName(step, "step");
  t.replaceAllUsesExcept(step, step);
  marks::split.remove(splitLoop);
}

LogicalResult dealSteps(scf::ForOp splitLoop, Value place) {
  constexpr int columns = 1;
  Narrowing narrowing(splitLoop, place, ctasOf(splitLoop), columns, "CTA");
  mlir::OpBuilder b(splitLoop);
  b.setInsertionPointAfter(splitLoop);
  std::vector<AllocOp> sums;
  for (AllocOp tile : accumulatorsOf(splitLoop)) {
    sums.push_back(narrowing.blockOf(b, tile));
    auto made = ClusterSumOp::create(b, splitLoop.getLoc(), tile.getBuffer(),
                                     sums.back().getBuffer(), place, Value());
    putInRole(made, roleOfSum(tile));
    narrowing.readInstead(tile, sums.back());
  }
  for (AllocOp sum : sums)
    if (failed(narrowing.follow(sum)))
      return failure();
  if (failed(narrowing.verifyStores()))
    return failure();
  takePart(splitLoop, ctasOf(splitLoop), place);
  return success();
}

} // namespace sluice

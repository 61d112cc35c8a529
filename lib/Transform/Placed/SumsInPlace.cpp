#include "Transform/Placed/SumsInPlace.h"

#include "Dialect/Marks.h"
#include "Transform/Pipeline/SumInTurns.h"
#include "Transform/Placed/SumParts.h"
#include "Transform/Tiles.h"

namespace sluice {

using namespace ir;
using mlir::cast;
using mlir::dyn_cast;

namespace {

/// A row in each lane, a number in each column.
bool hasLanes(AllocOp sum) {
  auto type = sum.getBuffer().getType();
  return type.getShape()[0] == 128 && byteSize(*dtypeOf(type.getElementType())) == 4;
}

/// A product of this CTA that adds; what overwrites would ask for no value.
bool adds(MmaOp mma) {
  return !mma.getAccumulate() && !marks::pair.on(mma);
}

bool isInParts(const TileAccess &access, AllocOp sum) {
  auto map = dyn_cast<MapOp>(access.op);
  return (map && hasSumParts(map, sum)) || mlir::isa<FillOp>(access.op);
}

/// The last value is read as one copy, or several, of what does not change.
bool isTaken(const TileAccess &access, AllocOp sum) {
  return !access.writes && access.op->getBlock() == sum->getBlock();
}

} // namespace

bool staysInPlace(AllocOp sum) {
  const auto turns = turnsOf(sum);
  if (!turns || !hasLanes(sum) || sum->getParentOfType<KernelOp>().getCluster())
    return false;
  return llvm::all_of(accessesOf(sum), [&](const TileAccess &access) {
    if (access.view != sum.getBuffer())
      return false;
    if (auto mma = dyn_cast<MmaOp>(access.op))
      return mma.getD() == access.view && adds(mma);
    auto *here = ancestorIn(sum->getBlock(), access.op);
    return turns->loop->isBeforeInBlock(here) ? isTaken(access, sum) : isInParts(access, sum);
  });
}

void fillInPlace(AllocOp sum) {
  for (const TileAccess &access : accessesOf(sum))
    if (auto fill = dyn_cast<FillOp>(access.op)) {
      storeFilledParts(fill, sum);
      fill.erase();
    }
}

} // namespace sluice

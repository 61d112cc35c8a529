#include "Transform/Pipeline/FactorSlots.h"

#include "Dialect/Marks.h"

namespace sluice {

using namespace ir;

bool holdsFactors(AllocOp tile) {
  return llvm::any_of(accessesOf(tile), [](const TileAccess &access) {
    return access.writes && bringsFactors(access.op);
  });
}

int64_t bytesOfFactors(KernelOp kernel) {
  int64_t bytes = 0;
  kernel.walk([&](AllocOp tile) {
    if (!holdsFactors(tile))
      return;
    auto loop = iteratedBy(tile);
    const int64_t slots = loop && marks::stages.on(loop) ? stagesOf(tile, loop) : 1;
    bytes += *byteSizeOf(tile.getBuffer().getType()) * slots;
  });
  return bytes;
}

void takeFactorsIn(Ring &ring) {
  std::vector<AllocOp> columns;
  for (AllocOp buffer : ring.buffers)
    for (const TileAccess &access : accessesOf(buffer)) {
      if (!access.reads || !bringsFactors(access.op))
        continue;
      AllocOp tile = rootOf(llvm::cast<CopyOp>(access.op).getDestination());
      if (tile->getBlock() == buffer->getBlock() && !llvm::is_contained(columns, tile))
        columns.push_back(tile);
    }
  ring.buffers.insert(ring.buffers.end(), columns.begin(), columns.end());
}

} // namespace sluice

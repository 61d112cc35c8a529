#include "Transform/LoadedBy.h"

#include "Dialect/Marks.h"
#include "Transform/KernelRanges.h"
#include "Transform/Refusal.h"
#include "Transform/Tiles.h"

namespace sluice {

using namespace ir;

static const char *needs(bool shared, llvm::StringRef by) {
  if (!shared)
    return "the tile comes to registers, by who computes with it: it is a vector, or no loop with "
           "stages loads it";
  if (by == "async")
    return "cp.async copies 4, 8 or 16 bytes at a time, which have to begin at multiples of these";
  return by == "bulk"
             ? "bulk copies bring rows of 16-bit or 32-bit elements to element functions alone, of "
               "tiles by whole rows with multiples of 256 columns, from columns that are not "
               "negative"
             : "boxes of a tensor map need `align 16`, and columns that begin at multiples of 16 "
               "bytes";
}

bool isAsync(LoadOp load) {
  auto by = marks::loadedBy.of(load);
  return load.getAsync() || (by && by.getValue() == "async");
}

/// Lines of a tile are pieces of 4 bytes at least, which no alignment straddles (PTX ISA,
/// cp.async).
static bool hasPieces(LoadOp load) {
  constexpr int64_t least = 4; // bytes
  auto tensor = load.getSource().getType();
  auto tile = load.getDestination().getType();
  const int64_t size = byteSize(*dtypeOf(tensor.getElementType()));
  KernelRanges ranges(load->getParentOfType<KernelOp>());
  const int64_t start = ranges.of(load.getOffsets()[tensor.getMinor()]).multiple * size;
  const int64_t line = tile.getShape()[tile.getMinor()] * size;
  return std::max(tensor.getAlign(), size) % least == 0 && start % least == 0 && line % least == 0;
}

mlir::LogicalResult verifyLoadedBy(LoadOp load) {
  auto by = marks::loadedBy.of(load);
  auto type = load.getDestination().getType();
  if (!by || by.getValue() == "threads")
    return mlir::success();
  const bool shared = type.getSpace() == Space::smem, bulk = by.getValue() == "bulk";
  const bool async = by.getValue() == "async";
  if (shared && async && hasPieces(load))
    return mlir::success();
  if (shared && !async && tmaCanLoad(load, type) && bulk == isAsItLies(type.getLayout()))
    return mlir::success();
  return unsupported(load, "sluice.loaded_by = \"")
         << by.getValue() << "\": " << needs(shared, by.getValue());
}

static bool goesThroughMap(PrefetchOp prefetch) {
  auto by = marks::loadedBy.of(prefetch);
  return prefetch.getExec() == ir::Exec::one ||
         (!(by && by.getValue() == "threads") && tmaCanPrefetch(prefetch));
}

static mlir::LogicalResult lowerPrefetch(PrefetchOp prefetch) {
  auto by = marks::loadedBy.of(prefetch);
  if (by && by.getValue() == "tensor" && !tmaCanPrefetch(prefetch))
    return unsupported(prefetch,
                       "sluice.loaded_by = \"tensor\": boxes of a tensor map need `align "
                       "16`, columns that begin and end at multiples of 16 bytes, no clip "
                       "and at most 256 elements along a side (along columns, or a "
                       "multiple of 256)");
  prefetch.setExec(goesThroughMap(prefetch) ? ir::Exec::one : ir::Exec::threads);
  return mlir::success();
}

mlir::LogicalResult lowerPrefetches(KernelOp kernel) {
  return forEach<PrefetchOp>(kernel, lowerPrefetch);
}

} // namespace sluice

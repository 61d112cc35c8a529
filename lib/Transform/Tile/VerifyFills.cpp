// Constants that a tile can hold.
#include "Transform/Tiles.h"
#include "Transform/Verify.h"

#include <cmath>

namespace sluice {

using namespace ir;
using mlir::LogicalResult;
using mlir::success;

/// A number that the tile's integers are not would become another one.
static LogicalResult verifyFill(FillOp fill) {
  auto element = fill.getDestination().getType().getElementType();
  if (!element.isInteger())
    return success();
  const double value = fill.getValue().convertToDouble();
  const int bits = static_cast<int>(element.getIntOrFloatBitWidth());
  const int64_t least = bits == 1 ? 0 : -(int64_t{1} << (bits - 1));
  const int64_t most = bits == 1 ? 1 : (int64_t{1} << (bits - 1)) - 1;
  if (value == std::trunc(value) && value >= double(least) && value <= double(most))
    return success();
  return fill.emitError("fills a tile of ")
         << element << "; it takes an integer from " << least << " to " << most;
}

LogicalResult verifyFills(KernelOp kernel) {
  return forEach<FillOp>(kernel, verifyFill);
}

} // namespace sluice

#include "Transform/LoadedBy.h"

#include "Dialect/Marks.h"
#include "Transform/Refusal.h"
#include "Transform/Tiles.h"

namespace sluice {

using namespace ir;

static const char *needs(bool shared, bool bulk) {
  if (!shared)
    return "the tile comes to registers, by who computes with it: it is a vector, or no loop with "
           "stages loads it";
  return bulk
             ? "bulk copies bring rows of 16-bit or 32-bit elements to element functions alone, of "
               "tiles by whole rows with multiples of 256 columns, from columns that are not "
               "negative"
             : "boxes of a tensor map need `align 16`, and columns that begin at multiples of 16 "
               "bytes";
}

mlir::LogicalResult verifyLoadedBy(LoadOp load) {
  auto by = marks::loadedBy.of(load);
  auto type = load.getDestination().getType();
  if (!by || by.getValue() == "threads")
    return mlir::success();
  const bool shared = type.getSpace() == Space::smem, bulk = by.getValue() == "bulk";
  if (shared && tmaCanLoad(load, type) && bulk == (type.getLayout() == Layout::lines))
    return mlir::success();
  return unsupported(load, "sluice.loaded_by = \"")
         << by.getValue() << "\": " << needs(shared, bulk);
}

} // namespace sluice

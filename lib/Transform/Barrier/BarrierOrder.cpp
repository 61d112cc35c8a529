#include "Transform/Barrier/BarrierOrder.h"

#include "llvm/ADT/STLExtras.h"

namespace sluice {

using namespace ir;

void orderByArrivals(std::vector<CountedBarriers> &barriers,
                     llvm::ArrayRef<MbarrierAllocOp> loaded) {
  if (barriers.empty())
    return;
  // Nothing before roles and other barriers uses one, so that all may stand where the last one
  // does.
  mlir::Operation *last = barriers.front().first;
  for (auto [array, count] : barriers)
    last = last->isBeforeInBlock(array) ? array.getOperation() : last;
  const auto rank = [&](const CountedBarriers &x) {
    return llvm::is_contained(loaded, x.first) ? 0 : x.second;
  };
  llvm::stable_sort(barriers, [&](const auto &x, const auto &y) { return rank(x) > rank(y); });
  mlir::Operation *behind = last;
  for (auto [array, count] : barriers) {
    if (array != behind)
      array->moveAfter(behind);
    behind = array;
  }
}

} // namespace sluice

#include "Language/BarrierNames.h"

#include "Dialect/Marks.h"
#include "Language/KernelState.h"
#include "Transform/Barrier/RingEnds.h"

namespace sluice {

BarrierNames barrierNames(const Kernel &kernel) {
  BarrierNames names;
  kernel.state()->kernel.walk([&](ir::PipelineOp pipeline) {
    for (const bool full : {true, false}) {
      auto given = (full ? ir::marks::fullNames : ir::marks::emptyNames).of(pipeline);
      if (!given)
        continue;
      auto &own = names[barriersOf(pipeline, full)];
      for (llvm::StringRef name : given.getAsValueRange<mlir::StringAttr>())
        own.push_back(name.str());
    }
  });
  return names;
}

} // namespace sluice

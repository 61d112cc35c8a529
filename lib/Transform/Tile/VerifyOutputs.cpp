// A kernel of tiles writes what it says that it writes, and does something. At other levels, where
// parts of kernels are written by hand, it writes what it reads of memory that has no contents.
#include "Dialect/Marks.h"
#include "Transform/Refusal.h"
#include "Transform/Verify.h"

namespace sluice {

using namespace ir;
using mlir::dyn_cast;
using mlir::failed;
using mlir::failure;
using mlir::isa;
using mlir::LogicalResult;
using mlir::success;

/// A clipped tensor counts for the whole.
static bool isAccessed(mlir::Value tensor) {
  return llvm::any_of(tensor.getUsers(), [](mlir::Operation *user) {
    auto clip = dyn_cast<ClipOp>(user);
    return clip ? isAccessed(clip.getResult()) : !isa<DimOp, PrefetchOp>(user);
  });
}

/// Nothing but a write reaches a tensor that is marked sluice.out.
LogicalResult verifyOutputs(KernelOp kernel) {
  for (auto argument : kernel.getBody().getArguments())
    if (marks::out.on(kernel, argument.getArgNumber()) && !isAccessed(argument))
      return kernel.emitError("output ")
             << kernel.argumentName(argument.getArgNumber()) << " is never written";
  return success();
}

static bool isStored(mlir::Value tensor) {
  return llvm::any_of(tensor.getUsers(), [](mlir::Operation *user) {
    auto clip = dyn_cast<ClipOp>(user);
    return clip ? isStored(clip.getResult()) : isa<StoreOp, TmaStoreOp, CounterAddOp>(user);
  });
}

static bool isLoaded(mlir::Value tensor) {
  return llvm::any_of(tensor.getUsers(), [](mlir::Operation *user) {
    auto clip = dyn_cast<ClipOp>(user);
    return clip ? isLoaded(clip.getResult()) : isa<LoadOp, TmaLoadOp, ScalarLoadOp>(user);
  });
}

LogicalResult verifyContents(KernelOp kernel) {
  for (auto argument : kernel.getBody().getArguments())
    for (llvm::StringRef mark : {"workspace", "out"})
      if (kernel.getArgAttr(argument.getArgNumber(), ("sluice." + mark).str()) &&
          isLoaded(argument) && !isStored(argument))
        return kernel.emitError()
               << (mark == "out" ? "output " : "workspace ")
               << kernel.argumentName(argument.getArgNumber())
               << " is read and never written, and has nothing in it at launch; a tensor that is "
                  "read alone has no mark";
  return success();
}

/// Marks of what is written, without a write. What a launch makes has nothing in it before.
static LogicalResult verifyMarks(KernelOp kernel) {
  for (auto argument : kernel.getBody().getArguments())
    for (llvm::StringRef mark : {"workspace", "inout"})
      if (kernel.getArgAttr(argument.getArgNumber(), ("sluice." + mark).str()) &&
          !isStored(argument))
        return kernel.emitError() << mark << " " << kernel.argumentName(argument.getArgNumber())
                                  << " is never written; a tensor that is read alone has no mark";
  return success();
}

/// Warps are there for tiles.
static LogicalResult verifyActs(KernelOp kernel) {
  const auto touching = kernel.walk([](mlir::Operation *op) {
    const bool touches = llvm::any_of(op->getOperandTypes(), llvm::IsaPred<BufferType>);
    return touches ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  if (touching.wasInterrupted())
    return success();
  return unsupported(kernel, "kernel '")
         << kernel.getSymName() << "' touches no tile; there is nothing to launch";
}

LogicalResult verifyEffects(KernelOp kernel) {
  return failure(failed(verifyActs(kernel)) || failed(verifyMarks(kernel)));
}

} // namespace sluice

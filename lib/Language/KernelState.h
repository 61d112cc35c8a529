// What a Kernel owns: a context, a module with one kernel in it, and that kernel.
#pragma once

#include "Dialect/Dialect.h"
#include "sluice/Kernel.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"

#include <memory>
#include <string>

namespace sluice {

/// Members in this order: the module dies before its context. Kernels of one file share the
/// context, so they are not for use from several threads at a time.
struct Kernel::State {
  std::shared_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  ir::KernelOp kernel;
  std::string name;
};

/// A context with our dialects and without threads: a kernel is small, and threads cost more to
/// start than they save.
std::shared_ptr<mlir::MLIRContext> makeContext();

/// `module` has one kernel.
Kernel makeKernel(std::shared_ptr<mlir::MLIRContext> context,
                  mlir::OwningOpRef<mlir::ModuleOp> module);

} // namespace sluice

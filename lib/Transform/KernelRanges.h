// What the scalars of a kernel can be in any launch (Program/Ranges.h), for passes.
#pragma once

#include "Program/Ranges.h"
#include "Transform/Program/ScalarImport.h"

#include <memory>

namespace sluice {

class KernelRanges {
public:
  explicit KernelRanges(ir::KernelOp kernel);
  IntegerRange of(mlir::Value value);

private:
  Block import(mlir::Block &block);
  void import(mlir::Operation &op, Block &into);
  std::vector<ValueId> ids(mlir::ValueRange values);

  Program program_; // scalars, loops, branches and roles of the kernel, and no more
  ScalarImport scalars_{program_};
  llvm::DenseMap<mlir::Value, int> tensors_;
  std::unique_ptr<Ranges> ranges_;
};

} // namespace sluice

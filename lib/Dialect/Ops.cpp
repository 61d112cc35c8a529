// Names of results, the text of kernels, and inferred types. The verifiers are in Verifiers.cpp.
#include "Dialect/Dialect.h"

#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "Dialect/Ops.cpp.inc"

namespace sluice::ir {

void AllocOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getBuffer(), getName());
}
void MbarrierAllocOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getBarriers(), getName());
}
void PipelineOp::getAsmResultNames(OpAsmSetValueNameFn set) {
  set(getPipeline(), getName());
}

LogicalResult SlotOp::inferReturnTypes(MLIRContext *, std::optional<mlir::Location>,
                                       Adaptor operands, SmallVectorImpl<Type> &types) {
  types.push_back(cast<BufferType>(operands.getBuffer().getType()).withSlots(1));
  return success();
}

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *, std::optional<mlir::Location>,
                                            Adaptor operands, SmallVectorImpl<Type> &types) {
  types.push_back(cast<BufferType>(operands.getBuffer().getType()).transposed());
  return success();
}

std::string KernelOp::argumentName(unsigned i) {
  if (auto name = getArgAttrOfType<StringAttr>(i, "sluice.name"))
    return name.str();
  return "arg" + std::to_string(i);
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  auto build = [](Builder &b, ArrayRef<Type> arguments, ArrayRef<Type> results,
                  function_interface_impl::VariadicFlag,
                  std::string &) { return b.getFunctionType(arguments, results); };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false, getFunctionTypeAttrName(result.name), build,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void KernelOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false,
                                           getFunctionTypeAttrName(), getArgAttrsAttrName(),
                                           getResAttrsAttrName());
}

} // namespace sluice::ir

// The text of kernels, and inferred types. Names of results: Names.cpp. The verifiers are in
// Verifiers.cpp.
#include "Dialect/Dialect.h"
#include "Dialect/Marks.h"

#include "mlir/Interfaces/FunctionImplementation.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace sluice::ir {

/// [0.0, -inf]: numbers, of which `inf` may be one (the identity of max is -inf).
static ParseResult parseNumbers(OpAsmParser &parser, DenseF64ArrayAttr &numbers) {
  SmallVector<double> values;
  auto one = [&]() -> ParseResult {
    bool negative = succeeded(parser.parseOptionalMinus());
    double value = std::numeric_limits<double>::infinity();
    if (failed(parser.parseOptionalKeyword("inf")) && parser.parseFloat(value))
      return failure();
    values.push_back(negative ? -value : value);
    return success();
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, one))
    return failure();
  numbers = parser.getBuilder().getDenseF64ArrayAttr(values);
  return success();
}

static void printNumbers(OpAsmPrinter &printer, Operation *, DenseF64ArrayAttr numbers) {
  printer << '[';
  llvm::interleaveComma(numbers.asArrayRef(), printer, [&](double value) {
    if (std::isinf(value))
      printer << (value < 0 ? "-inf" : "inf");
    else
      printer.printFloat(APFloat(value));
  });
  printer << ']';
}

/// A named barrier: 1, or a value.
static ParseResult parseBarrierId(OpAsmParser &parser, IntegerAttr &id,
                                  std::optional<OpAsmParser::UnresolvedOperand> &value) {
  OpAsmParser::UnresolvedOperand operand;
  if (const OptionalParseResult parsed = parser.parseOptionalOperand(operand); parsed.has_value()) {
    value = operand;
    return *parsed;
  }
  return parser.parseAttribute(id, parser.getBuilder().getI64Type());
}

static void printBarrierId(OpAsmPrinter &printer, Operation *, IntegerAttr id, Value value) {
  if (value)
    printer << value;
  else
    printer << id.getInt();
}

} // namespace sluice::ir

#define GET_OP_CLASSES
#include "Dialect/Ops.cpp.inc"

namespace sluice::ir {

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
  if (auto name = getArgAttrOfType<StringAttr>(i, marks::name.name))
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
  printer << ' ';
  printer.printSymbolName(getSymName());
  function_interface_impl::printFunctionSignature(printer, *this, getArgumentTypes(),
                                                  /*isVariadic=*/false, getResultTypes());
  SmallVector<StringRef> elided = {getFunctionTypeAttrName(), getArgAttrsAttrName(),
                                   getResAttrsAttrName()};
  if (getPhase() == "tile")
    elided.push_back(getPhaseAttrName());
  function_interface_impl::printFunctionAttributes(printer, *this, elided);
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/true);
}

} // namespace sluice::ir

// What map and reduce demand of their tiles and of the body that computes elements.
#include "Dialect/Checks.h"

using namespace mlir;

namespace sluice::ir {

static LogicalResult verifyBlock(Operation *op, Block &block, ArrayRef<Type> arguments,
                                 ArrayRef<Type> results) {
  if (block.getArgumentTypes() != TypeRange(arguments)) {
    auto error = op->emitOpError("body takes the wrong arguments; expected (");
    llvm::interleaveComma(arguments, error);
    return error << ")";
  }
  auto yield = block.empty() ? YieldOp() : dyn_cast<YieldOp>(block.back());
  if (!yield)
    return op->emitOpError("body must end with sluice.yield");
  if (yield.getOperandTypes() != TypeRange(results)) {
    auto error = yield.emitOpError("yields the wrong types; expected (");
    llvm::interleaveComma(results, error);
    return error << ")";
  }
  return success();
}

static bool broadcasts(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  return llvm::all_of(llvm::zip(from, to), [](auto pair) {
    return std::get<0>(pair) == 1 || std::get<0>(pair) == std::get<1>(pair);
  });
}

LogicalResult verifyElementWise(Operation *op, ValueRange inputs, ValueRange outputs,
                                bool coordinates, Block &body) {
  if (outputs.empty())
    return op->emitOpError("has no output");
  auto shape = cast<BufferType>(outputs[0].getType()).getShape();
  SmallVector<Type> arguments, results;
  for (Value input : inputs) {
    auto type = cast<BufferType>(input.getType());
    if (!broadcasts(type.getShape(), shape))
      return op->emitOpError("input of shape ")
             << text(type.getShape()) << " does not broadcast to " << text(shape);
    arguments.push_back(type.getElementType());
  }
  for (Value output : outputs) {
    auto type = cast<BufferType>(output.getType());
    if (type.getShape() != shape)
      return op->emitOpError("outputs differ in shape: ")
             << text(shape) << " and " << text(type.getShape());
    results.push_back(type.getElementType());
  }
  if (coordinates)
    arguments.append(2, IndexType::get(op->getContext()));
  return verifyBlock(op, body, arguments, results);
}

LogicalResult MapOp::verify() {
  return verifyElementWise(*this, getInputs(), getOutputs(), getCoordinates(), getBody().front());
}

LogicalResult ReduceOp::verify() {
  if (getAxis() != 0 && getAxis() != 1)
    return emitOpError("axis is 0 (fold columns) or 1 (fold rows)");
  if (getInputs().empty() || getOutputs().empty())
    return emitOpError("needs an input and an output");
  if (getIdentities().size() != getOutputs().size())
    return emitOpError("has ") << getIdentities().size() << " identities for "
                               << getOutputs().size() << " outputs";
  auto shape = llvm::to_vector(cast<BufferType>(getInputs()[0].getType()).getShape());
  for (Value input : getInputs())
    if (cast<BufferType>(input.getType()).getShape() != ArrayRef<int64_t>(shape))
      return emitOpError("inputs differ in shape: ")
             << text(shape) << " and " << text(cast<BufferType>(input.getType()).getShape());
  const int64_t columns = shape[1], together = getTogether();
  const auto divides = [&](int64_t into) {
    return into > 0 && columns % together == 0 && columns / together % into == 0;
  };
  if (together < 1 || (together > 1 && getAxis() == 0))
    return emitOpError("together is a number of columns, 1 or more, of a fold of rows (axis 1)");
  shape[getAxis()] = 1;
  SmallVector<Type> arguments, results;
  for (Value output : getOutputs()) {
    auto type = cast<BufferType>(output.getType());
    auto folded = shape;
    if (getAxis() == 1 && divides(type.getShape()[1]))
      folded[1] = type.getShape()[1];
    if (type.getShape() != ArrayRef<int64_t>(folded))
      return emitOpError("output of shape ")
             << text(type.getShape()) << "; expected " << text(folded);
    arguments.push_back(type.getElementType());
    results.push_back(type.getElementType());
  }
  for (Value input : getInputs())
    arguments.push_back(cast<BufferType>(input.getType()).getElementType());
  return verifyBlock(*this, getBody().front(), arguments, results);
}

} // namespace sluice::ir

// What each operation demands of its operands. Every message names the fix. Rules that need the
// target or the whole program are the checker's (lib/Verify).
#include "Dialect/Dialect.h"

using namespace mlir;

namespace sluice::ir {

static std::string text(ArrayRef<int64_t> shape) {
  std::string s;
  for (int64_t extent : shape)
    s += (s.empty() ? "" : "x") + (ShapedType::isDynamic(extent) ? "?" : std::to_string(extent));
  return s;
}

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

// ---- Structure
// --------------------------------------------------------------------------------------

LogicalResult KernelOp::verify() {
  bool scalars = false;
  for (auto [i, type] : llvm::enumerate(getArgumentTypes())) {
    bool tensor = isa<TensorType>(type);
    if (!tensor && !type.isIndex() && !type.isF32() && !type.isInteger(32))
      return emitOpError("argument ")
             << i << " has type " << type << "; a kernel takes tensors, index, i32 and f32";
    if (tensor && scalars)
      return emitOpError("tensor argument ") << i << " after a scalar; put tensors first";
    scalars |= !tensor;
  }
  if (auto target = getTarget(); target && !parseTarget(target->str()))
    return emitOpError("unknown target '")
           << *target << "'; one of sm_90a, sm_100a, ascend910b, ascend950";
  static const char *const phases[] = {"tile", "placed", "pipeline", "barrier", "allocated"};
  if (!llvm::is_contained(phases, getPhase()))
    return emitOpError("unknown phase '")
           << getPhase() << "'; one of tile, placed, pipeline, barrier, allocated";
  return success();
}

LogicalResult GridOp::verify() {
  if (getExtents().empty() || getExtents().size() > 3)
    return emitOpError("a grid has 1 to 3 extents");
  if (!isa<KernelOp>((*this)->getParentOp()))
    return emitOpError("stands directly in the kernel, outside loops and roles");
  return success();
}

LogicalResult DimOp::verify() {
  int64_t rank = getTensor().getType().getRank(), d = getDimension();
  if (d < 0 || d >= rank)
    return emitOpError("dimension ") << d << " of a tensor of rank " << rank;
  return success();
}

LogicalResult AllocOp::verify() {
  BufferType type = getBuffer().getType();
  if (!dtypeOf(type.getElementType()))
    return emitOpError("no target computes on elements of type ") << type.getElementType();
  if (auto offset = getOffset(); offset && int64_t(*offset) < 0)
    return emitOpError("offset must not be negative");
  return success();
}

LogicalResult RoleOp::verify() {
  if (getFirst() && int64_t(*getEnd()) <= int64_t(*getFirst()))
    return emitOpError("warps ") << *getFirst() << " to " << *getEnd()
                                 << " is empty; the end is exclusive";
  if (getFirst() && getCore())
    return emitOpError("has warps (NVIDIA) and a core (Ascend); keep one of them");
  if (auto core = getCore(); core && *core != "aic" && *core != "aiv")
    return emitOpError("unknown core '") << *core << "'; one of aic, aiv";
  if (auto r = getRegisters(); r && (*r < 24 || *r > 256 || *r % 8))
    return emitOpError("registers ") << *r << "; setmaxnreg takes 24 to 256 in steps of 8";
  return success();
}

LogicalResult PipelineOp::verify() {
  if (getProducers().empty() || getConsumers().empty())
    return emitOpError("needs at least one producer and one consumer");
  for (Value buffer : getBuffers()) {
    int64_t slots = cast<BufferType>(buffer.getType()).getSlots();
    if (slots != getPipeline().getType().getSlots())
      return emitOpError("a buffer has ")
             << slots << " slots, the pipeline " << getPipeline().getType().getSlots();
  }
  for (auto side : {getFull(), getEmpty()})
    if (side && *side != "none")
      return emitOpError("a side is elided with \"none\", not \"") << *side << "\"";
  if (auto arrive = getArrive(); arrive && !symbolizeExec(*arrive) && *arrive != "thread")
    return emitOpError("unknown arrival granularity '")
           << *arrive << "'; one of thread, warp, warpgroup, one";
  return success();
}

// ---- Data
// ----------------------------------------------------------------------------------------------

static LogicalResult verifyBox(Operation *op, TensorType tensor, size_t offsets, BufferType box,
                               bool sameType) {
  if (int64_t(offsets) != tensor.getRank())
    return op->emitOpError("has ")
           << offsets << " offsets for a tensor of rank " << tensor.getRank();
  if (sameType && tensor.getElementType() != box.getElementType())
    return op->emitOpError("moves ") << tensor.getElementType() << " and " << box.getElementType()
                                     << "; convert with sluice.map or sluice.copy";
  return success();
}

LogicalResult LoadOp::verify() {
  return verifyBox(*this, getSource().getType(), getOffsets().size(), getDestination().getType(),
                   true);
}

LogicalResult StoreOp::verify() {
  // A fixpipe converts on the way out of L0C; nothing else does.
  bool converts = getSource().getType().getSpace() == Space::l0c;
  return verifyBox(*this, getDestination().getType(), getOffsets().size(), getSource().getType(),
                   !converts);
}

LogicalResult TmaLoadOp::verify() {
  if (getDestination().getType().getSpace() != Space::smem)
    return emitOpError("writes shared memory; the destination is not in smem");
  return verifyBox(*this, getSource().getType(), getOffsets().size(), getDestination().getType(),
                   true);
}

LogicalResult TmaStoreOp::verify() {
  if (getSource().getType().getSpace() != Space::smem)
    return emitOpError("reads shared memory; the source is not in smem");
  return verifyBox(*this, getDestination().getType(), getOffsets().size(), getSource().getType(),
                   true);
}

LogicalResult CopyOp::verify() {
  auto from = getSource().getType(), to = getDestination().getType();
  if (from.getShape() != to.getShape())
    return emitOpError("copies ") << text(from.getShape()) << " to " << text(to.getShape())
                                  << "; take a subview or transpose";
  return success();
}

LogicalResult SubviewOp::verify() {
  auto from = getBuffer().getType(), to = getView().getType();
  if (getOffsets().size() != 2)
    return emitOpError("needs two offsets, has ") << getOffsets().size();
  for (int d : {0, 1})
    if (to.getShape()[d] > from.getShape()[d])
      return emitOpError("box ") << text(to.getShape()) << " does not fit in "
                                 << text(from.getShape());
  if (to != from.withShape(to.getShape()))
    return emitOpError("may change the shape only; expected ") << from.withShape(to.getShape());
  return success();
}

/// d[M,N], a[M,K], b[K,N].
static LogicalResult verifyProduct(Operation *op, BufferType d, BufferType a, BufferType b) {
  auto m = d.getShape()[0], n = d.getShape()[1], k = a.getShape()[1];
  if (a.getShape()[0] != m || b.getShape()[0] != k || b.getShape()[1] != n)
    return op->emitOpError("shapes do not match: d ")
           << text(d.getShape()) << ", a " << text(a.getShape()) << ", b " << text(b.getShape())
           << "; a product is d[M,N] += a[M,K] b[K,N] (sluice.transpose exchanges rows and "
              "columns)";
  if (a.getElementType() != b.getElementType())
    return op->emitOpError("operands differ in type: ")
           << a.getElementType() << " and " << b.getElementType();
  return success();
}

LogicalResult MmaOp::verify() {
  return verifyProduct(*this, getD().getType(), getA().getType(), getB().getType());
}

LogicalResult WgmmaOp::verify() {
  auto d = getD().getType(), a = getA().getType(), b = getB().getType();
  if (d.getSpace() != Space::reg || d.getLayout() != Layout::acc)
    return emitOpError("accumulates in registers; d must be in reg with layout acc");
  if (b.getSpace() != Space::smem)
    return emitOpError("reads b from shared memory; b must be in smem");
  if (a.getSpace() != Space::smem && a.getLayout() != Layout::fragA)
    return emitOpError("reads a from smem, or from reg with layout fragA");
  return verifyProduct(*this, d, a, b);
}

LogicalResult MmadOp::verify() {
  auto d = getD().getType(), a = getA().getType(), b = getB().getType();
  if (a.getSpace() != Space::l0a || b.getSpace() != Space::l0b || d.getSpace() != Space::l0c)
    return emitOpError("computes L0A x L0B -> L0C; found a in ")
           << name(a.getSpace()).data() << ", b in " << name(b.getSpace()).data() << ", d in "
           << name(d.getSpace()).data();
  return verifyProduct(*this, d, a, b);
}

static bool broadcasts(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  return llvm::all_of(llvm::zip(from, to), [](auto pair) {
    return std::get<0>(pair) == 1 || std::get<0>(pair) == std::get<1>(pair);
  });
}

LogicalResult MapOp::verify() {
  if (getOutputs().empty())
    return emitOpError("has no output");
  auto shape = cast<BufferType>(getOutputs()[0].getType()).getShape();
  SmallVector<Type> arguments, results;
  for (Value input : getInputs()) {
    auto type = cast<BufferType>(input.getType());
    if (!broadcasts(type.getShape(), shape))
      return emitOpError("input of shape ")
             << text(type.getShape()) << " does not broadcast to " << text(shape);
    arguments.push_back(type.getElementType());
  }
  for (Value output : getOutputs()) {
    auto type = cast<BufferType>(output.getType());
    if (type.getShape() != shape)
      return emitOpError("outputs differ in shape: ")
             << text(shape) << " and " << text(type.getShape());
    results.push_back(type.getElementType());
  }
  if (getCoordinates())
    arguments.append(2, IndexType::get(getContext()));
  return verifyBlock(*this, getBody().front(), arguments, results);
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
  shape[getAxis()] = 1;
  SmallVector<Type> arguments, results;
  for (Value output : getOutputs()) {
    auto type = cast<BufferType>(output.getType());
    if (type.getShape() != ArrayRef<int64_t>(shape))
      return emitOpError("output of shape ")
             << text(type.getShape()) << "; expected " << text(shape);
    arguments.push_back(type.getElementType());
    results.push_back(type.getElementType());
  }
  for (Value input : getInputs())
    arguments.push_back(cast<BufferType>(input.getType()).getElementType());
  return verifyBlock(*this, getBody().front(), arguments, results);
}

// ---- Synchronisation
// --------------------------------------------------------------------------------------

LogicalResult MbarrierInitOp::verify() {
  if (getCount() < 1 || getCount() >= (1 << 20))
    return emitOpError("count ") << getCount() << " is outside 1 .. 2^20-1";
  return success();
}

static LogicalResult verifyNamedBarrier(Operation *op, int64_t id, int64_t threads) {
  if (id < 0 || id > 15)
    return op->emitOpError("id ") << id << " is outside 0 .. 15";
  if (threads < 32 || threads > 1024 || threads % 32)
    return op->emitOpError("threads ") << threads << " must be a multiple of 32, 32 .. 1024";
  return success();
}
LogicalResult BarSyncOp::verify() {
  return verifyNamedBarrier(*this, getId(), getThreads());
}
LogicalResult BarArriveOp::verify() {
  return verifyNamedBarrier(*this, getId(), getThreads());
}

static LogicalResult verifyFlag(Operation *op, Pipe source, Pipe destination) {
  auto legal = [](Pipe p) { return p != Pipe::none && p != Pipe::ALL; };
  if (!legal(source) || !legal(destination))
    return op->emitOpError("goes from one pipe to another; ALL and none are no pipes");
  return success();
}
LogicalResult SetFlagOp::verify() {
  return verifyFlag(*this, getSource(), getDestination());
}
LogicalResult WaitFlagOp::verify() {
  return verifyFlag(*this, getSource(), getDestination());
}

} // namespace sluice::ir

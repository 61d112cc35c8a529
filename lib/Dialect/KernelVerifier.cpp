// What a kernel demands of its arguments, its attributes and the loops and copies in it.
#include "Dialect/Checks.h"
#include "Dialect/Marks.h"

#include "llvm/ADT/TypeSwitch.h"

#include <set>

using namespace mlir;

namespace sluice::ir {

LogicalResult KernelOp::verifyLaunch() {
  if (auto n = getWarps(); n && (*n < 1 || *n > 32))
    return emitOpError("warps ") << *n << "; a CTA has 1 to 32 warps";
  if (auto bytes = getSharedBytes(); bytes && int64_t(*bytes) < 0)
    return emitOpError("shared_bytes must not be negative");
  const auto target = getTarget() ? parseTarget(getTarget()->str()) : std::nullopt;
  for (const StringRef name : {"warps", "shared_bytes", "cluster"}) {
    if (!(*this)->hasAttr(name))
      continue;
    if (target && isAscend(*target))
      return emitOpError() << name << " is of the NVIDIA targets";
    if (getPhase() == "tile" && name != StringRef("cluster")) // passes put clusters there
      return emitOpError() << name << " is of the barrier level";
  }
  auto cluster = getCluster();
  if (!cluster)
    return success();
  if (cluster->size() != 3 || llvm::any_of(*cluster, [](int64_t n) { return n < 1; }))
    return emitOpError("cluster takes three positive extents");
  int64_t ctas = (*cluster)[0] * (*cluster)[1] * (*cluster)[2];
  if (ctas > 16)
    return emitOpError("cluster of ") << ctas << " CTAs; at most 16";
  return success();
}

/// Loops go up: a constant step of another kind is a slip.
static LogicalResult verifySteps(KernelOp kernel) {
  const auto wrong = kernel.walk([](Operation *op) {
    if (op->getName().getStringRef() != "scf.for" ||
        getConstantIntValue(op->getOperand(2)).value_or(1) > 0)
      return WalkResult::advance();
    op->emitError("a loop takes a step of at least 1");
    return WalkResult::interrupt();
  });
  return failure(wrong.wasInterrupted());
}

static bool isMarked(KernelOp kernel, Value tensor, std::initializer_list<Mark<UnitAttr>> those) {
  while (auto clip = tensor.getDefiningOp<ClipOp>())
    tensor = clip.getTensor();
  const auto argument = dyn_cast<BlockArgument>(tensor);
  return argument && llvm::any_of(those, [&](const Mark<UnitAttr> &mark) {
           return mark.on(kernel, argument.getArgNumber());
         });
}

/// The tensor whose elements an operation writes; null: none.
static Value writtenBy(Operation *op) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<StoreOp, TmaStoreOp>([](auto o) { return o.getDestination(); })
      .Case<CounterAddOp>([](auto o) { return o.getCounter(); })
      .Default(Value());
}

/// Launches are asked whether what is marked shares memory, and nobody writes what is not.
static LogicalResult verifyWrites(KernelOp kernel) {
  const auto wrong = kernel.walk([&](Operation *op) {
    const Value tensor = writtenBy(op);
    if (!tensor || isMarked(kernel, tensor, {marks::out, marks::inout, marks::workspace}))
      return WalkResult::advance();
    op->emitOpError("writes a tensor that is not marked ")
        << (isa<CounterAddOp>(op) ? marks::inout.name : marks::out.name);
    return WalkResult::interrupt();
  });
  return failure(wrong.wasInterrupted());
}

/// Loads come from what is read, where a kernel says no more than what is moved. A kernel's own
/// memory is written and read.
static LogicalResult verifyReads(KernelOp kernel) {
  const auto wrong = kernel.walk([&](LoadOp load) {
    if (!isMarked(kernel, load.getSource(), {marks::out}))
      return WalkResult::advance();
    load.emitOpError("reads a tensor marked sluice.out; mark it sluice.inout");
    return WalkResult::interrupt();
  });
  return failure(wrong.wasInterrupted());
}

/// Who moves a tile, and how, is not said where kernels say what is moved.
static LogicalResult verifyMoves(KernelOp kernel) {
  const auto says = [](auto op) {
    return op.getExec() != Exec::threads || op.getPipe() != Pipe::none;
  };
  const auto wrong = kernel.walk([&](Operation *op) {
    auto load = dyn_cast<LoadOp>(op);
    const bool said = llvm::TypeSwitch<Operation *, bool>(op)
                          .Case<LoadOp, StoreOp, CopyOp, FillOp>(says)
                          .Case<PrefetchOp>([](auto o) { return o.getExec() != Exec::threads; })
                          .Case<MapOp, ReduceOp>([](auto o) { return o.getPipe() != Pipe::none; })
                          .Default(false);
    if (said || (load && load.getAsync()))
      return op->emitOpError("`async`, `by` and `on` are of the barrier level; lowering decides "
                             "who moves a tile"),
             WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(wrong.wasInterrupted());
}

LogicalResult KernelOp::verify() {
  if (!getResultTypes().empty())
    return emitOpError("returns nothing; write to a tensor marked sluice.out");
  bool scalars = false;
  std::set<std::string> names;
  for (auto [i, type] : llvm::enumerate(getArgumentTypes())) {
    const std::string name = argumentName(i);
    if (name.empty() || llvm::any_of(name, [](unsigned char c) { return c < ' '; }))
      return emitOpError("argument ") << i << " needs a name in one line of text";
    if (!names.insert(name).second)
      return emitOpError("argument ") << i << ": another one is called '" << name << "' too";
    bool tensor = isa<TensorType>(type);
    if (!tensor && !type.isIndex() && !type.isF32() && !type.isInteger(32))
      return emitOpError("argument ")
             << i << " has type " << type << "; a kernel takes tensors, index, i32 and f32";
    if (tensor && scalars)
      return emitOpError("tensor argument ") << i << " after a scalar; put tensors first";
    if (tensor && !dtypeOf(cast<TensorType>(type).getElementType()))
      return emitOpError("argument ")
             << i << ": no target has elements of type " << cast<TensorType>(type).getElementType();
    for (const StringRef mark :
         {marks::out.name, marks::inout.name, marks::workspace.name, marks::previous.name})
      if (!tensor && getArgAttr(i, mark))
        return emitOpError("argument ") << i << " is a scalar; only a tensor can be " << mark;
    scalars |= !tensor;
  }
  if (auto target = getTarget(); target && !parseTarget(target->str()))
    return emitOpError("unknown target '")
           << *target << "'; one of sm_90a, sm_100a, ascend910b, ascend950";
  static const char *const phases[] = {"tile", "placed", "pipeline", "barrier", "allocated"};
  if (!llvm::is_contained(phases, getPhase()))
    return emitOpError("unknown phase '")
           << getPhase() << "'; one of tile, placed, pipeline, barrier, allocated";
  return verifyLaunch();
}

static LogicalResult verifyMarks(KernelOp kernel, unsigned argument) {
  static constexpr StringRef known[] = {
      marks::name.name,      marks::out.name,          marks::inout.name,
      marks::workspace.name, marks::previous.name,     marks::inPlace.name,
      marks::joined.name,    marks::joinedExtent.name, marks::line.name};
  StringRef use;
  for (const StringRef mark : {marks::out.name, marks::inout.name, marks::workspace.name}) {
    if (!kernel.getArgAttr(argument, mark))
      continue;
    if (!use.empty())
      return kernel.emitOpError("argument ")
             << argument << " is marked " << use << " and " << mark << "; one of them it is";
    use = mark;
  }
  if (DictionaryAttr marks = kernel.getArgAttrDict(argument))
    for (const NamedAttribute mark : marks)
      if (!llvm::is_contained(known, mark.getName().strref()))
        return kernel.emitOpError("argument ")
               << argument << ": no attribute of arguments is called " << mark.getName().strref();
  return success();
}

static std::optional<unsigned> argumentCalled(KernelOp kernel, StringRef name) {
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i)
    if (kernel.argumentName(i) == name)
      return i;
  return std::nullopt;
}

/// Whether two types may be those of one tensor: elements, dimensions, the contiguous one.
static bool mayBeOne(TensorType a, TensorType b) {
  if (!a || !b || a.getElementType() != b.getElementType() || a.getRank() != b.getRank() ||
      a.getMinor() != b.getMinor() || a.getRows() != b.getRows())
    return false;
  return llvm::all_of(llvm::zip(a.getShape(), b.getShape()), [](const auto &extents) {
    const auto [x, y] = extents;
    return x == y || ShapedType::isDynamic(x) || ShapedType::isDynamic(y);
  });
}

/// An output that may lie where an input does.
static LogicalResult verifyInPlace(KernelOp kernel, unsigned output) {
  const Attribute given = kernel.getArgAttr(output, marks::inPlace.name);
  if (!given)
    return success();
  const auto refuse = [&](const Twine &why) -> LogicalResult {
    return kernel.emitOpError("argument ") << output << ": sluice.in_place " << why;
  };
  const auto name = dyn_cast<StringAttr>(given);
  if (!name)
    return refuse("takes the name of an input as text");
  if (!marks::out.on(kernel, output))
    return refuse("is for a tensor marked sluice.out");
  const auto input = argumentCalled(kernel, name.getValue());
  if (!input || !isa<TensorType>(kernel.getArgumentTypes()[*input]))
    return refuse("names '" + name.getValue() + "', and no tensor is called so");
  for (const StringRef mark : {marks::out.name, marks::inout.name, marks::workspace.name})
    if (kernel.getArgAttr(*input, mark))
      return refuse("names '" + name.getValue() + "', which is marked " + mark +
                    "; it takes an input");
  for (unsigned other = 0; other < output; ++other)
    if (kernel.getArgAttr(other, marks::inPlace.name) == given)
      return refuse("names '" + name.getValue() + "', in whose place argument " + Twine(other) +
                    " is written already");
  if (!mayBeOne(dyn_cast<TensorType>(kernel.getArgumentTypes()[output]),
                cast<TensorType>(kernel.getArgumentTypes()[*input])))
    return refuse("names '" + name.getValue() +
                  "', whose elements, extents or contiguous dimension are others");
  if (kernel.getArgAttr(output, marks::joinedExtent.name) !=
      kernel.getArgAttr(*input, marks::joinedExtent.name))
    return refuse("names '" + name.getValue() + "', of which sluice.joined_extent is another");
  if (marks::line.on(kernel, output) != marks::line.on(kernel, *input))
    return refuse("names '" + name.getValue() + "', and one of them alone is marked sluice.line");
  return success();
}

/// Two dimensions that a launch passes as one, one part behind the other.
static LogicalResult verifyJoined(KernelOp kernel, unsigned argument) {
  const Attribute given = kernel.getArgAttr(argument, marks::joined.name);
  if (!given)
    return success();
  const auto refuse = [&](const Twine &why) -> LogicalResult {
    return kernel.emitOpError("argument ") << argument << ": sluice.joined " << why;
  };
  const auto number = dyn_cast<IntegerAttr>(given);
  if (!number)
    return refuse("takes the number of a dimension");
  const auto type = dyn_cast<TensorType>(kernel.getArgumentTypes()[argument]);
  if (!type || marks::workspace.on(kernel, argument))
    return refuse("is for a tensor that a launch passes");
  const int64_t at = number.getInt();
  const std::string start = "= " + std::to_string(at);
  if (at < 0 || at + 1 >= type.getRank())
    return refuse(start + " names no dimension before the last of rank " + Twine(type.getRank()));
  const int64_t parts = type.getShape()[at], width = type.getShape()[at + 1];
  if (ShapedType::isDynamic(parts) || ShapedType::isDynamic(width))
    return refuse(start + ": the type has to fix extents " + Twine(at) + " and " + Twine(at + 1));
  if (type.getMinor() == at)
    return refuse(start + ": dimension " + Twine(at) +
                  " is the contiguous one, and its elements lie a part apart");
  const int64_t bytes = width * byteSize(*dtypeOf(type.getElementType()));
  if (type.getMinor() == at + 1 && parts > 1 && bytes % type.getAlign())
    return refuse(start + ": parts of " + Twine(bytes) + " bytes begin at no multiples of " +
                  Twine(type.getAlign()) + ", which the type promises");
  return success();
}

/// Fewer elements of a row than its parts have: the last parts are short.
static LogicalResult verifyJoinedExtent(KernelOp kernel, unsigned argument) {
  const Attribute given = kernel.getArgAttr(argument, marks::joinedExtent.name);
  if (!given)
    return success();
  const auto refuse = [&](const Twine &why) -> LogicalResult {
    return kernel.emitOpError("argument ") << argument << ": sluice.joined_extent " << why;
  };
  const auto number = dyn_cast<IntegerAttr>(given);
  if (!number)
    return refuse("takes a number of elements");
  const auto joined = marks::joined.of(kernel, argument);
  const auto type = dyn_cast<TensorType>(kernel.getArgumentTypes()[argument]);
  if (!joined || joined.getInt() != 1 || type.getRank() != 3 || type.getRows() != 1 ||
      type.getMinor() != 2)
    return refuse("is for a tensor of rows x parts x columns of a part, contiguous along the last, "
                  "with sluice.joined = 1");
  const int64_t all = type.getShape()[1] * type.getShape()[2], has = number.getInt();
  if (has < 1 || has >= all)
    return refuse("= " + Twine(has) + ": the parts have " + Twine(all) +
                  " elements; it says how many fewer than these there are, at least 1");
  return success();
}

/// Lines of what a launch passes as one, each of which begins at a multiple of 16 bytes.
static LogicalResult verifyLine(KernelOp kernel, unsigned argument) {
  const Attribute given = kernel.getArgAttr(argument, marks::line.name);
  if (!given)
    return success();
  const auto refuse = [&](const Twine &why) -> LogicalResult {
    return kernel.emitOpError("argument ") << argument << ": sluice.line " << why;
  };
  if (!isa<UnitAttr>(given))
    return refuse("takes no value");
  const auto type = dyn_cast<TensorType>(kernel.getArgumentTypes()[argument]);
  if (!type || marks::workspace.on(kernel, argument) || marks::joined.on(kernel, argument))
    return refuse("is for a tensor that a launch passes, without sluice.joined");
  if (type.getRank() != 2 || type.getMinor() != 1 || !ShapedType::isDynamic(type.getShape()[0]) ||
      ShapedType::isDynamic(type.getShape()[1]))
    return refuse("is for any number of lines of so many elements: tensor<?x1024x...>");
  const int64_t bytes = type.getShape()[1] * byteSize(*dtypeOf(type.getElementType()));
  if (bytes == 0 || bytes % 16 || type.getAlign() % 16)
    return refuse("takes lines that begin at multiples of 16 bytes; these have " + Twine(bytes) +
                  ", aligned to " + Twine(type.getAlign()));
  if (const auto target = kernel.getTarget(); target && isAscend(*parseTarget(target->str())))
    return refuse("is of the NVIDIA targets");
  return success();
}

/// `on` names a pipe of an Ascend core, `by` threads of a CTA.
static LogicalResult verifyWho(Operation *op, bool ascend) {
  const auto [by, on] =
      llvm::TypeSwitch<Operation *, std::pair<bool, bool>>(op)
          .Case<LoadOp, StoreOp, CopyOp, FillOp>([](auto o) {
            return std::pair(o.getExec() != Exec::threads, o.getPipe() != Pipe::none);
          })
          .Case<MapOp, ReduceOp>([](auto o) { return std::pair(false, o.getPipe() != Pipe::none); })
          .Default(std::pair(false, false));
  if (ascend && by)
    return op->emitOpError("`by` is of the NVIDIA targets; a core has one stream, and `on` says "
                           "which pipe");
  if (!ascend && on)
    return op->emitOpError("`on` is of the Ascend targets; `by` says which threads");
  return success();
}

/// One grid, and what it and other operations carry is of the target.
static LogicalResult verifyTarget(KernelOp kernel) {
  const auto target = kernel.getTarget() ? parseTarget(kernel.getTarget()->str()) : std::nullopt;
  const bool ascend = target && isAscend(*target);
  bool hasGrid = false;
  const auto wrong = kernel.walk([&](Operation *op) {
    auto grid = dyn_cast<GridOp>(op);
    if (grid && hasGrid)
      return grid.emitOpError("a kernel has one grid, and this is another"),
             WalkResult::interrupt();
    hasGrid |= bool(grid);
    if (target && kernel.getPhase() != "tile" && failed(verifyWho(op, ascend)))
      return WalkResult::interrupt();
    if (ascend && grid && grid.getCluster())
      return grid.emitOpError("cluster is of the NVIDIA targets"), WalkResult::interrupt();
    if (ascend && grid && grid.getPersistent())
      return grid.emitOpError("persistent is of the NVIDIA targets; every grid is dealt to the "
                              "cores in turn"),
             WalkResult::interrupt();
    if (target && !ascend && grid && grid.getGroup() && !grid.getPersistent())
      return grid.emitOpError("group is of a persistent grid: only a CTA with several tiles takes "
                              "them in groups"),
             WalkResult::interrupt();
    for (const StringRef name :
         {marks::turns.name, marks::inTurn.name, marks::loadAhead.name, marks::dynamic.name,
          marks::stream.name, marks::staging.name, marks::paced.name, marks::prefetch.name,
          marks::loadedBy.name, marks::ctasPerSm.name})
      if (ascend && op->hasAttr(name))
        return op->emitOpError() << name << " is of the NVIDIA targets", WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(wrong.wasInterrupted());
}

LogicalResult KernelOp::verifyRegions() {
  if (failed(verifyTarget(*this)))
    return failure();
  for (unsigned i = 0; i < getNumArguments(); ++i)
    if (failed(verifyMarks(*this, i)) || failed(verifyInPlace(*this, i)) ||
        failed(verifyJoined(*this, i)) || failed(verifyJoinedExtent(*this, i)) ||
        failed(verifyLine(*this, i)))
      return failure();
  const auto unknown = walk([](Operation *op) {
    return failed(verifyAttributes(op)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (unknown.wasInterrupted() || failed(verifySteps(*this)) || failed(verifyWrites(*this)))
    return failure();
  if (getPhase() != "tile" && getPhase() != "placed")
    return success();
  if (failed(verifyMoves(*this)))
    return failure();
  return getPhase() == "tile" ? verifyReads(*this) : success();
}

} // namespace sluice::ir

#include "Transform/Tiles.h"

#include "Arch/Limits.h"
#include "Dialect/Marks.h"
#include "Program/Strides.h"
#include "Transform/KernelRanges.h"
#include "Transform/LoadedBy.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

namespace sluice {

using namespace ir;
using mlir::cast;
using mlir::dyn_cast;
using mlir::isa;

AllocOp rootOf(mlir::Value buffer) {
  mlir::Operation *op = buffer.getDefiningOp();
  while (isa_and_nonnull<SlotOp, SubviewOp, TransposeOp>(op))
    op = op->getOperand(0).getDefiningOp();
  return llvm::dyn_cast_or_null<AllocOp>(op);
}

/// Whether operand `number` of `op` is written and read.
static std::pair<bool, bool> effects(mlir::Operation *op, mlir::Value operand) {
  return llvm::TypeSwitch<mlir::Operation *, std::pair<bool, bool>>(op)
      .Case<LoadOp, TmaLoadOp, ClcTryCancelOp>([](auto) { return std::pair(true, false); })
      .Case<StoreOp, TmaStoreOp, PrintOp, ScalarReadOp, ClcQueryOp>(
          [](auto) { return std::pair(false, true); })
      .Case<FillOp, ScalarWriteOp>([](auto) { return std::pair(true, false); })
      .Case<CopyOp>([&](CopyOp o) {
        return std::pair(o.getDestination() == operand, o.getSource() == operand);
      })
      .Case<ClusterSumOp>([&](ClusterSumOp o) {
        return std::pair(o.getSource() != operand, o.getDestination() != operand);
      })
      .Case<ClusterGatherOp>([&](ClusterGatherOp o) {
        return std::pair(o.getDestination() == operand, o.getSource() == operand);
      })
      .Case<MmaOp, WgmmaOp, MmadOp, Tcgen05MmaOp>(
          [&](auto o) { return std::pair(o.getD() == operand, true); })
      .Case<MapOp, ReduceOp, RawOp>([&](auto o) {
        return std::pair(llvm::is_contained(o.getOutputs(), operand),
                         llvm::is_contained(o.getInputs(), operand));
      })
      .Default([](auto) { return std::pair(true, true); });
}

static void collect(mlir::Value view, std::vector<TileAccess> &into) {
  for (mlir::Operation *user : view.getUsers()) {
    if (isa<PipelineOp>(user))
      continue;
    if (isa<SlotOp, SubviewOp, TransposeOp>(user)) {
      collect(user->getResult(0), into);
      continue;
    }
    auto [writes, reads] = effects(user, view);
    into.push_back({user, view, writes, reads});
  }
}

std::vector<TileAccess> accessesOf(AllocOp buffer) {
  std::vector<TileAccess> found;
  collect(buffer.getBuffer(), found);
  llvm::DenseMap<mlir::Operation *, int> position;
  int next = 0;
  buffer->getParentOfType<KernelOp>().walk<mlir::WalkOrder::PreOrder>(
      [&](mlir::Operation *op) { position[op] = next++; });
  llvm::stable_sort(found, [&](const TileAccess &a, const TileAccess &b) {
    return position[a.op] < position[b.op];
  });
  return found;
}

void retypeViews(mlir::Value view) {
  auto type = cast<BufferType>(view.getType());
  for (mlir::Operation *user : view.getUsers()) {
    if (isa<SlotOp>(user))
      user->getResult(0).setType(type.withSlots(1));
    else if (isa<TransposeOp>(user))
      user->getResult(0).setType(type.transposed());
    else if (auto sub = dyn_cast<SubviewOp>(user))
      sub.getView().setType(type.withShape(sub.getView().getType().getShape()));
    else
      continue;
    retypeViews(user->getResult(0));
  }
}

void retype(AllocOp buffer, BufferType type) {
  buffer.getBuffer().setType(type);
  retypeViews(buffer.getBuffer());
}

mlir::Operation *ancestorIn(mlir::Block *block, mlir::Operation *op) {
  return block->findAncestorOpInBlock(*op);
}

std::optional<int> minorOf(TensorType tensor) {
  if (tensor.getRank() < 2)
    return std::nullopt;
  if (tensor.getMinor() == tensor.getRank() - 1)
    return 1;
  return tensor.getMinor() == tensor.getRows() ? std::optional(0) : std::nullopt;
}

/// Whether no launch writes the tensor, also not in the place of another one.
static bool isOnlyRead(mlir::Value tensor) {
  auto argument = dyn_cast<mlir::BlockArgument>(tensor);
  auto kernel = argument ? dyn_cast<KernelOp>(argument.getOwner()->getParentOp()) : KernelOp();
  if (!kernel)
    return false;
  const unsigned place = argument.getArgNumber();
  const std::string name = kernel.argumentName(place);
  bool written = marks::isWritten(kernel, place);
  for (unsigned other = 0; other < kernel.getNumArguments(); ++other)
    if (auto at = marks::inPlace.of(kernel, other))
      written |= at.getValue() == name;
  return !written;
}

bool hasShortParts(mlir::Value tensor) {
  while (auto clip = tensor.getDefiningOp<ClipOp>())
    tensor = clip.getTensor();
  auto argument = dyn_cast<mlir::BlockArgument>(tensor);
  auto kernel = argument ? dyn_cast<KernelOp>(argument.getOwner()->getParentOp()) : KernelOp();
  return kernel && (marks::joinedExtent.on(kernel, argument.getArgNumber()) ||
                    marks::line.on(kernel, argument.getArgNumber()));
}

/// Line by line, wherever they start.
static bool linesCanLoad(LoadOp load, BufferType buffer) {
  auto tensor = load.getSource().getType();
  const DType type = *dtypeOf(buffer.getElementType());
  if (load.getRows() || minorOf(tensor) != 1 || buffer.getMinor() != 1 || byteSize(type) < 2 ||
      tensor.getElementType() != buffer.getElementType() ||
      buffer.getShape()[1] * byteSize(type) % lineMargin != 0 || !isOnlyRead(load.getSource()))
    return false;
  KernelRanges ranges(load->getParentOfType<KernelOp>());
  return ranges.of(load.getOffsets()[tensor.getMinor()]).least >= 0;
}

/// All lines at once, which the tensor has one behind the other (`followOneAnother`).
static bool spanCanLoad(LoadOp load, BufferType buffer) {
  auto argument = dyn_cast<mlir::BlockArgument>(load.getSource());
  auto kernel = argument ? dyn_cast<KernelOp>(argument.getOwner()->getParentOp()) : KernelOp();
  if (!kernel || !linesCanLoad(load, buffer))
    return false;
  auto tensor = load.getSource().getType();
  const unsigned place = argument.getArgNumber();
  const int64_t width = tensor.getShape().back(), along = buffer.getShape()[1];
  const bool line = marks::line.on(kernel, place) && along == width;
  const bool parts = marks::joinedExtent.on(kernel, place) && tensor.getRank() == 3 &&
                     tensor.getRows() == 1 && along >= width;
  KernelRanges ranges(kernel);
  const auto offset = [&](int d) { return ranges.of(load.getOffsets()[d]); };
  const IntegerRange column = offset(tensor.getMinor()), first = offset(tensor.getMinor() - 1);
  return (line || parts) && width * byteSize(*dtypeOf(buffer.getElementType())) % lineMargin == 0 &&
         column.least == 0 && column.most == 0 && first.least >= 0;
}

bool tmaCanMove(TensorType tensor, BufferType buffer) {
  auto minor = minorOf(tensor);
  if (!minor || *minor != buffer.getMinor() || tensor.getRank() > 5)
    return false;
  if (swizzleBytes(buffer.getLayout()) == 0) {
    const int64_t line = buffer.getShape()[*minor];
    const int64_t bytes = line * byteSize(*dtypeOf(buffer.getElementType()));
    const bool panels = buffer.getLayout() == Layout::panels;
    if (!panels && (buffer.getLayout() != Layout::row || line > 256 || bytes % 16 != 0))
      return false;
  }
  const int64_t aligned = alignmentOfTma(*dtypeOf(tensor.getElementType()));
  return tensor.getAlign() % aligned == 0 && buffer.getShape()[1 - *minor] <= 256;
}

/// The box starts at a multiple of 16 bytes in every launch, of packed numbers of 128 of them
/// (R52); that of a store inside the tensor or behind it.
static bool tmaCanStart(mlir::Operation *op, TensorType tensor, mlir::ValueRange offsets,
                        bool store) {
  KernelRanges ranges(op->getParentOfType<KernelOp>());
  for (auto [d, offset] : llvm::enumerate(offsets)) {
    const IntegerRange range = ranges.of(offset);
    const DType type = *dtypeOf(tensor.getElementType());
    const int64_t bytes = range.multiple * byteSize(type), unit = isPacked(type) ? packedLine : 16;
    if ((int(d) == tensor.getMinor() && bytes % unit != 0) || (store && range.least < 0))
      return false;
  }
  return true;
}

bool tmaCanLoad(LoadOp load, BufferType buffer) {
  auto by = marks::loadedBy.of(load);
  if (isAsync(load) || (by && by.getValue() == "threads"))
    return false;
  if (buffer.getLayout() == Layout::lines)
    return linesCanLoad(load, buffer);
  if (buffer.getLayout() == Layout::span)
    return spanCanLoad(load, buffer);
  auto tensor = load.getSource().getType();
  return !load.getRows() && !hasShortParts(load.getSource()) && tmaCanMove(tensor, buffer) &&
         tmaCanStart(load, tensor, load.getOffsets(), false);
}

bool tmaCanPrefetch(PrefetchOp prefetch) {
  constexpr int64_t most = mostOfABox;
  auto tensor = prefetch.getSource().getType();
  const int64_t size = byteSize(*dtypeOf(tensor.getElementType()));
  for (auto [d, extent] : llvm::enumerate(prefetch.getBox())) {
    const bool along = int(d) == tensor.getMinor();
    if ((extent > most && (!along || extent % most != 0)) || (along && extent * size % 16 != 0))
      return false;
  }
  return tensor.getAlign() % 16 == 0 && tensor.getRank() <= 5 &&
         !prefetch.getSource().getDefiningOp<ClipOp>() && !hasShortParts(prefetch.getSource()) &&
         tmaCanStart(prefetch, tensor, prefetch.getOffsets(), false);
}

/// Lines in whole 16 bytes (R40); the launcher looks at those that the type does not fix.
static bool hasWholePieces(TensorType tensor) {
  const int64_t line = tensor.getShape()[tensor.getMinor()];
  return mlir::ShapedType::isDynamic(line) ||
         line * byteSize(*dtypeOf(tensor.getElementType())) % 16 == 0;
}

bool tmaCanStore(StoreOp store, BufferType buffer) {
  auto tensor = store.getDestination().getType();
  return !hasShortParts(store.getDestination()) && tmaCanMove(tensor, buffer) &&
         hasWholePieces(tensor) && tmaCanStart(store, tensor, store.getOffsets(), true);
}

std::vector<mlir::scf::ForOp> loopsAround(mlir::Operation *op, mlir::Operation *limit) {
  std::vector<mlir::scf::ForOp> loops;
  for (auto *parent = op->getParentOp(); parent && parent != limit; parent = parent->getParentOp())
    if (auto loop = dyn_cast<mlir::scf::ForOp>(parent))
      loops.insert(loops.begin(), loop);
  return loops;
}

mlir::scf::ForOp iteratedBy(AllocOp tile) {
  auto *around = tile->getParentOp();
  while (isa<mlir::scf::IfOp>(around))
    around = around->getParentOp();
  return dyn_cast<mlir::scf::ForOp>(around);
}

void dropCachePolicies(KernelOp kernel) {
  kernel.walk([](LoadOp load) { load.setCache(ir::CachePolicy::normal); });
  kernel.walk([](StoreOp store) { store.setCache(ir::CachePolicy::normal); });
}

mlir::Value constantIndex(mlir::OpBuilder &b, mlir::Location loc, int64_t value) {
  return mlir::arith::ConstantIndexOp::create(b, loc, value);
}

llvm::StringRef agentOf(mlir::Operation *op) {
  auto agent = marks::agent.of(op);
  return agent ? agent.getValue() : llvm::StringRef();
}

llvm::StringRef roleOf(mlir::Operation *op) {
  auto role = op->getParentOfType<RoleOp>();
  return agentOf(op).empty() && role ? role.getName() : agentOf(op);
}

void setAgent(mlir::Operation *op, llvm::StringRef agent) {
  marks::agent.set(op, agent);
}

mlir::Value tensorOf(mlir::Value view) {
  while (auto clip = view.getDefiningOp<ClipOp>())
    view = clip.getTensor();
  return view;
}

bool takesTurns(KernelOp kernel) {
  const auto found = kernel.walk([](mlir::Operation *op) {
    return ir::marks::turns.on(op) ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return found.wasInterrupted();
}

bool isWrittenThenStored(AllocOp buffer) {
  if (!buffer || buffer.getBuffer().getType().getSpace() != Space::smem)
    return false;
  bool filled = false, stored = false;
  for (const TileAccess &access : accessesOf(buffer)) {
    auto copy = dyn_cast<CopyOp>(access.op);
    filled |= copy && access.writes && copy.getSource().getType().getSpace() == Space::reg;
    stored |= isa<StoreOp>(access.op);
  }
  return filled && stored;
}

bool isLoadedWrittenThenStored(AllocOp buffer) {
  return isWrittenThenStored(buffer) &&
         llvm::any_of(accessesOf(buffer),
                      [](const TileAccess &access) { return isa<LoadOp>(access.op); });
}

bool bringsFactors(mlir::Operation *op) {
  auto copy = llvm::dyn_cast_or_null<CopyOp>(op);
  return copy && copy.getDestination().getType().getSpace() == Space::tmem &&
         copy.getSource().getType().getSpace() == Space::smem;
}

bool isClipped(StoreOp store) {
  return store.getDestination().getDefiningOp<ClipOp>() != nullptr;
}

bool hasProducts(KernelOp kernel) {
  const auto found = kernel.walk([](mlir::Operation *op) {
    return isa<MmaOp, WgmmaOp, Tcgen05MmaOp>(op) ? mlir::WalkResult::interrupt()
                                                 : mlir::WalkResult::advance();
  });
  return found.wasInterrupted();
}

bool isStoredByThreads(StoreOp store) {
  return isClipped(store) || marks::byThreads.on(store);
}

bool isStoredByThreads(PipelineOp staging) {
  return llvm::any_of(staging.getBuffers(), [](mlir::Value buffer) {
    return llvm::any_of(accessesOf(rootOf(buffer)), [](const TileAccess &access) {
      auto store = dyn_cast<StoreOp>(access.op);
      return store && isStoredByThreads(store);
    });
  });
}

} // namespace sluice

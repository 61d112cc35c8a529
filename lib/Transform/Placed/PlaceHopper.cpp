// Tile -> placed for sm_90a. Operands of products that are loaded go to swizzled shared memory, as
// TMA writes them and wgmma reads them; accumulators and everything computed from them to registers
// in the accumulator's layout, where there are none by whole rows; results that TMA can store get a
// staging buffer.
#include "Transform/Marks.h"
#include "Transform/Passes.h"
#include "Transform/Pipeline/RolePlan.h"
#include "Transform/Placed/ComputedOperand.h"
#include "Transform/Placed/HopperTiles.h"
#include "Transform/Placed/ReplacedTiles.h"
#include "Transform/Placed/StagedLoad.h"
#include "Transform/Placed/WholeRows.h"
#include "Transform/Placed/ZeroFills.h"
#include "Transform/Refusal.h"
#include "Transform/Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace sluice {
namespace {

using namespace ir;
using mlir::dyn_cast;
using mlir::isa;
using mlir::LogicalResult;
using mlir::success;

/// What a buffer is used for.
struct Uses {
  bool a = false, b = false, d = false;
  LoadOp load;
};

Uses usesOf(AllocOp buffer) {
  Uses uses;
  for (const TileAccess &access : accessesOf(buffer)) {
    if (auto load = dyn_cast<LoadOp>(access.op))
      uses.load = load;
    if (auto mma = dyn_cast<MmaOp>(access.op)) {
      uses.a |= mma.getA() == access.view;
      uses.b |= mma.getB() == access.view;
      uses.d |= mma.getD() == access.view;
    }
  }
  return uses;
}

BufferType swizzled(BufferType type, int minor) {
  int64_t bytes = type.getShape()[minor] * byteSize(*dtypeOf(type.getElementType()));
  return BufferType::get(type.getContext(), type.getShape(), type.getElementType(), Space::smem,
                         swizzleFor(bytes), minor, type.getSlots());
}

/// An operand whose rows no swizzle divides: loaded up to the next 128 bytes, of which products
/// read what the tile has. What TMA finds beyond the tensor is zero.
LogicalResult placeWidened(AllocOp buffer, int minor) {
  auto type = buffer.getBuffer().getType();
  auto shape = llvm::to_vector(type.getShape());
  const int64_t chunk = 128 / byteSize(*dtypeOf(type.getElementType()));
  shape[minor] = (shape[minor] + chunk - 1) / chunk * chunk;
  if (shape[minor] > 256)
    return unsupported(buffer, "tile '")
           << buffer.getName() << "': its contiguous extent of " << type.getShape()[minor]
           << " elements is no multiple of 32 bytes; it would be loaded as " << shape[minor]
           << ", and 256 are the most";
  for (const TileAccess &access : accessesOf(buffer))
    if (!isa<MmaOp, LoadOp>(access.op))
      return unsupported(access.op, "reads tile '")
             << buffer.getName() << "', whose rows are no multiple of 32 bytes, beside a product";
  auto placed = swizzled(type.withShape(shape), minor);
  buffer.getBuffer().setType(placed);
  for (mlir::OpOperand &use : llvm::make_early_inc_range(buffer.getBuffer().getUses())) {
    if (isa<LoadOp>(use.getOwner()))
      continue;
    mlir::OpBuilder b(use.getOwner());
    auto loc = use.getOwner()->getLoc();
    mlir::Value zero = constantIndex(b, loc, 0);
    use.set(SubviewOp::create(b, loc, placed.withShape(type.getShape()), buffer.getBuffer(),
                              mlir::ValueRange{zero, zero}));
    retypeViews(use.get());
  }
  return success();
}

LogicalResult placeOperand(AllocOp buffer, LoadOp load) {
  auto type = buffer.getBuffer().getType();
  auto minor = minorOf(load.getSource().getType());
  if (!minor)
    return unsupported(load, "the contiguous dimension of the tensor is not in the tile; a wgmma "
                             "operand needs it as row or column");
  auto placed = swizzled(type, *minor);
  if (placed.getLayout() == Layout::none)
    return placeWidened(buffer, *minor);
  return retype(buffer, placed), success();
}

/// A tile that a loop with stages loads for element functions or for a store: a ring of it fills
/// while others are worked on. Vectors are loaded by who computes with them.
bool isStreamed(AllocOp buffer, LoadOp load) {
  auto loop = iteratedBy(buffer);
  auto shape = buffer.getBuffer().getType().getShape();
  if (!loop || load->getBlock() != buffer->getBlock() || !loop->hasAttr("sluice.stages") ||
      shape[0] == 1 || shape[1] == 1 || load.getRows() || load.getAsync() ||
      !minorOf(load.getSource().getType()) || load.getSource().getDefiningOp<ClipOp>())
    return false;
  return llvm::none_of(accessesOf(buffer), [&](const TileAccess &access) {
    return access.writes && access.op != load;
  });
}

/// Warps that hold what is computed.
int computingWarps(KernelOp kernel) {
  return planRoles(kernel).warpsOf(Duty::compute);
}

LogicalResult placeStreamed(AllocOp buffer, LoadOp load) {
  auto type = buffer.getBuffer().getType();
  if (failed(verifyCopied(buffer, computingWarps(buffer->getParentOfType<KernelOp>()))))
    return mlir::failure();
  if (warpsOfWholeRows(buffer->getParentOfType<KernelOp>()) && type.getShape()[1] % 256 == 0)
    return retype(buffer, type.in(Space::smem, Layout::panels)), success();
  auto placed = swizzled(type, *minorOf(load.getSource().getType()));
  const bool lines = placed.getLayout() == Layout::none;
  return retype(buffer, lines ? placed.in(Space::smem, Layout::row) : placed), success();
}

/// A tile that is computed and multiplied as b: in registers, and from there to shared memory.
LogicalResult placeComputed(AllocOp buffer, const Uses &uses) {
  auto type = buffer.getBuffer().getType();
  if (uses.a || uses.d)
    return unsupported(buffer, "tile '")
           << buffer.getName() << "' is computed and used as b of a product, and as "
           << (uses.a ? "a" : "its result") << " of one; copy it to a tile of its own";
  auto shared = swizzled(type, 1);
  if (shared.getLayout() == Layout::none)
    return unsupported(buffer, "tile '")
           << buffer.getName() << "' is computed and used as b of a product, with rows of "
           << type.getShape()[1] << " elements; take a multiple of 32 bytes";
  if (failed(verifyInRegisters(buffer, Layout::acc)))
    return mlir::failure();
  mlir::OpBuilder b(buffer->getContext());
  b.setInsertionPointAfter(buffer);
  auto copy = AllocOp::create(b, buffer.getLoc(), shared, buffer.getName().str() + "_shared",
                              mlir::IntegerAttr());
  retype(buffer, type.in(Space::reg, Layout::acc));
  return passThrough(buffer, copy);
}

LogicalResult place(AllocOp buffer) {
  auto type = buffer.getBuffer().getType();
  if (type.getSpace() != Space::unplaced)
    return success();
  Uses uses = usesOf(buffer);
  if (uses.load && (uses.a || uses.b))
    return placeOperand(buffer, uses.load);
  if (uses.load && !uses.d && isStreamed(buffer, uses.load))
    return placeStreamed(buffer, uses.load);
  if (uses.b)
    return placeComputed(buffer, uses);
  Layout layout =
      uses.a ? Layout::fragA : registerLayout(buffer->getParentOfType<KernelOp>(), type);
  if (failed(verifyInRegisters(buffer, layout)))
    return mlir::failure();
  retype(buffer, type.in(Space::reg, layout));
  return success();
}

/// The inbox of a sum over CTAs: a part from each of them.
void placeInbox(ClusterSumOp sum) {
  auto part = sum.getDestination().getType();
  mlir::OpBuilder b(sum);
  auto root = rootOf(sum.getSource());
  auto all = part.withShape({sum.ctas() * part.getShape()[0], part.getShape()[1]});
  auto inbox = AllocOp::create(b, sum.getLoc(), swizzled(all, 1), "parts_" + root.getName().str(),
                               mlir::IntegerAttr());
  sum.getInboxMutable().assign(inbox.getBuffer());
}

// ---- Staging of stores ------------------------------------------------------------------------

int64_t sharedBytes(KernelOp kernel) {
  int64_t total = 0;
  kernel.walk([&](AllocOp buffer) {
    auto type = buffer.getBuffer().getType();
    auto loop = iteratedBy(buffer);
    auto stages = loop ? loop->getAttrOfType<mlir::IntegerAttr>("sluice.stages") : nullptr;
    const int64_t slots = !loop ? 1 : isComputedOperand(buffer) ? 2 : stages ? stages.getInt() : 1;
    if (type.getSpace() == Space::smem)
      total += *byteSizeOf(type) * slots;
  });
  return total;
}

/// Columns that are staged at once: a row of them is one line of the widest swizzle of at most
/// `most` bytes that divides the tile's rows. Where none does, these are odd multiples of 16 bytes,
/// and so is the widest part of at most 128 bytes: eight rows of it lie in different banks as they
/// are.
int64_t columnsOfPart(BufferType tile, int64_t most) {
  const int64_t size = byteSize(*dtypeOf(tile.getElementType())), columns = tile.getShape()[1];
  for (const int64_t line : {128, 64, 32})
    if (line <= most && columns * size % line == 0)
      return line / size;
  for (int64_t line = 112; line > 0; line -= 32)
    if (columns * size % line == 0)
      return line / size;
  return columns;
}

/// In shared memory as TMA stores it.
BufferType stagingType(BufferType tile) {
  BufferType type = swizzled(tile, 1);
  const int64_t line = tile.getShape()[1] * byteSize(*dtypeOf(tile.getElementType()));
  return type.getLayout() == Layout::none && line % 16 == 0 ? type.in(Space::smem, Layout::row)
                                                            : type;
}

/// One slot of the whole tile, or slots that its parts take in turn: one is filled while TMA reads
/// the others. Rows of a part have at most 128 bytes, or fewer where that leaves no room or makes
/// fewer parts than slots; where even the narrowest are fewer, each has a slot.
BufferType stagingOf(BufferType tile, int64_t slots, int64_t room) {
  const int64_t rows = tile.getShape()[0], columns = tile.getShape()[1];
  BufferType type = tile;
  for (const int64_t most : {128, 64, 32}) {
    const int64_t part = columnsOfPart(tile, most), taken = std::min(slots, columns / part);
    type = stagingType(taken < 2 ? tile : tile.withShape({rows, part}).withSlots(taken));
    if (taken == slots && *byteSizeOf(type) * type.getSlots() <= room)
      break;
  }
  return type;
}

/// The columns from `first` on, by way of slot `slot`.
void stagePart(StoreOp store, mlir::Value staging, int64_t first, int64_t slot) {
  mlir::OpBuilder b(store);
  auto loc = store.getLoc();
  auto type = mlir::cast<BufferType>(staging.getType());
  auto source = store.getSource().getType();
  mlir::Value part = SubviewOp::create(b, loc, source.withShape(type.getShape()), store.getSource(),
                                       {constantIndex(b, loc, 0), constantIndex(b, loc, first)});
  mlir::Value place =
      SlotOp::create(b, loc, type.withSlots(1), staging, constantIndex(b, loc, slot));
  CopyOp::create(b, loc, part, place);
  mlir::IRMapping map;
  map.map(store.getSource(), place);
  auto offset = store.getOffsets().size() - 1;
  auto stored = mlir::cast<StoreOp>(b.clone(*store, map));
  b.setInsertionPoint(stored);
  stored.getOffsetsMutable()[offset].set(mlir::arith::AddIOp::create(
      b, loc, store.getOffsets()[offset], constantIndex(b, loc, first)));
}

/// Shared memory that the kernel leaves free beside its barriers.
int64_t roomFor(KernelOp kernel, const Arch &arch) {
  constexpr int64_t barriers = 1024;
  return arch.sharedBytes - barriers - sharedBytes(kernel);
}

int64_t askedStaging(StoreOp store) {
  auto asked = store->getAttrOfType<mlir::IntegerAttr>("sluice.staging");
  return asked ? asked.getInt() : 0;
}

/// What the author asks for; else the whole tile if it fits, else parts in two slots.
mlir::FailureOr<BufferType> stagingFor(StoreOp store, int64_t room) {
  auto tile = store.getSource().getType();
  if (const int64_t asked = askedStaging(store)) {
    auto staging = stagingOf(tile, asked, room);
    if (staging.getSlots() < asked)
      return store.emitError("sluice.staging: the parts of ")
             << tile.getShape()[1] << " columns take no more than " << staging.getSlots()
             << (staging.getSlots() == 1 ? " slot" : " slots")
             << "; ask for so many, or leave it out";
    return staging;
  }
  auto whole = stagingOf(tile, 1, room);
  if (const int64_t bytes = *byteSizeOf(whole); bytes > room && store->hasAttr("sluice.paced"))
    return store.emitError("sluice.paced: the whole tile of ")
           << bytes << " bytes waits for it, and there are " << room
           << " beside the tiles in shared memory; use fewer stages, or leave it out";
  return *byteSizeOf(whole) <= room ? whole : stagingOf(tile, 2, room);
}

/// A store that does not go through shared memory: refused where its author asks for that.
LogicalResult leaveUnstaged(StoreOp store) {
  if (askedStaging(store) == 0)
    return success();
  return unsupported(store, "asks for staging, and TMA cannot store this tile from shared memory; "
                            "leave sluice.staging out");
}

LogicalResult leaveWithoutRoom(StoreOp store, int64_t bytes, int64_t room) {
  if (askedStaging(store) == 0)
    return success();
  return breaks("R16", store, "asks for staging of ")
         << bytes << " bytes, and there are " << room
         << " beside the tiles in shared memory; use fewer stages, or leave sluice.staging out";
}

/// A transposed tile: the whole of it, in shared memory with the other dimension contiguous.
LogicalResult stageTurned(StoreOp store, TransposeOp turned, const Arch &arch) {
  auto source = turned.getBuffer().getType();
  auto staging = swizzled(source, 0);
  if (source.getSpace() != Space::reg || source.getLayout() != Layout::acc || isClipped(store) ||
      staging.getLayout() == Layout::none || !tmaCanStore(store, staging.transposed()))
    return leaveUnstaged(store);
  if (auto asked = store->getAttrOfType<mlir::IntegerAttr>("sluice.staging");
      asked && asked.getInt() == 0)
    return store.emitError("asks for no staging, and a transposed tile waits as a whole to be "
                           "turned; leave sluice.staging out");
  const int64_t room = roomFor(store->getParentOfType<KernelOp>(), arch);
  if (*byteSizeOf(staging) > room)
    return leaveWithoutRoom(store, *byteSizeOf(staging), room);
  mlir::OpBuilder b(store);
  auto root = rootOf(turned.getBuffer());
  auto buffer = AllocOp::create(b, store.getLoc(), staging, root.getName().str() + "_staging",
                                mlir::IntegerAttr());
  if (replaceInStaging(store, buffer))
    return success();
  CopyOp::create(b, store.getLoc(), turned.getBuffer(), buffer.getBuffer());
  store.getSourceMutable().assign(
      TransposeOp::create(b, store.getLoc(), staging.transposed(), buffer.getBuffer()));
  return success();
}

/// By way of shared memory where its author asks for that: in the slot of a loaded tile that it
/// replaces, or in one of its own.
LogicalResult stageWholeRows(StoreOp store, const Arch &arch) {
  auto source = store.getSource().getType();
  auto staged = source.in(Space::smem, Layout::panels);
  if (askedStaging(store) == 0 || source.getLayout() != Layout::blocked || isClipped(store) ||
      !tmaCanStore(store, staged))
    return leaveUnstaged(store);
  if (replaceStreamed(store, staged))
    return success();
  const int64_t room = roomFor(store->getParentOfType<KernelOp>(), arch);
  if (*byteSizeOf(staged) > room)
    return leaveWithoutRoom(store, *byteSizeOf(staged), room);
  mlir::OpBuilder b(store);
  auto name = rootOf(store.getSource()).getName().str() + "_staging";
  auto buffer = AllocOp::create(b, store.getLoc(), staged, name, mlir::IntegerAttr());
  CopyOp::create(b, store.getLoc(), store.getSource(), buffer.getBuffer());
  store.getSourceMutable().assign(buffer.getBuffer());
  return success();
}

/// Inserts registers -> shared memory before a store that TMA can do, if it fits beside the rest. A
/// clipped store is none of TMA's: in a loop the role that stores takes the whole tile line by
/// line, elsewhere the computing warps store what they hold.
LogicalResult stage(StoreOp store, const Arch &arch) {
  if (auto turned = store.getSource().getDefiningOp<TransposeOp>())
    return stageTurned(store, turned, arch);
  if (warpsOfWholeRows(store->getParentOfType<KernelOp>()))
    return stageWholeRows(store, arch);
  auto source = store.getSource().getType();
  auto tensor = store.getDestination().getType();
  auto minor = minorOf(tensor);
  const bool clipped = isClipped(store);
  auto asked = store->getAttrOfType<mlir::IntegerAttr>("sluice.staging");
  if (asked && asked.getInt() == 0)
    return success();
  if (source.getSpace() != Space::reg || source.getLayout() != Layout::acc || minor != 1 ||
      (clipped && (!store->getParentOfType<mlir::scf::ForOp>() || askedStaging(store) > 1)))
    return leaveUnstaged(store);
  const int64_t room = roomFor(store->getParentOfType<KernelOp>(), arch);
  auto chosen = clipped ? stagingOf(source, 1, room) : stagingFor(store, room);
  if (failed(chosen))
    return mlir::failure();
  auto staging = *chosen;
  if (staging.getLayout() == Layout::none ||
      !(clipped ? tmaCanMove(tensor, staging) : tmaCanStore(store, staging)))
    return leaveUnstaged(store);
  if (const int64_t bytes = *byteSizeOf(staging) * staging.getSlots(); bytes > room)
    return leaveWithoutRoom(store, bytes, room);
  mlir::OpBuilder b(store);
  auto root = rootOf(store.getSource());
  auto name = (root ? root.getName().str() : std::string("result")) + "_staging";
  auto buffer = AllocOp::create(b, store.getLoc(), staging, name, mlir::IntegerAttr());
  const int64_t slots = staging.getSlots();
  if (slots == 1 && !clipped && replaceInStaging(store, buffer))
    return success();
  if (slots == 1) {
    CopyOp::create(b, store.getLoc(), store.getSource(), buffer.getBuffer());
    store.getSourceMutable().assign(buffer.getBuffer());
    return success();
  }
  const int64_t columns = source.getShape()[1], part = staging.getShape()[1];
  for (int64_t first = 0; first < columns; first += part)
    stagePart(store, buffer.getBuffer(), first, first / part % slots);
  store.erase();
  return success();
}

bool isInSharedMemory(mlir::Value tile) {
  return cast<BufferType>(tile.getType()).getSpace() == Space::smem;
}

/// Element functions work on registers: what they read of a product's operands is copied there.
LogicalResult copyInputs(mlir::Operation *op, mlir::MutableOperandRange inputs,
                         mlir::ValueRange outputs) {
  for (mlir::Value output : outputs)
    if (isInSharedMemory(output))
      return unsupported(op, "tile '")
             << rootOf(output).getName() << "' is loaded for a product; write another tile";
  for (mlir::OpOperand &input : inputs) {
    if (!isInSharedMemory(input.get()))
      continue;
    mlir::OpBuilder b(op);
    auto type = cast<BufferType>(input.get().getType());
    auto held =
        BufferType::get(type.getContext(), type.getShape(), type.getElementType(), Space::reg,
                        registerLayout(op->getParentOfType<KernelOp>(), type), 1, 1);
    auto name = rootOf(input.get()).getName().str() + "_held";
    auto copy = AllocOp::create(b, op->getLoc(), held, name, mlir::IntegerAttr());
    CopyOp::create(b, op->getLoc(), input.get(), copy.getBuffer());
    input.set(copy.getBuffer());
  }
  return success();
}

class PlaceHopper : public mlir::PassWrapper<PlaceHopper, mlir::OperationPass<KernelOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PlaceHopper)
  explicit PlaceHopper(const Arch &arch) : arch_(&arch) {}
  llvm::StringRef getArgument() const override { return "sluice-place-hopper"; }
  llvm::StringRef getDescription() const override { return "tile -> placed for sm_90a"; }

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    if (failed(separateLifetimes(kernel, /*ascend=*/false)))
      return signalPassFailure();
    auto wrong = kernel.walk([&](mlir::Operation *op) {
      auto mma = dyn_cast<MmaOp>(op);
      auto reduce = dyn_cast<ReduceOp>(op);
      return (mma && failed(verifyProduct(mma))) || (reduce && failed(verifyFold(reduce)))
                 ? mlir::WalkResult::interrupt()
                 : mlir::WalkResult::advance();
    });
    if (wrong.wasInterrupted())
      return signalPassFailure();
    wrong = kernel.walk([&](mlir::Operation *op) {
      auto mma = dyn_cast<MmaOp>(op);
      auto alloc = dyn_cast<AllocOp>(op);
      return (mma && failed(verifyOperands(mma))) || (alloc && failed(place(alloc)))
                 ? mlir::WalkResult::interrupt()
                 : mlir::WalkResult::advance();
    });
    if (wrong.wasInterrupted())
      return signalPassFailure();
    const int warps = computingWarps(kernel);
    wrong = kernel.walk([&](mlir::Operation *op) {
      auto part = dyn_cast<SubviewOp>(op);
      auto buffer = dyn_cast<AllocOp>(op);
      return (part && failed(verifyPart(part))) || (buffer && failed(verifyRows(buffer, warps)))
                 ? mlir::WalkResult::interrupt()
                 : mlir::WalkResult::advance();
    });
    if (wrong.wasInterrupted() || failed(foldZeroFills(kernel, /*mayStay=*/true)))
      return signalPassFailure();
    wrong = kernel.walk([&](mlir::Operation *op) {
      auto map = dyn_cast<MapOp>(op);
      auto reduce = dyn_cast<ReduceOp>(op);
      return (map && failed(copyInputs(op, map.getInputsMutable(), map.getOutputs()))) ||
                     (reduce && failed(copyInputs(op, reduce.getInputsMutable(), {})))
                 ? mlir::WalkResult::interrupt()
                 : mlir::WalkResult::advance();
    });
    if (wrong.wasInterrupted())
      return signalPassFailure();
    kernel.walk([](ClusterSumOp sum) { placeInbox(sum); });
    std::vector<StoreOp> stores;
    kernel.walk([&](StoreOp store) { stores.push_back(store); });
    for (StoreOp store : stores)
      if (failed(stage(store, *arch_)))
        return signalPassFailure();
    enterPhase(kernel, "placed");
  }

private:
  const Arch *arch_;
};

} // namespace

std::unique_ptr<mlir::Pass> createPlaceHopperPass(const Arch &arch) {
  return std::make_unique<PlaceHopper>(arch);
}

} // namespace sluice

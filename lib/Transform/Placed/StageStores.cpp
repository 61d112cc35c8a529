// Tile -> placed for sm_90a, the results: those that TMA can store get a staging buffer in shared
// memory, of the whole tile or of slots that its parts take in turn.
#include "Dialect/Marks.h"
#include "Transform/Passes.h"
#include "Transform/Pipeline/Rings.h"
#include "Transform/Pipeline/RolePlan.h"
#include "Transform/Placed/ComputedOperand.h"
#include "Transform/Placed/HopperTiles.h"
#include "Transform/Placed/ReplacedTiles.h"
#include "Transform/Placed/StagedLoad.h"
#include "Transform/Refusal.h"
#include "Transform/Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace sluice {
namespace {

using namespace ir;
using mlir::dyn_cast;
using mlir::LogicalResult;
using mlir::success;

int64_t sharedBytes(KernelOp kernel) {
  int64_t total = 0;
  kernel.walk([&](AllocOp buffer) {
    auto type = buffer.getBuffer().getType();
    auto loop = iteratedBy(buffer);
    const bool staged = loop && marks::stages.on(loop);
    if (isInLanes(buffer)) // it may have to give way to sums
      type = swizzled(type, 1);
    const bool handed = isComputedOperand(buffer) || isHandedOn(buffer) || isInLanes(buffer);
    const int64_t slots = !loop ? 1 : handed ? 2 : staged ? stagesOf(buffer, loop) : 1;
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
  putInRole(CopyOp::create(b, loc, part, place), holderOf(rootOf(store.getSource())));
  mlir::IRMapping map;
  map.map(store.getSource(), place);
  auto offset = store.getOffsets().size() - 1;
  auto stored = mlir::cast<StoreOp>(b.clone(*store, map));
  b.setInsertionPoint(stored);
  stored.getOffsetsMutable()[offset].set(mlir::arith::AddIOp::create(
      b, loc, store.getOffsets()[offset], constantIndex(b, loc, first)));
}

/// Shared memory that the kernel leaves free.
int64_t roomFor(KernelOp kernel, const Arch &arch) {
  return roomForTiles(arch) - sharedBytes(kernel);
}

int64_t askedStaging(StoreOp store) {
  auto asked = marks::staging.of(store);
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
  if (const int64_t bytes = *byteSizeOf(whole); bytes > room && marks::paced.on(store))
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

/// Where roles have names, a tile that a map reads beside the result is of the map's role.
bool mayReplace(StoreOp store) {
  return !hasNamedRoles(store->getParentOfType<KernelOp>());
}

/// A role stores what another one computes as a whole.
LogicalResult verifyWhole(StoreOp store, int64_t room, llvm::StringRef holder) {
  const int64_t bytes = *byteSizeOf(stagingOf(store.getSource().getType(), 1, room));
  if (bytes <= room && askedStaging(store) < 2)
    return success();
  auto diagnostic = store.emitError("role '") << roleFor(store) << "' stores the tile of role '"
                                              << holder << "' as a whole: ";
  if (askedStaging(store) > 1)
    return diagnostic << "sluice.staging asks for parts in " << askedStaging(store)
                      << " slots; ask for one, or leave it out";
  return diagnostic << bytes << " bytes, and there are " << room
                    << " beside the tiles in shared memory; use fewer stages";
}

/// Whether a role of its own stores tiles in the loop that computes them; beside products who
/// computes has the time to.
bool hasRoleForThreads(StoreOp store) {
  return store->getParentOfType<mlir::scf::ForOp>() &&
         !hasProducts(store->getParentOfType<KernelOp>());
}

/// A transposed tile: the whole of it, in shared memory with the other dimension contiguous. What
/// TMA cannot store from there the threads of a role do.
LogicalResult stageTurned(StoreOp store, TransposeOp turned, const Arch &arch) {
  auto source = turned.getBuffer().getType();
  auto staging = swizzled(source, 0);
  if (source.getSpace() != Space::reg || source.getLayout() != Layout::acc || isClipped(store) ||
      staging.getLayout() == Layout::none)
    return leaveUnstaged(store);
  const bool byTma = tmaCanStore(store, staging.transposed());
  auto asked = marks::staging.of(store);
  const bool unstaged = asked && asked.getInt() == 0;
  if (!byTma && (unstaged || !hasRoleForThreads(store)))
    return leaveUnstaged(store);
  if (unstaged)
    return store.emitError("asks for no staging, and a transposed tile waits as a whole to be "
                           "turned; leave sluice.staging out");
  const int64_t room = roomFor(store->getParentOfType<KernelOp>(), arch);
  if (*byteSizeOf(staging) > room)
    return leaveWithoutRoom(store, *byteSizeOf(staging), room);
  mlir::OpBuilder b(store);
  auto root = rootOf(turned.getBuffer());
  auto buffer = AllocOp::create(b, store.getLoc(), staging, root.getName().str() + "_staging",
                                mlir::IntegerAttr());
  if (byTma && mayReplace(store) && replaceInStaging(store, buffer))
    return success();
  putInRole(CopyOp::create(b, store.getLoc(), turned.getBuffer(), buffer.getBuffer()),
            holderOf(root));
  store.getSourceMutable().assign(
      TransposeOp::create(b, store.getLoc(), staging.transposed(), buffer.getBuffer()));
  if (!byTma)
    marks::byThreads.set(store);
  return success();
}

/// By way of shared memory where its author asks for that, or another role stores it: in the slot
/// of a loaded tile that it replaces, or in one of its own. What TMA cannot store the threads of
/// another role do.
LogicalResult stageWholeRows(StoreOp store, bool elsewhere, const Arch &arch) {
  auto source = store.getSource().getType();
  const bool vector = source.getLayout() == Layout::blockedRowVector;
  auto staged = source.in(Space::smem, vector ? Layout::row : Layout::panels);
  const bool byTma = !isClipped(store) && tmaCanStore(store, staged);
  if ((askedStaging(store) == 0 && !elsewhere) || (!byTma && !elsewhere) ||
      (source.getLayout() != Layout::blocked && !(vector && elsewhere)))
    return leaveUnstaged(store);
  if (byTma && replaceStreamed(store, staged))
    return success();
  const int64_t room = roomFor(store->getParentOfType<KernelOp>(), arch);
  if (*byteSizeOf(staged) > room)
    return leaveWithoutRoom(store, *byteSizeOf(staged), room);
  mlir::OpBuilder b(store);
  auto name = rootOf(store.getSource()).getName().str() + "_staging";
  auto buffer = AllocOp::create(b, store.getLoc(), staged, name, mlir::IntegerAttr());
  putInRole(CopyOp::create(b, store.getLoc(), store.getSource(), buffer.getBuffer()),
            holderOf(rootOf(store.getSource())));
  store.getSourceMutable().assign(buffer.getBuffer());
  if (!byTma)
    marks::byThreads.set(store);
  return success();
}

/// As a role stores it whose threads do: rows as they are where no swizzle divides them.
BufferType stagingForThreads(BufferType tile) {
  const BufferType type = stagingType(tile);
  return type.getLayout() == Layout::none ? tile.in(Space::smem, Layout::row) : type;
}

/// What waits in registers and can wait in shared memory; vectors where another role stores them.
bool canWait(BufferType tile, bool elsewhere) {
  const Layout layout = tile.getLayout();
  return tile.getSpace() == Space::reg && (layout == Layout::acc || layout == Layout::row ||
                                           (elsewhere && layout == Layout::rowVector));
}

/// Inserts registers -> shared memory before a store that TMA can do, if it fits beside the rest.
/// What it cannot do, as a clipped store, another role stores line by line from there, a clipped
/// one in a loop the role `store`; elsewhere the computing warps store what they hold.
LogicalResult stage(StoreOp store, const Arch &arch) {
  const AllocOp tile = rootOf(store.getSource());
  const std::string holder = tile ? holderOf(tile).str() : "";
  const bool elsewhere =
      hasNamedRoles(store->getParentOfType<KernelOp>()) && roleFor(store) != holder;
  if (auto turned = store.getSource().getDefiningOp<TransposeOp>())
    return stageTurned(store, turned, arch);
  if (warpsOfWholeRows(store->getParentOfType<KernelOp>()))
    return stageWholeRows(store, elsewhere, arch);
  auto source = store.getSource().getType();
  auto tensor = store.getDestination().getType();
  auto minor = minorOf(tensor);
  const bool clipped = isClipped(store);
  auto asked = marks::staging.of(store);
  if (asked && asked.getInt() == 0)
    return success();
  if (!canWait(source, elsewhere) || minor != 1 ||
      (clipped &&
       ((!elsewhere && !store->getParentOfType<mlir::scf::ForOp>()) || askedStaging(store) > 1)))
    return leaveUnstaged(store);
  const int64_t room = roomFor(store->getParentOfType<KernelOp>(), arch);
  const bool byThreads = elsewhere && !tmaCanStore(store, stagingForThreads(source));
  if (elsewhere && failed(verifyWhole(store, room, holder)))
    return mlir::failure();
  mlir::FailureOr<BufferType> chosen = byThreads ? stagingForThreads(source)
                                       : clipped ? stagingOf(source, 1, room)
                                                 : stagingFor(store, room);
  if (failed(chosen))
    return mlir::failure();
  auto staging = *chosen;
  if (!byThreads && (staging.getLayout() == Layout::none ||
                     !(clipped ? tmaCanMove(tensor, staging) : tmaCanStore(store, staging))))
    return leaveUnstaged(store);
  if (const int64_t bytes = *byteSizeOf(staging) * staging.getSlots(); bytes > room)
    return leaveWithoutRoom(store, bytes, room);
  mlir::OpBuilder b(store);
  auto root = rootOf(store.getSource());
  auto name = (root ? root.getName().str() : std::string("result")) + "_staging";
  auto buffer = AllocOp::create(b, store.getLoc(), staging, name, mlir::IntegerAttr());
  const int64_t slots = staging.getSlots();
  if (slots == 1 && !clipped && !byThreads && mayReplace(store) && replaceInStaging(store, buffer))
    return success();
  if (slots == 1) {
    putInRole(CopyOp::create(b, store.getLoc(), store.getSource(), buffer.getBuffer()), holder);
    store.getSourceMutable().assign(buffer.getBuffer());
    if (byThreads)
      marks::byThreads.set(store);
    return success();
  }
  const int64_t columns = source.getShape()[1], part = staging.getShape()[1];
  for (int64_t first = 0; first < columns; first += part)
    stagePart(store, buffer.getBuffer(), first, first / part % slots);
  store.erase();
  return success();
}

} // namespace

LogicalResult stageStores(KernelOp kernel, const Arch &arch) {
  return forEach<StoreOp>(kernel, [&](StoreOp store) { return stage(store, arch); });
}

} // namespace sluice

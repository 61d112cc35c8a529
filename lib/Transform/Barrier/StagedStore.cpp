#include "Transform/Barrier/StagedStore.h"

#include "Dialect/Marks.h"
#include "Dialect/ValueNames.h"
#include "Transform/Barrier/BoxLoop.h"
#include "Transform/Barrier/Meeting.h"
#include "Transform/Barrier/Pace.h"
#include "Transform/Barrier/RingEnds.h"
#include "Transform/Refusal.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace sluice {

using namespace ir;
using mlir::dyn_cast;
using mlir::isa;

namespace {

/// Who stages and stores together: all consumer warps, or every warpgroup its own 64 rows, so that
/// one may go on while another still stores. They meet at barriers 1, 2 ... of the groups, or that
/// of all warps behind these: tiles of both kinds may be stored one after the other.
struct Storing : Meeting {
  ir::Exec exec = ir::Exec::one;
};

/// Barriers up to `taken` are the author's.
Storing storingOf(StoreOp store, RoleOp role, int64_t taken) {
  constexpr int64_t rowsOfGroup = 64;
  const int64_t warps = warpsOf(role), groups = warps / 4;
  const int64_t others = lastBarrier(role->getParentOfType<KernelOp>(), role);
  const int64_t first = std::max(others, taken) + 1;
  auto tile = store.getSource().getType();
  // Dense rows may start anywhere; rows of a swizzle start where TMA wants a box to. Rows of a
  // transposed tile are of all groups.
  const bool dense = swizzleBytes(tile.getLayout()) == 0;
  const bool turned = store.getSource().getDefiningOp<TransposeOp>() != nullptr;
  if (groups < 2 || dense || turned || tile.getShape()[0] != groups * rowsOfGroup)
    return {{.threads = 32 * warps, .barrier = groups < 2 ? first : first + groups}};
  return {{groups, 128, warpgroupOf(role, store.getLoc()), first}, ir::Exec::warpgroup};
}

/// The TMA store of the tile, or of the own group's rows.
void createStore(mlir::OpBuilder &b, StoreOp store, const Storing &storing) {
  auto loc = store.getLoc();
  mlir::Value source = store.getSource();
  auto offsets = llvm::to_vector(store.getOffsets());
  if (storing.group) {
    auto tile = store.getSource().getType();
    auto shape = llvm::to_vector(tile.getShape());
    shape[0] /= storing.groups;
    mlir::Value row =
        mlir::arith::MulIOp::create(b, loc, storing.group, constantIndex(b, loc, shape[0]));
    setValueName(row, "groupRow");
    source = SubviewOp::create(b, loc, tile.withShape(shape), source,
                               mlir::ValueRange{row, constantIndex(b, loc, 0)});
    mlir::Value &from = offsets[store.getDestination().getType().getRows()];
    from = mlir::arith::AddIOp::create(b, loc, from, row);
  }
  TmaStoreOp::create(b, loc, source, store.getDestination(), offsets, store.getAdd(), storing.exec,
                     store.getCache());
  BulkCommitOp::create(b, loc, storing.exec);
}

constexpr int64_t boxLines = 64; // 8 KB of the widest swizzle, read in about 370 cycles

/// Does another role store it? The verbs of the ring to that role then say when.
bool hasStoringRole(AllocOp buffer) {
  return isWrittenThenStored(buffer) && llvm::any_of(buffer->getUsers(), [](auto *user) {
           auto pipeline = dyn_cast<PipelineOp>(user);
           return pipeline && !isFilledByLoads(pipeline);
         });
}

/// Whether the author asks it to take its time; a transposed tile is stored as one.
bool storesBoxByBox(StoreOp store) {
  return marks::paced.on(store) && !store.getSource().getDefiningOp<TransposeOp>() &&
         hasBoxes(store.getSource().getType(), boxLines) && !isClipped(store) &&
         hasStoringRole(rootOf(store.getSource()));
}

/// Box by box, each when the one before has been read: loads that other warps issue meanwhile come
/// in between.
void createPacedStore(mlir::OpBuilder &b, StoreOp store) {
  auto loc = store.getLoc();
  const int64_t turns = store.getSource().getType().getShape()[0] / boxLines;
  BoxLoop boxes = createBoxLoop(b, loc, store.getSource(), store.getDestination().getType(),
                                store.getOffsets(), turns);
  BulkWaitOp::create(b, loc, 0, true, ir::Exec::one);
  TmaStoreOp::create(b, loc, boxes.box, store.getDestination(), boxes.from, store.getAdd(),
                     ir::Exec::one, store.getCache());
  BulkCommitOp::create(b, loc, ir::Exec::one);
  b.setInsertionPointAfter(boxes.loop);
}

/// The copy that fills what is stored, in the same block; null where something else fills it.
CopyOp copyBefore(StoreOp store) {
  auto turned = store.getSource().getDefiningOp<TransposeOp>();
  const mlir::Value filled = turned ? turned.getBuffer() : store.getSource();
  for (auto *op = store->getPrevNode(); op; op = op->getPrevNode())
    if (auto copy = dyn_cast<CopyOp>(op); copy && copy.getDestination() == filled)
      return copy;
  return nullptr;
}

/// Is it loaded by another role, which loads anew once the slot is released?
bool isLoadedRing(AllocOp buffer) {
  return llvm::any_of(buffer->getUsers(), [](auto *user) {
    auto pipeline = dyn_cast<PipelineOp>(user);
    return pipeline && isFilledByLoads(pipeline);
  });
}

/// Stores of this buffer that are lowered, and that are not yet.
struct Parts {
  int64_t done = 0, left = 0;
};

Parts partsOf(AllocOp buffer) {
  Parts parts;
  for (const TileAccess &access : accessesOf(buffer)) {
    parts.done += isa<TmaStoreOp>(access.op);
    parts.left += isa<StoreOp>(access.op);
  }
  return parts;
}

/// Between the copy and the store: the writes are visible to TMA, and all warps are there. Where
/// parts take slots in turn, the slot of the next one has been read by then.
void finishCopies(mlir::OpBuilder &b, mlir::Location loc, const Storing &storing, int64_t slots,
                  bool first) {
  FenceOp::create(b, loc, FenceKind::proxy_async, ir::Exec::threads);
  if (slots > 1 && !first)
    BulkWaitOp::create(b, loc, slots - 2, true, storing.exec);
  meet(b, loc, storing);
}

/// What another role has loaded into a slot, which is read before its release: that follows.
void storeSlot(mlir::OpBuilder &b, StoreOp store, const Storing &storing) {
  auto loc = store.getLoc();
  if (isStoredByThreads(store) || !tmaCanStore(store, store.getSource().getType())) {
    b.setInsertionPointAfter(store); // by the threads of the role
    WarpSyncOp::create(b, loc);
    return;
  }
  finishCopies(b, loc, storing, 1, true);
  createStore(b, store, storing);
  BulkWaitOp::create(b, loc, 0, true, storing.exec);
  store.erase();
}

/// What a role has stored is read before it ends.
void waitAtEnd(mlir::OpBuilder &b, mlir::Location loc, RoleOp role, const Storing &storing) {
  auto &last = role.getBody().front();
  if (auto wait = last.empty() ? nullptr : dyn_cast<BulkWaitOp>(last.back())) {
    if (storing.group) // the first lane of every group, that of the role among them
      wait.setExec(storing.exec);
    return;
  }
  b.setInsertionPointToEnd(&last);
  BulkWaitOp::create(b, loc, 0, true, storing.exec);
}

} // namespace

mlir::LogicalResult lowerStagedStore(StoreOp store, int64_t taken) {
  if (marks::paced.on(store) && !storesBoxByBox(store))
    return refusePace(store);
  if (store.getSource().getType().getSpace() != Space::smem)
    return mlir::success();
  auto role = store->getParentOfType<RoleOp>();
  if (!role)
    return unsupported(store, "a store from smem outside of the roles; put it into the one that "
                              "computes the tile");
  auto loc = store.getLoc();
  auto buffer = rootOf(store.getSource());
  mlir::OpBuilder b(store);
  if (hasStoringRole(buffer)) {
    if (isStoredByThreads(store))
      return mlir::success(); // by the threads of the role
    if (storesBoxByBox(store))
      createPacedStore(b, store);
    else
      createStore(b, store, {});
    store.erase();
    return mlir::success();
  }
  const Storing storing = storingOf(store, role, taken);
  const int64_t slots = buffer.getBuffer().getType().getSlots();
  if (isLoadedRing(buffer)) {
    storeSlot(b, store, storing);
    return mlir::success();
  }
  const Parts parts = partsOf(buffer);
  const bool first = parts.done == 0;
  const bool again = bool(store->getParentOfType<mlir::LoopLikeOpInterface>());
  auto copy = copyBefore(store);
  b.setInsertionPoint(copy ? copy.getOperation() : store.getOperation());
  // The last part of the tile before took the first slot too.
  if (again && first && (slots == 1 || parts.left % slots != 0)) {
    BulkWaitOp::create(b, loc, 0, true, storing.exec);
    meet(b, loc, storing);
  }
  b.setInsertionPoint(store);
  finishCopies(b, loc, storing, slots, first && !again);
  createStore(b, store, storing);
  waitAtEnd(b, loc, role, storing);
  store.erase();
  return mlir::success();
}

} // namespace sluice

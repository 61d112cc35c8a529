// What the instructions of the barrier level demand of their operands.
#include "Dialect/Checks.h"

#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;

namespace sluice::ir {

// ---- mbarriers (PTX ISA 9.7.13.15) ----

constexpr int64_t kMaxCount = (1 << 20) - 1; // arrivals, and bytes in flight, of one phase

LogicalResult MbarrierAllocOp::verify() {
  if (auto offset = getOffset(); offset && (int64_t(*offset) < 0 || *offset % 8))
    return emitOpError("offset ") << int64_t(*offset) << "; an mbarrier is aligned to 8 bytes";
  return success();
}

LogicalResult MbarrierInitOp::verify() {
  if (int64_t(getCount()) < 1 || int64_t(getCount()) > kMaxCount)
    return emitOpError("count ") << int64_t(getCount()) << " is outside 1 .. 2^20-1";
  return verifySlot(*this, getBarriers().getType().getSlots(), getIndex());
}
LogicalResult MbarrierInvalOp::verify() {
  return verifySlot(*this, getBarriers().getType().getSlots(), getIndex());
}
/// PTX ISA, mbarrier.arrive: .scope is .cta or .cluster.
static LogicalResult verifyScope(Operation *op, Scope scope) {
  if (scope == Scope::gpu)
    return op->emitOpError("scope gpu; an mbarrier synchronises a CTA or a cluster");
  return success();
}
LogicalResult MbarrierArriveOp::verify() {
  if (failed(verifyScope(*this, getScope())))
    return failure();
  if (int64_t(getCount()) < 1 || int64_t(getCount()) > kMaxCount)
    return emitOpError("count ") << int64_t(getCount()) << " is outside 1 .. 2^20-1";
  return verifySlot(*this, getBarriers().getType().getSlots(), getIndex());
}

template <typename Op> static LogicalResult verifyExpectTx(Op op) {
  int64_t bytes = op.getBytes();
  if (bytes < 0 || bytes > kMaxCount)
    return op.emitOpError("bytes ") << bytes << " are outside 0 .. 2^20-1";
  if (bytes == 0 && !op.getMore())
    return op.emitOpError("announces no bytes; use sluice.mbarrier.arrive");
  return verifySlot(op, op.getBarriers().getType().getSlots(), op.getIndex());
}
LogicalResult MbarrierArriveExpectTxOp::verify() {
  return failed(verifyScope(*this, getScope())) ? failure() : verifyExpectTx(*this);
}
LogicalResult MbarrierExpectTxOp::verify() {
  if (getScope() != Scope::cta)
    return emitOpError("releases no memory, whatever its scope; the scope belongs to the arrive");
  return verifyExpectTx(*this);
}
LogicalResult MbarrierWaitOp::verify() {
  if (failed(verifyScope(*this, getScope())))
    return failure();
  return verifySlot(*this, getBarriers().getType().getSlots(), getIndex());
}
LogicalResult MbarrierTestOp::verify() {
  if (failed(verifyScope(*this, getScope())))
    return failure();
  return verifySlot(*this, getBarriers().getType().getSlots(), getIndex());
}
LogicalResult CpAsyncArriveOp::verify() {
  return verifySlot(*this, getBarriers().getType().getSlots(), getIndex());
}

// ---- Other barriers and groups ----

template <typename Op> static LogicalResult verifyNamedBarrier(Op op) {
  if (op.getId().has_value() == (op.getValue() != nullptr))
    return op.emitOpError("has one id: a number or a value");
  const auto id = op.getId() ? std::optional<int64_t>(*op.getId())
                             : getConstantIntValue(OpFoldResult(op.getValue()));
  if (id && (*id < 0 || *id > 15))
    return op.emitOpError("id ") << *id << " is outside 0 .. 15";
  const int64_t threads = op.getThreads();
  if (threads < 32 || threads > 1024 || threads % 32)
    return op.emitOpError("threads ") << threads << " must be a multiple of 32, 32 .. 1024";
  return success();
}
LogicalResult BarSyncOp::verify() {
  return verifyNamedBarrier(*this);
}
LogicalResult BarArriveOp::verify() {
  return verifyNamedBarrier(*this);
}

static LogicalResult verifyPending(Operation *op, int64_t pending) {
  if (pending < 0)
    return op->emitOpError("pending groups must not be negative");
  return success();
}
LogicalResult BulkWaitOp::verify() {
  return verifyPending(*this, getPending());
}
LogicalResult CpAsyncWaitOp::verify() {
  return verifyPending(*this, getPending());
}
LogicalResult WgmmaWaitOp::verify() {
  if (int64_t(getPending()) > 7)
    return emitOpError("pending groups are at most 7");
  return verifyPending(*this, getPending());
}

LogicalResult CounterAddOp::verify() {
  return verifyInteger(*this, getCounter().getType(), getOffsets().size());
}

LogicalResult CounterWaitOp::verify() {
  return verifyInteger(*this, getCounter().getType(), getOffsets().size());
}

// ---- Copies ----

LogicalResult TmaLoadOp::verify() {
  if (getDestination().getType().getSpace() != Space::smem)
    return emitOpError("writes shared memory; the destination is not in smem");
  return verifyBox(*this, getSource().getType(), getOffsets().size(), getDestination().getType(),
                   true);
}

/// 16 bytes that one instruction writes and reads.
static LogicalResult verifyResponse(Operation *op, BufferType response) {
  if (response.getSpace() != Space::smem || !response.getElementType().isInteger(32) ||
      response.getShape() != llvm::ArrayRef<int64_t>{1, 4} || response.getSlots() != 1)
    return op->emitOpError("a response is 16 bytes in shared memory, a tile of 1x4xi32 in smem");
  return success();
}
LogicalResult ClcTryCancelOp::verify() {
  if (failed(verifyResponse(*this, getResponse().getType())))
    return failure();
  return getBarriers() ? verifySlot(*this, getBarriers().getType().getSlots(), getIndex())
                       : success();
}
LogicalResult ClcQueryOp::verify() {
  return verifyResponse(*this, getResponse().getType());
}

LogicalResult TmaStoreOp::verify() {
  if (getSource().getType().getSpace() != Space::smem)
    return emitOpError("reads shared memory; the source is not in smem");
  return verifyBox(*this, getDestination().getType(), getOffsets().size(), getSource().getType(),
                   true);
}

LogicalResult RemoteCopyOp::verify() {
  auto from = getSource().getType(), to = getDestination().getType();
  if (to.getSpace() != Space::smem)
    return emitOpError("writes the shared memory of a CTA; the destination is not in smem");
  if (from.getSpace() != Space::smem && from.getSpace() != Space::reg)
    return emitOpError("reads smem (a bulk copy) or reg (st.async); the source is in ")
           << name(from.getSpace()).data();
  if (from.getShape() != to.getShape() || from.getElementType() != to.getElementType())
    return emitOpError("copies ") << text(from.getShape()) << " " << from.getElementType() << " to "
                                  << text(to.getShape()) << " " << to.getElementType()
                                  << "; both sides must be the same";
  return verifySlot(*this, getBarriers().getType().getSlots(), getIndex());
}

LogicalResult ClusterGatherOp::verify() {
  auto from = getSource().getType(), to = getDestination().getType();
  int64_t all = 1;
  for (int64_t extent :
       (*this)->getParentOfType<KernelOp>().getCluster().value_or(llvm::ArrayRef<int64_t>()))
    all *= extent;
  if (from.getSpace() != Space::reg || to.getSpace() != Space::smem)
    return emitOpError("goes from registers to shared memory");
  if (all < 2 || to.getShape()[0] != all * from.getShape()[0] ||
      to.getShape()[1] != from.getShape()[1] || to.getElementType() != from.getElementType())
    return emitOpError("needs room for ")
           << text(from.getShape()) << " " << from.getElementType()
           << " of each CTA of a cluster of " << all << "; the destination is "
           << text(to.getShape()) << " " << to.getElementType();
  return success();
}

LogicalResult ClusterSumOp::verify() {
  auto from = getSource().getType(), to = getDestination().getType();
  const int64_t columns = from.getShape()[1], block = to.getShape()[1];
  if (!from.getElementType().isF32() && !from.getElementType().isInteger(32))
    return emitOpError("adds f32 or i32, not ") << from.getElementType();
  if (from.getElementType() != to.getElementType() || from.getShape()[0] != to.getShape()[0] ||
      block == columns || columns % block != 0)
    return emitOpError("hands out blocks of columns of ")
           << text(from.getShape()) << " " << from.getElementType() << "; the destination is "
           << text(to.getShape()) << " " << to.getElementType();
  if (mlir::Value inbox = getInbox(); inbox) {
    auto through = mlir::cast<BufferType>(inbox.getType());
    if (through.getShape()[0] != ctas() * to.getShape()[0] || through.getShape()[1] != block ||
        through.getElementType() != to.getElementType())
      return emitOpError("needs room for ")
             << ctas() << " parts of " << text(to.getShape()) << ", one below the other";
  }
  return success();
}

// ---- Matrix instructions ----

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
  if (const int64_t units = getUnits(); units != 0 && units != 2 && units != 3)
    return emitOpError("units ") << units
                                 << "; M keeps the units (2), or hands them over to FIX (3)";
  return verifyProduct(*this, d, a, b);
}

static LogicalResult verifyCtas(Operation *op, int64_t ctas) {
  if (ctas != 1 && ctas != 2)
    return op->emitOpError("ctas ") << ctas << "; tensor memory is used by 1 CTA or by a pair (2)";
  return success();
}

/// Of `lines` rows of a, or columns of b: a piece of 16 bytes in each lane for every 128 of them
/// and four blocks along K.
static LogicalResult verifyScales(Tcgen05MmaOp op, const char *of, BufferType scales,
                                  int64_t lines) {
  const auto pieces = verifyFactorPieces(op, op.getA().getType(), scales.getElementType(), lines);
  if (failed(pieces))
    return failure();
  const int64_t bytes = pieces->count() * FactorPieces::bytes;
  if (scales.getSpace() != Space::tmem ||
      scales.getShape() != llvm::ArrayRef<int64_t>{FactorPieces::lines, bytes} ||
      scales.getElementType() != op.getScalesA().getType().getElementType())
    return op->emitOpError("the factors of ")
           << of << " are a tile of 128x" << bytes << "x"
           << debugString(op.getScalesA().getType().getElementType()) << " in tmem";
  return success();
}

LogicalResult Tcgen05MmaOp::verify() {
  auto d = getD().getType(), a = getA().getType(), b = getB().getType();
  if (failed(verifyCtas(*this, getCtas())))
    return failure();
  // Where the halves of d lie one below the other, so do the factors of b, and a in tmem.
  const bool halves = getCtas() == 2 && d.getShape()[0] == 128 &&
                      a.getShape()[0] == (a.getSpace() == Space::tmem ? 128 : 64) &&
                      d.getShape()[1] == b.getShape()[1];
  if (halves)
    d = d.withShape({64, d.getShape()[1]}), a = a.withShape({64, a.getShape()[1]});
  const int64_t columns = b.getShape()[1] * (halves ? 1 : int64_t(getCtas()));
  if (getScalesA() && (failed(verifyScales(*this, "a", getScalesA().getType(), a.getShape()[0])) ||
                       failed(verifyScales(*this, "b", getScalesB().getType(), columns))))
    return failure();
  if (d.getSpace() != Space::tmem)
    return emitOpError("accumulates in tensor memory; d must be in tmem");
  if (a.getSpace() != Space::smem && a.getSpace() != Space::tmem)
    return emitOpError("reads a from smem or tmem");
  if (b.getSpace() != Space::smem)
    return emitOpError("reads b from shared memory; b must be in smem");
  if (getCtas() == 1 || halves)
    return verifyProduct(*this, d, a, b);
  if (d.getShape()[1] != 2 * b.getShape()[1])
    return emitOpError("for a pair of CTAs b holds half of the columns: expected ")
           << d.getShape()[1] / 2 << ", found " << b.getShape()[1];
  return verifyProduct(*this, d, a, b.withShape({b.getShape()[0], d.getShape()[1]}));
}

LogicalResult Tcgen05ShiftOp::verify() {
  if (getColumns().getType().getSpace() != Space::tmem)
    return emitOpError("shifts rows of tensor memory; the tile must be in tmem");
  return verifyCtas(*this, getCtas());
}

LogicalResult Tcgen05CommitOp::verify() {
  if (int64_t(getMulticast()) < 0 || int64_t(getMulticast()) > 0xffff)
    return emitOpError("multicast is a mask of 16 CTAs");
  if (failed(verifyCtas(*this, getCtas())))
    return failure();
  return verifySlot(*this, getBarriers().getType().getSlots(), getIndex());
}

static LogicalResult verifyColumns(Operation *op, int64_t columns, int64_t ctas) {
  if (columns < 32 || columns > 512 || (columns & (columns - 1)))
    return op->emitOpError("columns ") << columns << "; a power of two, 32 to 512";
  return verifyCtas(op, ctas);
}
static LogicalResult verifyAddress(Operation *op, BufferType address) {
  if (address.getSpace() != Space::smem || !address.getElementType().isInteger(32) ||
      address.getShape() != llvm::ArrayRef<int64_t>{1, 1})
    return op->emitOpError("the address of tensor memory is one i32 in shared memory, a tile of "
                           "1x1xi32 in smem");
  return success();
}
LogicalResult TmemAllocOp::verify() {
  if (getAddress() && failed(verifyAddress(*this, getAddress().getType())))
    return failure();
  return verifyColumns(*this, getColumns(), getCtas());
}
LogicalResult TmemAddressOp::verify() {
  return verifyAddress(*this, getAddress().getType());
}
LogicalResult TmemRelinquishOp::verify() {
  return verifyCtas(*this, getCtas());
}
LogicalResult TmemDeallocOp::verify() {
  return verifyColumns(*this, getColumns(), getCtas());
}

// ---- Synchronisation, Ascend ----

static LogicalResult verifyFlag(Operation *op, Pipe source, Pipe destination, Value id) {
  auto legal = [](Pipe p) { return p != Pipe::none && p != Pipe::ALL; };
  if (!legal(source) || !legal(destination))
    return op->emitOpError("goes from one pipe to another; ALL and none are no pipes");
  auto constant = getConstantIntValue(id);
  if (constant && (*constant < 0 || *constant > 7))
    return op->emitOpError("id ") << *constant << "; a pair of pipes has the flags 0 to 7";
  return success();
}
LogicalResult SetFlagOp::verify() {
  return verifyFlag(*this, getSource(), getDestination(), getId());
}
LogicalResult WaitFlagOp::verify() {
  return verifyFlag(*this, getSource(), getDestination(), getId());
}

LogicalResult PipeBarrierOp::verify() {
  if (getPipe() == Pipe::none)
    return emitOpError("needs a pipe, or ALL");
  return success();
}

/// An operation that one pipe comes to; its id is 0 to `most`.
static LogicalResult verifyOnPipe(Operation *op, Pipe pipe, Value id, int64_t most,
                                  StringRef what) {
  if (pipe == Pipe::none || pipe == Pipe::ALL)
    return op->emitOpError("is queued on one pipe; ALL and none are no pipes");
  auto constant = getConstantIntValue(id);
  if (constant && (*constant < 0 || *constant > most))
    return op->emitOpError("id ") << *constant << "; the " << what << " are 0 to " << most;
  return success();
}

static LogicalResult verifyMutex(Operation *op, Pipe pipe, Value id) {
  return verifyOnPipe(op, pipe, id, 27, "mutexes of a core");
}
LogicalResult MutexLockOp::verify() {
  return verifyMutex(*this, getPipe(), getId());
}
LogicalResult MutexUnlockOp::verify() {
  return verifyMutex(*this, getPipe(), getId());
}

static LogicalResult verifyCross(Operation *op, Pipe pipe, Value id) {
  return verifyOnPipe(op, pipe, id, 10, "cross-core flags");
}
LogicalResult CrossSetOp::verify() {
  int64_t mode = getMode();
  if (mode != 0 && mode != 1 && mode != 2 && mode != 4)
    return emitOpError("mode ") << mode
                                << "; 0 (all cores), 1 (the AIVs of a core), 2 (AIC and its "
                                   "AIVs) or 4 (one AIV, Ascend 950)";
  return verifyCross(*this, getPipe(), getId());
}
LogicalResult MeetOp::verify() {
  if (!isa<KernelOp>((*this)->getParentOp()))
    return emitOpError("stands directly in the kernel: every core comes to it once");
  return success();
}
LogicalResult CrossWaitOp::verify() {
  return verifyCross(*this, getPipe(), getId());
}

} // namespace sluice::ir

// The table of phases, and the pass that checks kernels against it.
#include "Dialect/Phases.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace sluice::ir {
namespace {

using Phases = uint8_t; // a set of bits
constexpr Phases kTile = 1, kPlaced = 2, kPipeline = 4, kBarrier = 8, kAllocated = 16;
constexpr Phases kAll = 31;
constexpr Phases kConcurrent = kPipeline | kBarrier | kAllocated; // roles exist
constexpr Phases kLow = kBarrier | kAllocated;                    // every barrier is written out
constexpr const char *kNames[] = {"tile", "placed", "pipeline", "barrier", "allocated"};

struct Row {
  Phases phases;
  std::vector<StringRef> operations;
};

template <typename... Ops> Row row(Phases phases) {
  return {phases, {Ops::getOperationName()...}};
}

/// The one statement of what may coexist.
const std::vector<Row> &table() {
  static const std::vector<Row> rows = {
      // Structure, views, and data operations that name no engine.
      row<GridOp, DimOp, UniformOp, AssumeOp, AllocOp, SubviewOp, TransposeOp, ClipOp, LoadOp,
          StoreOp, CopyOp, FillOp, PrintOp, MapOp, ReduceOp, RawOp, RandomOp, YieldOp, ScalarLoadOp,
          PrefetchOp, EpochOp, ClusterRankOp, CounterAddOp, CounterWaitOp>(kAll),
      // Control.
      row<scf::ForOp, scf::IfOp, scf::WhileOp, scf::ConditionOp, scf::YieldOp>(kAll),
      // A product without an engine, a sum without copies: lowering chooses the instructions.
      row<MmaOp, ClusterSumOp, MeetOp>(kTile | kPlaced | kPipeline),
      row<ClusterGatherOp>(kPlaced | kPipeline),
      // A tile whose halves belong to the vector cores.
      row<SubblockOp>(kPlaced | kConcurrent),
      // Rings exist once somebody runs ahead of somebody else.
      row<SlotOp, RoleOp, CursorOp, CursorAdvanceOp, CursorAdvanceDynOp, CursorSlotOp,
          CursorPhaseOp>(kConcurrent),
      row<PipelineOp, AcquireOp, TryAcquireOp, CommitOp, WaitOp, TryWaitOp, ReleaseOp, TailOp>(
          kPipeline),
      // Instructions and the waits of the thread that issued them; barriers between the threads of
      // one role; scalars handed from warp to warp. Legal beside pipelines.
      row<WgmmaOp, WgmmaFenceOp, WgmmaCommitOp, WgmmaWaitOp, MmadOp, Tcgen05MmaOp, Tcgen05WaitOp,
          TmaStoreOp, BulkCommitOp, BulkWaitOp, CpAsyncCommitOp, CpAsyncWaitOp, FenceOp, BarSyncOp,
          BarArriveOp, WarpSyncOp, PipeBarrierOp, ScalarReadOp, ScalarWriteOp, WarpOp,
          ClusterArriveOp, ClusterWaitOp, GridDependencyOp, TmemAllocOp, TmemAddressOp,
          TmemRelinquishOp, TmemDeallocOp, ClcTryCancelOp, ClcQueryOp>(kConcurrent),
      // What pipelines become, and the instructions that signal it.
      row<MbarrierAllocOp, MbarrierInitOp, MbarrierInvalOp, MbarrierArriveOp,
          MbarrierArriveExpectTxOp, MbarrierExpectTxOp, MbarrierWaitOp, MbarrierTestOp,
          CpAsyncArriveOp, TmaLoadOp, RemoteCopyOp, Tcgen05ShiftOp, Tcgen05CommitOp, SetFlagOp,
          WaitFlagOp, MutexLockOp, MutexUnlockOp, CrossSetOp, CrossWaitOp>(kLow),
  };
  return rows;
}

std::string list(Phases phases) {
  std::string text;
  for (int i = 0; i < 5; ++i)
    if (phases & (1 << i))
      text += (text.empty() ? "" : ", ") + std::string(kNames[i]);
  return text;
}

/// Nothing for an operation that no phase has.
std::optional<Phases> phasesOf(Operation *op) {
  if (isa<arith::ArithDialect, math::MathDialect>(op->getDialect()))
    return kAll;
  static const auto byName = [] {
    llvm::StringMap<Phases> map;
    for (const Row &r : table())
      for (StringRef name : r.operations)
        map[name] = r.phases;
    return map;
  }();
  auto found = byName.find(op->getName().getStringRef());
  return found == byName.end() ? std::nullopt : std::optional(found->second);
}

/// What a phase decides about buffers and barriers.
LogicalResult verifyStorage(Operation *op, Phases phase, StringRef name) {
  if (auto alloc = dyn_cast<AllocOp>(op)) {
    BufferType type = alloc.getBuffer().getType();
    if (type.getSlots() > 1 && !(phase & kConcurrent))
      return op->emitOpError("is a ring in phase '")
             << name << "'; rings belong to " << list(kConcurrent)
             << " (above, sluice.stages on the loop asks for one)";
    if (type.getSpace() == Space::unplaced && phase != kTile)
      return op->emitOpError("has no memory space in phase '")
             << name << "'; only tile leaves it open";
    if (phase == kAllocated && type.getSpace() != Space::reg && !alloc.getOffset())
      return op->emitOpError("has no offset in phase 'allocated'; write `at`");
  }
  if (auto barriers = dyn_cast<MbarrierAllocOp>(op))
    if (phase == kAllocated && !barriers.getOffset())
      return op->emitOpError("has no offset in phase 'allocated'; write `at`");
  return success();
}

/// A response is known by a barrier, which rings are until they become barriers.
LogicalResult verifyResponse(ClcTryCancelOp ask, Phases phase, StringRef name) {
  const bool low = phase & kLow;
  if (low == bool(ask.getBarriers()))
    return success();
  return ask.emitOpError() << (low ? "names no barrier" : "names a barrier") << " in phase '"
                           << name
                           << (low ? "', where the response completes its bytes on one"
                                   : "', where it stands between acquire and commit");
}

/// Below the pipeline phase loads and stores are copies by threads; TMA has operations of its own.
LogicalResult verifyCache(Operation *op, Phases phase, StringRef name) {
  const auto policyOf = [&] {
    if (auto load = dyn_cast<LoadOp>(op))
      return load.getCache();
    auto store = dyn_cast<StoreOp>(op);
    return store ? store.getCache() : CachePolicy::normal;
  };
  if (!(phase & kLow) || policyOf() == CachePolicy::normal)
    return success();
  return op->emitOpError("cache ")
         << stringifyCachePolicy(policyOf()) << " in phase '" << name
         << "', where it is a copy by threads; sluice.tma.load and sluice.tma.store take it";
}

struct VerifyPhasePass : PassWrapper<VerifyPhasePass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(VerifyPhasePass)
  VerifyPhasePass() = default;
  VerifyPhasePass(const VerifyPhasePass &other) : PassWrapper(other) {}
  StringRef getArgument() const final { return "sluice-verify-phase"; }
  StringRef getDescription() const final { return "Check what may stand in a phase"; }
  void runOnOperation() final {
    auto result = getOperation()->walk([&](KernelOp kernel) {
      StringRef name = phase.empty() ? kernel.getPhase() : StringRef(phase);
      return failed(verifyPhase(kernel, name)) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
    markAllAnalysesPreserved();
  }
  Option<std::string> phase{*this, "phase", llvm::cl::desc("instead of the one a kernel states")};
};

} // namespace

LogicalResult verifyPhase(KernelOp kernel, StringRef phase) {
  const auto *known = llvm::find(kNames, phase);
  if (known == std::end(kNames))
    return kernel.emitOpError("unknown phase '") << phase << "'; one of " << list(kAll);
  Phases bit = 1 << (known - kNames);
  auto result = kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto phases = phasesOf(op);
    if (!phases) {
      op->emitOpError("is no operation of a kernel; kernels use sluice, arith, math and scf "
                      "(for, if, while)");
      return WalkResult::interrupt();
    }
    if (!(*phases & bit)) {
      op->emitOpError("has no place in phase '") << phase << "'; it belongs to " << list(*phases);
      return WalkResult::interrupt();
    }
    auto ask = dyn_cast<ClcTryCancelOp>(op);
    return failed(verifyStorage(op, bit, phase)) || failed(verifyCache(op, bit, phase)) ||
                   (ask && failed(verifyResponse(ask, bit, phase)))
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return bit == kPipeline ? verifyPipelineUse(kernel) : success();
}

void registerVerifyPhasePass() {
  PassRegistration<VerifyPhasePass>();
}

} // namespace sluice::ir

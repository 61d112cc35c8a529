#include "Dialect/Marks.h"
#include "Transform/Placed/LoadReach.h"
#include "Transform/Program/ElementFnImport.h"
#include "Transform/Program/Importer.h"

#include "llvm/ADT/TypeSwitch.h"

namespace sluice {

namespace marks = ir::marks;

using mlir::dyn_cast;

bool Importer::importMap(mlir::Operation &op, Block &into) {
  std::string reason;
  if (auto map = dyn_cast<ir::MapOp>(op)) {
    std::vector<mlir::Value> shared;
    auto fn = importElementFn(map.getBody().front(), int(map.getInputs().size()),
                              map.getCoordinates(), parameters_, reason, &shared);
    if (!fn)
      return fail(op, reason), true;
    Map imported{bufferViews(map.getOutputs()), bufferViews(map.getInputs()), *fn};
    for (mlir::Value v : shared)
      imported.shared.push_back(index(v));
    push(into, op, std::move(imported));
    return true;
  }
  if (auto raw = dyn_cast<ir::RawOp>(op))
    return importRaw(raw, into), true;
  auto reduce = dyn_cast<ir::ReduceOp>(op);
  if (!reduce)
    return false;
  if (reduce.getOutputs().size() != 1 || reduce.getInputs().size() != 1)
    return fail(op, "reductions of several values are not supported yet"), true;
  const double start = reduce.getIdentities()[0];
  auto fold = importFold(reduce.getBody().front(), start, parameters_, reason);
  if (!fold)
    return fail(op, reason), true;
  push(into, op,
       Reduce{bufferView(reduce.getOutputs()[0]), bufferView(reduce.getInputs()[0]),
              int(reduce.getAxis()), start, fold->combine, std::move(fold->element),
              int64_t(reduce.getTogether())});
  return true;
}

void Importer::importRaw(ir::RawOp op, Block &into) {
  const std::string target(name(program_.target));
  Raw raw;
  raw.text = op.getTexts().getAs<mlir::StringAttr>(target).str();
  raw.writes = bufferViews(op.getOutputs());
  raw.reads = bufferViews(op.getInputs());
  for (mlir::Value v : op.getScalars())
    raw.scalars.push_back(index(v));
  for (auto name : op.getNames().getAsRange<mlir::StringAttr>())
    raw.names.push_back(name.str());
  raw.async = op.getAsync();
  raw.divided = op.getDivided();
  if (!op.getModel().empty()) {
    std::string reason;
    auto fn = importElementFn(op.getModel().front(), int(op.getInputs().size()), false, parameters_,
                              reason);
    if (!fn)
      return fail(*op, reason);
    raw.model = std::move(*fn);
  }
  push(into, *op, std::move(raw));
}

/// The extents of a tensor map are set before the launch (CUDA driver API, cuTensorMapEncodeTiled).
static const char *const clippedByTma =
    "TMA copies end where the tensor ends, not where sluice.clip does; copy by threads "
    "(sluice.load, sluice.store)";

/// Rows come one by one, each of whole pieces, from tensors that stay as they are.
void Importer::importGather(ir::LoadOp op, const View &to, const View &from, Block &into) {
  const Buffer &buffer = program_.buffers[to.object];
  const int rows = op.getSource().getType().getRows();
  const int numbers = tensors_.lookup(op.getRows());
  if (isAscend(program_.target))
    return fail(*op, "gathers are of NVIDIA GPUs; a pipe of an Ascend core moves whole boxes");
  if (buffer.space != Space::smem || buffer.minor != 1 || to.transposed || rows < 0)
    return fail(*op, "a gather goes by rows into a tile of shared memory whose rows are "
                     "contiguous; load this tile in a loop with sluice.stages, not transposed");
  for (const int t : {from.object, numbers}) {
    const auto overwritten = [&](const Tensor &other) { return other.inPlaceOf == t; };
    if (!program_.tensors[t].input || program_.tensors[t].output ||
        std::ranges::any_of(program_.tensors, overwritten))
      return fail(*op, "a gather reads " + program_.tensors[t].name +
                           ", which this launch may write; gather from tensors that it does not");
  }
  View which;
  which.kind = View::tensor;
  which.object = numbers;
  which.offset = {from.offset[rows]};
  which.shape = {to.rows()};
  push(into, *op, Copy{to, from, op.getAsync(), RowNumbers{which, rows}});
}

bool Importer::importData(mlir::Operation &op, Block &into) {
  return llvm::TypeSwitch<mlir::Operation *, bool>(&op)
      .Case<ir::LoadOp>([&](ir::LoadOp o) {
        View to = bufferView(o.getDestination());
        View from = tensorView(o.getSource(), o.getOffsets(), to);
        if (o.getRows())
          return importGather(o, to, from, into), true;
        if (to.transposed && program_.buffers[to.object].space == Space::reg)
          std::swap(from.transposed, to.transposed); // as below
        if (leavesUnknown(o))
          program_.unknownRests.push_back({from.object, to.object, locationOf(o.getLoc())});
        push(into, op, Copy{to, from, o.getAsync()});
        return true;
      })
      .Case<ir::StoreOp>([&](ir::StoreOp o) {
        if (o.getAdd())
          return fail(op, "adding stores by threads are not supported yet"), true;
        View from = bufferView(o.getSource());
        View to = tensorView(o.getDestination(), o.getOffsets(), from);
        if (from.transposed && program_.buffers[from.object].space == Space::reg) {
          if (to.shape.size() != 2)
            return fail(op, "threads store a transposed tile of registers to a tensor of rank 2 "
                            "alone; TMA does where strides are multiples of 16 bytes"),
                   true;
          std::swap(from.transposed, to.transposed); // whose rows of registers a thread has, stays
        }
        push(into, op, Copy{to, from, false, {}, o.getUnits()});
        return true;
      })
      .Case<ir::CopyOp>([&](ir::CopyOp o) {
        if (touchesTensorMemory(o))
          return importTensorMemoryCopy(o, into), true;
        push(into, op, Copy{bufferView(o.getDestination()), bufferView(o.getSource()), false});
        return true;
      })
      .Case<ir::FillOp>([&](ir::FillOp o) {
        push(into, op, Fill{bufferView(o.getDestination()), o.getValue().convertToDouble()});
        return true;
      })
      .Case<ir::PrefetchOp>([&](ir::PrefetchOp o) {
        if (o.getExec() == ir::Exec::one && o.getSource().getDefiningOp<ir::ClipOp>())
          return fail(op, clippedByTma), true;
        View box = element(o.getSource(), o.getOffsets());
        box.shape.assign(o.getBox().begin(), o.getBox().end());
        push(into, op, Prefetch{box});
        return true;
      })
      .Case<ir::PrintOp>([&](ir::PrintOp o) {
        if (isAscend(program_.target))
          return fail(op, "sluice.print has no form on Ascend yet; print on sm_90a"), true;
        const View from = bufferView(o.getSource());
        push(into, op, Print{from});
        if (program_.buffers[from.object].space != Space::reg) // one lane reads it all
          into.stmts.back().exec = Exec::one;
        return true;
      })
      .Case<ir::TmaLoadOp>([&](ir::TmaLoadOp o) {
        if (o.getSource().getDefiningOp<ir::ClipOp>())
          return fail(op, clippedByTma), true;
        View to = bufferView(o.getDestination());
        push(into, op,
             TmaLoad{to, tensorView(o.getSource(), o.getOffsets(), to),
                     barrier(o.getBarriers(), o.getIndex(), o.getRank()), int64_t(o.getMulticast()),
                     policyOf(o.getCache())});
        return true;
      })
      .Case<ir::TmaStoreOp>([&](ir::TmaStoreOp o) {
        if (o.getDestination().getDefiningOp<ir::ClipOp>())
          return fail(op, clippedByTma), true;
        View from = bufferView(o.getSource());
        push(into, op,
             TmaStore{tensorView(o.getDestination(), o.getOffsets(), from), from, o.getAdd(),
                      policyOf(o.getCache())});
        return true;
      })
      .Case<ir::RemoteCopyOp>([&](ir::RemoteCopyOp o) {
        push(into, op,
             RemoteCopy{bufferView(o.getDestination()), bufferView(o.getSource()),
                        barrier(o.getBarriers(), o.getIndex(), o.getRank())});
        return true;
      })
      .Case<ir::WgmmaOp>([&](ir::WgmmaOp o) {
        push(into, op,
             Wgmma{bufferView(o.getD()), bufferView(o.getA()), bufferView(o.getB()),
                   accumulate(o.getAccumulate()), marks::anyTiles.on(o)});
        return true;
      })
      .Case<ir::MmadOp>([&](ir::MmadOp o) {
        push(into, op,
             Mmad{bufferView(o.getD()), bufferView(o.getA()), bufferView(o.getB()),
                  accumulate(o.getAccumulate()), marks::anyTiles.on(o), UnitUse(o.getUnits())});
        into.stmts.back().pipe = Pipe::m;
        return true;
      })
      .Default([](auto) { return false; });
}

/// One element of a tile.
View Importer::elementOf(mlir::Operation &op, mlir::Value tile, mlir::ValueRange offsets) {
  View view = bufferView(tile);
  if (view.offset.size() != 2)
    return view;
  for (int d : {0, 1}) {
    const int own = view.transposed ? 1 - d : d;
    const Index more = index(offsets[d]);
    if (!view.offset[own].isConstant() && !more.isConstant())
      fail(op, "an element of a subview, both with run-time offsets in one dimension");
    view.offset[own].constant += more.constant;
    if (!more.isConstant())
      view.offset[own].value = more.value;
  }
  view.shape = {1, 1};
  return view;
}

/// Numbers that agents hand on.
bool Importer::importNumbers(mlir::Operation &op, Block &into) {
  if (auto o = dyn_cast<ir::ScalarReadOp>(op)) {
    push(into, op,
         ScalarRead{elementOf(op, o.getSource(), o.getOffsets()), scalars_.id(o.getValue())});
    return true;
  }
  if (auto o = dyn_cast<ir::ClcQueryOp>(op)) {
    push(into, op, ScalarRead{bufferView(o.getResponse()), scalars_.id(o.getNumber()), true});
    return true;
  }
  if (auto o = dyn_cast<ir::ClcTryCancelOp>(op)) {
    push(into, op,
         ClcTryCancel{bufferView(o.getResponse()), barrier(o.getBarriers(), o.getIndex()),
                      o.getMulticast()});
    return true;
  }
  if (auto o = dyn_cast<ir::ScalarWriteOp>(op)) {
    push(into, op,
         ScalarWrite{elementOf(op, o.getDestination(), o.getOffsets()), index(o.getValue())});
    return true;
  }
  return false;
}

bool Importer::importMbarrierOp(mlir::Operation &op, Block &into) {
  auto bytes = [&](int64_t constant, mlir::Value more) {
    Index total = more ? index(more) : Index{};
    total.constant += constant;
    return total;
  };
  return llvm::TypeSwitch<mlir::Operation *, bool>(&op)
      .Case<ir::MbarrierInitOp>([&](ir::MbarrierInitOp o) {
        push(into, op,
             MbarrierInit{barrier(o.getBarriers(), o.getIndex()), !o.getIndex(),
                          int64_t(o.getCount())});
        return true;
      })
      .Case<ir::MbarrierInvalOp>([&](ir::MbarrierInvalOp o) {
        push(into, op, MbarrierInval{barrier(o.getBarriers(), o.getIndex()), !o.getIndex()});
        return true;
      })
      .Case<ir::MbarrierArriveOp>([&](ir::MbarrierArriveOp o) {
        push(into, op,
             MbarrierArrive{barrier(o.getBarriers(), o.getIndex(), o.getRank()),
                            int64_t(o.getCount()), scopeOf(o.getScope())});
        return true;
      })
      .Case<ir::MbarrierArriveExpectTxOp>([&](ir::MbarrierArriveExpectTxOp o) {
        push(into, op,
             MbarrierArriveExpectTx{barrier(o.getBarriers(), o.getIndex(), o.getRank()),
                                    bytes(o.getBytes(), o.getMore()), scopeOf(o.getScope())});
        return true;
      })
      .Case<ir::MbarrierExpectTxOp>([&](ir::MbarrierExpectTxOp o) {
        push(into, op,
             MbarrierExpectTx{barrier(o.getBarriers(), o.getIndex(), o.getRank()),
                              bytes(o.getBytes(), o.getMore())});
        return true;
      })
      .Case<ir::MbarrierWaitOp>([&](ir::MbarrierWaitOp o) {
        push(into, op,
             MbarrierWait{barrier(o.getBarriers(), o.getIndex()), index(o.getParity()),
                          scopeOf(o.getScope()), o.getToken() ? scalars_.id(o.getToken()) : kNone});
        return true;
      })
      .Case<ir::MbarrierTestOp>([&](ir::MbarrierTestOp o) {
        push(into, op,
             MbarrierTest{barrier(o.getBarriers(), o.getIndex()), index(o.getParity()),
                          scopeOf(o.getScope()), scalars_.id(o.getToken())});
        return true;
      })
      .Case<ir::CpAsyncArriveOp>([&](ir::CpAsyncArriveOp o) {
        push(into, op, CpAsyncArrive{barrier(o.getBarriers(), o.getIndex()), true});
        return true;
      })
      .Default([](auto) { return false; });
}

bool Importer::importGroups(mlir::Operation &op, Block &into) {
  auto done = [&](auto operation) { return push(into, op, operation), true; };
  auto barrierId = [&](auto o) {
    return o.getValue() ? index(o.getValue()) : Index{kNone, int64_t(*o.getId())};
  };
  return llvm::TypeSwitch<mlir::Operation *, bool>(&op)
      .Case<ir::BarSyncOp>([&](auto o) {
        return done(NamedBarrier{barrierId(o), int64_t(o.getThreads()), false});
      })
      .Case<ir::BarArriveOp>([&](auto o) {
        return done(NamedBarrier{barrierId(o), int64_t(o.getThreads()), true});
      })
      .Case<ir::WarpSyncOp>([&](auto) { return done(WarpSync{}); })
      .Case<ir::ClusterArriveOp>([&](auto o) {
        return done(ClusterBarrier{o.getRelaxed() ? ClusterBarrier::arriveRelaxed
                                                  : ClusterBarrier::arrive});
      })
      .Case<ir::ClusterWaitOp>([&](auto) { return done(ClusterBarrier{ClusterBarrier::wait}); })
      .Case<ir::FenceOp>([&](auto o) {
        switch (o.getKind()) {
        case ir::FenceKind::proxy_async:
          return done(Fence{Fence::proxyAsync});
        case ir::FenceKind::proxy_async_global:
          return done(Fence{Fence::proxyAsyncGlobal});
        case ir::FenceKind::mbarrier_init:
          return done(Fence{Fence::mbarrierInit});
        case ir::FenceKind::tcgen05_before:
          return done(Fence{Fence::tcgen05Before});
        case ir::FenceKind::tcgen05_after:
          return done(Fence{Fence::tcgen05After});
        }
        return false;
      })
      .Case<ir::BulkCommitOp>([&](auto) { return done(BulkCommit{}); })
      .Case<ir::BulkWaitOp>([&](auto o) {
        return done(BulkWait{int64_t(o.getPending()), o.getRead()});
      })
      .Case<ir::CpAsyncCommitOp>([&](auto) { return done(CpAsyncCommit{}); })
      .Case<ir::CpAsyncWaitOp>([&](auto o) { return done(CpAsyncWait{int64_t(o.getPending())}); })
      .Case<ir::WgmmaFenceOp>([&](auto) { return done(WgmmaFence{}); })
      .Case<ir::WgmmaCommitOp>([&](auto) { return done(WgmmaCommit{}); })
      .Case<ir::WgmmaWaitOp>([&](auto o) { return done(WgmmaWait{int64_t(o.getPending())}); })
      .Case<ir::EpochOp>([&](auto) { return done(Epoch{}); })
      .Case<ir::GridDependencyOp>([&](auto o) { return done(GridDependency{o.getLaunch()}); })
      .Case<ir::CounterAddOp>([&](auto o) {
        const bool old = !o.getOld().use_empty();
        if (old && execOf(op) == Exec::threads)
          return fail(op, "the old value of an add by all threads differs from lane to lane; add "
                          "by one"),
                 true;
        return done(CounterAdd{element(o.getCounter(), o.getOffsets()), index(o.getValue()),
                               scopeOf(o.getScope()), o.getRelaxed(),
                               old ? scalars_.id(o.getOld()) : kNone});
      })
      .Case<ir::CounterWaitOp>([&](auto o) {
        return done(CounterWait{element(o.getCounter(), o.getOffsets()), index(o.getValue()),
                                scopeOf(o.getScope()), o.getCoResident()});
      })
      .Default([](auto) { return false; });
}

bool Importer::importFlags(mlir::Operation &op, Block &into) {
  auto done = [&](auto operation) { return push(into, op, operation), true; };
  return llvm::TypeSwitch<mlir::Operation *, bool>(&op)
      .Case<ir::SetFlagOp>([&](auto o) {
        return done(SetFlag{pipeOf(o.getSource()), pipeOf(o.getDestination()), index(o.getId())});
      })
      .Case<ir::WaitFlagOp>([&](auto o) {
        return done(WaitFlag{pipeOf(o.getSource()), pipeOf(o.getDestination()), index(o.getId())});
      })
      .Case<ir::PipeBarrierOp>([&](auto o) { return done(PipeBarrier{pipeOf(o.getPipe())}); })
      .Case<ir::MutexLockOp>([&](auto o) {
        return done(Mutex{Mutex::lock, pipeOf(o.getPipe()), index(o.getId())});
      })
      .Case<ir::MutexUnlockOp>([&](auto o) {
        return done(Mutex{Mutex::unlock, pipeOf(o.getPipe()), index(o.getId())});
      })
      .Case<ir::CrossSetOp>([&](auto o) {
        return done(CrossSet{int(o.getMode()), pipeOf(o.getPipe()), index(o.getId())});
      })
      .Case<ir::CrossWaitOp>([&](auto o) {
        return done(CrossWait{pipeOf(o.getPipe()), index(o.getId())});
      })
      .Default([](auto) { return false; });
}

} // namespace sluice

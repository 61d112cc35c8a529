// Barriers, fences and groups: one wrapper call per statement.
#include "Emit/Cuda/Printer.h"

namespace sluice::cuda {

std::string Printer::barrier(const MbarrierRef &b) {
  return barrierNames_[b.object] + "[" + text(b.slot) + "]";
}

void Printer::initialise(const MbarrierInit &o) {
  const Mbarrier &m = program_.mbarriers[o.barrier.object];
  std::string count = ", " + number(o.count) + ");";
  if (!o.wholeArray || m.slots == 1) {
    out().line("mbarrierInit(" + barrier(o.barrier) + count);
    return;
  }
  auto names = names_.mark();
  std::string i = names_.take("i");
  out().line("for (int " + i + " = 0; " + i + " < " + number(m.slots) + "; ++" + i + ")");
  out().line("  mbarrierInit(" + barrierNames_[o.barrier.object] + "[" + i + "]" + count);
  names_.release(names);
}

namespace {

/// What blocks the thread that executes it, while the other lanes of its warp go on.
bool blocks(const Operation &op) {
  return std::holds_alternative<MbarrierWait>(op) || std::holds_alternative<BulkWait>(op) ||
         std::holds_alternative<CpAsyncWait>(op) || std::holds_alternative<CounterWait>(op);
}

/// Operations that every thread of the warp executes together (".aligned" or by definition).
bool needsWarp(const Operation &op) {
  return std::holds_alternative<NamedBarrier>(op) || std::holds_alternative<WarpSync>(op) ||
         std::holds_alternative<ClusterBarrier>(op) || std::holds_alternative<WgmmaFence>(op) ||
         std::holds_alternative<WgmmaCommit>(op) || std::holds_alternative<WgmmaWait>(op) ||
         std::holds_alternative<CpAsyncArrive>(op);
}

/// The text of statements without operands that depend on the program.
std::string fixedCall(const Operation &op) {
  if (auto *o = std::get_if<NamedBarrier>(&op))
    return std::string(o->arriveOnly ? "namedBarrierArrive(" : "namedBarrierSync(") +
           number(o->id) + ", " + number(o->threads) + ");";
  if (std::holds_alternative<WarpSync>(op))
    return "warpSync();";
  if (auto *o = std::get_if<Fence>(&op))
    return o->kind == Fence::proxyAsync         ? "fenceProxyAsync();"
           : o->kind == Fence::proxyAsyncGlobal ? "fenceProxyAsyncGlobal();"
                                                : "fenceMbarrierInit();";
  if (std::holds_alternative<BulkCommit>(op))
    return "bulkCommit();";
  if (auto *o = std::get_if<BulkWait>(&op))
    return (o->read ? "bulkWaitRead<" : "bulkWait<") + number(o->pending) + ">();";
  if (std::holds_alternative<CpAsyncCommit>(op))
    return "cpAsyncCommit();";
  if (auto *o = std::get_if<CpAsyncWait>(&op))
    return "cpAsyncWait<" + number(o->pending) + ">();";
  if (std::holds_alternative<WgmmaCommit>(op))
    return "wgmmaCommit();";
  if (auto *o = std::get_if<GridDependency>(&op))
    return o->launch ? "launchDependents();" : "waitForPreviousKernel();";
  return "";
}

} // namespace

std::string scoped(const std::string &function, Scope scope) {
  static constexpr const char *names[] = {"", "<Scope::cluster>", "<Scope::gpu>"};
  return function + names[static_cast<int>(scope)] + "(";
}

/// Counters in global memory. False where the statement is none.
bool Printer::count(const Operation &op) {
  if (auto *o = std::get_if<CounterAdd>(&op))
    out().line(scoped(o->relaxed ? "counterAddRelaxed" : "counterAdd", o->scope) +
               element(o->counter) + ", " + text(o->value) + ");");
  else if (auto *o = std::get_if<CounterWait>(&op))
    out().line(scoped("counterWait", o->scope) + element(o->counter) + ", " + text(o->value) +
               ");");
  else
    return false;
  return true;
}

/// False where the statement is no synchronisation.
bool Printer::synchronise(const Stmt &s) {
  const Operation &op = s.op;
  if (needsWarp(op) && s.exec != Exec::threads)
    fail("this operation needs all threads of its warps, and only some execute it");
  guardBlocks_ |= guard_ && blocks(op);
  if (std::string call = fixedCall(op); !call.empty()) {
    out().line(call);
  } else if (auto *o = std::get_if<MbarrierInit>(&op)) {
    initialise(*o);
  } else if (auto *o = std::get_if<MbarrierInval>(&op)) {
    int64_t slots = o->wholeArray ? program_.mbarriers[o->barrier.object].slots : 1;
    for (int64_t i = 0; i < slots; ++i)
      out().line("mbarrierInval(" +
                 (o->wholeArray ? barrierNames_[o->barrier.object] + "[" + number(i) + "]"
                                : barrier(o->barrier)) +
                 ");");
  } else if (auto *o = std::get_if<MbarrierArrive>(&op)) {
    std::string count = o->count == 1 ? "" : ", " + number(o->count);
    out().line(o->barrier.remote
                   ? scoped("mbarrierArriveRemote", o->scope) + barrier(o->barrier) + ", " +
                         text(*o->barrier.remote) + count + ");"
                   : scoped("mbarrierArrive", o->scope) + barrier(o->barrier) + count + ");");
  } else if (auto *o = std::get_if<MbarrierArriveExpectTx>(&op)) {
    std::string rank = o->barrier.remote ? text(*o->barrier.remote) + ", " : "";
    out().line(
        scoped(rank.empty() ? "mbarrierArriveExpectTx" : "mbarrierArriveExpectTxRemote", o->scope) +
        barrier(o->barrier) + ", " + rank + text(o->bytes) + ");");
  } else if (auto *o = std::get_if<MbarrierExpectTx>(&op)) {
    std::string rank = o->barrier.remote ? text(*o->barrier.remote) + ", " : "";
    out().line("mbarrierExpectTx" + std::string(rank.empty() ? "(" : "Remote(") +
               barrier(o->barrier) + ", " + rank + text(o->bytes) + ");");
  } else if (auto *o = std::get_if<MbarrierWait>(&op)) {
    if (o->barrier.remote)
      fail("a wait on the mbarrier of another CTA; hardware waits on its own only");
    out().line(scoped("mbarrierWait", o->scope) + barrier(o->barrier) + ", " + text(o->parity) +
               ");");
  } else if (auto *o = std::get_if<ClusterBarrier>(&op)) {
    if (o->kind != ClusterBarrier::wait)
      out().line(o->kind == ClusterBarrier::arriveRelaxed ? "clusterArriveRelaxed();"
                                                          : "clusterArrive();");
    if (o->kind == ClusterBarrier::wait || o->kind == ClusterBarrier::sync)
      out().line("clusterWait();");
  } else if (auto *o = std::get_if<CpAsyncArrive>(&op)) {
    out().line((o->noinc ? "cpAsyncArriveNoinc(" : "cpAsyncArrive(") + barrier(o->barrier) + ");");
  } else if (std::holds_alternative<WgmmaFence>(op)) {
    out().line("wgmmaFence(" + wgmmaRegisters() + ");");
  } else if (auto *o = std::get_if<WgmmaWait>(&op)) {
    out().line("wgmmaWait<" + number(o->pending) + ">(" + wgmmaRegisters() + ");");
  } else {
    return count(op) || std::holds_alternative<Epoch>(op);
  }
  return true;
}

} // namespace sluice::cuda

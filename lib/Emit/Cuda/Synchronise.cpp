// Barriers, fences and groups: one wrapper call per statement.
#include "Emit/Cuda/Printer.h"
#include "Emit/SyncIds.h"
#include "Program/OperationFacts.h"

namespace sluice::cuda {

/// A line with the call of a wrapper, and the number of the statement where numbers are wanted.
void BarrierPrinter::synchronisation(const Stmt &s, std::string call) {
  numberCall(call, s);
  out().line(call);
}

BarrierPrinter::BarrierPrinter(PrinterState &state, PrinterParts &parts)
    : ViewPrinter(state, parts) {
  int id = 0;
  for (const Synchronisation &s : synchronisations(program_))
    syncIds_.emplace(s.stmt, ++id);
}

/// The number is the last template argument of the call, behind the scope where it takes one.
void BarrierPrinter::numberCall(std::string &call, const Stmt &s) const {
  if (!options_.syncIds)
    return;
  const int id = syncIds_.at(&s);
  const size_t open = call.find('('), angle = call.find('<');
  if (angle < open) {
    call.insert(call.find('>'), ", " + number(id));
    return;
  }
  const size_t start = call.find_first_not_of(' ');
  const std::string function = call.substr(start, open - start);
  const bool scopes = function.starts_with("mbarrierArrive") || function == "mbarrierWait" ||
                      function.starts_with("mbarrierTest") || function.starts_with("counter");
  const bool ofCtas = function.starts_with("tcgen05Commit");
  call.insert(open, (scopes ? "<Scope::cta, " : ofCtas ? "<1, " : "<") + number(id) + ">");
}

std::string BarrierPrinter::barrier(const MbarrierRef &b) {
  return barrierNames_[b.object] + "[" + text(b.slot) + "]";
}

void BarrierPrinter::initialise(const Stmt &s, const MbarrierInit &o) {
  const Mbarrier &m = program_.mbarriers[o.barrier.object];
  std::string count = ", " + number(o.count) + ");";
  if (!o.wholeArray || m.slots == 1) {
    synchronisation(s, "mbarrierInit(" + barrier(o.barrier) + count);
    return;
  }
  auto names = names_.mark();
  std::string i = names_.take("i");
  out().line("for (int " + i + " = 0; " + i + " < " + number(m.slots) + "; ++" + i + ")");
  synchronisation(s, "  mbarrierInit(" + barrierNames_[o.barrier.object] + "[" + i + "]" + count);
  names_.release(names);
}

namespace {

/// The text of statements without operands that depend on the program.
std::string fixedCall(const Operation &op) {
  if (std::holds_alternative<WarpSync>(op))
    return "warpSync();";
  if (auto *o = std::get_if<Fence>(&op))
    return o->kind == Fence::proxyAsync         ? "fenceProxyAsync();"
           : o->kind == Fence::proxyAsyncGlobal ? "fenceProxyAsyncGlobal();"
           : o->kind == Fence::tcgen05Before    ? "fenceTmemBefore();"
           : o->kind == Fence::tcgen05After     ? "fenceTmemAfter();"
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
bool BarrierPrinter::count(const Stmt &s) {
  const Operation &op = s.op;
  if (auto *o = std::get_if<CounterAdd>(&op))
    synchronisation(s, scoped(o->relaxed ? "counterAddRelaxed" : "counterAdd", o->scope) +
                           element(o->counter) + ", " + text(o->value) + ");");
  else if (auto *o = std::get_if<CounterWait>(&op); o && ranges_.isWide(o->value))
    fail("a counter has 32 bits, and is waited for to reach what may not fit them");
  else if (o)
    synchronisation(s, scoped("counterWait", o->scope) + element(o->counter) + ", " +
                           text(o->value) + ");");
  else
    return false;
  return true;
}

/// A call of what looks at an mbarrier, without its semicolon.
std::string BarrierPrinter::lookAt(const std::string &function, Scope scope, const MbarrierRef &ref,
                                   const Index &parity) {
  if (ref.remote)
    fail("a wait on the mbarrier of another CTA; hardware waits on its own only");
  const bool isParity = ranges_.of(parity).isWithin(0, 1);
  return scoped(function, scope) + barrier(ref) + ", " +
         (isParity ? text(parity) : "(" + text(parity) + ") & 1") + ")";
}

/// All lanes agree on what they were told; what an elected lane was told it keeps to itself, in a
/// variable that outlives its branch.
void BarrierPrinter::ask(const Stmt &s, const MbarrierTest &o) {
  const bool all = s.exec == Exec::threads, isRead = parts_.scalars.isUsed(o.result);
  std::string call = lookAt(all ? "mbarrierTestAll" : "mbarrierTest", o.scope, o.barrier, o.parity);
  numberCall(call, s);
  if (all || !isRead)
    parts_.roles.openGuard(s.exec);
  if (!isRead) {
    out().line(call + ";");
    return;
  }
  if (all)
    return parts_.scalars.define(o.result, {.kind = ValueText::boolean, .text = call}, true,
                                 "ready");
  parts_.roles.closeGuard();
  const bool named = o.result < int(program_.valueNames.size());
  const std::string name = names_.take(named ? program_.valueNames[o.result] : "", "ready");
  out().line("bool " + name + " = false;");
  parts_.roles.openGuard(s.exec);
  out().line(name + " = " + call + ";");
  parts_.scalars.value(o.result) = {.kind = ValueText::boolean, .text = name, .printed = true};
}

/// False where the statement is no synchronisation.
bool BarrierPrinter::synchronise(const Stmt &s) {
  const Operation &op = s.op;
  const OperationFacts facts = factsOf(op);
  const bool together =
      facts.executors == Executors::warp || facts.executors == Executors::warpgroups ||
      std::holds_alternative<CpAsyncArrive>(op); // copies are printed for all lanes
  if (together && s.exec != Exec::threads)
    fail("this operation needs all threads of its warps, and only some execute it");
  if (facts.blocks)
    parts_.roles.blocks();
  if (std::string call = fixedCall(op); !call.empty()) {
    synchronisation(s, call);
  } else if (auto *o = std::get_if<NamedBarrier>(&op)) {
    synchronisation(s, (o->arriveOnly ? "namedBarrierArrive(" : "namedBarrierSync(") + text(o->id) +
                           ", " + number(o->threads) + ");");
  } else if (auto *o = std::get_if<MbarrierInit>(&op)) {
    initialise(s, *o);
  } else if (auto *o = std::get_if<MbarrierInval>(&op)) {
    int64_t slots = o->wholeArray ? program_.mbarriers[o->barrier.object].slots : 1;
    for (int64_t i = 0; i < slots; ++i)
      synchronisation(s,
                      "mbarrierInval(" +
                          (o->wholeArray ? barrierNames_[o->barrier.object] + "[" + number(i) + "]"
                                         : barrier(o->barrier)) +
                          ");");
  } else if (auto *o = std::get_if<MbarrierArrive>(&op)) {
    std::string count = o->count == 1 ? "" : ", " + number(o->count);
    synchronisation(s,
                    o->barrier.remote
                        ? scoped("mbarrierArriveRemote", o->scope) + barrier(o->barrier) + ", " +
                              text(*o->barrier.remote) + count + ");"
                        : scoped("mbarrierArrive", o->scope) + barrier(o->barrier) + count + ");");
  } else if (auto *o = std::get_if<MbarrierArriveExpectTx>(&op)) {
    std::string rank = o->barrier.remote ? text(*o->barrier.remote) + ", " : "";
    synchronisation(
        s,
        scoped(rank.empty() ? "mbarrierArriveExpectTx" : "mbarrierArriveExpectTxRemote", o->scope) +
            barrier(o->barrier) + ", " + rank + text(o->bytes) + ");");
  } else if (auto *o = std::get_if<MbarrierExpectTx>(&op)) {
    std::string rank = o->barrier.remote ? text(*o->barrier.remote) + ", " : "";
    synchronisation(s, "mbarrierExpectTx" + std::string(rank.empty() ? "(" : "Remote(") +
                           barrier(o->barrier) + ", " + rank + text(o->bytes) + ");");
  } else if (auto *o = std::get_if<MbarrierWait>(&op)) {
    std::string call = lookAt("mbarrierWait", o->scope, o->barrier, o->parity) + ";";
    if (o->token != kNone) {
      out().line("if (!" + text(o->token) + ")");
      call.insert(0, "  ");
    }
    synchronisation(s, call);
  } else if (auto *o = std::get_if<ClusterBarrier>(&op)) {
    if (o->kind != ClusterBarrier::wait)
      synchronisation(s, o->kind == ClusterBarrier::arriveRelaxed ? "clusterArriveRelaxed();"
                                                                  : "clusterArrive();");
    if (o->kind == ClusterBarrier::wait || o->kind == ClusterBarrier::sync)
      synchronisation(s, "clusterWait();");
  } else if (auto *o = std::get_if<CpAsyncArrive>(&op)) {
    synchronisation(s, (o->noinc ? "cpAsyncArriveNoinc(" : "cpAsyncArrive(") + barrier(o->barrier) +
                           ");");
  } else if (auto *o = std::get_if<Tcgen05Commit>(&op)) {
    synchronisation(s, std::string("tcgen05Commit") + (o->multicast ? "Multicast" : "") +
                           (o->pair ? "<2>(" : "(") + barrier(o->barrier) +
                           (o->multicast ? ", " + number(o->multicast) : "") + ");");
  } else if (auto *o = std::get_if<TmemWait>(&op)) {
    synchronisation(s, o->stores ? "tmemWaitStores();"
                                 : "tmemWait(" + parts_.tensorMemory.loadedTiles() + ");");
  } else if (std::holds_alternative<WgmmaFence>(op)) {
    synchronisation(s, "wgmmaFence(" + parts_.matrix.wgmmaRegisters(s) + ");");
  } else if (auto *o = std::get_if<WgmmaWait>(&op)) {
    synchronisation(s, "wgmmaWait<" + number(o->pending) + ">(" + parts_.matrix.wgmmaRegisters(s) +
                           ");");
  } else {
    return count(s) || std::holds_alternative<Epoch>(op);
  }
  return true;
}

} // namespace sluice::cuda

#include "Program/OperationFacts.h"

namespace sluice {
namespace {

using Views = std::vector<const View *>;

Views each(const std::vector<View> &views) {
  Views all;
  for (const View &v : views)
    all.push_back(&v);
  return all;
}

template <typename Move> Touched moves(const Move &o) {
  return {{&o.destination}, {&o.source}};
}
template <typename Product> Touched operands(const Product &o) {
  return {{&o.d}, {&o.a, &o.b}};
}
BarrierDeed arrives(const MbarrierRef &barrier, int64_t count, int64_t multicast = 0) {
  return {.kind = BarrierDeed::signal, .barrier = &barrier, .count = count, .multicast = multicast};
}
BarrierDeed announces(const MbarrierRef &barrier, int64_t count, const Index &bytes) {
  return {.kind = BarrierDeed::signal, .barrier = &barrier, .count = count, .announces = &bytes};
}
BarrierDeed lands(const MbarrierRef &barrier, const View &destination, int64_t multicast = 0) {
  return {.kind = BarrierDeed::signal,
          .barrier = &barrier,
          .completes = &destination,
          .multicast = multicast};
}
constexpr int64_t everyCta = 0xffff; // of a cluster, which has no more than 16

struct Table {
  OperationFacts operator()(const MbarrierInit &o) const {
    return {.name = "mbarrier init",
            .machine = MachineKind::nvidia,
            .executors = Executors::elected,
            .barrier = {.kind = BarrierDeed::init,
                        .barrier = &o.barrier,
                        .count = o.count,
                        .wholeArray = o.wholeArray}};
  }
  OperationFacts operator()(const MbarrierInval &o) const {
    return {
        .name = "mbarrier inval",
        .machine = MachineKind::nvidia,
        .barrier = {.kind = BarrierDeed::inval, .barrier = &o.barrier, .wholeArray = o.wholeArray}};
  }
  OperationFacts operator()(const MbarrierArrive &o) const {
    return {
        .name = "arrive", .machine = MachineKind::nvidia, .barrier = arrives(o.barrier, o.count)};
  }
  OperationFacts operator()(const MbarrierArriveExpectTx &o) const {
    return {.name = "arrive.expect_tx",
            .machine = MachineKind::nvidia,
            .barrier = announces(o.barrier, 1, o.bytes)};
  }
  OperationFacts operator()(const MbarrierExpectTx &o) const {
    return {.name = "expect_tx",
            .machine = MachineKind::nvidia,
            .barrier = announces(o.barrier, 0, o.bytes)};
  }
  OperationFacts operator()(const MbarrierWait &o) const {
    return {.name = "wait",
            .machine = MachineKind::nvidia,
            .blocks = true,
            .barrier = {.kind = BarrierDeed::wait, .barrier = &o.barrier}};
  }
  OperationFacts operator()(const MbarrierTest &o) const {
    return {.name = "test",
            .machine = MachineKind::nvidia,
            .barrier = {.kind = BarrierDeed::test, .barrier = &o.barrier}};
  }
  // Without noinc the pending count is raised first, so that the phase has as many to come as
  // before.
  OperationFacts operator()(const CpAsyncArrive &o) const {
    return {.name = "cp.async arrive",
            .machine = MachineKind::nvidia,
            .barrier = arrives(o.barrier, o.noinc ? 1 : 0)};
  }
  OperationFacts operator()(const NamedBarrier &o) const {
    return meeting(o.arriveOnly ? "bar.arrive" : "bar.sync");
  }
  OperationFacts operator()(const WarpSync &) const { return meeting("warp sync"); }
  OperationFacts operator()(const ClusterBarrier &) const { return meeting("cluster barrier"); }
  OperationFacts operator()(const Fence &o) const {
    return ofNvidia(o.kind == Fence::tcgen05Before  ? "tcgen05.fence::before_thread_sync"
                    : o.kind == Fence::tcgen05After ? "tcgen05.fence::after_thread_sync"
                                                    : "fence");
  }
  OperationFacts operator()(const BulkCommit &) const { return ofNvidia("bulk commit_group"); }
  OperationFacts operator()(const BulkWait &) const { return waited("bulk wait_group"); }
  OperationFacts operator()(const CpAsyncCommit &) const {
    return ofNvidia("cp.async commit_group");
  }
  OperationFacts operator()(const CpAsyncWait &) const { return waited("cp.async wait_group"); }
  OperationFacts operator()(const WgmmaFence &) const { return ofWarpgroups("wgmma.fence"); }
  OperationFacts operator()(const WgmmaCommit &) const {
    return ofWarpgroups("wgmma.commit_group");
  }
  OperationFacts operator()(const WgmmaWait &) const { return ofWarpgroups("wgmma.wait_group"); }
  OperationFacts operator()(const GridDependency &o) const {
    return ofNvidia(o.launch ? "griddepcontrol.launch_dependents" : "griddepcontrol.wait");
  }
  OperationFacts operator()(const CounterAdd &o) const {
    return {.name = "counter add", .machine = MachineKind::nvidia, .views = {{&o.counter}, {}}};
  }
  OperationFacts operator()(const CounterWait &o) const {
    return {.name = "counter wait",
            .machine = MachineKind::nvidia,
            .blocks = true,
            .views = {{}, {&o.counter}}};
  }

  OperationFacts operator()(const SetFlag &o) const {
    return flagged("set_flag", {FlagDeed::set, false, o.source, o.destination, &o.id});
  }
  OperationFacts operator()(const WaitFlag &o) const {
    return flagged("wait_flag", {FlagDeed::wait, false, o.source, o.destination, &o.id});
  }
  OperationFacts operator()(const CrossSet &o) const {
    return flagged("cross-core set", {.kind = FlagDeed::set, .cross = true, .id = &o.id});
  }
  OperationFacts operator()(const CrossWait &o) const {
    return flagged("cross-core wait", {.kind = FlagDeed::wait, .cross = true, .id = &o.id});
  }
  OperationFacts operator()(const PipeBarrier &) const {
    return {.name = "pipe barrier", .machine = MachineKind::ascend};
  }

  OperationFacts operator()(const TmaLoad &o) const {
    return {.name = "TMA load",
            .machine = MachineKind::nvidia,
            .executors = Executors::elected,
            .views = moves(o),
            .barrier = lands(o.barrier, o.destination, o.multicast)};
  }
  OperationFacts operator()(const TmaStore &o) const {
    return {.name = o.add ? "TMA reduce" : "TMA store",
            .machine = MachineKind::nvidia,
            .executors = Executors::elected,
            .views = moves(o)};
  }
  OperationFacts operator()(const Copy &o) const {
    OperationFacts facts{.name = o.async  ? "cp.async"
                                 : o.rows ? "gather"
                                          : "copy",
                         .views = moves(o)};
    if (o.rows)
      facts.views.reads.push_back(&o.rows->numbers);
    return facts;
  }
  OperationFacts operator()(const RemoteCopy &o) const {
    return {.name = "remote copy",
            .machine = MachineKind::nvidia,
            .views = moves(o),
            .barrier = lands(o.barrier, o.destination)};
  }
  OperationFacts operator()(const Wgmma &o) const {
    OperationFacts facts = ofWarpgroups("wgmma");
    facts.views = operands(o), facts.multiplies = true;
    return facts;
  }
  OperationFacts operator()(const Mmad &o) const {
    return {
        .name = "mmad", .machine = MachineKind::ascend, .views = operands(o), .multiplies = true};
  }
  OperationFacts operator()(const TmemAlloc &o) const {
    OperationFacts facts = meeting("tcgen05.alloc");
    facts.blocks = true, facts.views.writes = {&o.address};
    return facts;
  }
  OperationFacts operator()(const TmemRelinquish &) const {
    return meeting("tcgen05.relinquish_alloc_permit");
  }
  OperationFacts operator()(const TmemDealloc &) const { return meeting("tcgen05.dealloc"); }
  OperationFacts operator()(const TmemAddress &o) const {
    OperationFacts facts = ofNvidia("tensor memory address");
    facts.views.reads = {&o.source};
    return facts;
  }
  OperationFacts operator()(const Tcgen05Mma &o) const {
    return {.name = "tcgen05.mma",
            .machine = MachineKind::nvidia,
            .executors = Executors::elected,
            .views = operands(o),
            .multiplies = true};
  }
  OperationFacts operator()(const Tcgen05Commit &o) const {
    return {.name = "tcgen05.commit",
            .machine = MachineKind::nvidia,
            .executors = Executors::elected,
            .barrier = arrives(o.barrier, 1, o.multicast)};
  }
  OperationFacts operator()(const TmemLoad &o) const {
    OperationFacts facts = meeting("tcgen05.ld");
    facts.views = moves(o);
    return facts;
  }
  OperationFacts operator()(const TmemStore &o) const {
    OperationFacts facts = meeting("tcgen05.st");
    facts.views = moves(o);
    return facts;
  }
  OperationFacts operator()(const TmemWait &o) const {
    OperationFacts facts = meeting(o.stores ? "tcgen05.wait::st" : "tcgen05.wait::ld");
    facts.blocks = true;
    return facts;
  }
  // A hint: no rule asks what it touches.
  OperationFacts operator()(const Prefetch &) const { return ofNvidia("prefetch"); }
  OperationFacts operator()(const Fill &o) const {
    return {.name = "fill", .views = {{&o.destination}, {}}};
  }
  OperationFacts operator()(const Print &o) const {
    return {.name = "print", .views = {{}, {&o.source}}};
  }
  OperationFacts operator()(const ScalarRead &o) const {
    return {.name = o.response ? "query_cancel" : "scalar read", .views = {{}, {&o.source}}};
  }
  OperationFacts operator()(const ClcTryCancel &o) const {
    return {.name = "try_cancel",
            .machine = MachineKind::nvidia,
            .executors = Executors::elected,
            .views = {{&o.response}, {}},
            .barrier = lands(o.barrier, o.response, o.multicast ? everyCta : 0)};
  }
  OperationFacts operator()(const ScalarWrite &o) const {
    return {.name = "scalar write", .views = {{&o.destination}, {}}};
  }
  OperationFacts operator()(const Map &o) const {
    return {.name = "map", .views = {each(o.outs), each(o.ins)}};
  }
  OperationFacts operator()(const Reduce &o) const {
    return {.name = "reduce", .views = {{&o.out}, {&o.in}}};
  }
  OperationFacts operator()(const Raw &o) const {
    return {.name = "raw text", .views = {each(o.writes), each(o.reads)}};
  }

  // What only steers: nobody names it, and it touches nothing.
  OperationFacts operator()(const Scalar &) const { return {}; }
  OperationFacts operator()(const Grid &) const { return {}; }
  OperationFacts operator()(const For &) const { return {}; }
  OperationFacts operator()(const If &) const { return {}; }
  OperationFacts operator()(const Role &) const { return {}; }
  OperationFacts operator()(const Epoch &) const { return {}; }

private:
  static OperationFacts meeting(std::string_view name) {
    return {.name = name, .machine = MachineKind::nvidia, .executors = Executors::warp};
  }
  static OperationFacts ofNvidia(std::string_view name) {
    return {.name = name, .machine = MachineKind::nvidia};
  }
  static OperationFacts waited(std::string_view name) {
    return {.name = name, .machine = MachineKind::nvidia, .blocks = true};
  }
  static OperationFacts ofWarpgroups(std::string_view name) {
    return {.name = name, .machine = MachineKind::nvidia, .executors = Executors::warpgroups};
  }
  static OperationFacts flagged(std::string_view name, FlagDeed deed) {
    return {.name = name, .machine = MachineKind::ascend, .flag = deed};
  }
};

} // namespace

OperationFacts factsOf(const Operation &op) {
  return std::visit(Table{}, op);
}

std::string operationName(const Operation &op) {
  return std::string(factsOf(op).name);
}

BarrierDeed barrierDeed(const Operation &op) {
  return factsOf(op).barrier;
}

FlagDeed flagDeed(const Operation &op) {
  return factsOf(op).flag;
}

Touched touchedBy(const Operation &op) {
  return factsOf(op).views;
}

std::vector<const View *> viewsOf(const Operation &op) {
  Touched touched = touchedBy(op);
  touched.writes.insert(touched.writes.end(), touched.reads.begin(), touched.reads.end());
  return touched.writes;
}

// Asked at every step of a proof, so without the views.
const MbarrierRef *mbarrierOf(const Operation &op) {
  return std::visit(
      [](const auto &o) -> const MbarrierRef * {
        if constexpr (requires { o.barrier.slot; })
          return &o.barrier;
        else
          return nullptr;
      },
      op);
}

} // namespace sluice

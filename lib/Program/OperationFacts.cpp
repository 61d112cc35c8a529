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

template <typename Copies> OperationFacts moves(const Copies &o, OperationFacts facts) {
  facts.move = {&o.destination, &o.source};
  facts.views = {{&o.destination}, {&o.source}};
  return facts;
}
template <typename Product> OperationFacts multiplies(const Product &o, OperationFacts facts) {
  facts.product = {&o.d, &o.a, &o.b, &o.accumulate};
  facts.views = {{&o.d}, {&o.a, &o.b}};
  return facts;
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
UnitsDeed unitsOf(const Mmad &o) {
  const bool takes = o.units != UnitUse::none;
  return takes ? UnitsDeed{&o.d, false, o.units == UnitUse::handsOver} : UnitsDeed{};
}
UnitsDeed unitsOf(const Copy &o) {
  return o.byUnits ? UnitsDeed{&o.source, true, true} : UnitsDeed{};
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
    OperationFacts facts = ofWarp(o.arriveOnly ? "bar.arrive" : "bar.sync");
    facts.meeting = {MeetingDeed::named, true, !o.arriveOnly, &o.id};
    return facts;
  }
  OperationFacts operator()(const WarpSync &) const { return ofWarp("warp sync"); }
  OperationFacts operator()(const ClusterBarrier &o) const {
    OperationFacts facts = ofWarp("cluster barrier");
    facts.meeting = {MeetingDeed::cluster, o.kind != ClusterBarrier::wait,
                     o.kind == ClusterBarrier::wait || o.kind == ClusterBarrier::sync};
    return facts;
  }
  OperationFacts operator()(const Fence &o) const {
    if (o.kind != Fence::tcgen05Before && o.kind != Fence::tcgen05After)
      return ofNvidia("fence");
    OperationFacts facts =
        ofNvidia(o.kind == Fence::tcgen05Before ? "tcgen05.fence::before_thread_sync"
                                                : "tcgen05.fence::after_thread_sync");
    facts.ofTensorMemory = true;
    return facts;
  }
  OperationFacts operator()(const BulkCommit &) const {
    return commits("bulk commit_group", GroupDeed::bulk);
  }
  OperationFacts operator()(const BulkWait &o) const {
    return waited("bulk wait_group", GroupDeed::bulk, o.pending, o.read);
  }
  OperationFacts operator()(const CpAsyncCommit &) const {
    return commits("cp.async commit_group", GroupDeed::copies);
  }
  OperationFacts operator()(const CpAsyncWait &o) const {
    return waited("cp.async wait_group", GroupDeed::copies, o.pending);
  }
  OperationFacts operator()(const WgmmaFence &) const { return ofWarpgroups("wgmma.fence"); }
  OperationFacts operator()(const WgmmaCommit &) const {
    OperationFacts facts = ofWarpgroups("wgmma.commit_group");
    facts.group = {GroupDeed::commits, GroupDeed::wgmmas};
    return facts;
  }
  OperationFacts operator()(const WgmmaWait &o) const {
    OperationFacts facts = ofWarpgroups("wgmma.wait_group");
    facts.group = {GroupDeed::waits, GroupDeed::wgmmas, o.pending};
    return facts;
  }
  OperationFacts operator()(const GridDependency &o) const {
    return ofNvidia(o.launch ? "griddepcontrol.launch_dependents" : "griddepcontrol.wait");
  }
  OperationFacts operator()(const CounterAdd &o) const {
    return {.name = "counter add",
            .machine = MachineKind::nvidia,
            .views = {{&o.counter}, {}},
            .counter = {CounterDeed::add, &o.counter, &o.value},
            .number = o.old};
  }
  OperationFacts operator()(const CounterWait &o) const {
    return {.name = "counter wait",
            .machine = MachineKind::nvidia,
            .blocks = true,
            .views = {{}, {&o.counter}},
            .counter = {CounterDeed::wait, &o.counter, &o.value}};
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
  OperationFacts operator()(const Mutex &o) const {
    const bool locks = o.kind == Mutex::lock;
    return flagged(locks ? "mutex.lock" : "mutex.unlock",
                   {.kind = locks ? FlagDeed::wait : FlagDeed::set,
                    .source = o.pipe,
                    .destination = o.pipe,
                    .id = &o.id,
                    .mutex = true});
  }
  OperationFacts operator()(const PipeBarrier &o) const {
    const bool all = o.pipe == Pipe::all;
    return {.name = "pipe barrier",
            .machine = MachineKind::ascend,
            .meeting = {all ? MeetingDeed::pipes : MeetingDeed::none, all, all}};
  }

  OperationFacts operator()(const TmaLoad &o) const {
    return moves(o, {.name = "TMA load",
                     .machine = MachineKind::nvidia,
                     .executors = Executors::elected,
                     .barrier = lands(o.barrier, o.destination, o.multicast),
                     .byAsyncProxy = true});
  }
  OperationFacts operator()(const TmaStore &o) const {
    return moves(o, {.name = o.add ? "TMA reduce" : "TMA store",
                     .machine = MachineKind::nvidia,
                     .executors = Executors::elected,
                     .group = {GroupDeed::joins, GroupDeed::bulk},
                     .byAsyncProxy = true});
  }
  OperationFacts operator()(const Copy &o) const {
    OperationFacts facts = moves(o, {.name = o.async ? "cp.async" : o.rows ? "gather" : "copy"});
    if (o.async)
      facts.group = {GroupDeed::joins, GroupDeed::copies};
    if (o.rows)
      facts.views.reads.push_back(&o.rows->numbers);
    facts.units = unitsOf(o);
    return facts;
  }
  OperationFacts operator()(const RemoteCopy &o) const {
    return moves(o, {.name = "remote copy",
                     .machine = MachineKind::nvidia,
                     .barrier = lands(o.barrier, o.destination)});
  }
  OperationFacts operator()(const Wgmma &o) const {
    OperationFacts facts = multiplies(o, ofWarpgroups("wgmma"));
    facts.group = {GroupDeed::joins, GroupDeed::wgmmas};
    return facts;
  }
  OperationFacts operator()(const Mmad &o) const {
    OperationFacts facts = multiplies(o, {.name = "mmad", .machine = MachineKind::ascend});
    facts.units = unitsOf(o);
    return facts;
  }
  OperationFacts operator()(const TmemAlloc &o) const {
    OperationFacts facts = ofTensorMemory("tcgen05.alloc");
    facts.blocks = true, facts.views.writes = {&o.address};
    return facts;
  }
  OperationFacts operator()(const TmemRelinquish &) const {
    return ofTensorMemory("tcgen05.relinquish_alloc_permit");
  }
  OperationFacts operator()(const TmemDealloc &) const { return ofTensorMemory("tcgen05.dealloc"); }
  OperationFacts operator()(const TmemAddress &o) const {
    OperationFacts facts = ofTensorMemory("tensor memory address", Executors::any);
    facts.views.reads = {&o.source};
    return facts;
  }
  OperationFacts operator()(const Tcgen05Mma &o) const {
    OperationFacts facts = multiplies(o, ofTensorMemory("tcgen05.mma", Executors::elected));
    facts.group = {GroupDeed::joins, GroupDeed::products};
    if (o.scales)
      facts.views.reads.insert(facts.views.reads.end(), {&o.scales->a, &o.scales->b});
    return facts;
  }
  OperationFacts operator()(const TmemCopy &o) const {
    OperationFacts facts = ofTensorMemory("tcgen05.cp", Executors::elected);
    facts.views = {{&o.destination}, {&o.source}};
    facts.group = {GroupDeed::joins, GroupDeed::products};
    return facts;
  }
  OperationFacts operator()(const TmemShift &o) const {
    OperationFacts facts = ofTensorMemory("tcgen05.shift", Executors::elected);
    facts.views = {{&o.columns}, {&o.columns}};
    facts.group = {GroupDeed::joins, GroupDeed::products};
    return facts;
  }
  OperationFacts operator()(const Tcgen05Commit &o) const {
    OperationFacts facts = ofTensorMemory("tcgen05.commit", Executors::elected);
    facts.barrier = arrives(o.barrier, 1, o.multicast);
    facts.group = {GroupDeed::commits, GroupDeed::products};
    return facts;
  }
  OperationFacts operator()(const TmemLoad &o) const {
    OperationFacts facts = moves(o, ofTensorMemory("tcgen05.ld"));
    facts.group = {GroupDeed::joins, GroupDeed::tensorLoads};
    return facts;
  }
  OperationFacts operator()(const TmemStore &o) const {
    OperationFacts facts = moves(o, ofTensorMemory("tcgen05.st"));
    facts.group = {GroupDeed::joins, GroupDeed::tensorStores};
    return facts;
  }
  OperationFacts operator()(const TmemWait &o) const {
    OperationFacts facts = ofTensorMemory(o.stores ? "tcgen05.wait::st" : "tcgen05.wait::ld");
    facts.blocks = true;
    facts.group = {GroupDeed::waits, o.stores ? GroupDeed::tensorStores : GroupDeed::tensorLoads};
    return facts;
  }
  OperationFacts operator()(const Prefetch &o) const {
    return {.name = "prefetch", .machine = MachineKind::nvidia, .hint = &o.source};
  }
  OperationFacts operator()(const Fill &o) const {
    return {.name = "fill", .views = {{&o.destination}, {}}};
  }
  OperationFacts operator()(const Print &o) const {
    return {.name = "print", .views = {{}, {&o.source}}};
  }
  OperationFacts operator()(const ScalarRead &o) const {
    return {.name = o.response ? "query_cancel" : "scalar read",
            .views = {{}, {&o.source}},
            .number = o.result};
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
  OperationFacts operator()(const Scalar &) const { return {.steers = true}; }
  OperationFacts operator()(const Grid &) const { return {.steers = true}; }
  OperationFacts operator()(const For &) const { return {.steers = true}; }
  OperationFacts operator()(const If &) const { return {.steers = true}; }
  OperationFacts operator()(const Role &) const { return {.steers = true}; }
  OperationFacts operator()(const Epoch &) const { return {}; }

private:
  static OperationFacts ofNvidia(std::string_view name) {
    return {.name = name, .machine = MachineKind::nvidia};
  }
  static OperationFacts ofWarp(std::string_view name) {
    return {.name = name, .machine = MachineKind::nvidia, .executors = Executors::warp};
  }
  static OperationFacts ofWarpgroups(std::string_view name) {
    return {.name = name, .machine = MachineKind::nvidia, .executors = Executors::warpgroups};
  }
  static OperationFacts ofTensorMemory(std::string_view name, Executors by = Executors::warp) {
    return {.name = name, .machine = MachineKind::nvidia, .executors = by, .ofTensorMemory = true};
  }
  static OperationFacts commits(std::string_view name, GroupDeed::Queue queue) {
    return {.name = name, .machine = MachineKind::nvidia, .group = {GroupDeed::commits, queue}};
  }
  static OperationFacts waited(std::string_view name, GroupDeed::Queue queue, int64_t pending,
                               bool read = false) {
    return {.name = name,
            .machine = MachineKind::nvidia,
            .blocks = true,
            .group = {GroupDeed::waits, queue, pending, read}};
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

CounterDeed counterDeed(const Operation &op) {
  return factsOf(op).counter;
}

GroupDeed groupDeed(const Operation &op) {
  return factsOf(op).group;
}

MeetingDeed meetingDeed(const Operation &op) {
  return factsOf(op).meeting;
}

TileMove moveOf(const Operation &op) {
  return factsOf(op).move;
}

TileProduct productOf(const Operation &op) {
  return factsOf(op).product;
}

ValueId numberOf(const Operation &op) {
  return factsOf(op).number;
}

Touched touchedBy(const Operation &op) {
  return factsOf(op).views;
}

std::vector<const View *> viewsOf(const Operation &op) {
  Touched touched = touchedBy(op);
  touched.writes.insert(touched.writes.end(), touched.reads.begin(), touched.reads.end());
  return touched.writes;
}

// Asked at every step of a proof, as the next, so without the views.
UnitsDeed unitsDeed(const Operation &op) {
  if (auto *mmad = std::get_if<Mmad>(&op))
    return unitsOf(*mmad);
  auto *copy = std::get_if<Copy>(&op);
  return copy ? unitsOf(*copy) : UnitsDeed{};
}

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

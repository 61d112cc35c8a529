#include "Program/OperationText.h"

namespace sluice {

std::string barrierName(const Mbarrier &barrier, int64_t slot) {
  return barrier.slots == 1 ? barrier.name : barrier.name + "[" + std::to_string(slot) + "]";
}

std::string flagName(Pipe source, Pipe destination, int64_t id) {
  return "flag " + std::string(name(source)) + "->" + std::string(name(destination)) + " id " +
         std::to_string(id);
}

namespace {
struct OperationNamer {
  std::string operator()(const MbarrierInit &) const { return "mbarrier init"; }
  std::string operator()(const MbarrierInval &) const { return "mbarrier inval"; }
  std::string operator()(const MbarrierArrive &) const { return "arrive"; }
  std::string operator()(const MbarrierArriveExpectTx &) const { return "arrive.expect_tx"; }
  std::string operator()(const MbarrierExpectTx &) const { return "expect_tx"; }
  std::string operator()(const MbarrierWait &) const { return "wait"; }
  std::string operator()(const NamedBarrier &b) const {
    return b.arriveOnly ? "bar.arrive" : "bar.sync";
  }
  std::string operator()(const ClusterBarrier &) const { return "cluster barrier"; }
  std::string operator()(const Fence &) const { return "fence"; }
  std::string operator()(const CpAsyncArrive &) const { return "cp.async arrive"; }
  std::string operator()(const CounterAdd &) const { return "counter add"; }
  std::string operator()(const CounterWait &) const { return "counter wait"; }
  std::string operator()(const GridDependency &d) const {
    return d.launch ? "griddepcontrol.launch_dependents" : "griddepcontrol.wait";
  }
  std::string operator()(const SetFlag &) const { return "set_flag"; }
  std::string operator()(const WaitFlag &) const { return "wait_flag"; }
  std::string operator()(const PipeBarrier &) const { return "pipe barrier"; }
  std::string operator()(const CrossSet &) const { return "cross-core set"; }
  std::string operator()(const CrossWait &) const { return "cross-core wait"; }
  std::string operator()(const WarpSync &) const { return "warp sync"; }
  std::string operator()(const WgmmaFence &) const { return "wgmma.fence"; }
  std::string operator()(const WgmmaCommit &) const { return "wgmma.commit_group"; }
  std::string operator()(const WgmmaWait &) const { return "wgmma.wait_group"; }
  std::string operator()(const BulkCommit &) const { return "bulk commit_group"; }
  std::string operator()(const BulkWait &) const { return "bulk wait_group"; }
  std::string operator()(const CpAsyncCommit &) const { return "cp.async commit_group"; }
  std::string operator()(const CpAsyncWait &) const { return "cp.async wait_group"; }
  std::string operator()(const TmaLoad &) const { return "TMA load"; }
  std::string operator()(const TmaStore &s) const { return s.add ? "TMA reduce" : "TMA store"; }
  std::string operator()(const Copy &c) const {
    return c.async ? "cp.async" : c.rows ? "gather" : "copy";
  }
  std::string operator()(const ScalarRead &) const { return "scalar read"; }
  std::string operator()(const ScalarWrite &) const { return "scalar write"; }
  std::string operator()(const RemoteCopy &) const { return "remote copy"; }
  std::string operator()(const Fill &) const { return "fill"; }
  std::string operator()(const Print &) const { return "print"; }
  std::string operator()(const Wgmma &) const { return "wgmma"; }
  std::string operator()(const Mmad &) const { return "mmad"; }
  std::string operator()(const Map &) const { return "map"; }
  std::string operator()(const Reduce &) const { return "reduce"; }
  std::string operator()(const Raw &) const { return "raw text"; }
  template <typename T> std::string operator()(const T &) const { return "operation"; }
};
} // namespace

std::string operationName(const Operation &op) {
  return std::visit(OperationNamer{}, op);
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

namespace {
std::string nameOf(const Program &program, const View &view, const IndexValue &value) {
  if (view.kind == View::tensor)
    return program.tensors[view.object].name;
  const Buffer &b = program.buffers[view.object];
  return b.slots > 1 ? b.name + "[" + std::to_string(value(view.slot)) + "]" : b.name;
}
} // namespace

namespace {
/// "W[0,3]": one element of a tensor.
std::string elementName(const Program &program, const View &view, const IndexValue &value) {
  std::string text = program.tensors[view.object].name + "[";
  for (size_t d = 0; d < view.offset.size(); ++d)
    text += (d ? "," : "") + std::to_string(value(view.offset[d]));
  return text + "]";
}
} // namespace

std::string operationText(const Program &program, const Stmt &s, const IndexValue &value) {
  const std::string text = operationName(s.op) + " ";
  const auto named = [&](const View &v) { return nameOf(program, v, value); };
  const auto number = [&](const Index &i) { return std::to_string(value(i)); };
  if (const MbarrierRef *ref = mbarrierOf(s.op);
      ref && !std::holds_alternative<TmaLoad>(s.op) && !std::holds_alternative<RemoteCopy>(s.op)) {
    const Mbarrier &array = program.mbarriers[ref->object];
    const auto *init = std::get_if<MbarrierInit>(&s.op);
    const bool whole = init && init->wholeArray;
    std::string name = whole ? array.name : barrierName(array, value(ref->slot));
    if (ref->remote)
      name += " of CTA rank " + number(*ref->remote);
    if (auto *wait = std::get_if<MbarrierWait>(&s.op))
      return text + name + " parity " + std::to_string(value(wait->parity) & 1);
    return text + name;
  }
  if (auto *o = std::get_if<TmaLoad>(&s.op))
    return text + named(o->destination);
  if (auto *o = std::get_if<TmaStore>(&s.op))
    return text + named(o->source) + " to " + named(o->destination);
  if (auto *o = std::get_if<Copy>(&s.op))
    return text + named(o->source) + " to " + named(o->destination);
  if (auto *o = std::get_if<Print>(&s.op))
    return text + named(o->source);
  if (auto *o = std::get_if<Fill>(&s.op))
    return text + named(o->destination);
  if (auto *o = std::get_if<ScalarRead>(&s.op))
    return text + named(o->source);
  if (auto *o = std::get_if<ScalarWrite>(&s.op))
    return text + named(o->destination);
  if (auto *o = std::get_if<RemoteCopy>(&s.op))
    return text + named(o->source) + " to " + named(o->destination) + " of CTA rank " +
           number(*o->barrier.remote);
  if (auto *o = std::get_if<Wgmma>(&s.op))
    return text + named(o->a) + " " + named(o->b);
  if (auto *o = std::get_if<Mmad>(&s.op))
    return text + named(o->a) + " " + named(o->b) + " to " + named(o->d);
  if (auto *o = std::get_if<Map>(&s.op))
    return text + "to " + named(o->outs[0]);
  if (auto *o = std::get_if<Reduce>(&s.op))
    return text + "to " + named(o->out);
  if (auto *o = std::get_if<Raw>(&s.op); o && !o->writes.empty())
    return text + "to " + named(o->writes[0]);
  if (auto *o = std::get_if<CounterAdd>(&s.op))
    return text + elementName(program, o->counter, value) + " " + number(o->value);
  if (auto *o = std::get_if<CounterWait>(&s.op))
    return text + elementName(program, o->counter, value) + " " + number(o->value);
  if (auto *o = std::get_if<NamedBarrier>(&s.op))
    return text + number(o->id);
  if (auto *o = std::get_if<SetFlag>(&s.op))
    return text + flagName(o->source, o->destination, value(o->id)).substr(5);
  if (auto *o = std::get_if<WaitFlag>(&s.op))
    return text + flagName(o->source, o->destination, value(o->id)).substr(5);
  if (auto *o = std::get_if<CrossSet>(&s.op))
    return text + number(o->id);
  if (auto *o = std::get_if<CrossWait>(&s.op))
    return text + number(o->id);
  return operationName(s.op);
}

} // namespace sluice

#include "Verify/Names.h"

namespace sluice {

std::string coordinates(const Program &program, const std::array<int64_t, 3> &cta) {
  std::string text = "(";
  const int rank = std::clamp(program.gridRank, 1, 3);
  for (int d = 0; d < rank; ++d)
    text += (d ? "," : "") + std::to_string(cta[d]);
  return text + ")";
}

std::string agentName(const Program &program, const AgentId &id, const std::string &role) {
  if (isAscend(program.target)) {
    std::string text = "pipe " + std::string(name(id.pipe)) + " of " + id.core;
    if (id.cta != std::array<int64_t, 3>{0, 0, 0})
      text += " of block " + coordinates(program, id.cta);
    return text;
  }
  return (role.empty() ? "" : role + " ") + "warp " + std::to_string(id.warp) + " of CTA " +
         coordinates(program, id.cta);
}

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
  std::string operator()(const Copy &c) const { return c.async ? "cp.async" : "copy"; }
  std::string operator()(const Fill &) const { return "fill"; }
  std::string operator()(const Wgmma &) const { return "wgmma"; }
  std::string operator()(const Mmad &) const { return "mmad"; }
  std::string operator()(const Map &) const { return "map"; }
  std::string operator()(const Reduce &) const { return "reduce"; }
  template <typename T> std::string operator()(const T &) const { return "operation"; }
};
} // namespace

std::string operationName(const Operation &op) {
  return std::visit(OperationNamer{}, op);
}

std::string place(const Location &loc) {
  return loc.line == 0 ? "" : " at " + loc.str();
}

std::string spaceName(Space space) {
  switch (space) {
  case Space::smem:
    return "shared memory";
  case Space::reg:
    return "registers";
  case Space::tmem:
    return "tensor memory";
  case Space::l1:
    return "L1";
  case Space::l0a:
    return "L0A";
  case Space::l0b:
    return "L0B";
  case Space::l0c:
    return "L0C";
  case Space::ub:
    return "UB";
  default:
    return "global memory";
  }
}

} // namespace sluice

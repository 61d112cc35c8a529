// A kernel of signals alone: scopes of mbarriers, counters, fences, the kernel before.
#include "Emit/Kernels.h"
#include "Emit/ProgramBuilder.h"

namespace sluice::test {

Program signals() {
  ProgramBuilder k("signals", 2);
  k.program.cluster[0] = 2;
  const int turns = k.tensor("turns", DType::i32, 2, 1, true, 1);
  const int bar = k.barriers("bar", 2);
  const auto at = k.grid({k.dim(turns, 0)}, {"x"});
  const View turn = k.box(turns, {{at[0]}, {kNone, 3}}, {1, 1});
  const MbarrierRef here{bar, {}, {}}, there{bar, {kNone, 1}, Index{kNone, 1}};
  k.one(MbarrierInit{{bar, {}, {}}, true, 1});
  k.one(Fence{Fence::mbarrierInit});
  k.add(ClusterBarrier{ClusterBarrier::sync});
  k.add(GridDependency{true});
  k.add(GridDependency{});
  k.one(MbarrierArrive{here, 1, Scope::cluster});
  k.one(MbarrierArrive{there, 1, Scope::cluster});
  k.one(MbarrierArriveExpectTx{here, {kNone, 16}, Scope::cluster});
  k.one(MbarrierArriveExpectTx{there, {kNone, 16}, Scope::cluster});
  k.add(MbarrierWait{here, {}, Scope::cluster});
  k.add(Fence{Fence::proxyAsyncGlobal});
  k.add(CounterWait{turn, {at[0]}, Scope::gpu, true});
  k.add(CounterWait{turn, {kNone, 2}, Scope::cta});
  k.one(CounterAdd{turn, {kNone, 1}});
  k.one(CounterAdd{turn, {kNone, -1}, Scope::cluster, true});
  return std::move(k.program);
}

} // namespace sluice::test

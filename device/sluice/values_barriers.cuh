// What synchronises in value mode. Fences and groups have nothing to do: copies and products end
// when they start.
#pragma once

#include <sluice/base.cuh>
#include <sluice/scope.cuh>

namespace sluice {

// ---- mbarriers

template <int sync = 0> void mbarrierInit(u32 barrier, u32 count) {
  machine().initBarrier(barrier, count);
}
template <int sync = 0> void mbarrierInval(u32 barrier) {
  machine().invalidateBarrier(barrier);
}
template <Scope scope = Scope::cta, int sync = 0> void mbarrierArrive(u32 barrier, u32 count = 1) {
  machine().arrive(barrier, count, 0);
}
template <Scope scope = Scope::cta, int sync = 0>
void mbarrierArriveRemote(u32 barrier, u32 rank, u32 count = 1) {
  machine().arrive(addressInCluster(barrier, rank), count, 0);
}
template <Scope scope = Scope::cta, int sync = 0>
void mbarrierArriveExpectTx(u32 barrier, u32 bytes) {
  machine().arrive(barrier, 1, bytes);
}
template <Scope scope = Scope::cta, int sync = 0>
void mbarrierArriveExpectTxRemote(u32 barrier, u32 rank, u32 bytes) {
  machine().arrive(addressInCluster(barrier, rank), 1, bytes);
}
template <int sync = 0> void mbarrierExpectTx(u32 barrier, u32 bytes) {
  machine().arrive(barrier, 0, bytes);
}
template <int sync = 0> void mbarrierExpectTxRemote(u32 barrier, u32 rank, u32 bytes) {
  machine().arrive(addressInCluster(barrier, rank), 0, bytes);
}
inline void mbarrierCompleteTx(u32 barrier, u32 bytes) {
  machine().arrive(barrier, 0, -i64(bytes));
}
template <Scope scope = Scope::cta, int sync = 0> void mbarrierWait(u32 barrier, u32 parity) {
  machine().await(barrier, parity);
}
template <Scope scope = Scope::cta, int sync = 0> bool mbarrierTest(u32 barrier, u32 parity) {
  return machine().hasPassed(barrier, parity);
}
template <Scope scope = Scope::cta, int sync = 0> bool mbarrierTestAll(u32 barrier, u32 parity) {
  return __all_sync(0xffffffffu, mbarrierTest<scope, sync>(barrier, parity));
}

// ---- Counters in global memory

template <Scope scope = Scope::cta, int sync = 0> void counterAdd(int *counter, int value) {
  machine().add(counter, value);
}
template <Scope scope = Scope::cta, int sync = 0> void counterAddRelaxed(int *counter, int value) {
  machine().add(counter, value);
}
template <Scope scope = Scope::cta, int sync = 0> int counterDraw(int *counter, int value) {
  __syncwarp();
  return __shfl_sync(0xffffffffu, threadIdx.x % 32 == 0 ? machine().add(counter, value) : 0, 0);
}
template <Scope scope = Scope::cta, int sync = 0> int counterDrawRelaxed(int *counter, int value) {
  return counterDraw<scope, sync>(counter, value);
}
template <Scope scope = Scope::cta, int sync = 0> void counterWait(const int *counter, int value) {
  machine().awaitCounter(counter, value);
}

// ---- Other barriers

template <int sync = 0> void warpSync() {
  __syncwarp();
}
template <int sync = 0> void namedBarrierSync(int id, int threads) {
  machine().meet(id, threads, true);
}
template <int sync = 0> void namedBarrierArrive(int id, int threads) {
  machine().meet(id, threads, false);
}
template <int sync = 0> void clusterArrive() {
  machine().arriveAtCluster();
}
template <int sync = 0> void clusterArriveRelaxed() {
  machine().arriveAtCluster();
}
template <int sync = 0> void clusterWait() {
  machine().awaitCluster();
}

// ---- Fences, groups, registers

template <int sync = 0> void fenceProxyAsync() {}
template <int sync = 0> void fenceProxyAsyncGlobal() {}
template <int sync = 0> void fenceMbarrierInit() {}
inline void fenceCta() {}
template <int sync = 0> void bulkCommit() {}
template <int pending, int sync = 0> void bulkWait() {}
template <int pending, int sync = 0> void bulkWaitRead() {}
template <int sync = 0> void cpAsyncCommit() {}
template <int pending, int sync = 0> void cpAsyncWait() {}
/// It raises the count first.
template <int sync = 0> void cpAsyncArrive(u32) {}
template <int sync = 0> void cpAsyncArriveNoinc(u32 barrier) {
  machine().arrive(barrier, 1, 0);
}
template <int sync = 0> void waitForPreviousKernel() {}
template <int sync = 0> void launchDependents() {}
template <int registers> void registersGrow() {}
template <int registers> void registersShrink() {}

} // namespace sluice

// Host mode, what synchronises: lanes, mbarriers, counters and numbers in shared memory, other
// barriers, fences and groups. They are real, and each is a line. See host_mode.cuh.
#pragma once

#include <sluice/host_grid.cuh>
#include <sluice/mbarrier.cuh>
#include <sluice/scope.cuh>

namespace sluice {

using host_mode::grid;

// ---- Warps and lanes

inline int warpOfCta() {
  return int(threadIdx.x / 32);
}
inline u32 sharedAddress(const void *) {
  return 0; // addresses count from the start of dynamic shared memory
}
inline int clusterRank() {
  return grid().here().rank;
}
/// In host mode: the rank and one, above the address.
inline u32 addressInCluster(u32 address, u32 rank) {
  return address | (rank + 1) << 20;
}
struct InCluster {
  explicit InCluster(u32 given)
      : address(given & ((1u << 20) - 1)),
        rank(given >> 20 ? int(given >> 20) - 1 : clusterRank()) {}
  u32 address;
  int rank;
};
inline bool electLane() {
  grid().meet();
  return grid().speaks();
}
template <int sync = 0> void warpSync() {
  grid().meet();
}
template <int registers> void registersGrow() {}
template <int registers> void registersShrink() {}

// ---- mbarriers

template <int sync = 0> void mbarrierInit(u32 barrier, u32 count) {
  grid().say("init @%u count %u", barrier, count);
  grid().barrier(barrier, clusterRank()) = {count, count, 0, 0};
}
template <int sync = 0> void mbarrierInval(u32 barrier) {
  grid().say("inval @%u", barrier);
}
/// By one thread.
inline void arriveAt(u32 barrier, int rank, i64 count, i64 bytes) {
  host_mode::Barrier &b = grid().barrier(barrier, rank);
  b.bytes += bytes;
  b.pending -= count;
  b.settle();
}
/// By every lane of the strand.
inline void byLanes(u32 barrier, int rank, i64 count, i64 bytes) {
  const i64 lanes = grid().running->lanes;
  arriveAt(barrier, rank, lanes * count, lanes * bytes);
}
template <Scope scope = Scope::cta, int sync = 0> void mbarrierArrive(u32 barrier, u32 count = 1) {
  grid().say("arrive @%u count %u", barrier, count);
  byLanes(barrier, clusterRank(), count, 0);
}
template <Scope scope = Scope::cta, int sync = 0>
void mbarrierArriveRemote(u32 barrier, u32 rank, u32 count = 1) {
  grid().say("arrive @%u of %u count %u", barrier, rank, count);
  byLanes(barrier, int(rank), count, 0);
}
template <Scope scope = Scope::cta, int sync = 0>
void mbarrierArriveExpectTx(u32 barrier, u32 bytes) {
  grid().say("arrive @%u bytes %u", barrier, bytes);
  byLanes(barrier, clusterRank(), 1, bytes);
}
template <Scope scope = Scope::cta, int sync = 0>
void mbarrierArriveExpectTxRemote(u32 barrier, u32 rank, u32 bytes) {
  grid().say("arrive @%u of %u bytes %u", barrier, rank, bytes);
  byLanes(barrier, int(rank), 1, bytes);
}
template <int sync = 0> void mbarrierExpectTx(u32 barrier, u32 bytes) {
  grid().say("expect @%u bytes %u", barrier, bytes);
  byLanes(barrier, clusterRank(), 0, bytes);
}
template <int sync = 0> void mbarrierExpectTxRemote(u32 barrier, u32 rank, u32 bytes) {
  grid().say("expect @%u of %u bytes %u", barrier, rank, bytes);
  byLanes(barrier, int(rank), 0, bytes);
}
template <Scope scope = Scope::cta, int sync = 0> void mbarrierWait(u32 barrier, u32 parity) {
  host_mode::Barrier &b = grid().barrier(barrier, clusterRank());
  grid().await([&] { return b.phase != (parity & 1); });
  grid().say("wait @%u parity %u", barrier, parity & 1);
}
/// Asked too early, as may always be: what follows is the same in every schedule.
template <Scope scope = Scope::cta, int sync = 0> bool mbarrierTest(u32 barrier, u32 parity) {
  grid().say("test @%u parity %u", barrier, parity & 1);
  return false;
}
template <Scope scope = Scope::cta, int sync = 0> bool mbarrierTestAll(u32 barrier, u32 parity) {
  return mbarrierTest<scope, sync>(barrier, parity);
}

// ---- Counters between CTAs, numbers in shared memory

inline int addAndSay(int *counter, int value, int byEach) {
  const int old = grid().add(counter, value, byEach);
  grid().say("count %s by %d", host_mode::Integers::text(counter).c_str(), value);
  return old;
}
template <Scope scope = Scope::cta, int sync = 0> int counterDraw(int *counter, int value) {
  return addAndSay(counter, value, 0);
}
template <Scope scope = Scope::cta, int sync = 0> int counterDrawRelaxed(int *counter, int value) {
  return addAndSay(counter, value, 0);
}
template <Scope scope = Scope::cta, int sync = 0> void counterAdd(int *counter, int value) {
  addAndSay(counter, value, value);
}
template <Scope scope = Scope::cta, int sync = 0> void counterAddRelaxed(int *counter, int value) {
  addAndSay(counter, value, value);
}
template <Scope scope = Scope::cta, int sync = 0> void counterWait(const int *counter, int value) {
  grid().await([&] { return *counter >= value; });
  grid().say("wait for %s at %d", host_mode::Integers::text(counter).c_str(), value);
}
inline int loadNumber(u32 from) {
  const int number = grid().here().numbers[from];
  grid().say("number %d of [%u]", number, from);
  return number;
}
inline void storeNumber(u32 to, int number) {
  grid().here().numbers[to] = number;
  grid().say("number %d to [%u]", number, to);
}

// ---- Other barriers, fences, groups

template <int sync = 0> void namedBarrierSync(int id, int threads) {
  host_mode::Meeting &meeting = grid().here().named[id];
  const i64 generation = meeting.generation;
  meeting.arrive(grid().running->lanes, threads);
  ++grid().changes;
  grid().await([&] { return meeting.generation != generation; });
  grid().say("bar.sync %d of %d", id, threads);
}
template <int sync = 0> void namedBarrierArrive(int id, int threads) {
  grid().here().named[id].arrive(grid().running->lanes, threads);
  grid().say("bar.arrive %d of %d", id, threads);
}
template <int sync = 0> void clusterArrive() {
  grid().say("cluster.arrive");
  host_mode::Cluster &cluster = grid().cluster();
  cluster.meeting.arrive(grid().running->lanes, cluster.threads);
  ++grid().running->clusterArrivals;
}
template <int sync = 0> void clusterArriveRelaxed() {
  clusterArrive<sync>();
}
/// Every warp arrives before it waits, so the phase it waits for is the number of its arrivals.
template <int sync = 0> void clusterWait() {
  const i64 arrivals = grid().running->clusterArrivals;
  grid().await([&] { return grid().cluster().meeting.generation >= arrivals; });
  grid().say("cluster.wait");
}
template <int sync = 0> void fenceProxyAsync() {
  grid().say("fence proxy async");
}
template <int sync = 0> void fenceProxyAsyncGlobal() {
  grid().say("fence proxy async global");
}
template <int sync = 0> void fenceMbarrierInit() {
  grid().say("fence mbarrier init");
}
template <int sync = 0> void bulkCommit() {
  grid().say("bulk commit");
}
template <int pending, int sync = 0> void bulkWait() {
  grid().say("bulk wait %d", pending);
}
template <int pending, int sync = 0> void bulkWaitRead() {
  grid().say("bulk wait read %d", pending);
}
template <int sync = 0> void cpAsyncCommit() {
  grid().say("copies commit");
}
template <int pending, int sync = 0> void cpAsyncWait() {
  grid().say("copies wait %d", pending);
}
/// Copies have ended by now, so that the arrivals that follow them are due.
template <int sync = 0> void cpAsyncArriveNoinc(u32 barrier) {
  grid().say("copies arrive @%u", barrier);
  byLanes(barrier, clusterRank(), 1, 0);
}
/// They raise the count first, so that nothing is left of them.
template <int sync = 0> void cpAsyncArrive(u32 barrier) {
  grid().say("copies arrive @%u", barrier);
}
template <int sync = 0> void waitForPreviousKernel() {
  grid().say("kernel before");
}
template <int sync = 0> void launchDependents() {
  grid().say("next kernel");
}

} // namespace sluice

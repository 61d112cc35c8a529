// Tensor memory: products of one thread, loads of lanes to registers. What has not been waited for
// may still be under way: sums that are begun are poisoned until they end, registers until they
// have come.
#include "Program/TensorMemory.h"
#include "Simulate/Product.h"
#include "Simulate/Unit.h"

#include <algorithm>

namespace sluice {

/// The address is of other columns from run to run, as where several CTAs share an SM.
UnitTensorMemory::Step UnitTensorMemory::allocate(Actor &a, const Stmt &s, const TmemAlloc &op) {
  if (op.pair && meetPeer(a) == Step::blocked)
    return Step::blocked;
  auto &memory = tensorMemory_[a.cta];
  if (memory.columns > 0 || !TensorMemory::isAllocation(op.columns)) {
    fail("R42",
         agentName(a) + " allocates " + std::to_string(op.columns) +
             " columns of tensor memory; a CTA allocates once, a power of two from 32 to 512",
         s.loc);
    return Step::done;
  }
  const auto places = static_cast<uint64_t>(TensorMemory::columns / op.columns);
  memory.columns = op.columns;
  memory.address = static_cast<int64_t>(world_.options.seed % places) * op.columns;
  parts_.numbers.writeNumber(a, op.address, memory.address);
  a.time += world_.arch.barrierLatency;
  return Step::done;
}

bool UnitTensorMemory::isAllocated(const Actor &a, const Stmt &s, int cta) {
  const auto &memory = tensorMemory_[cta];
  if (memory.columns > 0 && !memory.freed)
    return true;
  fail("R42",
       agentName(a) + " uses tensor memory that is " +
           (memory.freed ? "freed" : "not allocated yet"),
       s.loc);
  return false;
}

bool UnitTensorMemory::leftAllocated(int cta) {
  const Columns &memory = tensorMemory_[cta];
  return memory.columns > 0 && !memory.freed;
}

UnitTensorMemory::Step UnitTensorMemory::free(Actor &a, const Stmt &s, const TmemDealloc &op) {
  if (op.pair && meetPeer(a) == Step::blocked)
    return Step::blocked;
  if (!isAllocated(a, s, a.cta))
    return Step::done;
  auto &memory = tensorMemory_[a.cta];
  if (memory.columns != op.columns)
    fail("R42",
         agentName(a) + " frees " + std::to_string(op.columns) + " columns of tensor memory of " +
             std::to_string(memory.columns),
         s.loc);
  memory.freed = true;
  a.time += world_.arch.issueCycles;
  return Step::done;
}

UnitTensorMemory::Step UnitTensorMemory::readAddress(Actor &a, const Stmt &s,
                                                     const TmemAddress &op) {
  if (!isAllocated(a, s, a.cta))
    return Step::done;
  if (parts_.numbers.readNumber(a, op.source) != tensorMemory_[a.cta].address)
    fail("R42", agentName(a) + " reads an address of tensor memory that is not there yet", s.loc);
  a.time += world_.arch.smemLatency;
  return Step::done;
}

UnitTensorMemory::Step UnitTensorMemory::meetPeer(Actor &a) {
  if (a.released) {
    a.released = false;
    return Step::done;
  }
  const auto peer = waiting_.find(a.cta ^ 1);
  if (peer == waiting_.end()) {
    waiting_[a.cta] = a.index;
    return block(a);
  }
  a.time += world_.arch.barrierLatency;
  release(actors_[peer->second], a.time);
  waiting_.erase(peer);
  return Step::done;
}

/// The tensor core of a CTA is busy with its rows of D; returns when it has done.
double UnitTensorMemory::occupy(Actor &a, const Stmt &s, const Tcgen05Mma &op, int cta) {
  const double depth = double(op.a.cols() * byteSize(program_.type(op.a)));
  // 64 rows take as long as 128: half of the data path is used (PTX ISA, layout F).
  const double rows = double(std::max(op.d.rows(), TensorMemory::lanes));
  const double duration =
      rows * double(op.d.cols()) * depth / std::max(world_.arch.tensorPerCycle, 1.0);
  Engine &tensorCore = engines_[cta].tensorCore[0];
  const double begin = tensorCore.serve(a.time, duration);
  const double reads = double(op.a.rows() + op.b.cols()) * depth;
  tensorCore.free =
      std::max(tensorCore.free, parts_.traffic.throughSharedMemory(cta, a.time, reads));
  if (cta != a.cta)
    return tensorCore.free;
  parts_.report.recordEngine(a, s, "tensor core", begin, begin + duration, op.a);
  parts_.report.recordUse(a, op.a, begin, begin + duration, false);
  parts_.report.recordUse(a, op.b, begin, begin + duration, false);
  parts_.report.recordUse(a, op.d, begin, begin + duration, a.agent.value(op.accumulate) == 0);
  return tensorCore.free;
}

/// The rows of D that a CTA has; of a pair, by the columns of B of each of the two.
void UnitTensorMemory::multiplyIn(Actor &a, const Tcgen05Mma &op, int cta, double end,
                                  std::function<void()> then) {
  struct Factors {
    Tile d, left, right;
  };
  std::vector<Factors> all;
  const bool accumulate = a.agent.value(op.accumulate) != 0;
  for (const int of : op.pair ? std::vector{cta & ~1, cta | 1} : std::vector{cta}) {
    if (!world_.values())
      break;
    View columns = op.d;
    columns.shape[1] = op.b.cols();
    columns.offset[1].constant += op.pair ? (of & 1) * op.b.cols() : 0;
    all.push_back({resolve(a, columns, cta), resolve(a, op.a, cta), resolve(a, op.b, of)});
    if (!accumulate)
      all.back().d.fill({0, all.back().d.rows}, ctas_[cta].memory.poison());
  }
  schedule(end, cta, [accumulate, all = std::move(all), then = std::move(then)] {
    for (const auto &[d, left, right] : all)
      multiplyTiles(d, {{0, d.rows}}, left, right, accumulate);
    then();
  });
}

/// Products of one sum end in order (PTX ISA 9.7.16.6.2, pipelined instructions), others as they
/// will.
UnitTensorMemory::Step UnitTensorMemory::multiply(Actor &a, const Stmt &s, const Tcgen05Mma &op) {
  const int peer = op.pair ? a.cta ^ 1 : a.cta;
  if (!wellFormed(a, s) || !isAllocated(a, s, a.cta) || !isAllocated(a, s, peer))
    return Step::done;
  double &end = a.sumEnds[{op.d.object, a.agent.value(op.d.slot)}];
  const double done = std::max(occupy(a, s, op, a.cta), op.pair ? occupy(a, s, op, peer) : 0.0);
  end = std::max(end, done + world_.arch.wgmmaLatency + delay());
  a.lastProductEnd = std::max(a.lastProductEnd, end);
  if (op.pair)
    multiplyIn(a, op, peer, end, [] {});
  const int64_t group = a.products.issue();
  multiplyIn(a, op, a.cta, end,
             [this, index = a.index, group] { actors_[index].products.done(group); });
  const double depth = double(op.a.cols() * byteSize(program_.type(op.a)));
  const double instructions = std::max(1.0, depth / double(world_.arch.productBytes));
  return parts_.report.issued(a, s, world_.arch.issueCycles * instructions);
}

UnitTensorMemory::Step UnitTensorMemory::commitProducts(Actor &a, const Stmt &s,
                                                        const Tcgen05Commit &op) {
  const UnitBarriers::BarrierPlace p = parts_.barriers.place(a, s, op.barrier);
  if (!p.slot)
    return Step::done;
  const Stmt *at = &s;
  if (op.multicast >> ctas_.size())
    fail("R24", agentName(a) + " commits to a CTA outside of the cluster", s.loc);
  const double ended = std::max(a.time, a.lastProductEnd);
  for (int rank = 0; rank < static_cast<int>(ctas_.size()); ++rank) {
    if (op.multicast ? !(op.multicast >> rank & 1) : rank != p.cta)
      continue;
    if (ctas_[rank].live == 0)
      fail("R10", agentName(a) + " commits to a CTA of the cluster that has ended", s.loc);
    const UnitBarriers::BarrierPlace to = op.multicast ? parts_.barriers.placeAt(rank, p) : p;
    const double way = rank == a.cta ? 0 : world_.arch.barrierLatency;
    schedule(ended + way + delay(), rank,
             [this, to, at] { parts_.barriers.settle(to, to.slot->state.arrive(1), *at); });
  }
  a.products.handOver();
  a.time += world_.arch.arriveCycles;
  return Step::done;
}

UnitTensorMemory::Step UnitTensorMemory::loadLanes(Actor &a, const Stmt &s, const TmemLoad &op) {
  if (!wellFormed(a, s) || !isAllocated(a, s, a.cta))
    return Step::done;
  const std::vector<RowRange> rows = share(a, s, {&op.destination, &op.source});
  double bytes = 0;
  for (const RowRange &r : rows) {
    const int64_t first = a.agent.value(op.source.offset[0]);
    const int64_t all = program_.buffers[op.source.object].shape[0];
    const auto warpOf = [&](int64_t row) {
      return TensorMemory::laneOf(first + row, all) / TensorMemory::lanesOfWarp;
    };
    if (warpOf(r.begin) != a.agent.id().warp % 4 || warpOf(r.end - 1) != a.agent.id().warp % 4)
      fail("R43", agentName(a) + " loads lanes of tensor memory that are not its own", s.loc);
    bytes += double((r.end - r.begin) * op.source.cols() * byteSize(program_.type(op.source)));
  }
  if (violation_ || rows.empty())
    return Step::done;
  const double duration = bytes / std::max(world_.arch.tmemBytesPerCycle, 1.0);
  const double end = a.time + duration + world_.arch.smemLatency + delay();
  TileCopy copy;
  if (world_.values()) {
    copy = {resolve(a, op.source, a.cta), resolve(a, op.destination, a.cta), rows};
    for (const RowRange &r : rows)
      copy.destination.fill(r, ctas_[a.cta].memory.poison());
  }
  parts_.report.recordWork(a, s, a.time, a.time + duration);
  parts_.report.recordUse(a, op.source, a.time, end, false);
  const int64_t group = a.tensorLoads.issue();
  schedule(end, a.cta, [=, this, index = a.index] {
    if (copy.source.base)
      copy.move();
    actors_[index].tensorLoads.done(group);
    parts_.async.checkGroups(actors_[index]);
  });
  a.time += world_.arch.issueCycles;
  return Step::done;
}

UnitTensorMemory::Step UnitTensorMemory::waitForLanes(Actor &a) {
  if (!a.released)
    a.tensorLoads.commit();
  return parts_.async.waitGroups(a, a.tensorLoads, 0, false);
}

std::optional<UnitTensorMemory::Step> UnitTensorMemory::executeTensorMemory(Actor &a,
                                                                            const Stmt &s) {
  if (auto *o = std::get_if<TmemAlloc>(&s.op))
    return allocate(a, s, *o);
  if (auto *o = std::get_if<TmemDealloc>(&s.op))
    return free(a, s, *o);
  if (auto *o = std::get_if<TmemAddress>(&s.op))
    return readAddress(a, s, *o);
  if (auto *o = std::get_if<Tcgen05Mma>(&s.op))
    return multiply(a, s, *o);
  if (auto *o = std::get_if<Tcgen05Commit>(&s.op))
    return commitProducts(a, s, *o);
  if (auto *o = std::get_if<TmemLoad>(&s.op))
    return loadLanes(a, s, *o);
  if (std::holds_alternative<TmemWait>(s.op))
    return waitForLanes(a);
  if (auto *o = std::get_if<TmemRelinquish>(&s.op)) {
    if (o->pair && meetPeer(a) == Step::blocked)
      return Step::blocked;
    a.time += world_.arch.issueCycles;
    return Step::done;
  }
  return {};
}

} // namespace sluice

// Tensor memory: products of one thread, loads of lanes to registers. What has not been waited for
// may still be under way: sums that are begun are poisoned until they end, registers until they
// have come.
#include "Program/LayoutMap.h"
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

/// Bytes of a lane, from the first allocated column on.
UnitTensorMemory::Bytes UnitTensorMemory::columnsOf(const Actor &a, const View &tile) const {
  const Buffer &b = program_.buffers[tile.object];
  const int64_t size = byteSize(b.type);
  const int64_t first =
      b.offset + a.agent.value(tile.slot) * b.slotBytes + a.agent.value(tile.offset[1]) * size;
  return {first, first + tile.cols() * size};
}

/// When the products of a thread so far have done with other columns that have some of these: they
/// run in order there (tensor-in-order).
double UnitTensorMemory::endInColumns(const Actor &a, const View &tile) const {
  const auto [from, to] = columnsOf(a, tile);
  double end = 0;
  for (const auto &[used, itsEnd] : a.sumEnds)
    if (used != Bytes{from, to} && used.first < to && from < used.second)
      end = std::max(end, itsEnd);
  return end;
}

/// The rows of D that a CTA has; of a pair, by the columns of B of each of the two.
void UnitTensorMemory::multiplyIn(Actor &a, const Tcgen05Mma &op, int cta, Span span,
                                  std::function<void()> then) {
  struct Factors {
    Tile d, left, right;
    std::optional<TileScales> scales = {};
  };
  std::vector<Factors> all;
  const bool accumulate = a.agent.value(op.accumulate) != 0;
  for (const int of : op.pair ? std::vector{cta & ~1, cta | 1} : std::vector{cta}) {
    if (!world_.values())
      break;
    const View columns = op.pair ? partOfColumns(op, of & 1) : op.d;
    all.push_back(
        {resolve(a, columns, cta), resolve(a, rowsForPart(op, of & 1), cta), resolve(a, op.b, of)});
    if (op.scales)
      all.back().scales = {resolve(a, op.scales->a, cta), resolve(a, factorsOfB(op, of & 1), cta),
                           linesOfFactorsB(op),
                           op.pair && (of & 1) && !splitsColumns(op) ? op.b.cols() : 0};
  }
  const auto poison = [all, pattern = ctas_[cta].memory.poison()] {
    for (const Factors &f : all)
      f.d.fill({0, f.d.rows}, pattern);
  };
  if (!accumulate && span.begin > a.time)
    schedule(span.begin, cta, poison);
  else if (!accumulate)
    poison();
  schedule(span.end, cta, [accumulate, all = std::move(all), then = std::move(then)] {
    for (const auto &[d, left, right, scales] : all)
      if (scales)
        multiplyScaled(d, left, right, *scales, accumulate);
      else
        multiplyTiles(d, {{0, d.rows}}, left, right, accumulate);
    then();
  });
}

/// Ends in order with what the thread has asked of the same columns before (copies-in-order), by
/// which products behind it have its values. Of a pair in both CTAs.
UnitTensorMemory::Step UnitTensorMemory::copyColumns(Actor &a, const Stmt &s, const TmemCopy &op) {
  const int peer = op.pair ? a.cta ^ 1 : a.cta;
  if (!wellFormed(a, s) || !isAllocated(a, s, a.cta) || !isAllocated(a, s, peer))
    return Step::done;
  double &end = a.sumEnds[columnsOf(a, op.destination)];
  const double begin = std::max({a.time, end, endInColumns(a, op.destination)});
  const double bytes =
      double(op.source.rows() * op.source.cols() * byteSize(program_.type(op.source)));
  // As products do, when it is asked for: others need not wait for what this one waits for.
  const auto read = [&](int cta) { return parts_.traffic.throughSharedMemory(cta, a.time, bytes); };
  const double done = op.pair ? std::max(read(a.cta), read(peer)) : read(a.cta);
  end = std::max(begin + world_.arch.smemLatency, done) + delay();
  a.lastProductEnd = std::max(a.lastProductEnd, end);
  parts_.report.recordUse(a, op.source, begin, end, false);
  parts_.report.recordUse(a, op.destination, begin, end, true);
  const Span span{begin, end};
  if (op.pair)
    copyIn(a, op, peer, span, [] {});
  const int64_t group = a.products.issue();
  copyIn(a, op, a.cta, span,
         [this, index = a.index, group] { actors_[index].products.done(group); });
  return parts_.report.issued(a, s, world_.arch.issueCycles);
}

/// What a CTA copies; until it is there nothing is known of the columns.
void UnitTensorMemory::copyIn(Actor &a, const TmemCopy &op, int cta, Span span,
                              std::function<void()> then) {
  std::vector<int64_t> rows;
  for (int64_t lane = 0; lane < TensorMemory::lanes; ++lane)
    rows.push_back(rowOfLane(op, lane));
  Tile to, from;
  if (world_.values())
    to = resolve(a, op.destination, cta), from = resolve(a, op.source, cta);
  const auto poison = [to, rows, pattern = ctas_[cta].memory.poison()] {
    for (int64_t lane = 0; lane < (to.base ? to.rows : 0); ++lane)
      if (rows[size_t(lane)] >= 0)
        to.fill({lane, lane + 1}, pattern);
  };
  if (span.begin > a.time)
    schedule(span.begin, cta, poison);
  else
    poison();
  schedule(span.end, cta, [to, from, rows = std::move(rows), then = std::move(then)] {
    if (to.base)
      copyToAllLanes(to, from, rows);
    then();
  });
}

/// Products behind it wait for it, as it does for those before it.
UnitTensorMemory::Step UnitTensorMemory::shiftColumns(Actor &a, const Stmt &s,
                                                      const TmemShift &op) {
  const int peer = op.pair ? a.cta ^ 1 : a.cta;
  if (!wellFormed(a, s) || !isAllocated(a, s, a.cta) || !isAllocated(a, s, peer))
    return Step::done;
  const double begin = std::max(a.time, a.lastProductEnd);
  const double end = begin + world_.arch.smemLatency + delay();
  a.sumEnds[columnsOf(a, op.columns)] = end;
  a.lastProductEnd = end;
  parts_.report.recordUse(a, op.columns, begin, end, true);
  const Span span{begin, end};
  if (op.pair)
    shiftIn(a, op, peer, span, [] {});
  const int64_t group = a.products.issue();
  shiftIn(a, op, a.cta, span,
          [this, index = a.index, group] { actors_[index].products.done(group); });
  return parts_.report.issued(a, s, world_.arch.issueCycles);
}

/// Rows go to the lane before (rows-down); while they are under way nothing is known of them.
void UnitTensorMemory::shiftIn(Actor &a, const TmemShift &op, int cta, Span span,
                               std::function<void()> then) {
  const Tile tile = world_.values() ? resolve(a, op.columns, cta) : Tile{};
  auto held = std::make_shared<std::vector<std::byte>>(
      size_t(op.columns.rows() * op.columns.cols() * byteSize(program_.type(op.columns))));
  const auto take = [tile, held, pattern = ctas_[cta].memory.poison()] {
    if (!tile.base)
      return;
    tile.gather({0, tile.rows}, held->data());
    tile.fill({0, tile.rows}, pattern);
  };
  if (span.begin > a.time)
    schedule(span.begin, cta, take);
  else
    take();
  schedule(span.end, cta, [tile, held, then = std::move(then)] {
    const int64_t bytes = tile.rows ? int64_t(held->size()) / tile.rows : 0;
    for (int64_t lane = 0; lane < tile.rows; ++lane)
      tile.scatter({lane, lane + 1}, held->data() + std::min(lane + 1, tile.rows - 1) * bytes);
    then();
  });
}

/// Products of one sum end in order (PTX ISA 9.7.16.6.2, pipelined instructions), others as they
/// will.
UnitTensorMemory::Step UnitTensorMemory::multiply(Actor &a, const Stmt &s, const Tcgen05Mma &op) {
  const int peer = op.pair ? a.cta ^ 1 : a.cta;
  if (!wellFormed(a, s) || !isAllocated(a, s, a.cta) || !isAllocated(a, s, peer))
    return Step::done;
  const bool columnsOfA = program_.buffers[op.a.object].space == Space::tmem;
  const double begin = std::max(endInColumns(a, op.d), columnsOfA ? endInColumns(a, op.a) : a.time);
  const double done = std::max(occupy(a, s, op, a.cta), op.pair ? occupy(a, s, op, peer) : 0.0);
  const auto endOf = [&](const View &v) -> double & { return a.sumEnds[columnsOf(a, v)]; };
  double &end = endOf(op.d);
  end = std::max({end, begin, done + world_.arch.wgmmaLatency + delay()});
  if (op.scales)
    for (const View *v : {&op.scales->a, &op.scales->b})
      end = std::max(end, endOf(*v));
  if (op.scales)
    endOf(op.scales->a) = endOf(op.scales->b) = end;
  if (columnsOfA) // behind the copy that brought it
    endOf(op.a) = end = std::max(end, endOf(op.a));
  a.lastProductEnd = std::max(a.lastProductEnd, end);
  const Span span{begin, end};
  if (op.pair)
    multiplyIn(a, op, peer, span, [] {});
  const int64_t group = a.products.issue();
  multiplyIn(a, op, a.cta, span,
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

/// The rows that the warp moves, in the lanes of its place in the warpgroup.
std::vector<RowRange> UnitTensorMemory::ownLanes(Actor &a, const Stmt &s, const View &registers,
                                                 const View &lanes) {
  std::vector<RowRange> rows = share(a, s, {&registers, &lanes});
  const int64_t first = a.agent.value(lanes.offset[0]);
  const int64_t all = program_.buffers[lanes.object].shape[0];
  const auto isOwn = [&](int64_t row) {
    return TensorMemory::laneOf(first + row, all) / TensorMemory::lanesOfWarp ==
           a.agent.id().warp % 4;
  };
  for (const RowRange &r : rows)
    if (!isOwn(r.begin) || !isOwn(r.end - 1))
      fail("R43",
           agentName(a) + (std::holds_alternative<TmemLoad>(s.op) ? " loads" : " stores to") +
               " lanes of tensor memory that are not its own",
           s.loc);
  return rows;
}

/// Cycles on the way between registers and tensor memory.
double UnitTensorMemory::timeOfLanes(const std::vector<RowRange> &rows, const View &lanes) const {
  double count = 0;
  for (const RowRange &r : rows)
    count += double(r.end - r.begin);
  return count * double(lanes.cols() * byteSize(program_.type(lanes))) /
         std::max(world_.arch.tmemBytesPerCycle, 1.0);
}

/// Issues a move of lanes that `land` ends. Until then the destination holds nothing.
void UnitTensorMemory::moveLanes(Actor &a, double end, const TileCopy &copy, bool stores,
                                 std::function<void()> land) {
  if (copy.destination.base)
    for (const RowRange &r : copy.rows)
      copy.destination.fill(r, ctas_[a.cta].memory.poison());
  const int64_t group = a.tensorGroups(stores).issue();
  schedule(end, a.cta, [=, this, index = a.index, land = std::move(land)] {
    land();
    actors_[index].tensorGroups(stores).done(group);
    parts_.async.checkGroups(actors_[index]);
  });
  a.time += world_.arch.issueCycles;
}

TileCopy UnitTensorMemory::copyOf(Actor &a, const View &to, const View &from,
                                  const std::vector<RowRange> &rows) {
  if (!world_.values())
    return {};
  return {resolve(a, from, a.cta), resolve(a, to, a.cta), rows};
}

/// Checks and times a move between registers and lanes. Nothing where none of them is the warp's.
std::optional<UnitTensorMemory::LanesMove> UnitTensorMemory::beginMove(Actor &a, const Stmt &s,
                                                                       const View &registers,
                                                                       const View &lanes,
                                                                       bool stores) {
  if (!wellFormed(a, s) || !isAllocated(a, s, a.cta))
    return std::nullopt;
  const std::vector<RowRange> rows = ownLanes(a, s, registers, lanes);
  if (violation_ || rows.empty())
    return std::nullopt;
  const double duration = timeOfLanes(rows, lanes);
  const double end = a.time + duration + world_.arch.smemLatency + delay();
  parts_.report.recordWork(a, s, a.time, a.time + duration);
  parts_.report.recordUse(a, lanes, a.time, end, stores);
  return LanesMove{end,
                   stores ? copyOf(a, lanes, registers, rows) : copyOf(a, registers, lanes, rows)};
}

UnitTensorMemory::Step UnitTensorMemory::loadLanes(Actor &a, const Stmt &s, const TmemLoad &op) {
  if (const auto move = beginMove(a, s, op.destination, op.source, false))
    moveLanes(a, move->end, move->copy, false, [copy = move->copy] {
      if (copy.source.base)
        copy.move();
    });
  return Step::done;
}

/// What the registers hold now comes to the lanes later.
UnitTensorMemory::Step UnitTensorMemory::storeLanes(Actor &a, const Stmt &s, const TmemStore &op) {
  const auto move = beginMove(a, s, op.source, op.destination, true);
  if (!move)
    return Step::done;
  const TileCopy &copy = move->copy;
  std::vector<std::vector<std::byte>> held;
  for (const RowRange &r : copy.rows) {
    const int64_t elements = (r.end - r.begin) * copy.source.cols;
    held.emplace_back(size_t(elements * byteSize(copy.source.type)));
    copy.source.gather(r, held.back().data());
  }
  moveLanes(a, move->end, copy, true,
            [to = copy.destination, rows = copy.rows, held = std::move(held)] {
              for (size_t i = 0; i < held.size(); ++i)
                to.scatter(rows[i], held[i].data());
            });
  return Step::done;
}

UnitTensorMemory::Step UnitTensorMemory::waitForLanes(Actor &a, const TmemWait &op) {
  Groups &groups = a.tensorGroups(op.stores);
  if (!a.released)
    groups.commit();
  return parts_.async.waitGroups(a, groups, 0, false);
}

std::optional<UnitTensorMemory::Step> UnitTensorMemory::executeTensorMemory(Actor &a,
                                                                            const Stmt &s) {
  if (auto *o = std::get_if<TmemAlloc>(&s.op))
    return allocate(a, s, *o);
  if (auto *o = std::get_if<TmemDealloc>(&s.op))
    return free(a, s, *o);
  if (auto *o = std::get_if<TmemAddress>(&s.op))
    return readAddress(a, s, *o);
  if (auto *o = std::get_if<TmemCopy>(&s.op))
    return copyColumns(a, s, *o);
  if (auto *o = std::get_if<TmemShift>(&s.op))
    return shiftColumns(a, s, *o);
  if (auto *o = std::get_if<Tcgen05Mma>(&s.op))
    return multiply(a, s, *o);
  if (auto *o = std::get_if<Tcgen05Commit>(&s.op))
    return commitProducts(a, s, *o);
  if (auto *o = std::get_if<TmemLoad>(&s.op))
    return loadLanes(a, s, *o);
  if (auto *o = std::get_if<TmemStore>(&s.op))
    return storeLanes(a, s, *o);
  if (auto *o = std::get_if<TmemWait>(&s.op))
    return waitForLanes(a, *o);
  if (auto *o = std::get_if<TmemRelinquish>(&s.op)) {
    if (o->pair && meetPeer(a) == Step::blocked)
      return Step::blocked;
    a.time += world_.arch.issueCycles;
    return Step::done;
  }
  return {};
}

} // namespace sluice

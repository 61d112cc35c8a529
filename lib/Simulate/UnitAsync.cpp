// Asynchronous data operations: issued by a warp, done by an engine, finished later.
#include "Program/OperationFacts.h"
#include "Program/Sharing.h"
#include "Simulate/Elements.h"
#include "Simulate/Product.h"
#include "Simulate/Unit.h"

#include <algorithm>
#include <memory>

namespace sluice {
namespace {

RowRange all(const Tile &t) {
  return {0, t.rows};
}

/// A box without the extents of 1 that a tensor has more than the tile.
Tile shapedLike(Tile t, const Tile &like) {
  if (t.tensor && (t.rows != like.rows || t.cols != like.cols)) {
    t.rows = like.rows;
    t.cols = like.cols;
  }
  return t;
}

using Bytes = std::shared_ptr<std::vector<std::byte>>;

Bytes read(const Tile &t) {
  auto bytes = std::make_shared<std::vector<std::byte>>(t.elements() * byteSize(t.type));
  t.gather(all(t), bytes->data());
  return bytes;
}

/// Reductions of different CTAs meet in global memory.
void addTo(const Tile &t, const std::vector<std::byte> &bytes) {
  static std::mutex global;
  std::lock_guard lock(global);
  Elements sum = gather(t, all(t)), term = unpacked(t.type, bytes.data(), t.elements());
  for (size_t i = 0; i < sum.reals.size(); ++i)
    sum.reals[i] += term.reals[i];
  for (size_t i = 0; i < sum.integers.size(); ++i)
    sum.integers[i] = wrapTo(t.type, sum.integers[i] + term.integers[i]);
  scatter(t, all(t), sum);
}

} // namespace

UnitAsync::Step UnitAsync::tmaLoad(Actor &a, const Stmt &s, const TmaLoad &op) {
  BarrierPlace barrier = parts_.barriers.place(a, s, op.barrier);
  if (!barrier.slot || !wellFormed(a, s))
    return Step::done;
  if (!tmaCanMove(a, s, op.source, op.destination))
    return Step::done;
  const double bytes = double(program_.bytesOfCopy(op.destination));
  const double landed = double(op.destination.rows() * op.destination.cols() *
                               byteSize(program_.type(op.destination))); // with padding (R52)
  double begin = 0;
  double served = parts_.traffic.moveGlobal(a, op.source.object, bytes, false, begin);
  double end = served + world_.arch.tmaLatency + world_.missDelay(op.source.object) + delay();
  std::vector<int> targets;
  for (int rank = 0; rank < static_cast<int>(ctas_.size()); ++rank)
    if (op.multicast ? op.multicast >> rank & 1 : rank == a.cta)
      targets.push_back(rank);
  if (op.multicast >> ctas_.size())
    fail("R24", agentName(a) + " multicasts to a CTA outside of the cluster", s.loc);
  for (int rank : targets)
    if (ctas_[rank].live == 0)
      fail("R10", agentName(a) + " multicasts to a CTA of the cluster that has ended", s.loc);
  if (violation_)
    return Step::done;
  std::vector<Tile> tiles;
  Tile source;
  if (world_.values()) {
    source = resolve(a, op.source, a.cta);
    for (int rank : targets) {
      tiles.push_back(resolve(a, op.destination, rank));
      tiles.back().fill(all(tiles.back()), ctas_[rank].memory.poison());
    }
    source = shapedLike(std::move(source), tiles[0]);
  }
  parts_.report.recordEngine(a, s, "TMA load", begin, served, op.destination);
  parts_.report.recordUse(a, op.destination, a.time, end, true);
  const Stmt *at = &s;
  bool multicast = op.multicast != 0;
  schedule(end, a.cta, [=, this, tiles = std::move(tiles), source = std::move(source)] {
    if (!tiles.empty()) {
      Bytes data = read(source);
      for (const Tile &t : tiles)
        t.scatter(all(t), data->data());
    }
    for (int rank : targets) {
      parts_.traffic.throughSharedMemory(rank, now_, landed); // a load does not wait for it
      BarrierPlace p = multicast ? parts_.barriers.placeAt(rank, barrier) : barrier;
      parts_.barriers.settle(p, p.slot->state.completeTx(static_cast<int64_t>(bytes)), *at);
    }
  });
  return parts_.report.issued(a, s, world_.arch.tmaIssueCycles * double(boxesOf(op.destination)));
}

/// st.async: what the warp's threads hold, read at once.
UnitAsync::Step UnitAsync::storeToPeer(Actor &a, const Stmt &s, const RemoteCopy &op,
                                       const BarrierPlace &barrier) {
  const std::vector<RowRange> rows = share(a, s, {&op.source});
  if (rows.empty())
    return Step::done;
  int64_t bytes = 0;
  for (const RowRange &r : rows)
    bytes += (r.end - r.begin) * op.source.cols() * byteSize(program_.type(op.source));
  const int rank = barrier.cta;
  std::vector<Bytes> blocks;
  Tile destination;
  if (world_.values()) {
    const Tile source = resolve(a, op.source, a.cta);
    destination = resolve(a, op.destination, rank);
    for (const RowRange &r : rows) {
      blocks.push_back(std::make_shared<std::vector<std::byte>>((r.end - r.begin) * source.cols *
                                                                byteSize(source.type)));
      source.gather(r, blocks.back()->data());
      destination.fill(r, ctas_[rank].memory.poison());
    }
  }
  const double service = static_cast<double>(bytes) / world_.arch.peerBytesPerCycle;
  const Stmt *at = &s;
  schedule(a.time + service + world_.arch.barrierLatency + delay(), rank, [=, this] {
    for (size_t i = 0; i < blocks.size(); ++i)
      destination.scatter(rows[i], blocks[i]->data());
    parts_.barriers.settle(barrier, barrier.slot->state.completeTx(bytes), *at);
  });
  a.time += world_.arch.issueCycles * std::max<double>(1, static_cast<double>(bytes) / 256);
  return Step::done;
}

/// Into the shared memory of a peer: both CTAs have to live until it has ended.
UnitAsync::Step UnitAsync::remoteCopy(Actor &a, const Stmt &s, const RemoteCopy &op) {
  const BarrierPlace barrier = parts_.barriers.place(a, s, op.barrier);
  if (!barrier.slot || !inBounds(a, s, op.source) || !inBounds(a, s, op.destination))
    return Step::done;
  const int rank = barrier.cta;
  if (ctas_[rank].live == 0) {
    fail("R10", agentName(a) + " copies into a CTA of the cluster that has ended", s.loc);
    return Step::done;
  }
  if (program_.storesRegisters(op))
    return storeToPeer(a, s, op, barrier);
  const int64_t bytes = op.source.rows() * op.source.cols() * byteSize(program_.type(op.source));
  const double end = a.time + static_cast<double>(bytes) / world_.arch.peerBytesPerCycle +
                     world_.arch.tmaLatency + delay();
  Tile source, destination;
  if (world_.values()) {
    source = resolve(a, op.source, a.cta);
    destination = resolve(a, op.destination, rank);
    destination.fill(all(destination), ctas_[rank].memory.poison());
  }
  const UnitNumbers::Numbers numbers = parts_.numbers.copied(a, op.source, op.destination);
  const Stmt *at = &s;
  schedule(end, rank, [=, this] {
    if (source.base)
      destination.scatter(all(destination), read(source)->data());
    parts_.numbers.put(rank, numbers);
    parts_.barriers.settle(barrier, barrier.slot->state.completeTx(bytes), *at);
  });
  if (rank != a.cta)
    schedule(end, a.cta, [] {});
  a.time += world_.arch.issueCycles;
  return Step::done;
}

UnitAsync::Step UnitAsync::tmaStore(Actor &a, const Stmt &s, const TmaStore &op) {
  if (!wellFormed(a, s))
    return Step::done;
  if (!tmaCanMove(a, s, op.destination, op.source))
    return Step::done;
  double bytes = elementsInside(a, op.destination) * byteSize(program_.type(op.destination));
  double begin = 0;
  double readEnd = std::max(parts_.traffic.moveGlobal(a, op.destination.object, bytes, true, begin),
                            parts_.traffic.throughSharedMemory(a.cta, a.time, bytes));
  Tile source, destination;
  if (world_.values()) {
    source = resolve(a, op.source, a.cta);
    destination = shapedLike(resolve(a, op.destination, a.cta), source);
  }
  parts_.report.recordEngine(a, s, "TMA store", begin, readEnd, op.source);
  parts_.report.recordUse(a, op.source, a.time, readEnd, false);
  int64_t group = a.bulk.issue();
  int index = a.index, cta = a.cta;
  bool add = op.add;
  schedule(readEnd + delay(), cta, [=, this] {
    Bytes data = source.base ? read(source) : nullptr;
    actors_[index].bulk.readDone(group);
    checkGroups(actors_[index]);
    schedule(now_ + world_.arch.tmaStoreLatency, cta, [=, this] {
      if (data && add)
        addTo(destination, *data);
      else if (data)
        destination.scatter(all(destination), data->data());
      actors_[index].bulk.done(group);
      checkGroups(actors_[index]);
    });
  });
  return parts_.report.issued(a, s, world_.arch.issueCycles);
}

UnitAsync::Step UnitAsync::wgmma(Actor &a, const Stmt &s, const Wgmma &op) {
  if (!wellFormed(a, s))
    return Step::done;
  std::vector<RowRange> rows = share(a, s, {&op.d});
  if (rows.empty())
    return Step::done;
  double duration = wgmmaCycles(program_, world_.arch, op) * double(rows.size());
  Engine &tensorCore = engines_[a.cta].tensorCore[a.agent.id().warp % 4];
  double begin = tensorCore.serve(a.time, duration);
  const double reads = wgmmaBytes(program_, op) / 4 * double(rows.size());
  const double readEnd = parts_.traffic.throughSharedMemory(a.cta, a.time, reads);
  tensorCore.free = std::max(tensorCore.free, readEnd);
  bool accumulate = a.agent.value(op.accumulate) != 0;
  Tile d, left, right;
  if (world_.values()) {
    d = resolve(a, op.d, a.cta);
    left = resolve(a, op.a, a.cta);
    right = resolve(a, op.b, a.cta);
    for (RowRange r : rows)
      if (!accumulate)
        d.fill(r, ctas_[a.cta].memory.poison());
  }
  if (a.agent.id().warp % 4 == 0)
    parts_.report.recordEngine(a, s, "tensor core", begin, begin + duration, op.a);
  parts_.report.recordUse(a, op.a, begin, begin + duration, false);
  parts_.report.recordUse(a, op.b, begin, begin + duration, false);
  int64_t group = a.wgmmas.issue();
  int index = a.index;
  // Those of one warp end in order, also where their ends are scattered at random.
  a.lastWgmmaEnd = std::max(a.lastWgmmaEnd, tensorCore.free + world_.arch.wgmmaLatency + delay());
  schedule(a.lastWgmmaEnd, a.cta, [=, this] {
    if (d.base)
      multiplyTiles(d, rows, left, right, accumulate);
    actors_[index].wgmmas.done(group);
    checkGroups(actors_[index]);
  });
  const double instructions =
      std::max<double>(1, double(op.a.cols() * byteSize(program_.type(op.a))) / 32);
  return parts_.report.issued(a, s, world_.arch.issueCycles * instructions);
}

UnitAsync::Step UnitAsync::cpAsync(Actor &a, const Stmt &s, const Copy &op) {
  if (!wellFormed(a, s))
    return Step::done;
  if (op.source.kind != View::tensor || op.destination.kind != View::buffer) {
    fail("R20", agentName(a) + ": cp.async copies from a tensor into shared memory", s.loc);
    return Step::done;
  }
  std::vector<RowRange> rows = share(a, s, {&op.destination});
  const Copy lines = byLines(program_, s, op);
  double bytes = 0;
  for (RowRange r : rows)
    bytes += double((r.end - r.begin) * lines.destination.cols() *
                    byteSize(program_.type(op.destination)));
  double begin = 0;
  double served = parts_.traffic.moveGlobal(a, op.source.object, bytes, false, begin);
  double end = std::max(a.lastCopyEnd, served + world_.arch.loadLatency +
                                           world_.missDelay(op.source.object) + delay());
  a.lastCopyEnd = end;
  Tile source, destination;
  if (world_.values()) {
    destination = resolve(a, lines.destination, a.cta);
    source = shapedLike(resolve(a, lines.source, a.cta), destination);
    if (op.rows)
      nameRows(a, *op.rows, source);
    for (RowRange r : rows)
      destination.fill(r, ctas_[a.cta].memory.poison());
  }
  if (a.agent.warpInRole() == 0)
    parts_.report.recordEngine(a, s, "cp.async", begin, served, op.destination);
  parts_.report.recordUse(a, op.destination, a.time, end, true);
  int64_t group = a.copies.issue();
  int index = a.index;
  schedule(end, a.cta, [=, this] {
    if (destination.base)
      for (RowRange r : rows) {
        std::vector<float> block((r.end - r.begin) * destination.cols);
        source.gather(r, block.data());
        destination.scatter(r, block.data());
      }
    actors_[index].copies.done(group);
    actors_[index].copies.readDone(group);
    checkGroups(actors_[index]);
  });
  // One 16-byte piece per lane and instruction.
  return parts_.report.issued(a, s, std::max(world_.arch.issueCycles, bytes / 512));
}

UnitAsync::Step UnitAsync::waitGroups(Actor &a, Groups &groups, int64_t pending, bool read) {
  if (!a.released && !groups.passes(pending, read))
    return block(a);
  a.released = false;
  groups.waited(pending);
  a.time += world_.arch.issueCycles;
  return Step::done;
}

/// Something of a warp's groups has ended: perhaps it waits for that.
void UnitAsync::checkGroups(Actor &a) {
  if (a.state != Actor::blocked || a.released)
    return;
  const GroupDeed deed = groupDeed(a.agent.current()->op);
  if (deed.kind == GroupDeed::waits && a.groups(deed.queue).passes(deed.pending, deed.read))
    release(a, now_);
}

} // namespace sluice

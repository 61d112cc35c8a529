// Small correct protocols between warps, CTAs and cores, for mutants and for random variants.
#pragma once

#include "Verify/Builder.h"

namespace sluice::test {

struct ProtocolOptions {
  int64_t stages = 2, trips = 3;
  int consumers = 1;
};

constexpr int64_t smallTile = 128; // bytes of 8 x 8 f16

/// A warp loads by TMA; other warps read all of each tile and release it.
inline Builder readersRing(const ProtocolOptions &o) {
  Builder b;
  const int A = b.tensor("A", DType::f16, {8 * o.trips + 8, 8});
  const int a = b.buffer("a", Space::smem, DType::f16, {8, 8}, Layout::row, o.stages);
  std::vector<int> r;
  for (int c = 0; c < o.consumers; ++c)
    r.push_back(b.buffer("r" + std::to_string(c), Space::reg, DType::f16, {8, 8}, Layout::blocked,
                         1, "read" + std::to_string(c)));
  const int full = b.barriers("full", o.stages), empty = b.barriers("empty", o.stages);
  b.grid(1);
  b.initAll({{full, 1}, {empty, o.consumers}}, 1 + o.consumers);
  b.role("load", 0, 1, [&] {
    b.loop(o.trips, o.stages, 1, [&](Index i, Index slot, Index parity) {
      const ValueId row = b.scalar(ScalarOp::mul, {i.value, b.number(8)});
      b.wait(empty, slot, parity, Exec::one);
      b.expect(full, slot, smallTile);
      b.load(b.tile(a, slot), b.box(A, {{row, 0}, constant(0)}, {8, 8}), full, slot);
    });
  });
  for (int c = 0; c < o.consumers; ++c)
    b.role("read" + std::to_string(c), 1 + c, 1, [&] {
      b.loop(o.trips, o.stages, 0, [&](Index, Index slot, Index parity) {
        b.wait(full, slot, parity);
        b.emit(Copy{b.tile(r[c]), b.tile(a, slot)});
        b.emit(WarpSync{});
        b.arrive(empty, slot);
      });
    });
  return b;
}

/// Load by TMA, change by two warps that meet at a named barrier, store by TMA: two rings.
inline Builder changeAndStore(const ProtocolOptions &o) {
  Builder b;
  const int A = b.tensor("A", DType::f16, {16 * o.trips + 16, 8});
  const int C = b.tensor("C", DType::f16, {16 * o.trips + 16, 8}, true);
  const int in = b.buffer("in", Space::smem, DType::f16, {16, 8}, Layout::row, o.stages);
  const int out = b.buffer("out", Space::smem, DType::f16, {16, 8}, Layout::row, 1);
  const int r = b.buffer("r", Space::reg, DType::f16, {16, 8}, Layout::blocked, 1, "change");
  const int full = b.barriers("full", o.stages), empty = b.barriers("empty", o.stages);
  b.grid(1);
  b.initAll({{full, 1}, {empty, 2}}, 3);
  b.role("load", 0, 1, [&] {
    b.loop(o.trips, o.stages, 1, [&](Index i, Index slot, Index parity) {
      const ValueId row = b.scalar(ScalarOp::mul, {i.value, b.number(16)});
      b.wait(empty, slot, parity, Exec::one);
      b.expect(full, slot, 2 * smallTile);
      b.load(b.tile(in, slot), b.box(A, {{row, 0}, constant(0)}, {16, 8}), full, slot);
    });
  });
  b.role("change", 1, 2, [&] {
    b.loop(o.trips, o.stages, 0, [&](Index i, Index slot, Index parity) {
      const ValueId row = b.scalar(ScalarOp::mul, {i.value, b.number(16)});
      b.wait(full, slot, parity);
      b.emit(Copy{b.tile(r), b.tile(in, slot)});
      b.emit(WarpSync{});
      b.arrive(empty, slot);
      b.emit(BulkWait{0, true}, Exec::one); // the last store has read `out`
      b.sync(1, 2);
      b.emit(Copy{b.tile(out), b.tile(r)});
      b.emit(Fence{Fence::proxyAsync});
      b.sync(2, 2);
      b.emit(TmaStore{b.box(C, {{row, 0}, constant(0)}, {16, 8}), b.tile(out)}, Exec::one);
      b.emit(BulkCommit{}, Exec::one);
    });
    b.emit(BulkWait{0, true}, Exec::one);
  });
  return b;
}

/// Two CTAs; each loads half of every tile into both.
inline Builder multicastRing(const ProtocolOptions &o) {
  Builder b;
  const int A = b.tensor("A", DType::f16, {16 * o.trips + 16, 64});
  const int a = b.buffer("a", Space::smem, DType::f16, {16, 64}, Layout::row, o.stages);
  const int r = b.buffer("r", Space::reg, DType::f16, {16, 64}, Layout::blocked, 1, "read");
  const int full = b.barriers("full", o.stages), empty = b.barriers("empty", o.stages);
  b.program.cluster[0] = 2;
  b.grid(2);
  b.initAll({{full, 1}, {empty, 2}}, 2);
  b.emit(ClusterBarrier{ClusterBarrier::sync});
  b.role("load", 0, 1, [&] {
    const ValueId half = b.scalar(ScalarOp::mul, {b.scalar(ScalarOp::clusterRank), b.number(8)});
    b.loop(o.trips, o.stages, 1, [&](Index i, Index slot, Index parity) {
      const ValueId row = b.scalar(ScalarOp::mul, {i.value, b.number(16)});
      const ValueId mine = b.scalar(ScalarOp::add, {row, half});
      b.wait(empty, slot, parity, Exec::one);
      b.expect(full, slot, 2048);
      View to = b.tile(a, slot);
      to.offset = {{half, 0}, constant(0)};
      to.shape = {8, 64};
      b.emit(TmaLoad{to, b.box(A, {{mine, 0}, constant(0)}, {8, 64}), Builder::at(full, slot), 3},
             Exec::one);
    });
    for (int64_t i = o.trips; i < o.trips + o.stages; ++i)
      b.wait(empty, constant(i % o.stages), constant(1 ^ (i / o.stages & 1)), Exec::one);
  });
  b.role("read", 1, 1, [&] {
    const ValueId peer = b.scalar(ScalarOp::sub, {b.number(1), b.scalar(ScalarOp::clusterRank)});
    b.loop(o.trips, o.stages, 0, [&](Index, Index slot, Index parity) {
      b.wait(full, slot, parity);
      b.emit(Copy{b.tile(r), b.tile(a, slot)});
      b.emit(WarpSync{});
      b.arrive(empty, slot);
      b.emit(MbarrierArrive{Builder::peer(empty, slot, {peer, 0}), 1}, Exec::warp);
    });
  });
  b.emit(ClusterBarrier{ClusterBarrier::sync});
  return b;
}

/// A warp copies by cp.async, another one reads: full phases by cp.async arrivals.
inline Builder copyRing(const ProtocolOptions &o) {
  Builder b;
  const int A = b.tensor("A", DType::f16, {8 * o.trips + 8, 8});
  const int a = b.buffer("a", Space::smem, DType::f16, {8, 8}, Layout::row, o.stages);
  const int r = b.buffer("r", Space::reg, DType::f16, {8, 8}, Layout::blocked, 1, "read");
  const int full = b.barriers("full", o.stages), empty = b.barriers("empty", o.stages);
  b.grid(1);
  b.initAll({{full, 32}, {empty, 1}}, 2);
  b.role("copy", 0, 1, [&] {
    b.loop(o.trips, o.stages, 1, [&](Index i, Index slot, Index parity) {
      const ValueId row = b.scalar(ScalarOp::mul, {i.value, b.number(8)});
      b.wait(empty, slot, parity);
      b.emit(WarpSync{});
      b.emit(Copy{b.tile(a, slot), b.box(A, {{row, 0}, constant(0)}, {8, 8}), true});
      b.emit(CpAsyncArrive{Builder::at(full, slot), true});
    });
    b.emit(CpAsyncCommit{});
    b.emit(CpAsyncWait{0});
    b.emit(WarpSync{});
  });
  b.role("read", 1, 1, [&] {
    b.loop(o.trips, o.stages, 0, [&](Index, Index slot, Index parity) {
      b.wait(full, slot, parity);
      b.emit(Copy{b.tile(r), b.tile(a, slot)});
      b.emit(WarpSync{});
      b.arrive(empty, slot);
    });
  });
  return b;
}

/// The two AIVs of a core fill a workspace, its AIC reads it: cross-core flags both ways.
inline Builder handOver(const ProtocolOptions &o) {
  Builder b(Target::ascend910b);
  const int W = b.tensor("W", DType::f16, {32, 16}, true);
  const int ub = b.buffer("ub", Space::ub, DType::f16, {16, 16}, Layout::row, o.stages);
  const int l1 = b.buffer("l1", Space::l1, DType::f16, {32, 16}, Layout::zN);
  const Pipe v = Pipe::v, mte3 = Pipe::mte3, mte2 = Pipe::mte2;
  b.grid(1);
  b.core("aiv", [&] {
    const ValueId row = b.scalar(ScalarOp::mul, {b.scalar(ScalarOp::subblock), b.number(16)});
    for (int64_t s = 0; s < o.stages; ++s)
      b.set(mte3, v, constant(s));
    b.loop(o.trips, o.stages, 0, [&](Index i, Index slot, Index) {
      b.waitFor(mte3, v, slot);
      b.emit(Fill{b.tile(ub, slot), 0}, Exec::threads, v);
      b.emit(PipeBarrier{v}, Exec::threads, v);
      b.set(v, mte3, slot);
      b.waitFor(v, mte3, slot);
      b.when(b.scalar(ScalarOp::gt, {i.value, b.number(0)}), [&] {
        b.emit(CrossWait{mte3, constant(1)}, Exec::threads, mte3);
      });
      b.copy(mte3, b.box(W, {{row, 0}, constant(0)}, {16, 16}), b.tile(ub, slot));
      b.set(mte3, v, slot);
      b.emit(CrossSet{2, mte3, constant(0)}, Exec::threads, mte3);
    });
    for (int64_t s = 0; s < o.stages; ++s)
      b.waitFor(mte3, v, constant(s));
    b.emit(CrossWait{mte3, constant(1)}, Exec::threads, mte3);
  });
  b.core("aic", [&] {
    b.loop(o.trips, o.stages, 0, [&](Index, Index, Index) {
      b.emit(CrossWait{mte2, constant(0)}, Exec::threads, mte2);
      b.copy(mte2, b.tile(l1), b.box(W, {constant(0), constant(0)}, {32, 16}));
      b.emit(CrossSet{2, mte2, constant(1)}, Exec::threads, mte2);
    });
  });
  return b;
}

} // namespace sluice::test

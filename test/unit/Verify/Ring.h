// A GEMM with a load warp and a warpgroup, as parts that a test may leave out or bend.
#pragma once

#include "Builder.h"

namespace sluice::test {

struct RingOptions {
  int64_t stages = 4, trips = 10;
  int64_t fullCount = 1, emptyCount = 4;
  int64_t bytes = 64 * 64 * 2 * 2; // of a and b
  int64_t producerPhase = 1;       // the first acquire passes
  bool release = true;             // arrive on empty
  bool waitBeforeRelease = true;   // wgmma.wait_group before it
  bool fence = true;               // wgmma.fence
  bool drain = true;               // wgmma.wait_group after the loop
  bool waitFull = true;
  bool waitEmpty = true;
  bool initFence = true, initSync = true;
};

/// C[64, 64] = A[64, K] B[K, 64]; warps 0-3 multiply, warp 4 loads.
inline Builder ring(const RingOptions &o) {
  Builder b;
  const int64_t k = 64 * o.trips;
  const int A = b.tensor("A", DType::f16, {64, k}), B = b.tensor("B", DType::f16, {k, 64});
  const int C = b.tensor("C", DType::f32, {64, 64}, true);
  const int a = b.buffer("a", Space::smem, DType::f16, {64, 64}, Layout::sw128, o.stages);
  const int w = b.buffer("b", Space::smem, DType::f16, {64, 64}, Layout::sw128, o.stages);
  const int acc = b.buffer("acc", Space::reg, DType::f32, {64, 64}, Layout::acc, 1, "mma");
  const int full = b.barriers("full", o.stages), empty = b.barriers("empty", o.stages);
  b.grid(1);
  b.role("init", 0, 1, [&] {
    b.init(full, o.fullCount);
    b.init(empty, o.emptyCount);
    if (o.initFence)
      b.emit(Fence{Fence::mbarrierInit}, Exec::one);
  });
  b.program.warps = 5;
  if (o.initSync)
    b.sync(0, 5);
  b.role("load", 4, 1, [&] {
    b.loop(o.trips, o.stages, o.producerPhase, [&](Index i, Index slot, Index parity) {
      const ValueId k0 = b.scalar(ScalarOp::mul, {i.value, b.number(64)});
      if (o.waitEmpty)
        b.wait(empty, slot, parity, Exec::one);
      b.expect(full, slot, o.bytes);
      b.load(b.tile(a, slot), b.box(A, {constant(0), {k0, 0}}, {64, 64}), full, slot);
      b.load(b.tile(w, slot), b.box(B, {{k0, 0}, constant(0)}, {64, 64}), full, slot);
    });
  });
  b.role("mma", 0, 4, [&] {
    b.emit(Fill{b.tile(acc), 0});
    b.loop(o.trips, o.stages, 0, [&](Index, Index slot, Index parity) {
      if (o.waitFull)
        b.wait(full, slot, parity);
      if (o.fence)
        b.emit(WgmmaFence{});
      b.emit(Wgmma{b.tile(acc), b.tile(a, slot), b.tile(w, slot), constant(1)});
      b.emit(WgmmaCommit{});
      if (o.waitBeforeRelease)
        b.emit(WgmmaWait{0});
      if (o.release)
        b.arrive(empty, slot);
    });
    if (o.drain)
      b.emit(WgmmaWait{0});
    b.emit(Copy{b.box(C, {constant(0), constant(0)}, {64, 64}), b.tile(acc)});
  });
  return b;
}

/// `right` waits for phases 0 and 2 of ping and never for 1; `watcher` sees them all.
inline Builder skipsAPhase() {
  Builder b;
  const int ping = b.barriers("ping", 1), pong = b.barriers("pong", 1);
  const int go = b.barriers("go", 1), seen = b.barriers("seen", 1);
  b.grid(1);
  b.initAll({{ping, 1}, {pong, 2}, {go, 1}, {seen, 1}}, 3);
  b.role("left", 0, 1, [&] {
    b.arrive(ping, zero);
    b.wait(pong, zero, zero, Exec::one);
    b.arrive(go, zero);
    b.arrive(ping, zero);
    b.wait(seen, zero, zero, Exec::one);
    b.arrive(ping, zero);
  });
  b.role("right", 1, 1, [&] {
    b.wait(ping, zero, zero, Exec::one);
    b.arrive(pong, zero);
    b.wait(go, zero, zero, Exec::one);
    b.wait(ping, zero, zero, Exec::one); // phase 2, or 0 again
  });
  b.role("watcher", 2, 1, [&] {
    b.wait(ping, zero, zero, Exec::one);
    b.arrive(pong, zero);
    b.wait(ping, zero, one, Exec::one);
    b.arrive(seen, zero);
  });
  return b;
}

} // namespace sluice::test

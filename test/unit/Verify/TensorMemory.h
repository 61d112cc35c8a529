// A GEMM of a load warp, a warp that multiplies into tensor memory and four that take the sum out,
// as parts that a test may leave out or bend.
#pragma once

#include "Builder.h"

namespace sluice::test {

struct TensorMemoryOptions {
  int64_t stages = 2, trips = 5, columns = 128, freed = 128;
  bool address = true;    // all read it
  bool meet = true;       // a CTA barrier between the allocation and that
  bool initFence = true;  // of the barriers
  bool commit = true;     // releases slots
  bool waitDone = true;   // the epilogue, for the sum
  bool fenceAfter = true; // behind it
  bool waitLoads = true;  // tcgen05.wait::ld
  bool fenceBefore = true, freeFence = true;
  bool tail = true; // the load warp waits for all slots at the end
  bool free = true;
  int epilogueWarp = 0;
};

/// C[128, 128] = A[128, K] B[K, 128]; warps 0-3 take out, warp 4 loads, warp 5 multiplies.
inline Builder tensorMemory(const TensorMemoryOptions &o) {
  Builder b;
  b.program.target = Target::sm_100a;
  const int64_t k = 64 * o.trips;
  const int A = b.tensor("A", DType::bf16, {128, k}), B = b.tensor("B", DType::bf16, {k, 128});
  const int C = b.tensor("C", DType::f32, {128, 128}, true);
  const int a = b.buffer("a", Space::smem, DType::bf16, {128, 64}, Layout::sw128, o.stages);
  const int w = b.buffer("b", Space::smem, DType::bf16, {64, 128}, Layout::sw128, o.stages);
  const int address = b.buffer("address", Space::smem, DType::i32, {1, 1}, Layout::row, 1);
  const int d = b.buffer("d", Space::tmem, DType::f32, {128, 128}, Layout::row, 1);
  b.program.buffers[d].slotBytes = 128 * 4;
  const int x = b.buffer("x", Space::reg, DType::f32, {128, 128}, Layout::row, 1, "epilogue");
  const int full = b.barriers("full", o.stages), empty = b.barriers("empty", o.stages);
  const int done = b.barriers("done", 1);
  const int load = o.epilogueWarp == 0 ? 4 : 0;
  b.grid(1);
  b.role("init", 0, 1, [&] {
    for (const int array : {full, empty, done})
      b.init(array, 1);
    if (o.initFence)
      b.emit(Fence{Fence::mbarrierInit}, Exec::one);
  });
  b.role("allocate", 5, 1, [&] {
    b.emit(TmemAlloc{o.columns, b.tile(address)});
    b.emit(TmemRelinquish{});
  });
  b.program.warps = 6;
  if (o.meet)
    b.sync(0, 6);
  if (o.address)
    b.emit(TmemAddress{b.tile(address)});
  if (!o.meet)
    b.sync(0, 6);
  b.role("load", load, 1, [&] {
    b.loop(o.trips, o.stages, 1, [&](Index i, Index slot, Index parity) {
      const ValueId k0 = b.scalar(ScalarOp::mul, {i.value, b.number(64)});
      if (o.commit)
        b.wait(empty, slot, parity, Exec::one);
      b.expect(full, slot, 2 * 128 * 64 * 2);
      b.load(b.tile(a, slot), b.box(A, {constant(0), {k0, 0}}, {128, 64}), full, slot);
      b.load(b.tile(w, slot), b.box(B, {{k0, 0}, constant(0)}, {64, 128}), full, slot);
    });
    for (int64_t i = o.trips; o.tail && i < o.trips + o.stages; ++i)
      b.wait(empty, constant(i % o.stages), constant((i / o.stages & 1) ^ 1), Exec::one);
  });
  b.role("mma", 5, 1, [&] {
    b.loop(o.trips, o.stages, 0, [&](Index i, Index slot, Index parity) {
      const ValueId more = b.scalar(ScalarOp::ne, {i.value, b.number(0)});
      b.wait(full, slot, parity);
      b.emit(Tcgen05Mma{b.tile(d), b.tile(a, slot), b.tile(w, slot), {more}}, Exec::one);
      if (o.commit)
        b.emit(Tcgen05Commit{Builder::at(empty, slot)}, Exec::one);
    });
    b.emit(Tcgen05Commit{Builder::at(done, constant(0))}, Exec::one);
  });
  b.role("epilogue", o.epilogueWarp, 4, [&] {
    if (o.waitDone)
      b.wait(done, constant(0), constant(0));
    if (o.fenceAfter)
      b.emit(Fence{Fence::tcgen05After});
    b.emit(TmemLoad{b.tile(x), b.tile(d)});
    if (o.waitLoads)
      b.emit(TmemWait{});
    if (o.fenceBefore)
      b.emit(Fence{Fence::tcgen05Before});
    b.emit(Copy{b.box(C, {constant(0), constant(0)}, {128, 128}), b.tile(x)});
  });
  b.sync(0, 6);
  if (o.freeFence)
    b.emit(Fence{Fence::tcgen05After});
  if (o.free)
    b.role("free", 5, 1, [&] { b.emit(TmemDealloc{o.freed}); });
  return b;
}

} // namespace sluice::test

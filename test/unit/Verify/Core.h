// An Ascend GEMM over K with flags between MTE2, MTE1, M and FIX, as parts that a test may bend.
#pragma once

#include "Builder.h"

namespace sluice::test {

struct CoreOptions {
  int64_t slots = 2, trips = 6;
  bool primed = true, drained = true;
  bool credit = true;         // M -> MTE1: the L0 slots are free
  int64_t id = 0;             // of the first flag
  int64_t residentLoads = -1; // L0A is filled in the first so many iterations only; -1: in all
  int64_t k = 64;
  int64_t n = 64;
  bool accumulatorBarrier = true;
};

/// C[64, n] = A[64, K] B[K, n]; L1 single buffered, L0A and L0B in `slots` slots.
inline Builder core(const CoreOptions &o) {
  Builder b(Target::ascend910b);
  const int A = b.tensor("A", DType::f16, {64, o.k * o.trips});
  const int B = b.tensor("B", DType::f16, {o.k * o.trips, o.n});
  const int C = b.tensor("C", DType::f32, {64, o.n}, true);
  const int a1 = b.buffer("a1", Space::l1, DType::f16, {64, o.k}, Layout::zN);
  const int b1 = b.buffer("b1", Space::l1, DType::f16, {o.k, o.n}, Layout::zN);
  const int a0 = b.buffer("a0", Space::l0a, DType::f16, {64, o.k}, Layout::zZ, o.slots);
  const int b0 = b.buffer("b0", Space::l0b, DType::f16, {o.k, o.n}, Layout::nZ, o.slots);
  const int c0 = b.buffer("c0", Space::l0c, DType::f32, {64, o.n}, Layout::zN);
  const Pipe mte2 = Pipe::mte2, mte1 = Pipe::mte1, m = Pipe::m, fix = Pipe::fix;
  b.grid(1);
  b.core("aic", [&] {
    if (o.primed) {
      b.set(mte1, mte2, constant(o.id));
      for (int64_t i = 0; o.credit && i < o.slots; ++i)
        b.set(m, mte1, constant(i));
    }
    b.loop(o.trips, o.slots, 0, [&](Index i, Index slot, Index) {
      const Index k0{b.scalar(ScalarOp::mul, {i.value, b.number(o.k)}), 0};
      b.waitFor(mte1, mte2, constant(o.id));
      b.copy(mte2, b.tile(a1), b.box(A, {constant(0), k0}, {64, o.k}));
      b.copy(mte2, b.tile(b1), b.box(B, {k0, constant(0)}, {o.k, o.n}));
      b.set(mte2, mte1, constant(o.id));
      b.waitFor(mte2, mte1, constant(o.id));
      if (o.credit)
        b.waitFor(m, mte1, slot);
      if (o.residentLoads < 0)
        b.copy(mte1, b.tile(a0, slot), b.tile(a1));
      else
        b.when(b.scalar(ScalarOp::lt, {i.value, b.number(o.residentLoads)}),
               [&] { b.copy(mte1, b.tile(a0, slot), b.tile(a1)); });
      b.copy(mte1, b.tile(b0, slot), b.tile(b1));
      b.set(mte1, mte2, constant(o.id));
      b.set(mte1, m, slot);
      b.waitFor(mte1, m, slot);
      const Index more{b.scalar(ScalarOp::gt, {i.value, b.number(0)}), 0};
      b.emit(Mmad{b.tile(c0), b.tile(a0, slot), b.tile(b0, slot), more}, Exec::threads, m);
      if (o.accumulatorBarrier)
        b.emit(PipeBarrier{m}, Exec::threads, m);
      if (o.credit)
        b.set(m, mte1, slot);
    });
    b.set(m, fix, constant(0));
    b.waitFor(m, fix, constant(0));
    b.copy(fix, b.box(C, {constant(0), constant(0)}, {64, o.n}), b.tile(c0));
    if (o.drained) {
      b.waitFor(mte1, mte2, constant(o.id));
      for (int64_t i = 0; o.credit && i < o.slots; ++i)
        b.waitFor(m, mte1, constant(i));
    }
  });
  return b;
}

} // namespace sluice::test

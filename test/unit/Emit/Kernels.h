// Programs built by hand, of the shape that the lowering produces. They document what the printer
// accepts.
#pragma once

#include "Program/Program.h"

namespace sluice::test {

/// C[M,N] = A[M,K] B[K,N], f32 accumulator, output in the type of the inputs.
struct GemmOptions {
  int64_t bm = 128, bn = 128, bk = 64, stages = 3;
  DType type = DType::f16;
  int aMinor = 1; // 1: K contiguous, 0: M contiguous
  int bMinor = 1; // 1: N contiguous, 0: K contiguous
  enum Load { tma, threads, async } load = tma;
  enum Store { registers, copyEngine } store = registers;
  Layout layout = Layout::sw128;
  int64_t align = 16;      // bytes, of the tensors
  bool lag = false;        // one wgmma group stays in flight; a slot is released one iteration late
  int warpgroups = 2;      // of the mma role: bm / 64
  bool reallocate = false; // setmaxnreg 40 / 232, the load role a warpgroup
  bool cluster = false;    // two CTAs, one above the other, each load half of B for both
  bool hints = false;      // for L2: B stays, A and C go
};
Program gemm(const GemmOptions &o);

/// O[S,D] = softmax(Q[S,D] K[T,D]^T / sqrt(D)) V[T,D], online over tiles of `bn` keys; T is a
/// multiple of bn.
struct AttentionOptions {
  int64_t bm = 128, bn = 128, d = 64, stages = 2;
  DType type = DType::f16;
};
Program attention(const AttentionOptions &o);

/// Y[B,R,C] = f16(X[B,R,C] * s[R] + t[C] + (row - col) / 128), m[B,R] = max over C in f32; every
/// copy by threads: global -> shared -> registers -> shared -> global. C is at most 64, R any.
Program elements();

/// Scopes of mbarriers, counters, fences, the kernel before; nothing that runs to its end.
Program signals();

} // namespace sluice::test

// Kernel gemm for ascend910b, printed by sluice: Ascend C, basic API, static-tensor mode.
// Every launch keeps: tiles <= 2146435072 (Gemm.cpp:16:25).
//
//   flag               event        ids  hands over
//   empty_a_b          MTE1_MTE2   0..1  a, b, free
//   full_a_l0a_b_l0b   MTE1_M      0..1  a_l0a, b_l0b, filled
//   full_a_b           MTE2_MTE1   0..1  a, b, filled
//   empty_a_l0a_b_l0b  M_MTE1      0..1  a_l0a, b_l0b, free
//
// Units of 512 bytes of acc: M hands them over to FIX one by one, which gives them back (unitFlag).
//
//   tile             memory  slots  bytes  address
//   acc              l0c         1  131072        0  f32 128 x 256 zN
//   a                l1          2  32768        0  f16 128 x 128 zN
//   b                l1          2  65536    65536  f16 128 x 256 zN
//   a_l0a            l0a         2  16384        0  f16 128 x 64 zZ
//   b_l0b            l0b         2  32768        0  f16 64 x 256 nZ
#include "kernel_operator.h"
#include <sluice/cube.h>

using namespace AscendC;
using namespace sluice;

extern "C" __global__ __aicore__ void
gemm(GM_ADDR AGlobal, GM_ADDR BGlobal, GM_ADDR CGlobal, int M, int N, int K, int AExtent0,
    int BExtent0, int BExtent1, i64 AStride0, i64 BStride0, i64 CStride0) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  InitSocState();
  using sluice::min;
  using sluice::max;
  GlobalTensor<half> A;
  A.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(AGlobal));
  GlobalTensor<half> B;
  B.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(BGlobal));
  GlobalTensor<half> C;
  C.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(CGlobal));
  const LocalTensor<float> acc(TPosition::CO1, 0, 32768);
  const LocalTensor<half> a[2] = {
      LocalTensor<half>(TPosition::A1, 0, 16384),
      LocalTensor<half>(TPosition::A1, 32768, 16384)};
  const LocalTensor<half> b[2] = {
      LocalTensor<half>(TPosition::B1, 65536, 32768),
      LocalTensor<half>(TPosition::B1, 131072, 32768)};
  const LocalTensor<half> a_l0a[2] = {
      LocalTensor<half>(TPosition::A2, 0, 8192),
      LocalTensor<half>(TPosition::A2, 16384, 8192)};
  const LocalTensor<half> b_l0b[2] = {
      LocalTensor<half>(TPosition::B2, 0, 16384),
      LocalTensor<half>(TPosition::B2, 32768, 16384)};
  constexpr int32_t empty_a_b = 0; // MTE1_MTE2 0..1
  constexpr int32_t full_a_l0a_b_l0b = 0; // MTE1_M 0..1
  constexpr int32_t full_a_b = 0; // MTE2_MTE1 0..1
  constexpr int32_t empty_a_l0a_b_l0b = 0; // M_MTE1 0..1
  const int rows = ceilDiv(M, 128);
  const int cols = ceilDiv(N, 256);
  const int tiles = rows * cols;
  const int ctas = min(tiles, 24);
  const int cta = int(GetBlockIdx());
  if ASCEND_IS_AIC { // cube
    SetMMRowMajor(); // the order in which Fixpipe takes units
    SetFlag<HardEvent::MTE1_MTE2>(empty_a_b);
    SetFlag<HardEvent::MTE1_MTE2>(empty_a_b + 1);
    SetFlag<HardEvent::M_MTE1>(empty_a_l0a_b_l0b);
    SetFlag<HardEvent::M_MTE1>(empty_a_l0a_b_l0b + 1);
    Cursor<2> at_a_b;
    Cursor<2> at_a_l0a_b_l0b;
    for (int tile = cta; tile < tiles; tile += ctas) {
      const int j = tile % cols;
      const int i = tile / cols;
      const int row = i * 128;
      const int col = j * 256;
      const int kSteps = max(ceilDiv(K, 128), 1);
      const bool whole = ((row + 128) <= M) && ((col + 256) <= N);
      if (!whole)
        PipeBarrier<PIPE_ALL>();
      for (int k = 0; k < kSteps; ++k) {
        const int depth = k * 128;
        WaitFlag<HardEvent::MTE1_MTE2>(empty_a_b + at_a_b.slot);
        loadTile<128, 128>(a[at_a_b.slot], A, {0, AExtent0, K, AStride0}, row, depth);
        loadTile<128, 256>(b[at_a_b.slot], B, {0, BExtent0, BExtent1, BStride0}, depth, col);
        SetFlag<HardEvent::MTE2_MTE1>(full_a_b + at_a_b.slot);
        WaitFlag<HardEvent::MTE2_MTE1>(full_a_b + at_a_b.slot);
        for (int kk = 0; kk < 128; kk += 64) {
          const bool n = (k != 0) || (kk != 0);
          WaitFlag<HardEvent::M_MTE1>(empty_a_l0a_b_l0b + at_a_l0a_b_l0b.slot);
          loadFractals<8, 4, 1, 8, false>(a_l0a[at_a_l0a_b_l0b.slot], a[at_a_b.slot][kk * 128]);
          loadFractals<4, 16, 1, 8, true>(b_l0b[at_a_l0a_b_l0b.slot], b[at_a_b.slot][kk * 16]);
          SetFlag<HardEvent::MTE1_M>(full_a_l0a_b_l0b + at_a_l0a_b_l0b.slot);
          WaitFlag<HardEvent::MTE1_M>(full_a_l0a_b_l0b + at_a_l0a_b_l0b.slot);
          const bool last = ((kk + 64) >= 128) && ((k + 1) >= kSteps);
          if (whole) {
            if (last) {
              Mmad(acc, a_l0a[at_a_l0a_b_l0b.slot], b_l0b[at_a_l0a_b_l0b.slot],
                  product(128, 256, 64, n, handUnitsOver));
            } else {
              Mmad(acc, a_l0a[at_a_l0a_b_l0b.slot], b_l0b[at_a_l0a_b_l0b.slot],
                  product(128, 256, 64, n, keepUnits));
            }
          } else {
            Mmad(acc, a_l0a[at_a_l0a_b_l0b.slot], b_l0b[at_a_l0a_b_l0b.slot],
                product(128, 256, 64, n));
          }
          SetFlag<HardEvent::M_MTE1>(empty_a_l0a_b_l0b + at_a_l0a_b_l0b.slot);
          at_a_l0a_b_l0b = at_a_l0a_b_l0b.advance();
        }
        SetFlag<HardEvent::MTE1_MTE2>(empty_a_b + at_a_b.slot);
        at_a_b = at_a_b.advance();
      }
      if (whole) {
        storeTile<128, 256>(C, {0, M, N, CStride0}, row, col, acc, handUnitsOver);
      } else {
        PipeBarrier<PIPE_ALL>();
        storeTile<128, 256>(C, {0, M, N, CStride0}, row, col, acc);
        PipeBarrier<PIPE_ALL>();
      }
    }
    WaitFlag<HardEvent::MTE1_MTE2>(empty_a_b);
    WaitFlag<HardEvent::MTE1_MTE2>(empty_a_b + 1);
    WaitFlag<HardEvent::M_MTE1>(empty_a_l0a_b_l0b);
    WaitFlag<HardEvent::M_MTE1>(empty_a_l0a_b_l0b + 1);
  }
  PipeBarrier<PIPE_ALL>();
}

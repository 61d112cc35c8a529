// Kernel gemm for ascend910b, printed by sluice: Ascend C, basic API, static-tensor mode.
// Every launch keeps: tiles <= 2146435072 (Gemm.cpp:16:25).
//
//   flag               event        ids  hands over
//   empty_a_b          MTE1_MTE2   0..1  a, b, free
//   full_a_l0a_b_l0b   MTE1_M      0..1  a_l0a, b_l0b, filled
//   full_a_b           MTE2_MTE1   0..1  a, b, filled
//   empty_a_l0a_b_l0b  M_MTE1      0..1  a_l0a, b_l0b, free
//   full_acc           M_FIX       0..1  acc, filled
//   empty_acc          FIX_M       0..1  acc, free
//
//   tile             memory  slots  bytes  address
//   acc              l0c         2  65536        0  f32 128 x 128 zN
//   a                l1          2  65536        0  f32 128 x 128 nN
//   b                l1          2  65536   131072  f32 128 x 128 zZ
//   a_l0a            l0a         2  32768        0  f32 128 x 64 zZ
//   b_l0b            l0b         2  32768        0  f32 64 x 128 nZ
#include "kernel_operator.h"
#include <sluice/cube.h>

using namespace AscendC;
using namespace sluice;

extern "C" __global__ __aicore__ void
gemm(GM_ADDR AGlobal, GM_ADDR BGlobal, GM_ADDR CGlobal, int M, int N, int K, int AExtent0,
    int BExtent0, int BExtent1, i64 AStride1, i64 BStride0, i64 CStride0) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  InitSocState();
  using sluice::min;
  using sluice::max;
  GlobalTensor<float> A;
  A.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(AGlobal));
  GlobalTensor<float> B;
  B.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(BGlobal));
  GlobalTensor<float> C;
  C.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(CGlobal));
  const LocalTensor<float> acc[2] = {
      LocalTensor<float>(TPosition::CO1, 0, 16384),
      LocalTensor<float>(TPosition::CO1, 65536, 16384)};
  const LocalTensor<float> a[2] = {
      LocalTensor<float>(TPosition::A1, 0, 16384),
      LocalTensor<float>(TPosition::A1, 65536, 16384)};
  const LocalTensor<float> b[2] = {
      LocalTensor<float>(TPosition::B1, 131072, 16384),
      LocalTensor<float>(TPosition::B1, 196608, 16384)};
  const LocalTensor<float> a_l0a[2] = {
      LocalTensor<float>(TPosition::A2, 0, 8192),
      LocalTensor<float>(TPosition::A2, 32768, 8192)};
  const LocalTensor<float> b_l0b[2] = {
      LocalTensor<float>(TPosition::B2, 0, 8192),
      LocalTensor<float>(TPosition::B2, 32768, 8192)};
  constexpr int32_t empty_a_b = 0; // MTE1_MTE2 0..1
  constexpr int32_t full_a_l0a_b_l0b = 0; // MTE1_M 0..1
  constexpr int32_t full_a_b = 0; // MTE2_MTE1 0..1
  constexpr int32_t empty_a_l0a_b_l0b = 0; // M_MTE1 0..1
  constexpr int32_t full_acc = 0; // M_FIX 0..1
  constexpr int32_t empty_acc = 0; // FIX_M 0..1
  const int rows = ceilDiv(M, 128);
  const int cols = ceilDiv(N, 128);
  const int tiles = rows * cols;
  const int ctas = min(tiles, 24);
  const int cta = int(GetBlockIdx());
  if ASCEND_IS_AIC { // cube
    SetFlag<HardEvent::FIX_M>(empty_acc);
    SetFlag<HardEvent::FIX_M>(empty_acc + 1);
    SetFlag<HardEvent::MTE1_MTE2>(empty_a_b);
    SetFlag<HardEvent::MTE1_MTE2>(empty_a_b + 1);
    SetFlag<HardEvent::M_MTE1>(empty_a_l0a_b_l0b);
    SetFlag<HardEvent::M_MTE1>(empty_a_l0a_b_l0b + 1);
    Cursor<2> at_acc;
    Cursor<2> at_a_b;
    Cursor<2> at_a_l0a_b_l0b;
    for (int tile = cta; tile < tiles; tile += ctas) {
      const int j = tile % cols;
      const int i = tile / cols;
      const int row = i * 128;
      const int col = j * 128;
      WaitFlag<HardEvent::FIX_M>(empty_acc + at_acc.slot);
      for (int k = 0; k < max(ceilDiv(K, 128), 1); ++k) {
        const int depth = k * 128;
        WaitFlag<HardEvent::MTE1_MTE2>(empty_a_b + at_a_b.slot);
        loadTile<128, 128, 16>(a[at_a_b.slot], A, {0, K, AExtent0, AStride1}, depth, row);
        loadTile<128, 128, 16>(b[at_a_b.slot], B, {0, BExtent0, BExtent1, BStride0}, depth, col);
        SetFlag<HardEvent::MTE2_MTE1>(full_a_b + at_a_b.slot);
        WaitFlag<HardEvent::MTE2_MTE1>(full_a_b + at_a_b.slot);
        for (int kk = 0; kk < 128; kk += 64) {
          WaitFlag<HardEvent::M_MTE1>(empty_a_l0a_b_l0b + at_a_l0a_b_l0b.slot);
          loadSquares<8, 4, 1, 8, false>(a_l0a[at_a_l0a_b_l0b.slot], a[at_a_b.slot][kk * 128]);
          loadSquares<4, 8, 8, 1, true>(b_l0b[at_a_l0a_b_l0b.slot], b[at_a_b.slot][kk * 128]);
          SetFlag<HardEvent::MTE1_M>(full_a_l0a_b_l0b + at_a_l0a_b_l0b.slot);
          WaitFlag<HardEvent::MTE1_M>(full_a_l0a_b_l0b + at_a_l0a_b_l0b.slot);
          Mmad(acc[at_acc.slot], a_l0a[at_a_l0a_b_l0b.slot], b_l0b[at_a_l0a_b_l0b.slot],
              product(128, 128, 64, (k != 0) || (kk != 0)));
          SetFlag<HardEvent::M_MTE1>(empty_a_l0a_b_l0b + at_a_l0a_b_l0b.slot);
          at_a_l0a_b_l0b = at_a_l0a_b_l0b.advance();
        }
        SetFlag<HardEvent::MTE1_MTE2>(empty_a_b + at_a_b.slot);
        at_a_b = at_a_b.advance();
      }
      SetFlag<HardEvent::M_FIX>(full_acc + at_acc.slot);
      WaitFlag<HardEvent::M_FIX>(full_acc + at_acc.slot);
      storeTile<128, 128>(C, {0, M, N, CStride0}, row, col, acc[at_acc.slot]);
      SetFlag<HardEvent::FIX_M>(empty_acc + at_acc.slot);
      at_acc = at_acc.advance();
    }
    WaitFlag<HardEvent::FIX_M>(empty_acc);
    WaitFlag<HardEvent::FIX_M>(empty_acc + 1);
    WaitFlag<HardEvent::MTE1_MTE2>(empty_a_b);
    WaitFlag<HardEvent::MTE1_MTE2>(empty_a_b + 1);
    WaitFlag<HardEvent::M_MTE1>(empty_a_l0a_b_l0b);
    WaitFlag<HardEvent::M_MTE1>(empty_a_l0a_b_l0b + 1);
  }
  PipeBarrier<PIPE_ALL>();
}

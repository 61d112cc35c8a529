// Kernel gemm for ascend910b, printed by sluice: Ascend C, basic API, static-tensor mode.
// Every launch keeps: tiles <= 2146435072 (Gemm.cpp:16:25).
//
//   flag               event        ids  hands over
//   empty_a_b          MTE1_MTE2   0..3  a, b, free
//   full_a_l0a_b_l0b   MTE1_M      0..1  a_l0a, b_l0b, filled
//   full_a_b           MTE2_MTE1   0..3  a, b, filled
//   empty_a_l0a_b_l0b  M_MTE1      0..1  a_l0a, b_l0b, free
//   full_acc           M_FIX       0..1  acc, filled
//   empty_acc          FIX_M       0..1  acc, free
//
//   tile             memory  slots  bytes  address
//   acc              l0c         2   4096        0  f32 32 x 32 zN
//   a                l1          4   2048        0  f16 32 x 32 zN
//   b                l1          4   2048     8192  f16 32 x 32 zN
//   a_l0a            l0a         2   2048        0  f16 32 x 32 zZ
//   b_l0b            l0b         2   2048        0  f16 32 x 32 nZ
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
  const LocalTensor<float> acc[2] = {
      LocalTensor<float>(TPosition::CO1, 0, 1024),
      LocalTensor<float>(TPosition::CO1, 4096, 1024)};
  const LocalTensor<half> a[4] = {
      LocalTensor<half>(TPosition::A1, 0, 1024),
      LocalTensor<half>(TPosition::A1, 2048, 1024),
      LocalTensor<half>(TPosition::A1, 4096, 1024),
      LocalTensor<half>(TPosition::A1, 6144, 1024)};
  const LocalTensor<half> b[4] = {
      LocalTensor<half>(TPosition::B1, 8192, 1024),
      LocalTensor<half>(TPosition::B1, 10240, 1024),
      LocalTensor<half>(TPosition::B1, 12288, 1024),
      LocalTensor<half>(TPosition::B1, 14336, 1024)};
  const LocalTensor<half> a_l0a[2] = {
      LocalTensor<half>(TPosition::A2, 0, 1024),
      LocalTensor<half>(TPosition::A2, 2048, 1024)};
  const LocalTensor<half> b_l0b[2] = {
      LocalTensor<half>(TPosition::B2, 0, 1024),
      LocalTensor<half>(TPosition::B2, 2048, 1024)};
  constexpr int32_t empty_a_b = 0; // MTE1_MTE2 0..3
  constexpr int32_t full_a_l0a_b_l0b = 0; // MTE1_M 0..1
  constexpr int32_t full_a_b = 0; // MTE2_MTE1 0..3
  constexpr int32_t empty_a_l0a_b_l0b = 0; // M_MTE1 0..1
  constexpr int32_t full_acc = 0; // M_FIX 0..1
  constexpr int32_t empty_acc = 0; // FIX_M 0..1
  const int rows = ceilDiv(M, 32);
  const int cols = ceilDiv(N, 32);
  const int tiles = rows * cols;
  const int ctas = min(tiles, 24);
  const int cta = int(GetBlockIdx());
  if ASCEND_IS_AIC { // cube
    SetFlag<HardEvent::FIX_M>(empty_acc);
    SetFlag<HardEvent::FIX_M>(empty_acc + 1);
    SetFlag<HardEvent::MTE1_MTE2>(empty_a_b);
    SetFlag<HardEvent::MTE1_MTE2>(empty_a_b + 1);
    SetFlag<HardEvent::MTE1_MTE2>(empty_a_b + 2);
    SetFlag<HardEvent::MTE1_MTE2>(empty_a_b + 3);
    SetFlag<HardEvent::M_MTE1>(empty_a_l0a_b_l0b);
    SetFlag<HardEvent::M_MTE1>(empty_a_l0a_b_l0b + 1);
    Cursor<2> at_acc;
    Cursor<4> at_a_b;
    Cursor<2> at_a_l0a_b_l0b;
    for (int tile = cta; tile < tiles; tile += ctas) {
      const int j = tile % cols;
      const int i = tile / cols;
      const int row = i * 32;
      const int col = j * 32;
      WaitFlag<HardEvent::FIX_M>(empty_acc + at_acc.slot);
      for (int k = 0; k < max(ceilDiv(K, 32), 1); ++k) {
        const int depth = k * 32;
        WaitFlag<HardEvent::MTE1_MTE2>(empty_a_b + at_a_b.slot);
        loadTile<32, 32>(a[at_a_b.slot], A, {0, AExtent0, K, AStride0}, row, depth);
        loadTile<32, 32>(b[at_a_b.slot], B, {0, BExtent0, BExtent1, BStride0}, depth, col);
        SetFlag<HardEvent::MTE2_MTE1>(full_a_b + at_a_b.slot);
        WaitFlag<HardEvent::MTE2_MTE1>(full_a_b + at_a_b.slot);
        WaitFlag<HardEvent::M_MTE1>(empty_a_l0a_b_l0b + at_a_l0a_b_l0b.slot);
        loadFractals<2, 2, 1, 2, false>(a_l0a[at_a_l0a_b_l0b.slot], a[at_a_b.slot]);
        loadFractals<2, 2, 1, 2, true>(b_l0b[at_a_l0a_b_l0b.slot], b[at_a_b.slot]);
        SetFlag<HardEvent::MTE1_M>(full_a_l0a_b_l0b + at_a_l0a_b_l0b.slot);
        SetFlag<HardEvent::MTE1_MTE2>(empty_a_b + at_a_b.slot);
        WaitFlag<HardEvent::MTE1_M>(full_a_l0a_b_l0b + at_a_l0a_b_l0b.slot);
        PipeBarrier<PIPE_M>();
        Mmad(acc[at_acc.slot], a_l0a[at_a_l0a_b_l0b.slot], b_l0b[at_a_l0a_b_l0b.slot],
            product(32, 32, 32, k != 0));
        SetFlag<HardEvent::M_MTE1>(empty_a_l0a_b_l0b + at_a_l0a_b_l0b.slot);
        at_a_b = at_a_b.advance();
        at_a_l0a_b_l0b = at_a_l0a_b_l0b.advance();
      }
      SetFlag<HardEvent::M_FIX>(full_acc + at_acc.slot);
      WaitFlag<HardEvent::M_FIX>(full_acc + at_acc.slot);
      storeTile<32, 32>(C, {0, M, N, CStride0}, row, col, acc[at_acc.slot]);
      SetFlag<HardEvent::FIX_M>(empty_acc + at_acc.slot);
      at_acc = at_acc.advance();
    }
    WaitFlag<HardEvent::FIX_M>(empty_acc);
    WaitFlag<HardEvent::FIX_M>(empty_acc + 1);
    WaitFlag<HardEvent::MTE1_MTE2>(empty_a_b);
    WaitFlag<HardEvent::MTE1_MTE2>(empty_a_b + 1);
    WaitFlag<HardEvent::MTE1_MTE2>(empty_a_b + 2);
    WaitFlag<HardEvent::MTE1_MTE2>(empty_a_b + 3);
    WaitFlag<HardEvent::M_MTE1>(empty_a_l0a_b_l0b);
    WaitFlag<HardEvent::M_MTE1>(empty_a_l0a_b_l0b + 1);
  }
  PipeBarrier<PIPE_ALL>();
}

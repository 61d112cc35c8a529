// Kernel gemm for ascend910b, printed by sluice: Ascend C, basic API, static-tensor mode.
// Every launch keeps: tiles <= 2146435072 (Gemm.cpp:16:25).
//
//   flag               event        ids  hands over
//   empty_a_b          MTE1_MTE2   0..1  a, b, free
//   full_a_l0a_b_l0b   MTE1_M      0..1  a_l0a, b_l0b, filled
//   full_a_b           MTE2_MTE1   0..1  a, b, filled
//   empty_a_l0a_b_l0b  M_MTE1      0..1  a_l0a, b_l0b, free
//   full_acc           M_FIX          0  acc, filled
//   empty_acc          FIX_M          0  acc, free
//
//   tile             memory  slots  bytes  address
//   acc              l0c         1  131072        0  i32 128 x 256 zN
//   a                l1          2  65536        0  s8 128 x 512 nZ
//   b                l1          2  131072   131072  s8 512 x 256 zN
//   a_l0a            l0a         2  16384        0  s8 128 x 128 zZ
//   b_l0b            l0b         2  32768        0  s8 128 x 256 nZ
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
  GlobalTensor<int8_t> A;
  A.SetGlobalBuffer(reinterpret_cast<__gm__ int8_t *>(AGlobal));
  GlobalTensor<int8_t> B;
  B.SetGlobalBuffer(reinterpret_cast<__gm__ int8_t *>(BGlobal));
  GlobalTensor<int32_t> C;
  C.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t *>(CGlobal));
  const LocalTensor<int32_t> acc(TPosition::CO1, 0, 32768);
  const LocalTensor<int8_t> a[2] = {
      LocalTensor<int8_t>(TPosition::A1, 0, 65536),
      LocalTensor<int8_t>(TPosition::A1, 65536, 65536)};
  const LocalTensor<int8_t> b[2] = {
      LocalTensor<int8_t>(TPosition::B1, 131072, 131072),
      LocalTensor<int8_t>(TPosition::B1, 262144, 131072)};
  const LocalTensor<int8_t> a_l0a[2] = {
      LocalTensor<int8_t>(TPosition::A2, 0, 16384),
      LocalTensor<int8_t>(TPosition::A2, 16384, 16384)};
  const LocalTensor<int8_t> b_l0b[2] = {
      LocalTensor<int8_t>(TPosition::B2, 0, 32768),
      LocalTensor<int8_t>(TPosition::B2, 32768, 32768)};
  constexpr int32_t empty_a_b = 0; // MTE1_MTE2 0..1
  constexpr int32_t full_a_l0a_b_l0b = 0; // MTE1_M 0..1
  constexpr int32_t full_a_b = 0; // MTE2_MTE1 0..1
  constexpr int32_t empty_a_l0a_b_l0b = 0; // M_MTE1 0..1
  constexpr int32_t full_acc = 0; // M_FIX 0
  constexpr int32_t empty_acc = 0; // FIX_M 0
  const int rows = ceilDiv(M, 128);
  const int cols = ceilDiv(N, 256);
  const int tiles = rows * cols;
  const int ctas = min(tiles, 24);
  const int cta = int(GetBlockIdx());
  if ASCEND_IS_AIC { // cube
    SetFlag<HardEvent::FIX_M>(empty_acc);
    SetFlag<HardEvent::MTE1_MTE2>(empty_a_b);
    SetFlag<HardEvent::MTE1_MTE2>(empty_a_b + 1);
    SetFlag<HardEvent::M_MTE1>(empty_a_l0a_b_l0b);
    SetFlag<HardEvent::M_MTE1>(empty_a_l0a_b_l0b + 1);
    Cursor<2> at_a_b;
    Cursor<2> at_a_l0a_b_l0b;
    for (int tile = cta; tile < tiles; tile += ctas) {
      const int groupTiles = cols * 7;
      const int group = tile / groupTiles;
      const int groupRow = group * 7;
      const int inGroup = tile % groupTiles;
      const int groupRows = min(rows - groupRow, 7);
      const int across = inGroup / groupRows;
      const int i = groupRow + inGroup % groupRows;
      const int j = (group % 2) == 1 ? (cols - 1 - across) : across;
      const int row = i * 128;
      const int col = j * 256;
      WaitFlag<HardEvent::FIX_M>(empty_acc);
      for (int k = 0; k < max(ceilDiv(K, 512), 1); ++k) {
        const int depth = k * 512;
        WaitFlag<HardEvent::MTE1_MTE2>(empty_a_b + at_a_b.slot);
        loadTile<512, 128>(a[at_a_b.slot], A, {0, K, AExtent0, AStride1}, depth, row);
        loadTile<512, 256>(b[at_a_b.slot], B, {0, BExtent0, BExtent1, BStride0}, depth, col);
        SetFlag<HardEvent::MTE2_MTE1>(full_a_b + at_a_b.slot);
        WaitFlag<HardEvent::MTE2_MTE1>(full_a_b + at_a_b.slot);
        for (int kk = 0; kk < 512; kk += 128) {
          WaitFlag<HardEvent::M_MTE1>(empty_a_l0a_b_l0b + at_a_l0a_b_l0b.slot);
          loadSquares<4, 4, 16, 1, true>(a_l0a[at_a_l0a_b_l0b.slot], a[at_a_b.slot][kk * 32]);
          loadSquares<4, 8, 1, 16, false>(b_l0b[at_a_l0a_b_l0b.slot], b[at_a_b.slot][kk * 32]);
          SetFlag<HardEvent::MTE1_M>(full_a_l0a_b_l0b + at_a_l0a_b_l0b.slot);
          WaitFlag<HardEvent::MTE1_M>(full_a_l0a_b_l0b + at_a_l0a_b_l0b.slot);
          Mmad(acc, a_l0a[at_a_l0a_b_l0b.slot], b_l0b[at_a_l0a_b_l0b.slot],
              product(128, 256, 128, (k != 0) || (kk != 0)));
          SetFlag<HardEvent::M_MTE1>(empty_a_l0a_b_l0b + at_a_l0a_b_l0b.slot);
          at_a_l0a_b_l0b = at_a_l0a_b_l0b.advance();
        }
        SetFlag<HardEvent::MTE1_MTE2>(empty_a_b + at_a_b.slot);
        at_a_b = at_a_b.advance();
      }
      SetFlag<HardEvent::M_FIX>(full_acc);
      WaitFlag<HardEvent::M_FIX>(full_acc);
      storeTile<128, 256>(C, {0, M, N, CStride0}, row, col, acc);
      SetFlag<HardEvent::FIX_M>(empty_acc);
    }
    WaitFlag<HardEvent::FIX_M>(empty_acc);
    WaitFlag<HardEvent::MTE1_MTE2>(empty_a_b);
    WaitFlag<HardEvent::MTE1_MTE2>(empty_a_b + 1);
    WaitFlag<HardEvent::M_MTE1>(empty_a_l0a_b_l0b);
    WaitFlag<HardEvent::M_MTE1>(empty_a_l0a_b_l0b + 1);
  }
  PipeBarrier<PIPE_ALL>();
}

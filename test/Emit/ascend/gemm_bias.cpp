// Kernel gemm for ascend910b, printed by sluice: Ascend C, basic API, static-tensor mode.
// Every launch keeps: tiles <= 2146435072 (Gemm.cpp:16:25).
// Workspace acc_workspace: 5898240 bytes.
//
//   flag               event        ids  hands over
//   empty_a_b          MTE1_MTE2   0..1  a, b, free
//   full_a_l0a_b_l0b   MTE1_M      0..1  a_l0a, b_l0b, filled
//   full_a_b           MTE2_MTE1   0..1  a, b, filled
//   full_bias          MTE2_V         0  bias1, filled
//   full_acc_ub        MTE2_V         1  acc_ub, filled
//   empty_c            MTE3_V         0  c, free
//   empty_a_l0a_b_l0b  M_MTE1      0..1  a_l0a, b_l0b, free
//   full_acc           M_FIX          0  acc, filled
//   empty_acc          FIX_M          0  acc, free
//   empty_bias         V_MTE2         0  bias1, free
//   empty_acc_ub       V_MTE2         1  acc_ub, free
//   full_c             V_MTE3         0  c, filled
//
//   between cores                  id  from      hands over
//   full_acc_workspace              0  cube      acc_workspace, filled
//   empty_acc_workspace             1  vector    acc_workspace, free
//
//   tile             memory  slots  bytes  address
//   bias_whole       ub          1    768        0  f32 1 x 192 row
//   acc              l0c         1  122880        0  f32 160 x 192 zN
//   a                l1          2  81920        0  f16 160 x 256 zN
//   b                l1          2  98304   163840  f16 256 x 192 zN
//   a_l0a            l0a         2  20480        0  f16 160 x 64 zZ
//   b_l0b            l0b         2  24576        0  f16 64 x 192 nZ
//   bias1            ub          1    768     1024  f32 1 x 192 row
//   c                ub          1  61440     2048  f32 80 x 192 row
//   acc_ub           ub          1  61440    63488  f32 80 x 192 row
#include "kernel_operator.h"
#include <sluice/cube.h>
#include <sluice/vector.h>

using namespace AscendC;
using namespace sluice;

extern "C" __global__ __aicore__ void
gemm(GM_ADDR AGlobal, GM_ADDR BGlobal, GM_ADDR acc_workspaceGlobal, GM_ADDR biasGlobal,
    GM_ADDR CGlobal, int M, int N, int K, int biasExtent1, int biasExtent0, int AExtent0,
    int BExtent0, int BExtent1, i64 AStride0, i64 BStride0, i64 acc_workspaceStride0,
    i64 biasStride0, i64 CStride0) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  InitSocState();
  using sluice::min;
  using sluice::max;
  GlobalTensor<half> A;
  A.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(AGlobal));
  GlobalTensor<half> B;
  B.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(BGlobal));
  GlobalTensor<float> bias;
  bias.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(biasGlobal));
  GlobalTensor<float> C;
  C.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(CGlobal));
  GlobalTensor<float> acc_workspace;
  acc_workspace.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(acc_workspaceGlobal));
  const LocalTensor<float> bias_whole(TPosition::VECCALC, 0, 192);
  const LocalTensor<float> acc(TPosition::CO1, 0, 30720);
  const LocalTensor<half> a[2] = {
      LocalTensor<half>(TPosition::A1, 0, 40960),
      LocalTensor<half>(TPosition::A1, 81920, 40960)};
  const LocalTensor<half> b[2] = {
      LocalTensor<half>(TPosition::B1, 163840, 49152),
      LocalTensor<half>(TPosition::B1, 262144, 49152)};
  const LocalTensor<half> a_l0a[2] = {
      LocalTensor<half>(TPosition::A2, 0, 10240),
      LocalTensor<half>(TPosition::A2, 20480, 10240)};
  const LocalTensor<half> b_l0b[2] = {
      LocalTensor<half>(TPosition::B2, 0, 12288),
      LocalTensor<half>(TPosition::B2, 24576, 12288)};
  const LocalTensor<float> bias1(TPosition::VECCALC, 1024, 192);
  const LocalTensor<float> c(TPosition::VECCALC, 2048, 15360);
  const LocalTensor<float> acc_ub(TPosition::VECCALC, 63488, 15360);
  constexpr int32_t empty_a_b = 0; // MTE1_MTE2 0..1
  constexpr int32_t full_a_l0a_b_l0b = 0; // MTE1_M 0..1
  constexpr int32_t full_a_b = 0; // MTE2_MTE1 0..1
  constexpr int32_t full_bias = 0; // MTE2_V 0
  constexpr int32_t full_acc_ub = 1; // MTE2_V 1
  constexpr int32_t empty_c = 0; // MTE3_V 0
  constexpr int32_t empty_a_l0a_b_l0b = 0; // M_MTE1 0..1
  constexpr int32_t full_acc = 0; // M_FIX 0
  constexpr int32_t empty_acc = 0; // FIX_M 0
  constexpr int32_t empty_bias = 0; // V_MTE2 0
  constexpr int32_t empty_acc_ub = 1; // V_MTE2 1
  constexpr int32_t full_c = 0; // V_MTE3 0
  constexpr uint16_t full_acc_workspace = 0; // between cores
  constexpr uint16_t empty_acc_workspace = 1; // between cores
  const int rows = ceilDiv(M, 160);
  const int cols = ceilDiv(N, 192);
  const int tiles = rows * cols;
  const int ctas = min(tiles, 24);
  const int cta = coreOfBlock();
  if ASCEND_IS_AIC { // cube
    SetFlag<HardEvent::FIX_M>(empty_acc);
    SetFlag<HardEvent::MTE1_MTE2>(empty_a_b);
    SetFlag<HardEvent::MTE1_MTE2>(empty_a_b + 1);
    SetFlag<HardEvent::M_MTE1>(empty_a_l0a_b_l0b);
    SetFlag<HardEvent::M_MTE1>(empty_a_l0a_b_l0b + 1);
    Cursor<2> at_a_b;
    Cursor<2> at_a_l0a_b_l0b;
    Cursor<2> at_acc_workspace;
    for (int tile = cta; tile < tiles; tile += ctas) {
      const int groupTiles = cols * 5;
      const int group = tile / groupTiles;
      const int groupRow = group * 5;
      const int inGroup = tile % groupTiles;
      const int groupRows = min(rows - groupRow, 5);
      const int across = inGroup / groupRows;
      const int i = groupRow + inGroup % groupRows;
      const int j = (group % 2) == 1 ? (cols - 1 - across) : across;
      const int row = i * 160;
      const int col = j * 192;
      WaitFlag<HardEvent::FIX_M>(empty_acc);
      for (int k = 0; k < max(ceilDiv(K, 256), 1); ++k) {
        const int depth = k * 256;
        WaitFlag<HardEvent::MTE1_MTE2>(empty_a_b + at_a_b.slot);
        loadTile<160, 256>(a[at_a_b.slot], A, {0, AExtent0, K, AStride0}, row, depth);
        loadTile<256, 192>(b[at_a_b.slot], B, {0, BExtent0, BExtent1, BStride0}, depth, col);
        SetFlag<HardEvent::MTE2_MTE1>(full_a_b + at_a_b.slot);
        WaitFlag<HardEvent::MTE2_MTE1>(full_a_b + at_a_b.slot);
        for (int kk = 0; kk < 256; kk += 64) {
          WaitFlag<HardEvent::M_MTE1>(empty_a_l0a_b_l0b + at_a_l0a_b_l0b.slot);
          loadFractals<10, 4, 1, 10, false>(a_l0a[at_a_l0a_b_l0b.slot], a[at_a_b.slot][kk * 160]);
          loadFractals<4, 12, 1, 16, true>(b_l0b[at_a_l0a_b_l0b.slot], b[at_a_b.slot][kk * 16]);
          SetFlag<HardEvent::MTE1_M>(full_a_l0a_b_l0b + at_a_l0a_b_l0b.slot);
          WaitFlag<HardEvent::MTE1_M>(full_a_l0a_b_l0b + at_a_l0a_b_l0b.slot);
          Mmad(acc, a_l0a[at_a_l0a_b_l0b.slot], b_l0b[at_a_l0a_b_l0b.slot],
              product(160, 192, 64, (k != 0) || (kk != 0)));
          SetFlag<HardEvent::M_MTE1>(empty_a_l0a_b_l0b + at_a_l0a_b_l0b.slot);
          at_a_l0a_b_l0b = at_a_l0a_b_l0b.advance();
        }
        SetFlag<HardEvent::MTE1_MTE2>(empty_a_b + at_a_b.slot);
        at_a_b = at_a_b.advance();
      }
      SetFlag<HardEvent::M_FIX>(full_acc);
      WaitFlag<HardEvent::M_FIX>(full_acc);
      CrossCoreWaitFlag(empty_acc_workspace);
      storeTile<160, 192>(acc_workspace, {0, 7680, 192, acc_workspaceStride0}, cta * 320
          + at_acc_workspace.slot * 160, 0, acc);
      CrossCoreSetFlag<2, PIPE_FIX>(full_acc_workspace);
      SetFlag<HardEvent::FIX_M>(empty_acc);
      at_acc_workspace = at_acc_workspace.advance();
    }
    WaitFlag<HardEvent::FIX_M>(empty_acc);
    WaitFlag<HardEvent::MTE1_MTE2>(empty_a_b);
    WaitFlag<HardEvent::MTE1_MTE2>(empty_a_b + 1);
    WaitFlag<HardEvent::M_MTE1>(empty_a_l0a_b_l0b);
    WaitFlag<HardEvent::M_MTE1>(empty_a_l0a_b_l0b + 1);
    CrossCoreWaitFlag(empty_acc_workspace);
    CrossCoreWaitFlag(empty_acc_workspace);
  }
  if ASCEND_IS_AIV { // vector
    CrossCoreSetFlag<2, PIPE_MTE2>(empty_acc_workspace);
    CrossCoreSetFlag<2, PIPE_MTE2>(empty_acc_workspace);
    SetFlag<HardEvent::V_MTE2>(empty_bias);
    SetFlag<HardEvent::MTE3_V>(empty_c);
    SetFlag<HardEvent::V_MTE2>(empty_acc_ub);
    Cursor<2> at_acc_workspace;
    for (int tile = cta; tile < tiles; tile += ctas) {
      const int groupTiles = cols * 5;
      const int group = tile / groupTiles;
      const int groupRow = group * 5;
      const int inGroup = tile % groupTiles;
      const int groupRows = min(rows - groupRow, 5);
      const int across = inGroup / groupRows;
      const int i = groupRow + inGroup % groupRows;
      const int j = (group % 2) == 1 ? (cols - 1 - across) : across;
      const int row = i * 160;
      const int col = j * 192;
      const int n = int(GetSubBlockIdx()) * 80;
      WaitFlag<HardEvent::V_MTE2>(empty_bias);
      loadRows<1, 192>(bias1, bias, {0, biasExtent0, biasExtent1, biasStride0}, 0, col);
      SetFlag<HardEvent::MTE2_V>(full_bias);
      WaitFlag<HardEvent::MTE2_V>(full_bias);
      PipeBarrier<PIPE_V>();
      DataCopy(bias_whole, bias1, 192);
      SetFlag<HardEvent::V_MTE2>(empty_bias);
      PipeBarrier<PIPE_V>();
      fillColumns<1, 192, 0>(bias_whole, biasExtent0 > 0 ? (biasExtent1 - col) : 0, 0.0f);
      CrossCoreWaitFlag(full_acc_workspace);
      WaitFlag<HardEvent::V_MTE2>(empty_acc_ub);
      loadRows<80, 192>(acc_ub, acc_workspace, {0, 7680, 192, acc_workspaceStride0}, cta * 320
          + at_acc_workspace.slot * 160 + n, 0);
      SetFlag<HardEvent::MTE2_V>(full_acc_ub);
      CrossCoreSetFlag<2, PIPE_MTE2>(empty_acc_workspace);
      WaitFlag<HardEvent::MTE3_V>(empty_c);
      WaitFlag<HardEvent::MTE2_V>(full_acc_ub);
      PipeBarrier<PIPE_V>();
      for (int i = 0; i < 3; ++i)
        Add(c[i * 64], acc_ub[i * 64], bias_whole[i * 64], 64, 80, {1, 1, 1, 24, 24, 0});
      SetFlag<HardEvent::V_MTE2>(empty_acc_ub);
      PipeBarrier<PIPE_V>();
      Maxs(c, c, 0.0f, 15360);
      SetFlag<HardEvent::V_MTE3>(full_c);
      WaitFlag<HardEvent::V_MTE3>(full_c);
      storeRows<80, 192>(C, {0, M, N, CStride0}, row + n, col, c);
      SetFlag<HardEvent::MTE3_V>(empty_c);
      at_acc_workspace = at_acc_workspace.advance();
    }
    WaitFlag<HardEvent::V_MTE2>(empty_bias);
    WaitFlag<HardEvent::MTE3_V>(empty_c);
    WaitFlag<HardEvent::V_MTE2>(empty_acc_ub);
  }
  PipeBarrier<PIPE_ALL>();
}

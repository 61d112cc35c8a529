// Kernel attention for ascend910b, printed by sluice: Ascend C, basic API, static-tensor mode.
// Every launch keeps: K has as many batches as Q (Attention.cpp:30:11).
// Every launch keeps: K has a head (Attention.cpp:31:11).
// Every launch keeps: the heads of K divide those of Q (Attention.cpp:46:11).
// Every launch keeps: V has the extents of K (Attention.cpp:48:13).
// Every launch keeps: tiles <= 2146435072 (Attention.cpp:52:39).
// Every launch keeps: matrixTiles <= 2146435072 (Attention.cpp:52:39).
// Workspace s_workspace: 3145728 bytes.
// Workspace p_workspace: 1572864 bytes.
// Workspace values_workspace: 3145728 bytes.
//
//   flag               event        ids  hands over
//   empty_q            MTE1_MTE2      0  q, free
//   empty_k            MTE1_MTE2   1..2  k, free
//   empty_v_p_l1       MTE1_MTE2   3..4  v, p_l1, free
//   full_q_l0a         MTE1_M         0  q_l0a, filled
//   full_k_l0b         MTE1_M      1..2  k_l0b, filled
//   full_p_l1_l0a_v_l0b MTE1_M      3..4  p_l1_l0a, v_l0b, filled
//   full_q             MTE2_MTE1      0  q, filled
//   full_k             MTE2_MTE1   1..2  k, filled
//   full_v_p_l1        MTE2_MTE1   3..4  v, p_l1, filled
//   full_s_ub          MTE2_V         0  s_ub, filled
//   full_values_ub     MTE2_V         1  values_ub, filled
//   empty_p            MTE3_V         0  p, free
//   empty_result       MTE3_V         1  result, free
//   empty_q_l0a        M_MTE1         0  q_l0a, free
//   empty_k_l0b        M_MTE1      1..2  k_l0b, free
//   empty_p_l1_l0a_v_l0b M_MTE1      3..4  p_l1_l0a, v_l0b, free
//   full_s             M_FIX          0  s, filled
//   full_values        M_FIX          1  values, filled
//   empty_s            FIX_M          0  s, free
//   empty_values       FIX_M          1  values, free
//   empty_s_ub         V_MTE2         0  s_ub, free
//   empty_values_ub    V_MTE2         1  values_ub, free
//   full_p             V_MTE3         0  p, filled
//   full_result        V_MTE3         1  result, filled
//
//   between cores                  id  from      hands over
//   full_s_workspace                0  cube      s_workspace, filled
//   empty_s_workspace               1  vector    s_workspace, free
//   full_p_workspace                2  vector    p_workspace, filled
//   empty_p_workspace               3  cube      p_workspace, free
//   full_values_workspace           4  cube      values_workspace, filled
//   empty_values_workspace          5  vector    values_workspace, free
//
//   tile             memory  slots  bytes  address
//   t2               ub          1    256        0  f32 64 x 1 row
//   t1               ub          1   2048      512  f32 64 x 8 row
//   t0               ub          1  16384     2560  f32 64 x 64 row
//   q                l1          1  32768        0  bf16 128 x 128 zN
//   q_l0a            l0a         1  32768        0  bf16 256 x 64 zZ
//   o                ub          1  32768    18944  f32 64 x 128 row
//   most             ub          1    256    51712  f32 64 x 1 row
//   sum              ub          1    256    52224  f32 64 x 1 row
//   p                ub          1  16384    52736  bf16 64 x 128 row
//   weighed          ub          1  32768    69120  f32 64 x 128 row
//   less             ub          1    256   101888  f32 64 x 1 row
//   k                l1          2  32768    32768  bf16 128 x 128 zN
//   s                l0c         1  65536        0  f32 128 x 128 zN
//   k_l0b            l0b         2  16384        0  bf16 64 x 128 nZ
//   v                l1          2  32768    98304  bf16 128 x 128 zN
//   values           l0c         1  65536    65536  f32 128 x 128 zN
//   p_l1             l1          2  32768   163840  bf16 128 x 128 zN
//   p_l1_l0a         l0a         2  16384    32768  bf16 128 x 64 zZ
//   v_l0b            l0b         2  16384    32768  bf16 64 x 128 nZ
//   s_ub             ub          1  32768   102400  f32 64 x 128 row
//   largest          ub          1    256   135168  f32 64 x 1 row
//   weights          ub          1    256   135680  f32 64 x 1 row
//   values_ub        ub          1  32768   136192  f32 64 x 128 row
//   result           ub          1  16384   168960  bf16 64 x 128 row
#include "kernel_operator.h"
#include <sluice/cube.h>
#include <sluice/vector.h>

using namespace AscendC;
using namespace sluice;

extern "C" __global__ __aicore__ void
attention(GM_ADDR QGlobal, GM_ADDR KGlobal, GM_ADDR s_workspaceGlobal, GM_ADDR VGlobal,
    GM_ADDR p_workspaceGlobal, GM_ADDR values_workspaceGlobal, GM_ADDR OGlobal, int queries,
    int keys, int QExtent0, int KExtent2, int QExtent2, int KExtent0, int VExtent0, int VExtent2,
    int VExtent1, int OExtent0, int OExtent2, int OExtent1, i64 QStride0, i64 QStride2,
    i64 QStride1, i64 KStride0, i64 KStride2, i64 KStride1, i64 s_workspaceStride0, i64 VStride0,
    i64 VStride2, i64 VStride1, i64 p_workspaceStride0, i64 values_workspaceStride0, i64 OStride0,
    i64 OStride2, i64 OStride1) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  InitSocState();
  using sluice::min;
  using sluice::max;
  GlobalTensor<bfloat16_t> Q;
  Q.SetGlobalBuffer(reinterpret_cast<__gm__ bfloat16_t *>(QGlobal));
  GlobalTensor<bfloat16_t> K;
  K.SetGlobalBuffer(reinterpret_cast<__gm__ bfloat16_t *>(KGlobal));
  GlobalTensor<bfloat16_t> V;
  V.SetGlobalBuffer(reinterpret_cast<__gm__ bfloat16_t *>(VGlobal));
  GlobalTensor<bfloat16_t> O;
  O.SetGlobalBuffer(reinterpret_cast<__gm__ bfloat16_t *>(OGlobal));
  GlobalTensor<float> s_workspace;
  s_workspace.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(s_workspaceGlobal));
  GlobalTensor<bfloat16_t> p_workspace;
  p_workspace.SetGlobalBuffer(reinterpret_cast<__gm__ bfloat16_t *>(p_workspaceGlobal));
  GlobalTensor<float> values_workspace;
  values_workspace.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(values_workspaceGlobal));
  const LocalTensor<float> t2(TPosition::VECCALC, 0, 64);
  const LocalTensor<float> t1(TPosition::VECCALC, 512, 512);
  const LocalTensor<float> t0(TPosition::VECCALC, 2560, 4096);
  const LocalTensor<bfloat16_t> q(TPosition::A1, 0, 16384);
  const LocalTensor<bfloat16_t> q_l0a(TPosition::A2, 0, 16384);
  const LocalTensor<float> o(TPosition::VECCALC, 18944, 8192);
  const LocalTensor<float> most(TPosition::VECCALC, 51712, 64);
  const LocalTensor<float> sum(TPosition::VECCALC, 52224, 64);
  const LocalTensor<bfloat16_t> p(TPosition::VECCALC, 52736, 8192);
  const LocalTensor<float> weighed(TPosition::VECCALC, 69120, 8192);
  const LocalTensor<float> less(TPosition::VECCALC, 101888, 64);
  const LocalTensor<bfloat16_t> k[2] = {
      LocalTensor<bfloat16_t>(TPosition::B1, 32768, 16384),
      LocalTensor<bfloat16_t>(TPosition::B1, 65536, 16384)};
  const LocalTensor<float> s(TPosition::CO1, 0, 16384);
  const LocalTensor<bfloat16_t> k_l0b[2] = {
      LocalTensor<bfloat16_t>(TPosition::B2, 0, 8192),
      LocalTensor<bfloat16_t>(TPosition::B2, 16384, 8192)};
  const LocalTensor<bfloat16_t> v[2] = {
      LocalTensor<bfloat16_t>(TPosition::B1, 98304, 16384),
      LocalTensor<bfloat16_t>(TPosition::B1, 131072, 16384)};
  const LocalTensor<float> values(TPosition::CO1, 65536, 16384);
  const LocalTensor<bfloat16_t> p_l1[2] = {
      LocalTensor<bfloat16_t>(TPosition::A1, 163840, 16384),
      LocalTensor<bfloat16_t>(TPosition::A1, 196608, 16384)};
  const LocalTensor<bfloat16_t> p_l1_l0a[2] = {
      LocalTensor<bfloat16_t>(TPosition::A2, 32768, 8192),
      LocalTensor<bfloat16_t>(TPosition::A2, 49152, 8192)};
  const LocalTensor<bfloat16_t> v_l0b[2] = {
      LocalTensor<bfloat16_t>(TPosition::B2, 32768, 8192),
      LocalTensor<bfloat16_t>(TPosition::B2, 49152, 8192)};
  const LocalTensor<float> s_ub(TPosition::VECCALC, 102400, 8192);
  const LocalTensor<float> largest(TPosition::VECCALC, 135168, 64);
  const LocalTensor<float> weights(TPosition::VECCALC, 135680, 64);
  const LocalTensor<float> values_ub(TPosition::VECCALC, 136192, 8192);
  const LocalTensor<bfloat16_t> result(TPosition::VECCALC, 168960, 8192);
  constexpr int32_t empty_q = 0; // MTE1_MTE2 0
  constexpr int32_t empty_k = 1; // MTE1_MTE2 1..2
  constexpr int32_t empty_v_p_l1 = 3; // MTE1_MTE2 3..4
  constexpr int32_t full_q_l0a = 0; // MTE1_M 0
  constexpr int32_t full_k_l0b = 1; // MTE1_M 1..2
  constexpr int32_t full_p_l1_l0a_v_l0b = 3; // MTE1_M 3..4
  constexpr int32_t full_q = 0; // MTE2_MTE1 0
  constexpr int32_t full_k = 1; // MTE2_MTE1 1..2
  constexpr int32_t full_v_p_l1 = 3; // MTE2_MTE1 3..4
  constexpr int32_t full_s_ub = 0; // MTE2_V 0
  constexpr int32_t full_values_ub = 1; // MTE2_V 1
  constexpr int32_t empty_p = 0; // MTE3_V 0
  constexpr int32_t empty_result = 1; // MTE3_V 1
  constexpr int32_t empty_q_l0a = 0; // M_MTE1 0
  constexpr int32_t empty_k_l0b = 1; // M_MTE1 1..2
  constexpr int32_t empty_p_l1_l0a_v_l0b = 3; // M_MTE1 3..4
  constexpr int32_t full_s = 0; // M_FIX 0
  constexpr int32_t full_values = 1; // M_FIX 1
  constexpr int32_t empty_s = 0; // FIX_M 0
  constexpr int32_t empty_values = 1; // FIX_M 1
  constexpr int32_t empty_s_ub = 0; // V_MTE2 0
  constexpr int32_t empty_values_ub = 1; // V_MTE2 1
  constexpr int32_t full_p = 0; // V_MTE3 0
  constexpr int32_t full_result = 1; // V_MTE3 1
  constexpr uint16_t full_s_workspace = 0; // between cores
  constexpr uint16_t empty_s_workspace = 1; // between cores
  constexpr uint16_t full_p_workspace = 2; // between cores
  constexpr uint16_t empty_p_workspace = 3; // between cores
  constexpr uint16_t full_values_workspace = 4; // between cores
  constexpr uint16_t empty_values_workspace = 5; // between cores
  const int shared = QExtent2 / KExtent2;
  const int blocks = ceilDiv(queries, 128);
  const int matrixTiles = blocks * QExtent2;
  const int tiles = matrixTiles * QExtent0;
  const int ctas = min(tiles, 24);
  const int cta = coreOfBlock();
  if ASCEND_IS_AIC { // cube
    SetFlag<HardEvent::MTE1_MTE2>(empty_q);
    SetFlag<HardEvent::M_MTE1>(empty_q_l0a);
    SetFlag<HardEvent::MTE1_MTE2>(empty_k);
    SetFlag<HardEvent::MTE1_MTE2>(empty_k + 1);
    SetFlag<HardEvent::FIX_M>(empty_s);
    SetFlag<HardEvent::M_MTE1>(empty_k_l0b);
    SetFlag<HardEvent::M_MTE1>(empty_k_l0b + 1);
    SetFlag<HardEvent::FIX_M>(empty_values);
    CrossCoreSetFlag<2, PIPE_MTE2>(empty_p_workspace);
    CrossCoreSetFlag<2, PIPE_MTE2>(empty_p_workspace);
    SetFlag<HardEvent::MTE1_MTE2>(empty_v_p_l1);
    SetFlag<HardEvent::MTE1_MTE2>(empty_v_p_l1 + 1);
    SetFlag<HardEvent::M_MTE1>(empty_p_l1_l0a_v_l0b);
    SetFlag<HardEvent::M_MTE1>(empty_p_l1_l0a_v_l0b + 1);
    Cursor<2> at_k;
    Cursor<2> at_k_l0b;
    Cursor<2> at_s_workspace;
    Cursor<2> at_v_p_l1;
    Cursor<2> at_p_workspace;
    Cursor<2> at_p_l1_l0a_v_l0b;
    Cursor<2> at_values_workspace;
    for (int tile = cta; tile < tiles; tile += ctas) {
      const int k1 = tile % QExtent0;
      const int n = tile / QExtent0;
      const int j = n % QExtent2;
      const int i = n / QExtent2;
      const int i1 = blocks - 1 - i;
      const int row = i1 * 128;
      const int kv = quotient(j, shared);
      const i64 diagonal = i64(row) + (keys - queries + 1);
      const int seen = int(min(i64(keys), diagonal + 127));
      WaitFlag<HardEvent::MTE1_MTE2>(empty_q);
      loadTile<128, 128>(q, Q, {i64(k1) * QStride0 + i64(j) * QStride2, k1 < QExtent0
          && j < QExtent2 ? queries : 0, 128, QStride1}, row, 0);
      SetFlag<HardEvent::MTE2_MTE1>(full_q);
      WaitFlag<HardEvent::MTE2_MTE1>(full_q);
      WaitFlag<HardEvent::M_MTE1>(empty_q_l0a);
      loadFractals<8, 4, 1, 8, false>(q_l0a, q);
      loadFractals<8, 4, 1, 8, false>(q_l0a[8192], q[8192]);
      SetFlag<HardEvent::MTE1_M>(full_q_l0a);
      SetFlag<HardEvent::MTE1_MTE2>(empty_q);
      const int steps = ceilDiv(max(seen, 0), 128) + 1;
      WaitFlag<HardEvent::MTE1_M>(full_q_l0a);
      for (int t = 0; t < steps; ++t) {
        const int first = t * 128;
        WaitFlag<HardEvent::MTE1_MTE2>(empty_k + at_k.slot);
        loadTile<128, 128>(k[at_k.slot], K,
            {i64(k1) * KStride0 + i64(kv) * KStride2, k1 < KExtent0 && kv < KExtent2 ? keys : 0,
            128, KStride1}, first, 0);
        SetFlag<HardEvent::MTE2_MTE1>(full_k + at_k.slot);
        WaitFlag<HardEvent::MTE2_MTE1>(full_k + at_k.slot);
        WaitFlag<HardEvent::FIX_M>(empty_s);
        for (int kk = 0; kk < 128; kk += 64) {
          WaitFlag<HardEvent::M_MTE1>(empty_k_l0b + at_k_l0b.slot);
          loadFractals<4, 8, 8, 1, false>(k_l0b[at_k_l0b.slot], k[at_k.slot][kk * 128]);
          SetFlag<HardEvent::MTE1_M>(full_k_l0b + at_k_l0b.slot);
          WaitFlag<HardEvent::MTE1_M>(full_k_l0b + at_k_l0b.slot);
          Mmad(s, q_l0a[(kk / 64 * 128) * 64], k_l0b[at_k_l0b.slot],
              product(128, 128, 64, kk != 0));
          SetFlag<HardEvent::M_MTE1>(empty_k_l0b + at_k_l0b.slot);
          at_k_l0b = at_k_l0b.advance();
        }
        SetFlag<HardEvent::M_FIX>(full_s);
        SetFlag<HardEvent::MTE1_MTE2>(empty_k + at_k.slot);
        WaitFlag<HardEvent::M_FIX>(full_s);
        CrossCoreWaitFlag(empty_s_workspace);
        const int n1 = cta * 256;
        storeTile<128, 128>(s_workspace, {0, 6144, 128, s_workspaceStride0}, n1
            + at_s_workspace.slot * 128, 0, s);
        CrossCoreSetFlag<2, PIPE_FIX>(full_s_workspace);
        SetFlag<HardEvent::FIX_M>(empty_s);
        const int before = max(first - 128, 0);
        WaitFlag<HardEvent::MTE1_MTE2>(empty_v_p_l1 + at_v_p_l1.slot);
        loadTile<128, 128>(v[at_v_p_l1.slot], V,
            {i64(k1) * VStride0 + i64(kv) * VStride2, k1 < VExtent0 && kv < VExtent2 ? VExtent1
            : 0, 128, VStride1}, before, 0);
        CrossCoreWaitFlag(full_p_workspace);
        loadTile<128, 128>(p_l1[at_v_p_l1.slot], p_workspace, {0, 6144, 128, p_workspaceStride0},
            n1 + at_p_workspace.slot * 128, 0);
        CrossCoreSetFlag<2, PIPE_MTE2>(empty_p_workspace);
        SetFlag<HardEvent::MTE2_MTE1>(full_v_p_l1 + at_v_p_l1.slot);
        WaitFlag<HardEvent::MTE2_MTE1>(full_v_p_l1 + at_v_p_l1.slot);
        WaitFlag<HardEvent::FIX_M>(empty_values);
        for (int kk1 = 0; kk1 < 128; kk1 += 64) {
          WaitFlag<HardEvent::M_MTE1>(empty_p_l1_l0a_v_l0b + at_p_l1_l0a_v_l0b.slot);
          loadFractals<8, 4, 1, 8, false>(p_l1_l0a[at_p_l1_l0a_v_l0b.slot],
              p_l1[at_v_p_l1.slot][kk1 * 128]);
          loadFractals<4, 8, 1, 8, true>(v_l0b[at_p_l1_l0a_v_l0b.slot],
              v[at_v_p_l1.slot][kk1 * 16]);
          SetFlag<HardEvent::MTE1_M>(full_p_l1_l0a_v_l0b + at_p_l1_l0a_v_l0b.slot);
          WaitFlag<HardEvent::MTE1_M>(full_p_l1_l0a_v_l0b + at_p_l1_l0a_v_l0b.slot);
          Mmad(values, p_l1_l0a[at_p_l1_l0a_v_l0b.slot], v_l0b[at_p_l1_l0a_v_l0b.slot],
              product(128, 128, 64, kk1 != 0));
          SetFlag<HardEvent::M_MTE1>(empty_p_l1_l0a_v_l0b + at_p_l1_l0a_v_l0b.slot);
          at_p_l1_l0a_v_l0b = at_p_l1_l0a_v_l0b.advance();
        }
        SetFlag<HardEvent::M_FIX>(full_values);
        SetFlag<HardEvent::MTE1_MTE2>(empty_v_p_l1 + at_v_p_l1.slot);
        WaitFlag<HardEvent::M_FIX>(full_values);
        CrossCoreWaitFlag(empty_values_workspace);
        storeTile<128, 128>(values_workspace, {0, 6144, 128, values_workspaceStride0}, n1
            + at_values_workspace.slot * 128, 0, values);
        CrossCoreSetFlag<2, PIPE_FIX>(full_values_workspace);
        SetFlag<HardEvent::FIX_M>(empty_values);
        at_k = at_k.advance();
        at_s_workspace = at_s_workspace.advance();
        at_v_p_l1 = at_v_p_l1.advance();
        at_p_workspace = at_p_workspace.advance();
        at_values_workspace = at_values_workspace.advance();
      }
      SetFlag<HardEvent::M_MTE1>(empty_q_l0a);
    }
    WaitFlag<HardEvent::MTE1_MTE2>(empty_q);
    WaitFlag<HardEvent::M_MTE1>(empty_q_l0a);
    WaitFlag<HardEvent::MTE1_MTE2>(empty_k);
    WaitFlag<HardEvent::MTE1_MTE2>(empty_k + 1);
    WaitFlag<HardEvent::FIX_M>(empty_s);
    WaitFlag<HardEvent::M_MTE1>(empty_k_l0b);
    WaitFlag<HardEvent::M_MTE1>(empty_k_l0b + 1);
    CrossCoreWaitFlag(empty_s_workspace);
    CrossCoreWaitFlag(empty_s_workspace);
    WaitFlag<HardEvent::FIX_M>(empty_values);
    WaitFlag<HardEvent::MTE1_MTE2>(empty_v_p_l1);
    WaitFlag<HardEvent::MTE1_MTE2>(empty_v_p_l1 + 1);
    WaitFlag<HardEvent::M_MTE1>(empty_p_l1_l0a_v_l0b);
    WaitFlag<HardEvent::M_MTE1>(empty_p_l1_l0a_v_l0b + 1);
    CrossCoreWaitFlag(empty_values_workspace);
    CrossCoreWaitFlag(empty_values_workspace);
  }
  if ASCEND_IS_AIV { // vector
    SetFlag<HardEvent::MTE3_V>(empty_p);
    CrossCoreSetFlag<2, PIPE_MTE2>(empty_s_workspace);
    CrossCoreSetFlag<2, PIPE_MTE2>(empty_s_workspace);
    CrossCoreSetFlag<2, PIPE_MTE2>(empty_values_workspace);
    CrossCoreSetFlag<2, PIPE_MTE2>(empty_values_workspace);
    SetFlag<HardEvent::V_MTE2>(empty_s_ub);
    SetFlag<HardEvent::V_MTE2>(empty_values_ub);
    SetFlag<HardEvent::MTE3_V>(empty_result);
    Cursor<2> at_s_workspace;
    Cursor<2> at_p_workspace;
    Cursor<2> at_values_workspace;
    for (int tile = cta; tile < tiles; tile += ctas) {
      const int k1 = tile % QExtent0;
      const int n = tile / QExtent0;
      const int j = n % QExtent2;
      const int i = n / QExtent2;
      const int i1 = blocks - 1 - i;
      const int row = i1 * 128;
      const i64 diagonal = i64(row) + (keys - queries + 1);
      const int seen = int(min(i64(keys), diagonal + 127));
      PipeBarrier<PIPE_V>();
      Duplicate(most, -1e+30f, 64);
      Duplicate(sum, 0.0f, 64);
      Duplicate(o, 0.0f, 8192);
      const int steps = ceilDiv(max(seen, 0), 128) + 1;
      WaitFlag<HardEvent::MTE3_V>(empty_p);
      Duplicate(p, bfloat16_t(0.0f), 8192);
      SetFlag<HardEvent::V_MTE3>(full_p);
      for (int t = 0; t < steps; ++t) {
        const int first = t * 128;
        const int n1 = int(GetSubBlockIdx()) * 64;
        WaitFlag<HardEvent::V_MTE3>(full_p);
        CrossCoreWaitFlag(empty_p_workspace);
        const int n2 = cta * 256;
        storeRows<64, 128>(p_workspace, {0, 6144, 128, p_workspaceStride0}, n2
            + at_p_workspace.slot * 128 + n1, 0, p);
        CrossCoreSetFlag<2, PIPE_MTE3>(full_p_workspace);
        SetFlag<HardEvent::MTE3_V>(empty_p);
        CrossCoreWaitFlag(full_s_workspace);
        WaitFlag<HardEvent::V_MTE2>(empty_s_ub);
        loadRows<64, 128>(s_ub, s_workspace, {0, 6144, 128, s_workspaceStride0}, n2
            + at_s_workspace.slot * 128 + n1, 0);
        SetFlag<HardEvent::MTE2_V>(full_s_ub);
        CrossCoreSetFlag<2, PIPE_MTE2>(empty_s_workspace);
        WaitFlag<HardEvent::MTE2_V>(full_s_ub);
        PipeBarrier<PIPE_V>();
        Muls(weighed, s_ub, 0.088388346f, 8192);
        SetFlag<HardEvent::V_MTE2>(empty_s_ub);
        const int left = keys - first;
        if (left < 128) {
          PipeBarrier<PIPE_V>();
          fillColumns<64, 128, 0>(weighed, left, -infinity);
        }
        const i64 behind = diagonal - first;
        if (behind < 128) {
          PipeBarrier<PIPE_V>();
          fillColumns<64, 128, 1>(weighed, n1 + behind, -infinity);
        }
        PipeBarrier<PIPE_V>();
        Max(t0, weighed, weighed[64], 64, 64, {1, 1, 1, 8, 16, 16});
        PipeBarrier<PIPE_V>();
        ReduceRepeat<ReduceType::MAX>(largest, t0, 64, 64, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
        PipeBarrier<PIPE_V>();
        Max(less, most, largest, 64);
        PipeBarrier<PIPE_V>();
        Sub(less, most, less, 64);
        PipeBarrier<PIPE_V>();
        Exp(less, less, 64);
        Max(most, most, largest, 64);
        PipeBarrier<PIPE_V>();
        Brcb(t1, most, 8, {1, 8});
        PipeBarrier<PIPE_V>();
        for (int i = 0; i < 2; ++i)
          Sub(weighed[i * 64], weighed[i * 64], t1, 64, 64, {1, 1, 0, 16, 16, 1});
        PipeBarrier<PIPE_V>();
        Exp(weighed, weighed, 8192);
        WaitFlag<HardEvent::MTE3_V>(empty_p);
        PipeBarrier<PIPE_V>();
        Cast(p, weighed, RoundMode::CAST_RINT, 8192);
        SetFlag<HardEvent::V_MTE3>(full_p);
        Add(t0, weighed, weighed[64], 64, 64, {1, 1, 1, 8, 16, 16});
        PipeBarrier<PIPE_V>();
        ReduceRepeat<ReduceType::SUM>(weights, t0, 64, 64, 1, 1, 8);
        Mul(sum, sum, less, 64);
        PipeBarrier<PIPE_V>();
        Add(sum, sum, weights, 64);
        CrossCoreWaitFlag(full_values_workspace);
        WaitFlag<HardEvent::V_MTE2>(empty_values_ub);
        loadRows<64, 128>(values_ub, values_workspace, {0, 6144, 128, values_workspaceStride0}, n2
            + at_values_workspace.slot * 128 + n1, 0);
        SetFlag<HardEvent::MTE2_V>(full_values_ub);
        CrossCoreSetFlag<2, PIPE_MTE2>(empty_values_workspace);
        WaitFlag<HardEvent::MTE2_V>(full_values_ub);
        Add(o, o, values_ub, 8192);
        SetFlag<HardEvent::V_MTE2>(empty_values_ub);
        Brcb(t1, less, 8, {1, 8});
        PipeBarrier<PIPE_V>();
        for (int i = 0; i < 2; ++i)
          Mul(o[i * 64], o[i * 64], t1, 64, 64, {1, 1, 0, 16, 16, 1});
        at_s_workspace = at_s_workspace.advance();
        at_p_workspace = at_p_workspace.advance();
        at_values_workspace = at_values_workspace.advance();
      }
      WaitFlag<HardEvent::V_MTE3>(full_p);
      SetFlag<HardEvent::MTE3_V>(empty_p);
      PipeBarrier<PIPE_V>();
      Maxs(t2, sum, 0.5f, 64);
      PipeBarrier<PIPE_V>();
      Brcb(t1, t2, 8, {1, 8});
      PipeBarrier<PIPE_V>();
      for (int i = 0; i < 2; ++i)
        Div(o[i * 64], o[i * 64], t1, 64, 64, {1, 1, 0, 16, 16, 1});
      WaitFlag<HardEvent::MTE3_V>(empty_result);
      PipeBarrier<PIPE_V>();
      Cast(result, o, RoundMode::CAST_RINT, 8192);
      SetFlag<HardEvent::V_MTE3>(full_result);
      WaitFlag<HardEvent::V_MTE3>(full_result);
      storeRows<64, 128>(O, {i64(k1) * OStride0 + i64(j) * OStride2, k1 < OExtent0 && j < OExtent2
          ? OExtent1 : 0, 128, OStride1}, row + int(GetSubBlockIdx()) * 64, 0, result);
      SetFlag<HardEvent::MTE3_V>(empty_result);
    }
    WaitFlag<HardEvent::MTE3_V>(empty_p);
    CrossCoreWaitFlag(empty_p_workspace);
    CrossCoreWaitFlag(empty_p_workspace);
    WaitFlag<HardEvent::V_MTE2>(empty_s_ub);
    WaitFlag<HardEvent::V_MTE2>(empty_values_ub);
    WaitFlag<HardEvent::MTE3_V>(empty_result);
  }
  PipeBarrier<PIPE_ALL>();
}

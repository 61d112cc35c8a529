// Kernel qk for ascend910b, printed by sluice: Ascend C, basic API, static-tensor mode.
//
//   flag               event        ids  hands over
//   empty_k            MTE1_MTE2      0  k, free
//   full_q_l0a         MTE1_M         0  q_l0a, filled
//   full_k_l0b         MTE1_M      1..2  k_l0b, filled
//   full_q             MTE2_MTE1      0  q, filled
//   full_k             MTE2_MTE1      1  k, filled
//   empty_k_l0b        M_MTE1      0..1  k_l0b, free
//   full_s             M_FIX       0..1  s, filled
//   empty_s            FIX_M       0..1  s, free
//
//   tile             memory  slots  bytes  address
//   q                l1          1  32768        0  f16 128 x 128 zN
//   q_l0a            l0a         1  32768        0  f16 128 x 128 zZ
//   k                l1          1  32768    32768  f16 128 x 128 zN
//   s                l0c         2  65536        0  f32 128 x 128 zN
//   k_l0b            l0b         2  32768        0  f16 128 x 128 nZ
#include "kernel_operator.h"
#include <sluice/cube.h>

using namespace AscendC;
using namespace sluice;

extern "C" __global__ __aicore__ void
qk(GM_ADDR QGlobal, GM_ADDR KGlobal, GM_ADDR SGlobal, int KExtent0, int QExtent0, int QExtent1,
    int KExtent1, int SExtent0, int SExtent1, i64 QStride0, i64 KStride0, i64 SStride0) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  InitSocState();
  GlobalTensor<half> Q;
  Q.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(QGlobal));
  GlobalTensor<half> K;
  K.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(KGlobal));
  GlobalTensor<half> S;
  S.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(SGlobal));
  const LocalTensor<half> q(TPosition::A1, 0, 16384);
  const LocalTensor<half> q_l0a(TPosition::A2, 0, 16384);
  const LocalTensor<half> k(TPosition::B1, 32768, 16384);
  const LocalTensor<float> s[2] = {
      LocalTensor<float>(TPosition::CO1, 0, 16384),
      LocalTensor<float>(TPosition::CO1, 65536, 16384)};
  const LocalTensor<half> k_l0b[2] = {
      LocalTensor<half>(TPosition::B2, 0, 16384),
      LocalTensor<half>(TPosition::B2, 32768, 16384)};
  constexpr int32_t empty_k = 0; // MTE1_MTE2 0
  constexpr int32_t full_q_l0a = 0; // MTE1_M 0
  constexpr int32_t full_k_l0b = 1; // MTE1_M 1..2
  constexpr int32_t full_q = 0; // MTE2_MTE1 0
  constexpr int32_t full_k = 1; // MTE2_MTE1 1
  constexpr int32_t empty_k_l0b = 0; // M_MTE1 0..1
  constexpr int32_t full_s = 0; // M_FIX 0..1
  constexpr int32_t empty_s = 0; // FIX_M 0..1
  if ASCEND_IS_AIC { // cube
    SetFlag<HardEvent::MTE1_MTE2>(empty_k);
    SetFlag<HardEvent::FIX_M>(empty_s);
    SetFlag<HardEvent::FIX_M>(empty_s + 1);
    SetFlag<HardEvent::M_MTE1>(empty_k_l0b);
    SetFlag<HardEvent::M_MTE1>(empty_k_l0b + 1);
    loadTile<128, 128>(q, Q, {0, QExtent0, QExtent1, QStride0}, 0, 0);
    SetFlag<HardEvent::MTE2_MTE1>(full_q);
    WaitFlag<HardEvent::MTE2_MTE1>(full_q);
    loadFractals<8, 8, 1, 8, false>(q_l0a, q);
    SetFlag<HardEvent::MTE1_M>(full_q_l0a);
    WaitFlag<HardEvent::MTE1_M>(full_q_l0a);
    Cursor<2> at_s;
    Cursor<2> at_k_l0b;
    for (int i = 0; i < ceilDiv(KExtent0, 128); ++i) {
      const int n = i * 128;
      WaitFlag<HardEvent::MTE1_MTE2>(empty_k);
      loadTile<128, 128>(k, K, {0, KExtent0, KExtent1, KStride0}, n, 0);
      SetFlag<HardEvent::MTE2_MTE1>(full_k);
      WaitFlag<HardEvent::MTE2_MTE1>(full_k);
      WaitFlag<HardEvent::M_MTE1>(empty_k_l0b + at_k_l0b.slot);
      loadFractals<8, 8, 8, 1, false>(k_l0b[at_k_l0b.slot], k);
      SetFlag<HardEvent::MTE1_M>(full_k_l0b + at_k_l0b.slot);
      SetFlag<HardEvent::MTE1_MTE2>(empty_k);
      WaitFlag<HardEvent::FIX_M>(empty_s + at_s.slot);
      WaitFlag<HardEvent::MTE1_M>(full_k_l0b + at_k_l0b.slot);
      Mmad(s[at_s.slot], q_l0a, k_l0b[at_k_l0b.slot], product(128, 128, 128, false));
      SetFlag<HardEvent::M_MTE1>(empty_k_l0b + at_k_l0b.slot);
      SetFlag<HardEvent::M_FIX>(full_s + at_s.slot);
      WaitFlag<HardEvent::M_FIX>(full_s + at_s.slot);
      storeTile<128, 128>(S, {0, SExtent0, SExtent1, SStride0}, n, 0, s[at_s.slot]);
      SetFlag<HardEvent::FIX_M>(empty_s + at_s.slot);
      at_s = at_s.advance();
      at_k_l0b = at_k_l0b.advance();
    }
    WaitFlag<HardEvent::MTE1_MTE2>(empty_k);
    WaitFlag<HardEvent::FIX_M>(empty_s);
    WaitFlag<HardEvent::FIX_M>(empty_s + 1);
    WaitFlag<HardEvent::M_MTE1>(empty_k_l0b);
    WaitFlag<HardEvent::M_MTE1>(empty_k_l0b + 1);
  }
  PipeBarrier<PIPE_ALL>();
}

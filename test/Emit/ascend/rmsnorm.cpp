// Kernel rmsnorm for ascend910b, printed by sluice: Ascend C, basic API, static-tensor mode.
// Launch: two blocks, the vector cores of a core, for each of the grid.
//
//   flag               event        ids  hands over
//   full_w             MTE2_V         0  w, filled
//   full_x             MTE2_V      1..2  x, filled
//   empty_y            MTE3_V      0..1  y, free
//   empty_x            V_MTE2      0..1  x, free
//   full_y             V_MTE3      0..1  y, filled
//
//   tile             memory  slots  bytes  address
//   t2               ub          1    256        0  f32 8 x 8 row
//   x_whole          ub          1  16384      512  f32 1 x 4096 row
//   t1               ub          1     32    16896  f32 8 x 1 row
//   t0               ub          1  16384    17408  f32 1 x 4096 row
//   w                ub          1   8192    33792  bf16 1 x 4096 row
//   x                ub          2   8192    41984  bf16 1 x 4096 row
//   sum              ub          1     32    58368  f32 1 x 1 row
//   scale            ub          1     32    58880  f32 8 x 1 row
//   y                ub          2   8192    59392  bf16 1 x 4096 row
#include "kernel_operator.h"
#include <sluice/vector.h>

using namespace AscendC;
using namespace sluice;

extern "C" __global__ __aicore__ void
rmsnorm(GM_ADDR WGlobal, GM_ADDR XGlobal, GM_ADDR YGlobal, int XExtent0, int YExtent0,
    i64 WStride0, i64 XStride0, i64 YStride0) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  InitSocState();
  using sluice::min;
  GlobalTensor<bfloat16_t> X;
  X.SetGlobalBuffer(reinterpret_cast<__gm__ bfloat16_t *>(XGlobal));
  GlobalTensor<bfloat16_t> W;
  W.SetGlobalBuffer(reinterpret_cast<__gm__ bfloat16_t *>(WGlobal));
  GlobalTensor<bfloat16_t> Y;
  Y.SetGlobalBuffer(reinterpret_cast<__gm__ bfloat16_t *>(YGlobal));
  const LocalTensor<float> t2(TPosition::VECCALC, 0, 64);
  const LocalTensor<float> x_whole(TPosition::VECCALC, 512, 4096);
  const LocalTensor<float> t1(TPosition::VECCALC, 16896, 8);
  const LocalTensor<float> t0(TPosition::VECCALC, 17408, 4096);
  const LocalTensor<bfloat16_t> w(TPosition::VECCALC, 33792, 4096);
  const LocalTensor<bfloat16_t> x[2] = {
      LocalTensor<bfloat16_t>(TPosition::VECCALC, 41984, 4096),
      LocalTensor<bfloat16_t>(TPosition::VECCALC, 50176, 4096)};
  const LocalTensor<float> sum(TPosition::VECCALC, 58368, 8);
  const LocalTensor<float> scale(TPosition::VECCALC, 58880, 8);
  const LocalTensor<bfloat16_t> y[2] = {
      LocalTensor<bfloat16_t>(TPosition::VECCALC, 59392, 4096),
      LocalTensor<bfloat16_t>(TPosition::VECCALC, 67584, 4096)};
  constexpr int32_t full_w = 0; // MTE2_V 0
  constexpr int32_t full_x = 1; // MTE2_V 1..2
  constexpr int32_t empty_y = 0; // MTE3_V 0..1
  constexpr int32_t empty_x = 0; // V_MTE2 0..1
  constexpr int32_t full_y = 0; // V_MTE3 0..1
  const int blocks = ceilDiv(XExtent0, 2);
  const int ctas = min(blocks, 24);
  const int cta = int(GetBlockIdx()) / 2;
  if ASCEND_IS_AIV { // vector
    SetFlag<HardEvent::V_MTE2>(empty_x);
    SetFlag<HardEvent::V_MTE2>(empty_x + 1);
    SetFlag<HardEvent::MTE3_V>(empty_y);
    SetFlag<HardEvent::MTE3_V>(empty_y + 1);
    loadRows<1, 4096>(w, W, {0, 1, 4096, WStride0}, 0, 0);
    SetFlag<HardEvent::MTE2_V>(full_w);
    WaitFlag<HardEvent::MTE2_V>(full_w);
    Cursor<2> at_x;
    Cursor<2> at_y;
    for (int tile = cta; tile < blocks; tile += ctas) {
      const int row = tile * 2;
      const int n = row + int(GetBlockIdx()) % 2;
      WaitFlag<HardEvent::V_MTE2>(empty_x + at_x.slot);
      loadRows<1, 4096>(x[at_x.slot], X, {0, XExtent0, 4096, XStride0}, n, 0);
      SetFlag<HardEvent::MTE2_V>(full_x + at_x.slot);
      WaitFlag<HardEvent::MTE2_V>(full_x + at_x.slot);
      PipeBarrier<PIPE_V>();
      Cast(x_whole, x[at_x.slot], RoundMode::CAST_NONE, 4096);
      SetFlag<HardEvent::V_MTE2>(empty_x + at_x.slot);
      PipeBarrier<PIPE_V>();
      fillColumns<1, 4096, 0>(x_whole, n < XExtent0 ? 4096 : 0, 0.0f);
      PipeBarrier<PIPE_V>();
      Mul(t0, x_whole, x_whole, 4096);
      PipeBarrier<PIPE_V>();
      Add(t0, t0, t0[2048], 2048);
      PipeBarrier<PIPE_V>();
      Add(t0, t0, t0[1024], 1024);
      PipeBarrier<PIPE_V>();
      Add(t0, t0, t0[512], 512);
      PipeBarrier<PIPE_V>();
      Add(t0, t0, t0[256], 256);
      PipeBarrier<PIPE_V>();
      Add(t0, t0, t0[128], 128);
      PipeBarrier<PIPE_V>();
      Add(t0, t0, t0[64], 64);
      PipeBarrier<PIPE_V>();
      ReduceRepeat<ReduceType::SUM>(sum, t0, 64, 1, 1, 1, 8);
      Duplicate(t1, float(4096), 1);
      PipeBarrier<PIPE_V>();
      Div(scale, sum, t1, 1);
      PipeBarrier<PIPE_V>();
      Adds(scale, scale, 1e-06f, 1);
      Duplicate(t1, 1.0f, 1);
      PipeBarrier<PIPE_V>();
      Sqrt(scale, scale, 1);
      PipeBarrier<PIPE_V>();
      Div(scale, t1, scale, 1);
      Cast(t0, w, RoundMode::CAST_NONE, 4096);
      PipeBarrier<PIPE_V>();
      Brcb(t2, scale, 1, {1, 8});
      PipeBarrier<PIPE_V>();
      Mul(x_whole, x_whole, t2, 64, 64, {1, 1, 0, 8, 8, 0});
      PipeBarrier<PIPE_V>();
      Mul(x_whole, x_whole, t0, 4096);
      WaitFlag<HardEvent::MTE3_V>(empty_y + at_y.slot);
      PipeBarrier<PIPE_V>();
      Cast(y[at_y.slot], x_whole, RoundMode::CAST_RINT, 4096);
      SetFlag<HardEvent::V_MTE3>(full_y + at_y.slot);
      WaitFlag<HardEvent::V_MTE3>(full_y + at_y.slot);
      storeRows<1, 4096>(Y, {0, YExtent0, 4096, YStride0}, n, 0, y[at_y.slot]);
      SetFlag<HardEvent::MTE3_V>(empty_y + at_y.slot);
      at_x = at_x.advance();
      at_y = at_y.advance();
    }
    WaitFlag<HardEvent::V_MTE2>(empty_x);
    WaitFlag<HardEvent::V_MTE2>(empty_x + 1);
    WaitFlag<HardEvent::MTE3_V>(empty_y);
    WaitFlag<HardEvent::MTE3_V>(empty_y + 1);
  }
  PipeBarrier<PIPE_ALL>();
}

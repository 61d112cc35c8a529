// Kernel softmax for ascend910b, printed by sluice: Ascend C, basic API, static-tensor mode.
// Launch: two blocks, the vector cores of a core, for each of the grid.
//
//   flag               event        ids  hands over
//   full_x             MTE2_V      0..1  x, filled
//   empty_y            MTE3_V      0..1  y, free
//   empty_x            V_MTE2      0..1  x, free
//   full_y             V_MTE3      0..1  y, filled
//
//   tile             memory  slots  bytes  address
//   t2               ub          1     32        0  f32 8 x 1 row
//   t1               ub          1  10240      512  f32 5 x 512 row
//   t0               ub          1    256    10752  f32 8 x 8 row
//   x_whole          ub          1  20480    11264  f32 5 x 1024 row
//   inside           ub          1  20480    31744  f32 5 x 1024 row
//   x                ub          2  10240    52224  bf16 5 x 1024 row
//   largest          ub          1     32    72704  f32 8 x 1 row
//   e                ub          1  20480    73216  f32 5 x 1024 row
//   sum              ub          1     32    93696  f32 5 x 1 row
//   share            ub          1     32    94208  f32 8 x 1 row
//   y                ub          2  10240    94720  bf16 5 x 1024 row
#include "kernel_operator.h"
#include <sluice/vector.h>

using namespace AscendC;
using namespace sluice;

extern "C" __global__ __aicore__ void
softmax(GM_ADDR XGlobal, GM_ADDR YGlobal, int XExtent0, int YExtent0, i64 XStride0, i64 YStride0) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  InitSocState();
  using sluice::min;
  GlobalTensor<bfloat16_t> X;
  X.SetGlobalBuffer(reinterpret_cast<__gm__ bfloat16_t *>(XGlobal));
  GlobalTensor<bfloat16_t> Y;
  Y.SetGlobalBuffer(reinterpret_cast<__gm__ bfloat16_t *>(YGlobal));
  const LocalTensor<float> t2(TPosition::VECCALC, 0, 8);
  const LocalTensor<float> t1(TPosition::VECCALC, 512, 2560);
  const LocalTensor<float> t0(TPosition::VECCALC, 10752, 64);
  const LocalTensor<float> x_whole(TPosition::VECCALC, 11264, 5120);
  const LocalTensor<float> inside(TPosition::VECCALC, 31744, 5120);
  const LocalTensor<bfloat16_t> x[2] = {
      LocalTensor<bfloat16_t>(TPosition::VECCALC, 52224, 5120),
      LocalTensor<bfloat16_t>(TPosition::VECCALC, 62464, 5120)};
  const LocalTensor<float> largest(TPosition::VECCALC, 72704, 8);
  const LocalTensor<float> e(TPosition::VECCALC, 73216, 5120);
  const LocalTensor<float> sum(TPosition::VECCALC, 93696, 8);
  const LocalTensor<float> share(TPosition::VECCALC, 94208, 8);
  const LocalTensor<bfloat16_t> y[2] = {
      LocalTensor<bfloat16_t>(TPosition::VECCALC, 94720, 5120),
      LocalTensor<bfloat16_t>(TPosition::VECCALC, 104960, 5120)};
  constexpr int32_t full_x = 0; // MTE2_V 0..1
  constexpr int32_t empty_y = 0; // MTE3_V 0..1
  constexpr int32_t empty_x = 0; // V_MTE2 0..1
  constexpr int32_t full_y = 0; // V_MTE3 0..1
  const int blocks = ceilDiv(XExtent0, 10);
  const int ctas = min(blocks, 24);
  const int cta = int(GetBlockIdx()) / 2;
  if ASCEND_IS_AIV { // vector
    SetFlag<HardEvent::V_MTE2>(empty_x);
    SetFlag<HardEvent::V_MTE2>(empty_x + 1);
    SetFlag<HardEvent::MTE3_V>(empty_y);
    SetFlag<HardEvent::MTE3_V>(empty_y + 1);
    Cursor<2> at_x;
    Cursor<2> at_y;
    for (int tile = cta; tile < blocks; tile += ctas) {
      const int row = tile * 10;
      const int n = row + int(GetBlockIdx()) % 2 * 5;
      WaitFlag<HardEvent::V_MTE2>(empty_x + at_x.slot);
      loadRows<5, 1024>(x[at_x.slot], X, {0, XExtent0, 1000, XStride0}, n, 0);
      SetFlag<HardEvent::MTE2_V>(full_x + at_x.slot);
      WaitFlag<HardEvent::MTE2_V>(full_x + at_x.slot);
      PipeBarrier<PIPE_V>();
      Cast(x_whole, x[at_x.slot], RoundMode::CAST_NONE, 5120);
      SetFlag<HardEvent::V_MTE2>(empty_x + at_x.slot);
      PipeBarrier<PIPE_V>();
      fillColumns<5, 1024, 0>(x_whole, 1000, 0.0f);
      PipeBarrier<PIPE_V>();
      fillRows<5, 1024>(x_whole, XExtent0 - n, 0.0f);
      PipeBarrier<PIPE_V>();
      DataCopy(inside, x_whole, 5120);
      PipeBarrier<PIPE_V>();
      fillColumns<5, 1024, 0>(inside, 1000, -infinity);
      PipeBarrier<PIPE_V>();
      for (int i = 0; i < 5; ++i)
        Max(inside[i * 1024], inside[i * 1024], inside[512 + i * 1024], 512);
      PipeBarrier<PIPE_V>();
      for (int i = 0; i < 4; ++i)
        Max(inside[i * 64], inside[i * 64], inside[256 + i * 64], 64, 5, {1, 1, 1, 128, 128, 128});
      PipeBarrier<PIPE_V>();
      for (int i = 0; i < 2; ++i)
        Max(inside[i * 64], inside[i * 64], inside[128 + i * 64], 64, 5, {1, 1, 1, 128, 128, 128});
      PipeBarrier<PIPE_V>();
      Max(inside, inside, inside[64], 64, 5, {1, 1, 1, 128, 128, 128});
      PipeBarrier<PIPE_V>();
      ReduceRepeat<ReduceType::MAX>(largest, inside, 64, 5, 1, 1, 128,
          ReduceOrder::ORDER_ONLY_VALUE);
      PipeBarrier<PIPE_V>();
      Brcb(t0, largest, 1, {1, 8});
      PipeBarrier<PIPE_V>();
      for (int i = 0; i < 5; ++i)
        Sub(e[i * 1024], x_whole[i * 1024], t0[i * 8], 64, 16, {1, 1, 0, 8, 8, 0});
      PipeBarrier<PIPE_V>();
      Exp(e, e, 5120);
      PipeBarrier<PIPE_V>();
      fillColumns<5, 1024, 0>(e, 1000, 0.0f);
      PipeBarrier<PIPE_V>();
      for (int i = 0; i < 5; ++i)
        Add(t1[i * 512], e[i * 1024], e[512 + i * 1024], 512);
      PipeBarrier<PIPE_V>();
      for (int i = 0; i < 4; ++i)
        Add(t1[i * 64], t1[i * 64], t1[256 + i * 64], 64, 5, {1, 1, 1, 64, 64, 64});
      PipeBarrier<PIPE_V>();
      for (int i = 0; i < 2; ++i)
        Add(t1[i * 64], t1[i * 64], t1[128 + i * 64], 64, 5, {1, 1, 1, 64, 64, 64});
      PipeBarrier<PIPE_V>();
      Add(t1, t1, t1[64], 64, 5, {1, 1, 1, 64, 64, 64});
      PipeBarrier<PIPE_V>();
      ReduceRepeat<ReduceType::SUM>(sum, t1, 64, 5, 1, 1, 64);
      Duplicate(t2, 1.0f, 5);
      PipeBarrier<PIPE_V>();
      Div(share, t2, sum, 5);
      PipeBarrier<PIPE_V>();
      Brcb(t0, share, 1, {1, 8});
      PipeBarrier<PIPE_V>();
      for (int i = 0; i < 5; ++i)
        Mul(inside[i * 1024], e[i * 1024], t0[i * 8], 64, 16, {1, 1, 0, 8, 8, 0});
      WaitFlag<HardEvent::MTE3_V>(empty_y + at_y.slot);
      PipeBarrier<PIPE_V>();
      Cast(y[at_y.slot], inside, RoundMode::CAST_RINT, 5120);
      SetFlag<HardEvent::V_MTE3>(full_y + at_y.slot);
      WaitFlag<HardEvent::V_MTE3>(full_y + at_y.slot);
      storeRows<5, 1024>(Y, {0, YExtent0, 1000, YStride0}, n, 0, y[at_y.slot]);
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

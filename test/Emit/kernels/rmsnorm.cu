// Kernel rmsnorm for sm_90a, printed by sluice.
// 160 threads, 131200 bytes of dynamic shared memory.
// Roles: mma (warps 0..3), load (warps 4..4).
//
//   barrier          slots  count  bytes  offset
//   full                 4      1      -  131072
//   empty                4      4      -  131104
//
//   shared memory    slots  bytes  offset  tile
//   x                    4  32768       0  bf16 4 x 4096 panels
#include <sluice/device.cuh>

using namespace sluice;

extern "C" __global__ void __launch_bounds__(160, 1)
rmsnorm(const __grid_constant__ TensorMap XMap, const bf16 *WGlobal, bf16 *YGlobal, int XExtent0,
    int YExtent0, i64 WStride0, i64 YStride0) {
  extern __shared__ __align__(1024) unsigned char sharedBytes[];
  const u32 smem = sharedAddress(sharedBytes);
  using XTile = SharedTile<bf16, 4, 4096, 1, 512>;
  const Buffer<XTile, 32768> x{smem + 0};
  const Mbarriers full{smem + 131072};
  const Mbarriers empty{smem + 131104};
  const int ctaWarp = warpOfCta();
  if (ctaWarp == 0 && electLane())
    tmaPrefetch(XMap);
  const int blocks = ceilDiv(XExtent0, 4);
  const int ctas = min(blocks, 132);
  const int i = blockIdx.x;
  const int mine = ceilDiv(blocks - i, ctas);
  if (ctaWarp == 0 && electLane()) {
    for (int i1 = 0; i1 < 4; ++i1)
      mbarrierInit(full[i1], 1);
    for (int i1 = 0; i1 < 4; ++i1)
      mbarrierInit(empty[i1], 4);
    fenceMbarrierInit();
  }
  namedBarrierSync(0, 160);
  launchDependents();
  if (ctaWarp < 4) { // mma
    const int warp = ctaWarp;
    BlockedColVector<bf16, 4096> w;
    BlockedRowVector<float, 1> sum;
    Blocked<bf16, 1, 4096> x_held;
    BlockedRowVector<float, 1> scale;
    Blocked<bf16, 1, 4096> y;
    Blocked<bf16, 1, 4096> x_held1;
    waitForPreviousKernel();
    loadBlockedColVector<16>(w, Window<const bf16>{WGlobal, 1, 4096, WStride0, 1, 0, 0});
    Cursor<4> at;
    for (int t = 0; t < mine; ++t) {
      const i64 row = (i + i64(t) * ctas) * 4;
      mbarrierWait(full[at.slot], at.phase);
      loadBlockedShared<XTile, 4>(x_held, x[at.slot], 0, 0, warp);
      {
        float folded[8];
        #pragma unroll
        for (int i1 = 0; i1 < 8; ++i1)
          folded[i1] = 0.0f;
        #pragma unroll
        for (int i1 = 0; i1 < 128; ++i1) {
          const float x1 = x_held.get(i1);
          folded[i1 % 4 * 2 + x_held.rowIndex(i1)] = folded[i1 % 4 * 2 + x_held.rowIndex(i1)]
              + (x1 * x1);
        }
        #pragma unroll
        for (int i1 = 0; i1 < 2; ++i1) {
          folded[i1] = folded[i1] + folded[i1 + 2];
          folded[i1] = folded[i1] + folded[i1 + 4];
          folded[i1] = folded[i1] + folded[i1 + 6];
          folded[i1] = folded[i1] + laneXor(folded[i1], 1);
          folded[i1] = folded[i1] + laneXor(folded[i1], 2);
          folded[i1] = folded[i1] + laneXor(folded[i1], 4);
          folded[i1] = folded[i1] + laneXor(folded[i1], 8);
          folded[i1] = folded[i1] + laneXor(folded[i1], 16);
        }
        #pragma unroll
        for (int i1 = 0; i1 < 2; i1 += 2)
          sum.put(i1, folded[i1], folded[i1 + 1]);
      }
      #pragma unroll
      for (int i1 = 0; i1 < 1; ++i1)
        scale.set(i1, rsqrtf(quotientApprox(sum.get(i1), float(4096)) + 1e-06f));
      loadBlockedShared<XTile, 4>(x_held1, x[at.slot], 0, 0, warp);
      fenceProxyAsync();
      warpSync();
      if (electLane())
        mbarrierArrive(empty[at.slot]);
      #pragma unroll
      for (int i1 = 0; i1 < 128; i1 += 2) {
        float out0[2];
        #pragma unroll
        for (int e = 0; e < 2; ++e) {
          out0[e] = (x_held1.get(i1 + e) * scale.get(y.rowIndex(i1 + e))) * w.get(y.colIndex(i1
              + e));
        }
        y.put(i1, out0[0], out0[1]);
      }
      storeBlocked<4, 16>(Window<bf16>{YGlobal, YExtent0, 4096, YStride0, 1, coordinate(row), 0},
          y, warp);
      at = at.advance();
    }
  } else if (ctaWarp == 4) { // load
    waitForPreviousKernel();
    Cursor<4> at;
    for (int t = 0; t < mine; ++t) {
      const i64 row = (i + i64(t) * ctas) * 4;
      mbarrierWait(empty[at.slot], at.phase ^ 1);
      if (electLane()) {
        mbarrierArriveExpectTx(full[at.slot], 32768);
        tmaLoad<16, 256, 2048>(x[at.slot], XMap, full[at.slot], 0, coordinate(row));
      }
      at = at.advance();
    }
  }
}

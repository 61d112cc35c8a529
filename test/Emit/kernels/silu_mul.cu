// Kernel silu_mul for sm_90a, printed by sluice.
// 288 threads, 131200 bytes of dynamic shared memory.
// Roles: mma (warps 0..7), load (warps 8..8).
//
//   barrier          slots  count  bytes  offset
//   full                 4      1      -  131072
//   empty                4      8      -  131104
//
//   shared memory    slots  bytes  offset  tile
//   x                    4  16384       0  bf16 8 x 1024 panels
//   g                    4  16384   65536  bf16 8 x 1024 panels
#include <sluice/device.cuh>

using namespace sluice;

extern "C" __global__ void __launch_bounds__(288, 1)
silu_mul(const __grid_constant__ TensorMap XMap, const __grid_constant__ TensorMap GMap,
    bf16 *YGlobal, int XExtent1, int XExtent0, int YExtent0, int YExtent1, i64 YStride0) {
  extern __shared__ __align__(1024) unsigned char sharedBytes[];
  const u32 smem = sharedAddress(sharedBytes);
  using XTile = SharedTile<bf16, 8, 1024, 1, 512>;
  const Buffer<XTile, 16384> x{smem + 0};
  using GTile = SharedTile<bf16, 8, 1024, 1, 512>;
  const Buffer<GTile, 16384> g{smem + 65536};
  const Mbarriers full{smem + 131072};
  const Mbarriers empty{smem + 131104};
  const int ctaWarp = warpOfCta();
  if (ctaWarp == 0 && electLane()) {
    tmaPrefetch(XMap);
    tmaPrefetch(GMap);
  }
  const int across = ceilDiv(XExtent1, 1024);
  const int blocks = ceilDiv(XExtent0, 8);
  const i64 pieces = i64(blocks) * across;
  const int ctas = int(min(pieces, i64(132)));
  const int i = blockIdx.x;
  const i64 mine = ceilDiv(pieces - i, i64(ctas));
  if (ctaWarp == 0 && electLane()) {
    for (int i1 = 0; i1 < 4; ++i1)
      mbarrierInit(full[i1], 1);
    for (int i1 = 0; i1 < 4; ++i1)
      mbarrierInit(empty[i1], 8);
    fenceMbarrierInit();
  }
  namedBarrierSync(0, 288);
  launchDependents();
  if (ctaWarp < 8) { // mma
    const int warp = ctaWarp;
    Blocked<bf16, 1, 1024> y;
    Blocked<bf16, 1, 1024> x_held;
    Blocked<bf16, 1, 1024> g_held;
    waitForPreviousKernel();
    Cursor<4> at;
    for (i64 t = 0; t < mine; ++t) {
      const i64 piece = i + t * ctas;
      const i64 row = piece / across * 8;
      const int column = int(piece % across) * 1024;
      mbarrierWait(full[at.slot], at.phase);
      loadBlockedShared<XTile, 8>(x_held, x[at.slot], 0, 0, warp);
      loadBlockedShared<GTile, 8>(g_held, g[at.slot], 0, 0, warp);
      fenceProxyAsync();
      warpSync();
      if (electLane())
        mbarrierArrive(empty[at.slot]);
      #pragma unroll
      for (int i1 = 0; i1 < 32; i1 += 2) {
        float out0[2];
        #pragma unroll
        for (int e = 0; e < 2; ++e) {
          const float x1 = x_held.get(i1 + e);
          out0[e] = quotientApprox(x1, expApprox(-x1) + 1.0f) * g_held.get(i1 + e);
        }
        y.put(i1, out0[0], out0[1]);
      }
      storeBlocked<8, 16>(Window<bf16>{YGlobal, YExtent0, YExtent1, YStride0, 1, coordinate(row),
          column}, y, warp);
      at = at.advance();
    }
  } else if (ctaWarp == 8) { // load
    waitForPreviousKernel();
    Cursor<4> at;
    for (i64 t = 0; t < mine; ++t) {
      const i64 piece = i + t * ctas;
      const i64 row = piece / across * 8;
      const int column = int(piece % across) * 1024;
      mbarrierWait(empty[at.slot], at.phase ^ 1);
      if (electLane()) {
        mbarrierArriveExpectTx(full[at.slot], 32768);
        tmaLoad<4, 256, 4096>(x[at.slot], XMap, full[at.slot], column, coordinate(row));
        tmaLoad<4, 256, 4096>(g[at.slot], GMap, full[at.slot], column, coordinate(row));
      }
      at = at.advance();
    }
  }
}

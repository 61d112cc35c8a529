// Kernel gemm for sm_90a, printed by sluice.
// 288 threads, 98352 bytes of dynamic shared memory.
// Roles: mma (warps 0..7), load (warps 8..8).
//
//   barrier          slots  count  bytes  offset
//   full                 3      1      -   98304
//   empty                3      8      -   98328
//
//   shared memory    slots  bytes  offset  tile
//   a                    3  16384       0  f16 128 x 64 sw128
//   b                    3  16384   49152  f16 64 x 128 sw128
#include <sluice/device.cuh>

using namespace sluice;

extern "C" __global__ void __launch_bounds__(288, 1)
gemm(const __grid_constant__ TensorMap AMap, const __grid_constant__ TensorMap BMap, f16 *CGlobal,
    int M, int N, int K, i64 CStride0) {
  extern __shared__ __align__(1024) unsigned char sharedBytes[];
  const u32 smem = sharedAddress(sharedBytes);
  using ATile = SharedTile<f16, 128, 64, 1, 128>;
  const Buffer<ATile, 16384> a{smem + 0};
  using BTile = SharedTile<f16, 64, 128, 1, 128>;
  const Buffer<BTile, 16384> b{smem + 49152};
  const Mbarriers full{smem + 98304};
  const Mbarriers empty{smem + 98328};
  const int ctaWarp = warpOfCta();
  if (ctaWarp == 0 && electLane()) {
    tmaPrefetch(AMap);
    tmaPrefetch(BMap);
  }
  const int i = blockIdx.x;
  const int j = blockIdx.y;
  const int n = i * 128;
  const int n1 = j * 128;
  const int tSteps = ceilDiv(K, 64);
  if (ctaWarp == 0 && electLane()) {
    for (int i1 = 0; i1 < 3; ++i1)
      mbarrierInit(full[i1], 1);
    for (int i1 = 0; i1 < 3; ++i1)
      mbarrierInit(empty[i1], 8);
    fenceMbarrierInit();
  }
  namedBarrierSync(0, 288);
  if (ctaWarp < 8) { // mma
    const int warp = ctaWarp;
    Fragment<float, 128> acc;
    Cursor<3> at;
    for (int t = 0; t < tSteps; ++t) {
      mbarrierWait(full[at.slot], at.phase);
      wgmmaFence(acc);
      wgmma<64, 2>(acc, kMajor(a, at.slot), mnMajor(b, at.slot), t != 0, warp / 4);
      wgmmaCommit();
      wgmmaWait<0>(acc);
      if (electLane())
        mbarrierArrive(empty[at.slot]);
      at = at.advance();
    }
    storeFragment<8, 16>(Window<f16>{CGlobal, M, N, CStride0, 1, n, n1}, acc, warp);
  } else if (ctaWarp == 8) { // load
    Cursor<3> at;
    for (int t = 0; t < tSteps; ++t) {
      const int n2 = t * 64;
      mbarrierWait(empty[at.slot], at.phase ^ 1);
      if (electLane()) {
        mbarrierArriveExpectTx(full[at.slot], 32768);
        tmaLoad<1, 64, 16384>(a[at.slot], AMap, full[at.slot], n2, n);
        tmaLoad<2, 64, 8192>(b[at.slot], BMap, full[at.slot], n1, n2);
      }
      at = at.advance();
    }
  }
}

// Kernel gemm for sm_90a, printed by sluice.
// 384 threads, 98336 bytes of dynamic shared memory.
// Roles: mma (warps 0..7), load (warps 8..11).
//
//   barrier          slots  count  bytes  offset
//   full                 2      4      -   98304
//   empty                2      8      -   98320
//
//   shared memory    slots  bytes  offset  tile
//   a                    2  16384       0  f16 128 x 64 sw128
//   b                    2  16384   32768  f16 64 x 128 sw128
//   c                    1  32768   65536  f16 128 x 128 sw128
#include <sluice/device.cuh>

using namespace sluice;

extern "C" __global__ void __launch_bounds__(384, 1)
gemm(const __grid_constant__ TensorMap CMap, const f16 *AGlobal, const f16 *BGlobal, int K,
    int AExtent0, int BExtent0, int BExtent1, i64 AStride0, i64 BStride0) {
  extern __shared__ __align__(1024) unsigned char sharedBytes[];
  const u32 smem = sharedAddress(sharedBytes);
  using ATile = SharedTile<f16, 128, 64, 1, 128>;
  const Buffer<ATile, 16384> a{smem + 0};
  using BTile = SharedTile<f16, 64, 128, 1, 128>;
  const Buffer<BTile, 16384> b{smem + 32768};
  using CTile = SharedTile<f16, 128, 128, 1, 128>;
  const Buffer<CTile, 32768> c{smem + 65536};
  const Mbarriers full{smem + 98304};
  const Mbarriers empty{smem + 98320};
  const int ctaWarp = warpOfCta();
  if (ctaWarp == 0 && electLane())
    tmaPrefetch(CMap);
  const int i = blockIdx.x;
  const int j = blockIdx.y;
  const int n = i * 128;
  const int n1 = j * 128;
  const int tSteps = ceilDiv(K, 64);
  if (ctaWarp == 0 && electLane()) {
    for (int i1 = 0; i1 < 2; ++i1)
      mbarrierInit(full[i1], 4);
    for (int i1 = 0; i1 < 2; ++i1)
      mbarrierInit(empty[i1], 8);
    fenceMbarrierInit();
  }
  namedBarrierSync(0, 384);
  if (ctaWarp < 8) { // mma
    const int warp = ctaWarp;
    Fragment<float, 128> acc;
    Cursor<2> at;
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
    storeFragmentMatrices<CTile, 8>(c[0], 0, 0, acc, warp);
    fenceProxyAsync();
    namedBarrierSync(1, 256);
    if (warp == 0 && electLane()) {
      tmaStore<2, 64, 16384>(CMap, c[0], n1, n);
      bulkCommit();
      bulkWait<0>();
    }
    warpSync();
  } else if (ctaWarp >= 8 && ctaWarp < 12) { // load
    const int thread = int(threadIdx.x) - 256;
    Cursor<2> at;
    for (int t = 0; t < tSteps; ++t) {
      const int n2 = t * 64;
      mbarrierWait(empty[at.slot], at.phase ^ 1);
      loadTile<ATile, 128, 64, 16, 128>(a[at.slot], 0, 0,
          Window<const f16>{AGlobal, AExtent0, K, AStride0, 1, n, n2}, thread);
      loadTile<BTile, 64, 128, 16, 128>(b[at.slot], 0, 0,
          Window<const f16>{BGlobal, BExtent0, BExtent1, BStride0, 1, n2, n1}, thread);
      fenceProxyAsync();
      if (electLane())
        mbarrierArrive(full[at.slot]);
      at = at.advance();
    }
  }
}

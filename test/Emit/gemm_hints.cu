// Kernel gemm for sm_90a, printed by sluice.
// 288 threads, 131120 bytes of dynamic shared memory, cluster 2 x 1 x 1.
// Roles: mma (warps 0..7), load (warps 8..8).
//
//   barrier          slots  count  bytes  offset
//   full                 3      1      -  131072
//   empty                3     16      -  131096
//
//   shared memory    slots  bytes  offset  tile
//   a                    3  16384       0  f16 128 x 64 sw128
//   b                    3  16384   49152  f16 64 x 128 sw128
//   c                    1  32768   98304  f16 128 x 128 sw128
#include <sluice/device.cuh>
#include <sluice/tma_policy.cuh>

using namespace sluice;

extern "C" __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(288, 1)
gemm(const __grid_constant__ TensorMap CMap, const __grid_constant__ TensorMap AMap,
    const __grid_constant__ TensorMap BMap, int K) {
  extern __shared__ __align__(1024) unsigned char sharedBytes[];
  const u32 smem = sharedAddress(sharedBytes);
  using ATile = SharedTile<f16, 128, 64, 1, 128>;
  const Buffer<ATile, 16384> a{smem + 0};
  using BTile = SharedTile<f16, 64, 128, 1, 128>;
  const Buffer<BTile, 16384> b{smem + 49152};
  using CTile = SharedTile<f16, 128, 128, 1, 128>;
  const Buffer<CTile, 32768> c{smem + 98304};
  const Mbarriers full{smem + 131072};
  const Mbarriers empty{smem + 131096};
  const int ctaWarp = warpOfCta();
  if (ctaWarp == 0 && electLane()) {
    tmaPrefetch(CMap);
    tmaPrefetch(AMap);
    tmaPrefetch(BMap);
  }
  const int i = blockIdx.x;
  const int j = blockIdx.y;
  const int rank = clusterRank();
  const int n = i * 128;
  const int n1 = j * 128;
  const int tSteps = ceilDiv(K, 64);
  if (ctaWarp == 0 && electLane()) {
    for (int i1 = 0; i1 < 3; ++i1)
      mbarrierInit(full[i1], 1);
    for (int i1 = 0; i1 < 3; ++i1)
      mbarrierInit(empty[i1], 16);
    fenceMbarrierInit();
  }
  clusterArrive();
  clusterWait();
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
      if (electLane()) {
        mbarrierArriveRemote(empty[at.slot], 0);
        mbarrierArriveRemote(empty[at.slot], 1);
      }
      at = at.advance();
    }
    storeFragmentMatrices<CTile, 8>(c[0], 0, 0, acc, warp);
    fenceProxyAsync();
    namedBarrierSync(1, 256);
    if (warp == 0 && electLane()) {
      tmaStore<2, 64, 16384>(evictFirst(), CMap, c[0], n1, n);
      bulkCommit();
      bulkWait<0>();
    }
    warpSync();
  } else if (ctaWarp == 8) { // load
    Cursor<3> at;
    for (int t = 0; t < tSteps; ++t) {
      const int n2 = t * 64;
      mbarrierWait(empty[at.slot], at.phase ^ 1);
      if (electLane()) {
        mbarrierArriveExpectTx(full[at.slot], 32768);
        tmaLoad<1, 64, 16384>(evictFirst(), a[at.slot], AMap, full[at.slot], n2, n);
      }
      const int n3 = rank * 64;
      if (electLane()) {
        tmaMulticast<1, 64, 8192>(evictLast(), 3, b[at.slot] + n3 / 64 * 8192, BMap, full[at.slot],
            n1 + n3, n2);
      }
      at = at.advance();
    }
  }
  clusterArrive();
  clusterWait();
}

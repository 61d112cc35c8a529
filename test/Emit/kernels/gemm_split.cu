// Kernel gemm for sm_90a, printed by sluice.
// 288 threads, 204928 bytes of dynamic shared memory, cluster 4 x 1 x 1.
// Roles: mma (warps 0..7), load (warps 8..8).
//
//   barrier          slots  count  bytes  offset
//   full_parts_acc       1      1      -  204800
//   full                 4      1      -  204808
//   empty                4      8      -  204840
//
//   shared memory    slots  bytes  offset  tile
//   a                    4  16384       0  f16 128 x 64 sw128
//   b                    4  16384   65536  f16 64 x 128 sw128
//   parts_acc            1  65536  131072  f32 512 x 32 sw128
//   c_staging            1   8192  196608  f16 128 x 32 sw64
#include <sluice/device.cuh>

using namespace sluice;

extern "C" __global__ void __cluster_dims__(4, 1, 1) __launch_bounds__(288, 1)
gemm(const __grid_constant__ TensorMap CMap, const __grid_constant__ TensorMap AMap,
    const __grid_constant__ TensorMap BMap, int K) {
  extern __shared__ __align__(1024) unsigned char sharedBytes[];
  const u32 smem = sharedAddress(sharedBytes);
  using ATile = SharedTile<f16, 128, 64, 1, 128>;
  const Buffer<ATile, 16384> a{smem + 0};
  using BTile = SharedTile<f16, 64, 128, 1, 128>;
  const Buffer<BTile, 16384> b{smem + 65536};
  using Parts_accTile = SharedTile<float, 512, 32, 1, 128>;
  const Buffer<Parts_accTile, 65536> parts_acc{smem + 131072};
  using C_stagingTile = SharedTile<f16, 128, 32, 1, 64>;
  const Buffer<C_stagingTile, 8192> c_staging{smem + 196608};
  const Mbarriers full_parts_acc{smem + 204800};
  const Mbarriers full{smem + 204808};
  const Mbarriers empty{smem + 204840};
  const int ctaWarp = warpOfCta();
  if (ctaWarp == 0 && electLane()) {
    tmaPrefetch(CMap);
    tmaPrefetch(AMap);
    tmaPrefetch(BMap);
  }
  const int place = clusterRank();
  const int block = place * 32;
  const int i = blockIdx.x;
  const int j = blockIdx.y;
  const int tile = (i - place) / 4;
  const int row = tile * 128;
  const int col = j * 128;
  const int steps = ceilDiv(ceilDiv(K, 64), 4);
  const int firstStep = place * steps;
  const int kSteps = max(steps, 1);
  if (ctaWarp == 0 && electLane()) {
    for (int i1 = 0; i1 < 4; ++i1)
      mbarrierInit(full[i1], 1);
    for (int i1 = 0; i1 < 4; ++i1)
      mbarrierInit(empty[i1], 8);
    mbarrierInit(full_parts_acc[0], 1);
    fenceMbarrierInit();
  }
  clusterArrive();
  clusterWait();
  launchDependents();
  if (ctaWarp < 8) { // mma
    const int warp = ctaWarp;
    Fragment<float, 128> acc;
    Fragment<float, 32> sum_acc;
    Fragment<f16, 32> c;
    Fragment<float, 32> part_acc;
    const int group = warp / 4;
    waitForPreviousKernel();
    Cursor<4> at;
    Cursor<4> before;
    for (int k = 0; k < kSteps; ++k) {
      mbarrierWait(full[at.slot], at.phase);
      wgmmaFence(acc);
      wgmma<64, 2>(acc, kMajor(a, at.slot), mnMajor(b, at.slot), k != 0, warp / 4);
      wgmmaCommit();
      wgmmaWait<1>(acc);
      if (k > 0 && electLane())
        mbarrierArrive(empty[before.slot]);
      before = at;
      at = at.advance();
    }
    wgmmaWait<0>(acc);
    if (electLane())
      mbarrierArrive(empty[before.slot]);
    if (warp == 0 && electLane())
      mbarrierArriveExpectTx(full_parts_acc[0], 65536);
    const int ownPart = place * 128;
    storeFragmentToPeer<Parts_accTile, 8>(addressInCluster(parts_acc[0], 0), ownPart, 0,
        columns<0, 32>(acc), addressInCluster(full_parts_acc[0], 0), warp);
    storeFragmentToPeer<Parts_accTile, 8>(addressInCluster(parts_acc[0], 1), ownPart, 0,
        columns<32, 32>(acc), addressInCluster(full_parts_acc[0], 1), warp);
    storeFragmentToPeer<Parts_accTile, 8>(addressInCluster(parts_acc[0], 2), ownPart, 0,
        columns<64, 32>(acc), addressInCluster(full_parts_acc[0], 2), warp);
    storeFragmentToPeer<Parts_accTile, 8>(addressInCluster(parts_acc[0], 3), ownPart, 0,
        columns<96, 32>(acc), addressInCluster(full_parts_acc[0], 3), warp);
    mbarrierWait(full_parts_acc[0], 0);
    loadFragmentShared<Parts_accTile, 8>(sum_acc, parts_acc[0], 0, 0, warp);
    for (int from = 1; from < 4; ++from) {
      loadFragmentShared<Parts_accTile, 8>(part_acc, parts_acc[0], from * 128, 0, warp);
      #pragma unroll
      for (int i1 = 0; i1 < 16; ++i1)
        sum_acc.set(i1, sum_acc.get(i1) + part_acc.get(i1));
    }
    assign(c, sum_acc);
    storeFragmentMatrices<C_stagingTile, 8>(c_staging[0], 0, 0, c, warp);
    fenceProxyAsync();
    if (group == 0)
      namedBarrierSync(1, 128);
    if (group == 1)
      namedBarrierSync(2, 128);
    const int groupRow = group * 64;
    if (warp % 4 == 0 && electLane()) {
      tmaStore<1, 32, 8192>(CMap, c_staging[0] + groupRow * 64, col + block, row + groupRow);
      bulkCommit();
      bulkWaitRead<0>();
    }
    warpSync();
  } else if (ctaWarp == 8) { // load
    waitForPreviousKernel();
    Cursor<4> at;
    for (int k = 0; k < kSteps; ++k) {
      const int step = firstStep + k;
      const int depth = step * 64;
      mbarrierWait(empty[at.slot], at.phase ^ 1);
      if (electLane()) {
        mbarrierArriveExpectTx(full[at.slot], 32768);
        tmaLoad<1, 64, 16384>(a[at.slot], AMap, full[at.slot], depth, row);
        tmaLoad<2, 64, 8192>(b[at.slot], BMap, full[at.slot], col, depth);
      }
      at = at.advance();
    }
  }
  clusterArriveRelaxed();
  clusterWait();
}

// Kernel gemm for sm_90a, printed by sluice.
// 288 threads, 163968 bytes of dynamic shared memory.
// Roles: mma (warps 0..7), load (warps 8..8).
//
//   barrier          slots  count  bytes  offset
//   full                 4      1      -  163840
//   empty                4      8      -  163872
//
//   shared memory    slots  bytes  offset  tile
//   a                    4  16384       0  f16 128 x 64 sw128
//   b                    4  16384   65536  f16 64 x 128 sw128
//   c_staging            1  32768  131072  f16 128 x 128 sw128
#include <sluice/device.cuh>

using namespace sluice;

extern "C" __global__ void __launch_bounds__(288, 1)
gemm(const __grid_constant__ TensorMap CMap, const __grid_constant__ TensorMap AMap,
    const __grid_constant__ TensorMap BMap, int K) {
  extern __shared__ __align__(1024) unsigned char sharedBytes[];
  const u32 smem = sharedAddress(sharedBytes);
  using ATile = SharedTile<f16, 128, 64, 1, 128>;
  const Buffer<ATile, 16384> a{smem + 0};
  using BTile = SharedTile<f16, 64, 128, 1, 128>;
  const Buffer<BTile, 16384> b{smem + 65536};
  using C_stagingTile = SharedTile<f16, 128, 128, 1, 128>;
  const Buffer<C_stagingTile, 32768> c_staging{smem + 131072};
  const Mbarriers full{smem + 163840};
  const Mbarriers empty{smem + 163872};
  const int ctaWarp = warpOfCta();
  if (ctaWarp == 0 && electLane()) {
    tmaPrefetch(CMap);
    tmaPrefetch(AMap);
    tmaPrefetch(BMap);
  }
  const int i = blockIdx.x;
  const int j = blockIdx.y;
  const int row = i * 128;
  const int col = j * 128;
  const int kSteps = max(ceilDiv(K, 64), 1);
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
    Fragment<float, 128> acc;
    Fragment<f16, 128> c;
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
    assign(c, acc);
    storeFragmentMatrices<C_stagingTile, 8>(c_staging[0], 0, 0, c, warp);
    fenceProxyAsync();
    if (group == 0)
      namedBarrierSync(1, 128);
    if (group == 1)
      namedBarrierSync(2, 128);
    const int groupRow = group * 64;
    if (warp % 4 == 0 && electLane()) {
      tmaStore<2, 64, 16384>(CMap, c_staging[0] + groupRow * 128, col, row + groupRow);
      bulkCommit();
      bulkWaitRead<0>();
    }
    warpSync();
  } else if (ctaWarp == 8) { // load
    waitForPreviousKernel();
    Cursor<4> at;
    for (int k = 0; k < kSteps; ++k) {
      const int depth = k * 64;
      mbarrierWait(empty[at.slot], at.phase ^ 1);
      if (electLane()) {
        mbarrierArriveExpectTx(full[at.slot], 32768);
        tmaLoad<1, 64, 16384>(a[at.slot], AMap, full[at.slot], depth, row);
        tmaLoad<2, 64, 8192>(b[at.slot], BMap, full[at.slot], col, depth);
      }
      at = at.advance();
    }
  }
}

// Kernel gemm for sm_90a, printed by sluice.
// 256 threads, 163968 bytes of dynamic shared memory.
// Roles: mma (warps 0..7).
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

extern "C" __global__ void __launch_bounds__(256, 1)
gemm(const __grid_constant__ TensorMap AMap, const __grid_constant__ TensorMap BMap,
    const __grid_constant__ TensorMap CMap, int K) {
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
    tmaPrefetch(AMap);
    tmaPrefetch(BMap);
    tmaPrefetch(CMap);
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
  namedBarrierSync(0, 256);
  launchDependents();
  if (ctaWarp < 8) { // mma
    Fragment<float, 128> acc;
    Fragment<f16, 128> c;
    const int group = ctaWarp / 4;
    waitForPreviousKernel();
    Cursor<4> filled;
    for (int first = 0; first < min(kSteps, 3); ++first) {
      const int depth = first * 64;
      if (ctaWarp == 0 && electLane()) {
        mbarrierArriveExpectTx(full[filled.slot], 32768);
        tmaLoad<1, 64, 16384>(a[filled.slot], AMap, full[filled.slot], depth, row);
        tmaLoad<2, 64, 8192>(b[filled.slot], BMap, full[filled.slot], col, depth);
      }
      filled = filled.advance();
    }
    Cursor<4> at;
    Cursor<4> before;
    for (int k = 0; k < kSteps; ++k) {
      mbarrierWait(full[at.slot], at.phase);
      wgmmaFence(acc);
      wgmma<64, 2>(acc, kMajor(a, at.slot), mnMajor(b, at.slot), k != 0, ctaWarp / 4);
      wgmmaCommit();
      wgmmaWait<1>(acc);
      if (k > 0 && electLane())
        mbarrierArrive(empty[before.slot]);
      const int next = k + 3;
      if (next < kSteps) {
        const Cursor<4> ahead = at.advance(3);
        const int depth1 = next * 64;
        if (ctaWarp == 0 && electLane()) {
          mbarrierWait(empty[ahead.slot], ahead.phase ^ 1);
          mbarrierArriveExpectTx(full[ahead.slot], 32768);
          tmaLoad<1, 64, 16384>(a[ahead.slot], AMap, full[ahead.slot], depth1, row);
          tmaLoad<2, 64, 8192>(b[ahead.slot], BMap, full[ahead.slot], col, depth1);
        }
        warpSync();
      }
      before = at;
      at = at.advance();
    }
    wgmmaWait<0>(acc);
    if (electLane())
      mbarrierArrive(empty[before.slot]);
    assign(c, acc);
    storeFragmentMatrices<C_stagingTile, 8>(c_staging[0], 0, 0, c, ctaWarp);
    fenceProxyAsync();
    if (group == 0)
      namedBarrierSync(1, 128);
    if (group == 1)
      namedBarrierSync(2, 128);
    const int groupRow = group * 64;
    if (ctaWarp % 4 == 0 && electLane()) {
      tmaStore<2, 64, 16384>(CMap, c_staging[0] + groupRow * 128, col, row + groupRow);
      bulkCommit();
      bulkWaitRead<0>();
    }
    warpSync();
  }
}

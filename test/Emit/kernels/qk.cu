// Kernel qk for sm_90a, printed by sluice.
// 320 threads, 98432 bytes of dynamic shared memory.
// Roles: mma (warps 0..7), load (warps 8..8), store (warps 9..9).
//
//   barrier          slots  count  bytes  offset
//   full_q               1      1      -   98304
//   full_k               1      1      -   98312
//   empty_k              1      8      -   98320
//   full_s_f16_staging     1      8      -   98328
//   empty_s_f16_staging     1      1      -   98336
//
//   shared memory    slots  bytes  offset  tile
//   q                    1  32768       0  f16 128 x 128 sw128
//   k                    1  32768   32768  f16 128 x 128 sw128
//   s_f16_staging        1  32768   65536  f16 128 x 128 sw128
#include <sluice/device.cuh>

using namespace sluice;

extern "C" __global__ void __launch_bounds__(320, 1)
qk(const __grid_constant__ TensorMap QMap, const __grid_constant__ TensorMap KMap,
    const __grid_constant__ TensorMap SMap, int KExtent0) {
  extern __shared__ __align__(1024) unsigned char sharedBytes[];
  const u32 smem = sharedAddress(sharedBytes);
  using QTile = SharedTile<f16, 128, 128, 1, 128>;
  const Buffer<QTile, 32768> q{smem + 0};
  using KTile = SharedTile<f16, 128, 128, 1, 128>;
  const Buffer<KTile, 32768> k{smem + 32768};
  using S_f16_stagingTile = SharedTile<f16, 128, 128, 1, 128>;
  const Buffer<S_f16_stagingTile, 32768> s_f16_staging{smem + 65536};
  const Mbarriers full_q{smem + 98304};
  const Mbarriers full_k{smem + 98312};
  const Mbarriers empty_k{smem + 98320};
  const Mbarriers full_s_f16_staging{smem + 98328};
  const Mbarriers empty_s_f16_staging{smem + 98336};
  const int ctaWarp = warpOfCta();
  if (ctaWarp == 0 && electLane()) {
    tmaPrefetch(QMap);
    tmaPrefetch(KMap);
    tmaPrefetch(SMap);
  }
  const int iSteps = ceilDiv(KExtent0, 128);
  if (ctaWarp == 0 && electLane()) {
    mbarrierInit(full_q[0], 1);
    mbarrierInit(full_k[0], 1);
    mbarrierInit(empty_k[0], 8);
    mbarrierInit(full_s_f16_staging[0], 8);
    mbarrierInit(empty_s_f16_staging[0], 1);
    fenceMbarrierInit();
  }
  namedBarrierSync(0, 320);
  launchDependents();
  if (ctaWarp < 8) { // mma
    const int warp = ctaWarp;
    Fragment<float, 128> s;
    Fragment<f16, 128> s_f16;
    mbarrierWait(full_q[0], 0);
    Cursor<1> at_k;
    Cursor<1> at_s_f16_staging;
    for (int i = 0; i < iSteps; ++i) {
      mbarrierWait(full_k[0], at_k.phase);
      wgmmaFence(s);
      wgmma<128, 2>(s, kMajor(q, 0), kMajor(k, 0), false, warp / 4);
      wgmmaCommit();
      wgmmaWait<0>(s);
      if (electLane())
        mbarrierArrive(empty_k[0]);
      assign(s_f16, s);
      mbarrierWait(empty_s_f16_staging[0], at_s_f16_staging.phase ^ 1);
      storeFragmentMatrices<S_f16_stagingTile, 8>(s_f16_staging[0], 0, 0, s_f16, warp);
      fenceProxyAsync();
      warpSync();
      if (electLane())
        mbarrierArrive(full_s_f16_staging[0]);
      at_k = at_k.advance();
      at_s_f16_staging = at_s_f16_staging.advance();
    }
  } else if (ctaWarp == 8) { // load
    if (electLane())
      mbarrierArriveExpectTx(full_q[0], 32768);
    waitForPreviousKernel();
    if (electLane())
      tmaLoad<2, 64, 16384>(q[0], QMap, full_q[0], 0, 0);
    Cursor<1> at_k;
    for (int i = 0; i < iSteps; ++i) {
      mbarrierWait(empty_k[0], at_k.phase ^ 1);
      if (electLane()) {
        mbarrierArriveExpectTx(full_k[0], 32768);
        tmaLoad<2, 64, 16384>(k[0], KMap, full_k[0], 0, i * 128);
      }
      at_k = at_k.advance();
    }
  } else if (ctaWarp == 9) { // store
    waitForPreviousKernel();
    Cursor<1> at_s_f16_staging;
    for (int i = 0; i < iSteps; ++i) {
      mbarrierWait(full_s_f16_staging[0], at_s_f16_staging.phase);
      if (electLane()) {
        tmaStore<2, 64, 16384>(SMap, s_f16_staging[0], 0, i * 128);
        bulkCommit();
        bulkWaitRead<0>();
        mbarrierArrive(empty_s_f16_staging[0]);
      }
      warpSync();
      at_s_f16_staging = at_s_f16_staging.advance();
    }
  }
}

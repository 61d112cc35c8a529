// Kernel grouped_gemm for sm_90a, printed by sluice.
// 384 threads, 163968 bytes of dynamic shared memory.
// Roles: mma (warps 0..7), load (warps 8..8), store (warps 9..11).
//
//   barrier          slots  count  bytes  offset
//   full                 4      1      -  163840
//   empty                4      8      -  163872
//   full_c_staging       1      8      -  163904
//   empty_c_staging      1      3      -  163912
//
//   shared memory    slots  bytes  offset  tile
//   a                    4  16384       0  f16 128 x 64 sw128
//   b                    4  16384   65536  f16 64 x 128 sw128
//   c_staging            1  32768  131072  f16 128 x 128 sw128
#include <sluice/device.cuh>

using namespace sluice;

extern "C" __global__ void __launch_bounds__(384, 1)
grouped_gemm(const __grid_constant__ TensorMap AMap, const __grid_constant__ TensorMap BMap,
    const int *offsetsGlobal, f16 *CGlobal, int offsetsExtent0, int rows, int N, int K,
    i64 CStride0) {
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
  const Mbarriers full_c_staging{smem + 163904};
  const Mbarriers empty_c_staging{smem + 163912};
  const int ctaWarp = warpOfCta();
  if (ctaWarp == 0 && electLane()) {
    tmaPrefetch(AMap);
    tmaPrefetch(BMap);
  }
  const int groups = offsetsExtent0 - 1;
  const int cols = ceilDiv(N, 128);
  const int steps = ceilDiv(K, 64);
  const int cta = blockIdx.x;
  if (ctaWarp == 0 && electLane()) {
    for (int i = 0; i < 4; ++i)
      mbarrierInit(full[i], 1);
    for (int i = 0; i < 4; ++i)
      mbarrierInit(empty[i], 8);
    mbarrierInit(full_c_staging[0], 8);
    mbarrierInit(empty_c_staging[0], 3);
    fenceMbarrierInit();
  }
  namedBarrierSync(0, 384);
  if (ctaWarp < 8) { // mma
    const int warp = ctaWarp;
    Fragment<float, 128> acc;
    Fragment<f16, 128> c;
    Cursor<4> at;
    Cursor<4> before;
    Cursor<1> at_c_staging;
    for (int group = 0; group < groups; ++group) {
      const int from = *(offsetsGlobal + i64(group));
      const int to = *(offsetsGlobal + i64(group + 1));
      const int first = max(from, 0);
      const int end = min(to, rows);
      const int down = ceilDiv(int(max(i64(end) - first, i64(0))), 128);
      const i64 before1 = (i64(first / 128) + group) * cols;
      const int own = (int((cta - before1) % 132) + 132) % 132;
      for (i64 turn = 0; turn < ceilDiv(max(i64(down) * cols - own, i64(0)), i64(132)); ++turn) {
        for (int k = 0; k < max(steps, 1); ++k) {
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
        mbarrierWait(empty_c_staging[0], at_c_staging.phase ^ 1);
        wgmmaWait<0>(acc);
        if (electLane())
          mbarrierArrive(empty[before.slot]);
        assign(c, acc);
        storeFragmentMatrices<C_stagingTile, 8>(c_staging[0], 0, 0, c, warp);
        warpSync();
        if (electLane())
          mbarrierArrive(full_c_staging[0]);
        at_c_staging = at_c_staging.advance();
      }
    }
  } else if (ctaWarp == 8) { // load
    Cursor<4> at;
    for (int group = 0; group < groups; ++group) {
      const int from = *(offsetsGlobal + i64(group));
      const int to = *(offsetsGlobal + i64(group + 1));
      const int first = max(from, 0);
      const int end = min(to, rows);
      const int down = ceilDiv(int(max(i64(end) - first, i64(0))), 128);
      const i64 before = (i64(first / 128) + group) * cols;
      const int own = (int((cta - before) % 132) + 132) % 132;
      for (i64 turn = 0; turn < ceilDiv(max(i64(down) * cols - own, i64(0)), i64(132)); ++turn) {
        const i64 tile = own + turn * 132;
        const i64 row = i64(first) + int(remainder(tile, i64(down))) * 128;
        const i64 col = quotient(tile, i64(down)) * 128;
        for (int k = 0; k < max(steps, 1); ++k) {
          const int depth = k * 64;
          mbarrierWait(empty[at.slot], at.phase ^ 1);
          if (electLane()) {
            mbarrierArriveExpectTx(full[at.slot], 32768);
            tmaLoad<1, 64, 16384>(a[at.slot], AMap, full[at.slot], depth, coordinate(row));
            tmaLoad<2, 64, 8192>(b[at.slot], BMap, full[at.slot], coordinate(col), depth, group);
          }
          at = at.advance();
        }
      }
    }
  } else if (ctaWarp >= 9 && ctaWarp < 12) { // store
    const int thread = int(threadIdx.x) - 288;
    Cursor<1> at;
    for (int group = 0; group < groups; ++group) {
      const int from = *(offsetsGlobal + i64(group));
      const int to = *(offsetsGlobal + i64(group + 1));
      const int first = max(from, 0);
      const int end = min(to, rows);
      const int down = ceilDiv(int(max(i64(end) - first, i64(0))), 128);
      const i64 before = (i64(first / 128) + group) * cols;
      const int own = (int((cta - before) % 132) + 132) % 132;
      for (i64 turn = 0; turn < ceilDiv(max(i64(down) * cols - own, i64(0)), i64(132)); ++turn) {
        const i64 tile = own + turn * 132;
        const i64 row = i64(first) + int(remainder(tile, i64(down))) * 128;
        const i64 col = quotient(tile, i64(down)) * 128;
        mbarrierWait(full_c_staging[0], at.phase);
        storeTile<C_stagingTile, 128, 128, 16, 96>(Window<f16>{CGlobal, clipped(rows, end), N,
            CStride0, 1, coordinate(row), coordinate(col)}, c_staging[0], 0, 0, thread);
        warpSync();
        if (electLane())
          mbarrierArrive(empty_c_staging[0]);
        at = at.advance();
      }
    }
  }
}

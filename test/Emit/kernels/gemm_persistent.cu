// Kernel gemm for sm_90a, printed by sluice.
// 384 threads, 213120 bytes of dynamic shared memory.
// Roles: mma (warps 0..7, 232 registers), load (warps 8..8, 40 registers),
//   store (warps 9..9, 40 registers).
// Every launch keeps: tiles <= 2146435072 (Gemm.cpp:16:25).
//
//   barrier          slots  count  bytes  offset
//   full                 3      1      -  212992
//   empty                3      8      -  213016
//   full_c_staging       1      8      -  213040
//   empty_c_staging      1      1      -  213048
//
//   shared memory    slots  bytes  offset  tile
//   a                    3  16384       0  f16 128 x 64 sw128
//   b                    3  32768   49152  f16 64 x 256 sw128
//   c_staging            1  65536  147456  f16 128 x 256 sw128
#include <sluice/device.cuh>

using namespace sluice;

extern "C" __global__ void __launch_bounds__(384, 1)
gemm(const __grid_constant__ TensorMap AMap, const __grid_constant__ TensorMap BMap,
    const __grid_constant__ TensorMap CMap, int M, int N, int K) {
  extern __shared__ __align__(1024) unsigned char sharedBytes[];
  const u32 smem = sharedAddress(sharedBytes);
  using ATile = SharedTile<f16, 128, 64, 1, 128>;
  const Buffer<ATile, 16384> a{smem + 0};
  using BTile = SharedTile<f16, 64, 256, 1, 128>;
  const Buffer<BTile, 32768> b{smem + 49152};
  using C_stagingTile = SharedTile<f16, 128, 256, 1, 128>;
  const Buffer<C_stagingTile, 65536> c_staging{smem + 147456};
  const Mbarriers full{smem + 212992};
  const Mbarriers empty{smem + 213016};
  const Mbarriers full_c_staging{smem + 213040};
  const Mbarriers empty_c_staging{smem + 213048};
  const int ctaWarp = warpOfCta();
  if (ctaWarp == 0 && electLane()) {
    tmaPrefetch(AMap);
    tmaPrefetch(BMap);
    tmaPrefetch(CMap);
  }
  const int rows = ceilDiv(M, 128);
  const int cols = ceilDiv(N, 256);
  const int tiles = rows * cols;
  const int waves = (tiles - 1) / 132 + 1;
  const int ctas = ceilDiv(tiles, waves);
  const int cta = blockIdx.x;
  if (ctaWarp == 0 && electLane()) {
    for (int i = 0; i < 3; ++i)
      mbarrierInit(full[i], 1);
    for (int i = 0; i < 3; ++i)
      mbarrierInit(empty[i], 8);
    mbarrierInit(full_c_staging[0], 8);
    mbarrierInit(empty_c_staging[0], 1);
    fenceMbarrierInit();
  }
  namedBarrierSync(0, 384);
  launchDependents();
  if (ctaWarp < 8) { // mma
    registersGrow<232>();
    const int warp = ctaWarp;
    Fragment<float, 256> acc;
    Fragment<f16, 256> c;
    Cursor<3> at;
    Cursor<3> before;
    Cursor<1> at_c_staging;
    for (int tile = cta; tile < tiles; tile += ctas) {
      for (int k = 0; k < max(ceilDiv(K, 64), 1); ++k) {
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
      fenceProxyAsync();
      warpSync();
      if (electLane())
        mbarrierArrive(full_c_staging[0]);
      at_c_staging = at_c_staging.advance();
    }
  } else if (ctaWarp >= 8 && ctaWarp < 12) {
    registersShrink<40>();
    if (ctaWarp == 8) { // load
      waitForPreviousKernel();
      Cursor<3> at;
      for (int tile = cta; tile < tiles; tile += ctas) {
        const int groupTiles = cols * 16;
        const int group = tile / groupTiles;
        const int groupRow = group * 16;
        const int inGroup = tile % groupTiles;
        const int groupRows = min(rows - groupRow, 16);
        const int across = inGroup / groupRows;
        const int i = groupRow + inGroup % groupRows;
        const int j = (group % 2) == 1 ? (cols - 1 - across) : across;
        const int row = i * 128;
        const int col = j * 256;
        for (int k = 0; k < max(ceilDiv(K, 64), 1); ++k) {
          const int depth = k * 64;
          mbarrierWait(empty[at.slot], at.phase ^ 1);
          if (electLane()) {
            mbarrierArriveExpectTx(full[at.slot], 49152);
            tmaLoad<1, 64, 16384>(a[at.slot], AMap, full[at.slot], depth, row);
            tmaLoad<4, 64, 8192>(b[at.slot], BMap, full[at.slot], col, depth);
          }
          at = at.advance();
        }
      }
    } else if (ctaWarp == 9) { // store
      waitForPreviousKernel();
      Cursor<1> at_c_staging;
      for (int tile = cta; tile < tiles; tile += ctas) {
        const int groupTiles = cols * 16;
        const int group = tile / groupTiles;
        const int groupRow = group * 16;
        const int inGroup = tile % groupTiles;
        const int groupRows = min(rows - groupRow, 16);
        const int across = inGroup / groupRows;
        const int i = groupRow + inGroup % groupRows;
        const int j = (group % 2) == 1 ? (cols - 1 - across) : across;
        const int row = i * 128;
        const int col = j * 256;
        mbarrierWait(full_c_staging[0], at_c_staging.phase);
        for (int box = 0; box < 8; ++box) {
          const int line = box % 2 * 64;
          const int column = box / 2 * 64;
          if (electLane()) {
            bulkWaitRead<0>();
            tmaStore<1, 64, 16384>(CMap, c_staging[0] + line * 128 + column / 64 * 16384, col
                + column, row + line);
            bulkCommit();
          }
          warpSync();
        }
        if (electLane()) {
          bulkWaitRead<0>();
          mbarrierArrive(empty_c_staging[0]);
        }
        warpSync();
        at_c_staging = at_c_staging.advance();
      }
    }
  }
}

// Kernel gemm for sm_90a, printed by sluice.
// 320 threads, 114816 bytes of dynamic shared memory.
// Roles: mma0 (warps 0..3), mma1 (warps 4..7), load (warps 8..8), store (warps 9..9).
// Every launch keeps: tiles <= 2146435072 (Gemm.cpp:16:25).
//
//   barrier          slots  count  bytes  offset
//   full                 4      1      -  114688
//   empty                4      4      -  114720
//   full_c_staging       1      4      -  114752
//   empty_c_staging      1      1      -  114760
//   turn                 4      4      -  114768
//
//   shared memory    slots  bytes  offset  tile
//   a                    4   8192       0  f16 64 x 64 sw128
//   b                    4  16384   32768  f16 64 x 128 sw128
//   c_staging            1  16384   98304  f16 64 x 128 sw128
#include <sluice/device.cuh>

using namespace sluice;

extern "C" __global__ void __launch_bounds__(320, 1)
gemm(const __grid_constant__ TensorMap AMap, const __grid_constant__ TensorMap BMap,
    const __grid_constant__ TensorMap CMap, int M, int N, int K) {
  extern __shared__ __align__(1024) unsigned char sharedBytes[];
  const u32 smem = sharedAddress(sharedBytes);
  using ATile = SharedTile<f16, 64, 64, 1, 128>;
  const Buffer<ATile, 8192> a{smem + 0};
  using BTile = SharedTile<f16, 64, 128, 1, 128>;
  const Buffer<BTile, 16384> b{smem + 32768};
  using C_stagingTile = SharedTile<f16, 64, 128, 1, 128>;
  const Buffer<C_stagingTile, 16384> c_staging{smem + 98304};
  const Mbarriers full{smem + 114688};
  const Mbarriers empty{smem + 114720};
  const Mbarriers full_c_staging{smem + 114752};
  const Mbarriers empty_c_staging{smem + 114760};
  const Mbarriers turn{smem + 114768};
  const int ctaWarp = warpOfCta();
  if (ctaWarp == 0 && electLane()) {
    tmaPrefetch(AMap);
    tmaPrefetch(BMap);
    tmaPrefetch(CMap);
  }
  const int rows = ceilDiv(M, 64);
  const int cols = ceilDiv(N, 128);
  const int tiles = rows * cols;
  const int waves = (tiles - 1) / 132 + 1;
  const int ctas = ceilDiv(tiles, waves);
  const int cta = blockIdx.x;
  if (ctaWarp == 0 && electLane()) {
    for (int i = 0; i < 4; ++i)
      mbarrierInit(full[i], 1);
    for (int i = 0; i < 4; ++i)
      mbarrierInit(empty[i], 4);
    mbarrierInit(full_c_staging[0], 4);
    mbarrierInit(empty_c_staging[0], 1);
    for (int i = 0; i < 4; ++i)
      mbarrierInit(turn[i], 4);
    fenceMbarrierInit();
  }
  namedBarrierSync(0, 320);
  launchDependents();
  if (ctaWarp < 4) { // mma0
    const int warp = ctaWarp;
    Fragment<float, 128> acc;
    Fragment<f16, 128> c;
    const int tilesHere = ceilDiv(tiles - cta, ctas);
    Cursor<4> at;
    Cursor<4> before;
    Cursor<1> at_c_staging;
    Cursor<1> turn1;
    for (int round = 0; round < tilesHere; round += 2) {
      const int n = turn1.phase ^ 1;
      const int kSteps = max(ceilDiv(K, 64), 1);
      mbarrierWait(turn[0], n);
      for (int k = 0; k < kSteps; ++k) {
        mbarrierWait(full[at.slot], at.phase);
        wgmmaFence(acc);
        wgmma<64, 1>(acc, kMajor(a, at.slot), mnMajor(b, at.slot), k != 0, warp / 4);
        wgmmaCommit();
        wgmmaWait<1>(acc);
        if (k > 0 && electLane())
          mbarrierArrive(empty[before.slot]);
        before = at;
        at = at.advance();
      }
      if (electLane())
        mbarrierArrive(turn[1]);
      mbarrierWait(turn[2], n);
      mbarrierWait(empty_c_staging[0], at_c_staging.phase ^ 1);
      if (electLane())
        mbarrierArrive(turn[3]);
      wgmmaWait<0>(acc);
      if (electLane())
        mbarrierArrive(empty[before.slot]);
      assign(c, acc);
      storeFragmentMatrices<C_stagingTile, 4>(c_staging[0], 0, 0, c, warp);
      fenceProxyAsync();
      warpSync();
      if (electLane())
        mbarrierArrive(full_c_staging[0]);
      at = at.advance(kSteps);
      at_c_staging = at_c_staging.advance().advance(1);
      turn1 = turn1.advance();
    }
  } else if (ctaWarp >= 4 && ctaWarp < 8) { // mma1
    const int warp = ctaWarp - 4;
    Fragment<float, 128> acc1;
    Fragment<f16, 128> c1;
    const int tilesHere = ceilDiv(tiles - cta, ctas);
    Cursor<4> at;
    Cursor<4> before;
    Cursor<1> at_c_staging;
    Cursor<1> turn1;
    for (int round = 1; round < tilesHere; round += 2) {
      const Cursor<1> n = at_c_staging.advance(1);
      const int kSteps = max(ceilDiv(K, 64), 1);
      mbarrierWait(turn[1], turn1.phase);
      Cursor<4> at1 = at.advance(kSteps);
      for (int k = 0; k < kSteps; ++k) {
        mbarrierWait(full[at1.slot], at1.phase);
        wgmmaFence(acc1);
        wgmma<64, 1>(acc1, kMajor(a, at1.slot), mnMajor(b, at1.slot), k != 0, warp / 4);
        wgmmaCommit();
        wgmmaWait<1>(acc1);
        if (k > 0 && electLane())
          mbarrierArrive(empty[before.slot]);
        before = at1;
        at1 = at1.advance();
      }
      if (electLane())
        mbarrierArrive(turn[0]);
      mbarrierWait(turn[3], turn1.phase);
      mbarrierWait(empty_c_staging[0], n.phase ^ 1);
      if (electLane())
        mbarrierArrive(turn[2]);
      wgmmaWait<0>(acc1);
      if (electLane())
        mbarrierArrive(empty[before.slot]);
      assign(c1, acc1);
      storeFragmentMatrices<C_stagingTile, 4>(c_staging[0], 0, 0, c1, warp);
      fenceProxyAsync();
      warpSync();
      if (electLane())
        mbarrierArrive(full_c_staging[0]);
      at = at1;
      at_c_staging = n.advance();
      turn1 = turn1.advance();
    }
  } else if (ctaWarp == 8) { // load
    waitForPreviousKernel();
    Cursor<4> at;
    for (int tile = cta; tile < tiles; tile += ctas) {
      const int groupTiles = cols * 16;
      const int group = tile / groupTiles;
      const int groupRow = group * 16;
      const int inGroup = tile % groupTiles;
      const int groupRows = min(rows - groupRow, 16);
      const int across = inGroup / groupRows;
      const int i = groupRow + inGroup % groupRows;
      const int j = (group % 2) == 1 ? (cols - 1 - across) : across;
      const int row = i * 64;
      const int col = j * 128;
      for (int k = 0; k < max(ceilDiv(K, 64), 1); ++k) {
        const int depth = k * 64;
        mbarrierWait(empty[at.slot], at.phase ^ 1);
        if (electLane()) {
          mbarrierArriveExpectTx(full[at.slot], 24576);
          tmaLoad<1, 64, 8192>(a[at.slot], AMap, full[at.slot], depth, row);
          tmaLoad<2, 64, 8192>(b[at.slot], BMap, full[at.slot], col, depth);
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
      const int row = i * 64;
      const int col = j * 128;
      mbarrierWait(full_c_staging[0], at_c_staging.phase);
      for (int box = 0; box < 2; ++box) {
        const int column = box * 64;
        if (electLane()) {
          bulkWaitRead<0>();
          tmaStore<1, 64, 8192>(CMap, c_staging[0] + column / 64 * 8192, col + column, row);
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

// Kernel gemm for sm_100a, printed by sluice.
// 192 threads, 218240 bytes of dynamic shared memory.
// Roles: allocate (warps 4..4), epilogue (warps 0..3), mma (warps 4..4), load (warps 5..5),
//   free (warps 4..4).
//
//   barrier          slots  count  bytes  offset
//   full_acc             1      1      -  218120
//   full                 3      1      -  218128
//   empty                3      1      -  218152
//
//   shared memory    slots  bytes  offset  tile
//   a                    3  16384       0  e4m3 128 x 128 sw128
//   b                    3  32768   49152  e4m3 128 x 256 sw128, columns contiguous
//   sa                   3    512  147456  ue8m0 32 x 16 row
//   sb                   3   1024  148992  ue8m0 64 x 16 row
//   c_staging            1  65536  152576  bf16 128 x 256 sw128
//   tmem_address         1      4  218112  i32 1 x 1 row
#include <sluice/device.cuh>
#include <sluice/tcgen05.cuh>

using namespace sluice;

extern "C" __global__ void __launch_bounds__(192, 1)
gemm(const __grid_constant__ TensorMap CMap, const __grid_constant__ TensorMap AMap,
    const __grid_constant__ TensorMap BMap, const __grid_constant__ TensorMap SAMap,
    const __grid_constant__ TensorMap SBMap, int K) {
  extern __shared__ __align__(1024) unsigned char sharedBytes[];
  const u32 smem = sharedAddress(sharedBytes);
  using ATile = SharedTile<e4m3, 128, 128, 1, 128>;
  const Buffer<ATile, 16384> a{smem + 0};
  using BTile = SharedTile<e4m3, 128, 256, 0, 128>;
  const Buffer<BTile, 32768> b{smem + 49152};
  using SaTile = SharedTile<ue8m0, 32, 16, 1, 0>;
  const Buffer<SaTile, 512> sa{smem + 147456};
  using SbTile = SharedTile<ue8m0, 64, 16, 1, 0>;
  const Buffer<SbTile, 1024> sb{smem + 148992};
  using C_stagingTile = SharedTile<bf16, 128, 256, 1, 128>;
  const Buffer<C_stagingTile, 65536> c_staging{smem + 152576};
  using Tmem_addressTile = SharedTile<int, 1, 1, 1, 0>;
  const Buffer<Tmem_addressTile, 4> tmem_address{smem + 218112};
  const Mbarriers full_acc{smem + 218120};
  const Mbarriers full{smem + 218128};
  const Mbarriers empty{smem + 218152};
  const int ctaWarp = warpOfCta();
  if (ctaWarp == 0 && electLane()) {
    tmaPrefetch(CMap);
    tmaPrefetch(AMap);
    tmaPrefetch(BMap);
    tmaPrefetch(SAMap);
    tmaPrefetch(SBMap);
  }
  const int i = blockIdx.x;
  const int j = blockIdx.y;
  const int row = i * 128;
  const int col = j * 256;
  const int kSteps = max(ceilDiv(K, 128), 1);
  if (ctaWarp == 0 && electLane()) {
    mbarrierInit(full_acc[0], 1);
    for (int i1 = 0; i1 < 3; ++i1)
      mbarrierInit(full[i1], 1);
    for (int i1 = 0; i1 < 3; ++i1)
      mbarrierInit(empty[i1], 1);
    fenceMbarrierInit();
  }
  if (ctaWarp == 4) { // allocate
    tmemAlloc<512>(tmem_address[0] + Tmem_addressTile::offset(0, 0));
    tmemRelinquish();
  }
  namedBarrierSync(0, 192);
  const u32 tmem = tmemAddress(tmem_address[0] + Tmem_addressTile::offset(0, 0));
  launchDependents();
  if (ctaWarp < 4) { // epilogue
    const int warp = ctaWarp;
    Lanes<bf16, 256> c;
    Lanes<float, 32> acc0;
    Lanes<float, 32> acc1;
    Lanes<float, 32> acc2;
    Lanes<float, 32> acc3;
    Lanes<float, 32> acc4;
    Lanes<float, 32> acc5;
    Lanes<float, 32> acc6;
    Lanes<float, 32> acc7;
    mbarrierWait(full_acc[0], 0);
    fenceTmemAfter();
    tmemLoad(acc0, tmem, warp);
    tmemWait(acc0);
    tmemLoad(acc1, tmem + 32, warp);
    waitForPreviousKernel();
    #pragma unroll
    for (int i1 = 0; i1 < 32; i1 += 2) {
      float out0[2];
      #pragma unroll
      for (int e = 0; e < 2; ++e)
        out0[e] = acc0.get(i1 + e);
      c.put(i1, out0[0], out0[1]);
    }
    tmemWait(acc1);
    tmemLoad(acc2, tmem + 64, warp);
    #pragma unroll
    for (int i1 = 0; i1 < 32; i1 += 2) {
      float out0[2];
      #pragma unroll
      for (int e = 0; e < 2; ++e)
        out0[e] = acc1.get(i1 + e);
      c.put(i1 + 32, out0[0], out0[1]);
    }
    tmemWait(acc2);
    tmemLoad(acc3, tmem + 96, warp);
    #pragma unroll
    for (int i1 = 0; i1 < 32; i1 += 2) {
      float out0[2];
      #pragma unroll
      for (int e = 0; e < 2; ++e)
        out0[e] = acc2.get(i1 + e);
      c.put(i1 + 64, out0[0], out0[1]);
    }
    tmemWait(acc3);
    tmemLoad(acc4, tmem + 128, warp);
    #pragma unroll
    for (int i1 = 0; i1 < 32; i1 += 2) {
      float out0[2];
      #pragma unroll
      for (int e = 0; e < 2; ++e)
        out0[e] = acc3.get(i1 + e);
      c.put(i1 + 96, out0[0], out0[1]);
    }
    tmemWait(acc4);
    tmemLoad(acc5, tmem + 160, warp);
    #pragma unroll
    for (int i1 = 0; i1 < 32; i1 += 2) {
      float out0[2];
      #pragma unroll
      for (int e = 0; e < 2; ++e)
        out0[e] = acc4.get(i1 + e);
      c.put(i1 + 128, out0[0], out0[1]);
    }
    tmemWait(acc5);
    tmemLoad(acc6, tmem + 192, warp);
    #pragma unroll
    for (int i1 = 0; i1 < 32; i1 += 2) {
      float out0[2];
      #pragma unroll
      for (int e = 0; e < 2; ++e)
        out0[e] = acc5.get(i1 + e);
      c.put(i1 + 160, out0[0], out0[1]);
    }
    tmemWait(acc6);
    tmemLoad(acc7, tmem + 224, warp);
    tmemWait(acc7);
    fenceTmemBefore();
    #pragma unroll
    for (int i1 = 0; i1 < 32; i1 += 2) {
      float out0[2];
      #pragma unroll
      for (int e = 0; e < 2; ++e)
        out0[e] = acc6.get(i1 + e);
      c.put(i1 + 192, out0[0], out0[1]);
    }
    #pragma unroll
    for (int i1 = 0; i1 < 32; i1 += 2) {
      float out0[2];
      #pragma unroll
      for (int e = 0; e < 2; ++e)
        out0[e] = acc7.get(i1 + e);
      c.put(i1 + 224, out0[0], out0[1]);
    }
    storeLanesShared<C_stagingTile, 4>(c_staging[0], 0, 0, c, warp);
    fenceProxyAsync();
    namedBarrierSync(1, 128);
    if (warp == 0 && electLane()) {
      tmaStore<4, 64, 16384>(CMap, c_staging[0], col, row);
      bulkCommit();
      bulkWaitRead<0>();
    }
    warpSync();
  } else if (ctaWarp == 4) { // mma
    Cursor<3> at_a_b_sa_sb;
    for (int k = 0; k < kSteps; ++k) {
      mbarrierWait(full[at_a_b_sa_sb.slot], at_a_b_sa_sb.phase);
      fenceTmemAfter();
      if (electLane()) {
        tmemCopyScales(tmem + 4 * at_a_b_sa_sb.slot + 256, sa[at_a_b_sa_sb.slot]
            + SaTile::offset(0, 0));
        tmemCopyScales(tmem + 8 * at_a_b_sa_sb.slot + 268, sb[at_a_b_sa_sb.slot]
            + SbTile::offset(0, 0));
        tmemCopyScales(tmem + 8 * at_a_b_sa_sb.slot + 272, sb[at_a_b_sa_sb.slot]
            + SbTile::offset(32, 0));
        tcgen05MmaScaled<256, 128>(tmem, kMajor(a, at_a_b_sa_sb.slot),
            kMajor(b, at_a_b_sa_sb.slot), tmem + 4 * at_a_b_sa_sb.slot + 256, tmem
            + 8 * at_a_b_sa_sb.slot + 268, k != 0);
        tcgen05Commit(empty[at_a_b_sa_sb.slot]);
      }
      at_a_b_sa_sb = at_a_b_sa_sb.advance();
    }
    if (electLane())
      tcgen05Commit(full_acc[0]);
  } else if (ctaWarp == 5) { // load
    waitForPreviousKernel();
    Cursor<3> at_a_b_sa_sb;
    for (int k = 0; k < kSteps; ++k) {
      const int depth = k * 128;
      mbarrierWait(empty[at_a_b_sa_sb.slot], at_a_b_sa_sb.phase ^ 1);
      if (electLane()) {
        mbarrierArriveExpectTx(full[at_a_b_sa_sb.slot], 50688);
        tmaLoad<1, 128, 16384>(a[at_a_b_sa_sb.slot], AMap, full[at_a_b_sa_sb.slot], depth, row);
        tmaLoad<1, 128, 32768>(b[at_a_b_sa_sb.slot], BMap, full[at_a_b_sa_sb.slot], depth, col);
      }
      const int n = k * 32;
      if (electLane())
        tmaLoad<1, 16, 0>(sa[at_a_b_sa_sb.slot], SAMap, full[at_a_b_sa_sb.slot], 0, n, i);
      const int n1 = j * 2;
      if (electLane()) {
        tmaLoad<1, 16, 0>(sb[at_a_b_sa_sb.slot], SBMap, full[at_a_b_sa_sb.slot], 0, n, n1);
        tmaLoad<1, 16, 0>(sb[at_a_b_sa_sb.slot] + 512, SBMap, full[at_a_b_sa_sb.slot], 0, n, n1
            + 1);
      }
      at_a_b_sa_sb = at_a_b_sa_sb.advance();
    }
    for (int tail = 0; tail < 3; ++tail) {
      mbarrierWait(empty[at_a_b_sa_sb.slot], at_a_b_sa_sb.phase ^ 1);
      at_a_b_sa_sb = at_a_b_sa_sb.advance();
    }
  }
  namedBarrierSync(0, 192);
  fenceTmemAfter();
  if (ctaWarp == 4) { // free
    tmemDealloc<512>(tmem);
  }
}

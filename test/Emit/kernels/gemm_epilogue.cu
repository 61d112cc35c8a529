// Kernel gemm for sm_90a, printed by sluice.
// 288 threads, 163968 bytes of dynamic shared memory.
// Roles: mma (warps 0..7), load (warps 8..8).
//
//   barrier          slots  count  bytes  offset
//   full_a_b             4      1      -  163840
//   empty_a_b            4      8      -  163872
//   full_R               1      1      -  163904
//
//   shared memory    slots  bytes  offset  tile
//   a                    4  16384       0  f16 128 x 64 sw128
//   b                    4  16384   65536  f16 64 x 128 sw128
//   c_staging            1  32768  131072  f16 128 x 128 sw128
#include <sluice/device.cuh>

using namespace sluice;

extern "C" __global__ void __launch_bounds__(288, 1)
gemm(const __grid_constant__ TensorMap CMap, const __grid_constant__ TensorMap AMap,
    const __grid_constant__ TensorMap BMap, const __grid_constant__ TensorMap RMap,
    const f16 *biasGlobal, int K, int biasExtent0, int biasExtent1, i64 biasStride0) {
  extern __shared__ __align__(1024) unsigned char sharedBytes[];
  const u32 smem = sharedAddress(sharedBytes);
  using ATile = SharedTile<f16, 128, 64, 1, 128>;
  const Buffer<ATile, 16384> a{smem + 0};
  using BTile = SharedTile<f16, 64, 128, 1, 128>;
  const Buffer<BTile, 16384> b{smem + 65536};
  using C_stagingTile = SharedTile<f16, 128, 128, 1, 128>;
  const Buffer<C_stagingTile, 32768> c_staging{smem + 131072};
  const Mbarriers full_a_b{smem + 163840};
  const Mbarriers empty_a_b{smem + 163872};
  const Mbarriers full_R{smem + 163904};
  const int ctaWarp = warpOfCta();
  if (ctaWarp == 0 && electLane()) {
    tmaPrefetch(CMap);
    tmaPrefetch(AMap);
    tmaPrefetch(BMap);
    tmaPrefetch(RMap);
  }
  const int i = blockIdx.x;
  const int j = blockIdx.y;
  const int row = i * 128;
  const int col = j * 128;
  const int kSteps = max(ceilDiv(K, 64), 1);
  if (ctaWarp == 0 && electLane()) {
    for (int i1 = 0; i1 < 4; ++i1)
      mbarrierInit(full_a_b[i1], 1);
    for (int i1 = 0; i1 < 4; ++i1)
      mbarrierInit(empty_a_b[i1], 8);
    mbarrierInit(full_R[0], 1);
    fenceMbarrierInit();
  }
  namedBarrierSync(0, 288);
  launchDependents();
  if (ctaWarp < 8) { // mma
    const int warp = ctaWarp;
    Fragment<float, 128> acc;
    ColVector<f16, 128> bias;
    Fragment<f16, 32> R;
    Fragment<f16, 32> c;
    const int group = warp / 4;
    waitForPreviousKernel();
    Cursor<4> at_a_b;
    Cursor<4> before_a_b;
    for (int k = 0; k < kSteps; ++k) {
      mbarrierWait(full_a_b[at_a_b.slot], at_a_b.phase);
      wgmmaFence(acc);
      wgmma<64, 2>(acc, kMajor(a, at_a_b.slot), mnMajor(b, at_a_b.slot), k != 0, warp / 4);
      wgmmaCommit();
      wgmmaWait<1>(acc);
      if (k > 0 && electLane())
        mbarrierArrive(empty_a_b[before_a_b.slot]);
      before_a_b = at_a_b;
      at_a_b = at_a_b.advance();
    }
    wgmmaWait<0>(acc);
    if (electLane())
      mbarrierArrive(empty_a_b[before_a_b.slot]);
    loadColVector(bias, Window<const f16>{biasGlobal, biasExtent0, biasExtent1, biasStride0, 1, 0,
        col});
    mbarrierWait(full_R[0], 0);
    loadFragmentMatrices<C_stagingTile, 8>(R, c_staging[0], 0, 0, warp);
    #pragma unroll
    for (int i1 = 0; i1 < 16; i1 += 2) {
      float out0[2];
      #pragma unroll
      for (int e = 0; e < 2; ++e) {
        const float x = (acc.get(i1 + e) + R.get(i1 + e)) + bias.get(c.colIndex(i1 + e));
        out0[e] = (x * 0.5f) * (erfApprox(x * 0.70710677f) + 1.0f);
      }
      c.put(i1, out0[0], out0[1]);
    }
    storeFragmentMatrices<C_stagingTile, 8>(c_staging[0], 0, 0, c, warp);
    loadFragmentMatrices<C_stagingTile, 8>(R, c_staging[0], 0, 32, warp);
    #pragma unroll
    for (int i1 = 0; i1 < 16; i1 += 2) {
      float out0[2];
      #pragma unroll
      for (int e = 0; e < 2; ++e) {
        const float x = (acc.get(i1 + e + 16) + R.get(i1 + e)) + bias.get(c.colIndex(i1 + e) + 8);
        out0[e] = (x * 0.5f) * (erfApprox(x * 0.70710677f) + 1.0f);
      }
      c.put(i1, out0[0], out0[1]);
    }
    storeFragmentMatrices<C_stagingTile, 8>(c_staging[0], 0, 32, c, warp);
    loadFragmentMatrices<C_stagingTile, 8>(R, c_staging[0], 0, 64, warp);
    #pragma unroll
    for (int i1 = 0; i1 < 16; i1 += 2) {
      float out0[2];
      #pragma unroll
      for (int e = 0; e < 2; ++e) {
        const float x = (acc.get(i1 + e + 32) + R.get(i1 + e)) + bias.get(c.colIndex(i1 + e) + 16);
        out0[e] = (x * 0.5f) * (erfApprox(x * 0.70710677f) + 1.0f);
      }
      c.put(i1, out0[0], out0[1]);
    }
    storeFragmentMatrices<C_stagingTile, 8>(c_staging[0], 0, 64, c, warp);
    loadFragmentMatrices<C_stagingTile, 8>(R, c_staging[0], 0, 96, warp);
    #pragma unroll
    for (int i1 = 0; i1 < 16; i1 += 2) {
      float out0[2];
      #pragma unroll
      for (int e = 0; e < 2; ++e) {
        const float x = (acc.get(i1 + e + 48) + R.get(i1 + e)) + bias.get(c.colIndex(i1 + e) + 24);
        out0[e] = (x * 0.5f) * (erfApprox(x * 0.70710677f) + 1.0f);
      }
      c.put(i1, out0[0], out0[1]);
    }
    storeFragmentMatrices<C_stagingTile, 8>(c_staging[0], 0, 96, c, warp);
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
    Cursor<4> at_a_b;
    for (int k = 0; k < kSteps; ++k) {
      const int depth = k * 64;
      mbarrierWait(empty_a_b[at_a_b.slot], at_a_b.phase ^ 1);
      if (electLane()) {
        mbarrierArriveExpectTx(full_a_b[at_a_b.slot], 32768);
        tmaLoad<1, 64, 16384>(a[at_a_b.slot], AMap, full_a_b[at_a_b.slot], depth, row);
        tmaLoad<2, 64, 8192>(b[at_a_b.slot], BMap, full_a_b[at_a_b.slot], col, depth);
      }
      at_a_b = at_a_b.advance();
    }
    if (electLane()) {
      mbarrierArriveExpectTx(full_R[0], 32768);
      tmaLoad<2, 64, 16384>(c_staging[0], RMap, full_R[0], col, row);
    }
  }
}

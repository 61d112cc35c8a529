// Kernel attention for sm_90a, printed by sluice.
// 288 threads, 81992 bytes of dynamic shared memory.
// Roles: mma (warps 0..7), load (warps 8..8).
//
//   barrier          slots  count  bytes  offset
//   qFull                1      1      -   81920
//   kFull                2      1      -   81928
//   kEmpty               2      8      -   81944
//   vFull                2      1      -   81960
//   vEmpty               2      8      -   81976
//
//   shared memory    slots  bytes  offset  tile
//   q                    1  16384       0  f16 128 x 64 sw128
//   k                    2  16384   16384  f16 128 x 64 sw128
//   v                    2  16384   49152  f16 128 x 64 sw128
#include <sluice/device.cuh>

using namespace sluice;

extern "C" __global__ void __launch_bounds__(288, 1)
attention(const __grid_constant__ TensorMap QMap, const __grid_constant__ TensorMap KMap,
    const __grid_constant__ TensorMap VMap, f16 *OGlobal, int T, int OExtent0, int OExtent1,
    i64 OStride0) {
  extern __shared__ __align__(1024) unsigned char sharedBytes[];
  const u32 smem = sharedAddress(sharedBytes);
  using QTile = SharedTile<f16, 128, 64, 1, 128>;
  const Buffer<QTile, 16384> q{smem + 0};
  using KTile = SharedTile<f16, 128, 64, 1, 128>;
  const Buffer<KTile, 16384> k{smem + 16384};
  using VTile = SharedTile<f16, 128, 64, 1, 128>;
  const Buffer<VTile, 16384> v{smem + 49152};
  const Mbarriers qFull{smem + 81920};
  const Mbarriers kFull{smem + 81928};
  const Mbarriers kEmpty{smem + 81944};
  const Mbarriers vFull{smem + 81960};
  const Mbarriers vEmpty{smem + 81976};
  const int ctaWarp = warpOfCta();
  if (ctaWarp == 0 && electLane()) {
    tmaPrefetch(QMap);
    tmaPrefetch(KMap);
    tmaPrefetch(VMap);
  }
  const int i = blockIdx.x;
  const int n = i * 128;
  const int jSteps = ceilDiv(T, 128);
  if (ctaWarp == 0 && electLane()) {
    mbarrierInit(qFull[0], 1);
    for (int i1 = 0; i1 < 2; ++i1)
      mbarrierInit(kFull[i1], 1);
    for (int i1 = 0; i1 < 2; ++i1)
      mbarrierInit(vFull[i1], 1);
    for (int i1 = 0; i1 < 2; ++i1)
      mbarrierInit(kEmpty[i1], 8);
    for (int i1 = 0; i1 < 2; ++i1)
      mbarrierInit(vEmpty[i1], 8);
    fenceMbarrierInit();
  }
  namedBarrierSync(0, 288);
  if (ctaWarp < 8) { // mma
    const int warp = ctaWarp;
    Fragment<float, 128> s;
    Fragment<f16, 128> p;
    Fragment<float, 64> acc;
    RowVector<float> rowMax;
    RowVector<float> tileMax;
    RowVector<float> scale;
    RowVector<float> rowSum;
    RowVector<float> tileSum;
    fill(acc, 0.0f);
    fill(rowMax, -infinity());
    fill(rowSum, 0.0f);
    mbarrierWait(qFull[0], 0);
    Cursor<2> at;
    for (int j = 0; j < jSteps; ++j) {
      mbarrierWait(kFull[at.slot], at.phase);
      wgmmaFence(s);
      wgmma<64, 2>(s, kMajor(q, 0), kMajor(k, at.slot), false, warp / 4);
      wgmmaCommit();
      wgmmaWait<0>(s);
      if (electLane())
        mbarrierArrive(kEmpty[at.slot]);
      maxOfRows(tileMax, s);
      #pragma unroll
      for (int i1 = 0; i1 < 2; ++i1) {
        const float x = rowMax.get(i1);
        const float x1 = fmaxf(x, tileMax.get(i1));
        scale.set(i1, exp2Approx((x - x1) * 0.18033688f));
        rowMax.set(i1, x1);
      }
      #pragma unroll
      for (int i1 = 0; i1 < 64; i1 += 2) {
        float out0[2];
        float out1[2];
        #pragma unroll
        for (int e = 0; e < 2; ++e) {
          const float x = exp2Approx(fmaf(s.get(i1 + e), 0.18033688f,
              -(rowMax.get(s.rowIndex(i1 + e)) * 0.18033688f)));
          out0[e] = x;
          out1[e] = x;
        }
        s.put(i1, out0[0], out0[1]);
        p.put(i1, out1[0], out1[1]);
      }
      sumOfRows(tileSum, s);
      #pragma unroll
      for (int i1 = 0; i1 < 2; ++i1)
        rowSum.set(i1, fmaf(rowSum.get(i1), scale.get(i1), tileSum.get(i1)));
      #pragma unroll
      for (int i1 = 0; i1 < 32; ++i1)
        acc.set(i1, __fmul_rn(acc.get(i1), scale.get(acc.rowIndex(i1))));
      mbarrierWait(vFull[at.slot], at.phase);
      wgmmaFence(acc, p);
      wgmma<128>(acc, inRegisters(p), mnMajor(v, at.slot), true);
      wgmmaCommit();
      wgmmaWait<0>(acc, p);
      if (electLane())
        mbarrierArrive(vEmpty[at.slot]);
      at = at.advance();
    }
    #pragma unroll
    for (int i1 = 0; i1 < 32; ++i1)
      acc.set(i1, acc.get(i1) / rowSum.get(acc.rowIndex(i1)));
    storeFragment<8, 16>(Window<f16>{OGlobal, OExtent0, OExtent1, OStride0, 1, n, 0}, acc, warp);
  } else if (ctaWarp == 8) { // load
    if (electLane()) {
      mbarrierArriveExpectTx(qFull[0], 16384);
      tmaLoad<1, 64, 16384>(q[0], QMap, qFull[0], 0, n);
    }
    Cursor<2> at;
    for (int j = 0; j < jSteps; ++j) {
      const int n1 = j * 128;
      mbarrierWait(kEmpty[at.slot], at.phase ^ 1);
      if (electLane()) {
        mbarrierArriveExpectTx(kFull[at.slot], 16384);
        tmaLoad<1, 64, 16384>(k[at.slot], KMap, kFull[at.slot], 0, n1);
      }
      mbarrierWait(vEmpty[at.slot], at.phase ^ 1);
      if (electLane()) {
        mbarrierArriveExpectTx(vFull[at.slot], 16384);
        tmaLoad<1, 64, 16384>(v[at.slot], VMap, vFull[at.slot], 0, n1);
      }
      at = at.advance();
    }
  }
}

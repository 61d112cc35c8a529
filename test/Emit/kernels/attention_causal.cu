// Kernel attention for sm_90a, printed by sluice.
// 384 threads, 229504 bytes of dynamic shared memory.
// Roles: mma (warps 0..7, 232 registers), load (warps 8..8, 40 registers).
// Every launch keeps: K has as many batches as Q (Attention.cpp:30:11).
// Every launch keeps: K has a head (Attention.cpp:31:11).
// Every launch keeps: the heads of K divide those of Q (Attention.cpp:46:11).
// Every launch keeps: V has the extents of K (Attention.cpp:48:13).
// Every launch keeps: V has the extents of K (Attention.cpp:48:13).
// Every launch keeps: V has the extents of K (Attention.cpp:48:13).
//
//   barrier          slots  count  bytes  offset
//   full_q               1      1      -  229376
//   full_k               3      1      -  229384
//   empty_k              3      8      -  229408
//   full_v               3      1      -  229432
//   empty_v              3      8      -  229456
//
//   shared memory    slots  bytes  offset  tile
//   q                    1  32768       0  bf16 128 x 128 sw128
//   k                    3  32768   32768  bf16 128 x 128 sw128
//   v                    3  32768  131072  bf16 128 x 128 sw128
#include <sluice/device.cuh>

using namespace sluice;

extern "C" __global__ void __launch_bounds__(384, 1)
attention(const __grid_constant__ TensorMap QMap, const __grid_constant__ TensorMap KMap,
    const __grid_constant__ TensorMap VMap, bf16 *OGlobal, int queries, int keys, int KExtent2,
    int QExtent2, int OExtent0, int OExtent2, int OExtent1, i64 OStride0, i64 OStride2,
    i64 OStride1) {
  extern __shared__ __align__(1024) unsigned char sharedBytes[];
  const u32 smem = sharedAddress(sharedBytes);
  using QTile = SharedTile<bf16, 128, 128, 1, 128>;
  const Buffer<QTile, 32768> q{smem + 0};
  using KTile = SharedTile<bf16, 128, 128, 1, 128>;
  const Buffer<KTile, 32768> k{smem + 32768};
  using VTile = SharedTile<bf16, 128, 128, 1, 128>;
  const Buffer<VTile, 32768> v{smem + 131072};
  const Mbarriers full_q{smem + 229376};
  const Mbarriers full_k{smem + 229384};
  const Mbarriers empty_k{smem + 229408};
  const Mbarriers full_v{smem + 229432};
  const Mbarriers empty_v{smem + 229456};
  const int ctaWarp = warpOfCta();
  if (ctaWarp == 0 && electLane()) {
    tmaPrefetch(QMap);
    tmaPrefetch(KMap);
    tmaPrefetch(VMap);
  }
  const Cursor<3> n = Cursor<3>{}.advance();
  const int shared = QExtent2 / KExtent2;
  const int blocks = ceilDiv(queries, 128);
  const int i = blockIdx.x;
  const int j = blockIdx.y;
  const int k1 = blockIdx.z;
  const int i1 = blocks - 1 - i;
  const int row = i1 * 128;
  const int kv = quotient(j, shared);
  const i64 diagonal = i64(row) + (keys - queries + 1);
  const int seen = int(min(i64(keys), diagonal + 127));
  const int tiles = ceilDiv(max(seen - 128, 0), 128);
  const int last = tiles * 128;
  if (ctaWarp == 0 && electLane()) {
    mbarrierInit(full_q[0], 1);
    for (int i2 = 0; i2 < 3; ++i2)
      mbarrierInit(full_k[i2], 1);
    for (int i2 = 0; i2 < 3; ++i2)
      mbarrierInit(empty_k[i2], 8);
    for (int i2 = 0; i2 < 3; ++i2)
      mbarrierInit(full_v[i2], 1);
    for (int i2 = 0; i2 < 3; ++i2)
      mbarrierInit(empty_v[i2], 8);
    fenceMbarrierInit();
  }
  namedBarrierSync(0, 384);
  launchDependents();
  if (ctaWarp < 8) { // mma
    registersGrow<232>();
    const int warp = ctaWarp;
    Fragment<float, 128> o;
    RowVector<float> most;
    RowVector<float> sum;
    Fragment<bf16, 128> p;
    Fragment<float, 128> s;
    RowVector<float> largest;
    RowVector<float> less;
    RowVector<float> weights;
    Fragment<float, 128> s_2;
    RowVector<float> largest_2;
    RowVector<float> less_2;
    RowVector<float> weights_2;
    Fragment<bf16, 128> result;
    fill(o, 0.0f);
    fill(most, -1e+30f);
    fill(sum, 0.0f);
    mbarrierWait(full_k[0], 0);
    mbarrierWait(full_q[0], 0);
    wgmmaFence(s);
    wgmma<128, 2>(s, kMajor(q, 0), kMajor(k, 0), false, warp / 4);
    wgmmaCommit();
    wgmmaWait<0>(s);
    if (electLane())
      mbarrierArrive(empty_k[0]);
    waitForPreviousKernel();
    if (keys < 128) {
      #pragma unroll
      for (int i2 = 0; i2 < 64; ++i2)
        s.set(i2, (fragmentCol(s.colIndex(i2)) < keys) ? s.get(i2) : (-infinity()));
    }
    if (diagonal < 128) {
      #pragma unroll
      for (int i2 = 0; i2 < 64; ++i2) {
        s.set(i2, (fragmentCol(s.colIndex(i2)) < wrapAdd<i64>(fragmentRow<8>(s.rowIndex(i2), warp),
            diagonal)) ? s.get(i2) : (-infinity()));
      }
    }
    maxOfRows(largest, s);
    #pragma unroll
    for (int i2 = 0; i2 < 2; ++i2) {
      const float x = most.get(i2);
      less.set(i2, exp2Approx((x - fmaxf(x, largest.get(i2))) * 0.12751743f));
    }
    #pragma unroll
    for (int i2 = 0; i2 < 2; ++i2)
      most.set(i2, fmaxf(most.get(i2), largest.get(i2)));
    #pragma unroll
    for (int i2 = 0; i2 < 64; ++i2)
      s.set(i2, exp2Approx((s.get(i2) * 0.12751743f) - (most.get(s.rowIndex(i2)) * 0.12751743f)));
    sumOfRows(weights, s);
    #pragma unroll
    for (int i2 = 0; i2 < 2; ++i2)
      sum.set(i2, (sum.get(i2) * less.get(i2)) + weights.get(i2));
    #pragma unroll
    for (int i2 = 0; i2 < 64; ++i2)
      o.set(i2, o.get(i2) * less.get(o.rowIndex(i2)));
    assign(p, s);
    Cursor<3> at_v;
    Cursor<3> at_k_2 = n;
    for (int t = 0; t < tiles; ++t) {
      const int first = t * 128;
      const int next = first + 128;
      mbarrierWait(full_k[at_k_2.slot], at_k_2.phase);
      wgmmaFence(s_2);
      wgmma<128, 2>(s_2, kMajor(q, 0), kMajor(k, at_k_2.slot), false, warp / 4);
      wgmmaCommit();
      mbarrierWait(full_v[at_v.slot], at_v.phase);
      wgmmaFence(o, p);
      wgmma<128>(o, inRegisters(p), mnMajor(v, at_v.slot), true);
      wgmmaCommit();
      const int left = keys - next;
      wgmmaWait<1>(s_2);
      if (electLane())
        mbarrierArrive(empty_k[at_k_2.slot]);
      if (left < 128) {
        #pragma unroll
        for (int i2 = 0; i2 < 64; ++i2)
          s_2.set(i2, (fragmentCol(s_2.colIndex(i2)) < left) ? s_2.get(i2) : (-infinity()));
      }
      const i64 behind = diagonal - next;
      if (behind < 128) {
        #pragma unroll
        for (int i2 = 0; i2 < 64; ++i2) {
          s_2.set(i2, (fragmentCol(s_2.colIndex(i2))
              < wrapAdd<i64>(fragmentRow<8>(s_2.rowIndex(i2), warp), behind)) ? s_2.get(i2)
              : (-infinity()));
        }
      }
      maxOfRows(largest_2, s_2);
      #pragma unroll
      for (int i2 = 0; i2 < 2; ++i2) {
        const float x = most.get(i2);
        less_2.set(i2, exp2Approx((x - fmaxf(x, largest_2.get(i2))) * 0.12751743f));
      }
      #pragma unroll
      for (int i2 = 0; i2 < 2; ++i2)
        most.set(i2, fmaxf(most.get(i2), largest_2.get(i2)));
      #pragma unroll
      for (int i2 = 0; i2 < 64; ++i2) {
        s_2.set(i2, exp2Approx((s_2.get(i2) * 0.12751743f)
            - (most.get(s_2.rowIndex(i2)) * 0.12751743f)));
      }
      sumOfRows(weights_2, s_2);
      #pragma unroll
      for (int i2 = 0; i2 < 2; ++i2)
        sum.set(i2, (sum.get(i2) * less_2.get(i2)) + weights_2.get(i2));
      wgmmaWait<0>(o, p);
      if (electLane())
        mbarrierArrive(empty_v[at_v.slot]);
      #pragma unroll
      for (int i2 = 0; i2 < 64; ++i2)
        o.set(i2, o.get(i2) * less_2.get(o.rowIndex(i2)));
      assign(p, s_2);
      at_v = at_v.advance();
      at_k_2 = at_k_2.advance();
    }
    mbarrierWait(full_v[at_v.slot], at_v.phase);
    wgmmaFence(o, p);
    wgmma<128>(o, inRegisters(p), mnMajor(v, at_v.slot), true);
    wgmmaCommit();
    wgmmaWait<0>(o, p);
    if (electLane())
      mbarrierArrive(empty_v[at_v.slot]);
    #pragma unroll
    for (int i2 = 0; i2 < 64; i2 += 2) {
      float out0[2];
      #pragma unroll
      for (int e = 0; e < 2; ++e) {
        const float x = sum.get(result.rowIndex(i2 + e));
        out0[e] = (x == 0.0f) ? 0.0f : quotientApprox(o.get(i2 + e), x);
      }
      result.put(i2, out0[0], out0[1]);
    }
    storeFragment<8, 16>(Window<bf16>{OGlobal + i64(k1) * OStride0 + i64(j) * OStride2,
        inside(k1, OExtent0) && inside(j, OExtent2) ? OExtent1 : 0, 128, OStride1, 1, row, 0},
        result, warp);
  } else if (ctaWarp >= 8 && ctaWarp < 12) {
    registersShrink<40>();
    if (ctaWarp == 8) { // load
      if (electLane())
        mbarrierArriveExpectTx(full_q[0], 32768);
      waitForPreviousKernel();
      if (electLane())
        tmaLoad<2, 64, 16384>(q[0], QMap, full_q[0], 0, j, row, k1);
      mbarrierWait(empty_k[0], 0 ^ 1);
      if (electLane()) {
        mbarrierArriveExpectTx(full_k[0], 32768);
        tmaLoad<2, 64, 16384>(k[0], KMap, full_k[0], 0, kv, 0, k1);
      }
      Cursor<3> at_v;
      Cursor<3> at_k_2 = n;
      for (int t = 0; t < tiles; ++t) {
        const int first = t * 128;
        const int next = first + 128;
        mbarrierWait(empty_k[at_k_2.slot], at_k_2.phase ^ 1);
        if (electLane()) {
          mbarrierArriveExpectTx(full_k[at_k_2.slot], 32768);
          tmaLoad<2, 64, 16384>(k[at_k_2.slot], KMap, full_k[at_k_2.slot], 0, kv, next, k1);
        }
        mbarrierWait(empty_v[at_v.slot], at_v.phase ^ 1);
        if (electLane()) {
          mbarrierArriveExpectTx(full_v[at_v.slot], 32768);
          tmaLoad<2, 64, 16384>(v[at_v.slot], VMap, full_v[at_v.slot], 0, kv, first, k1);
        }
        at_v = at_v.advance();
        at_k_2 = at_k_2.advance();
      }
      mbarrierWait(empty_v[at_v.slot], at_v.phase ^ 1);
      if (electLane()) {
        mbarrierArriveExpectTx(full_v[at_v.slot], 32768);
        tmaLoad<2, 64, 16384>(v[at_v.slot], VMap, full_v[at_v.slot], 0, kv, last, k1);
      }
    }
  }
}

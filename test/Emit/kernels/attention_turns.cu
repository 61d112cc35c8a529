// Kernel attention for sm_90a, printed by sluice.
// 384 threads, 229504 bytes of dynamic shared memory.
// Roles: mma (warps 0..7, 232 registers), load (warps 8..8, 40 registers).
// Every launch keeps: K has as many batches as Q (Attention.cpp:31:11).
// Every launch keeps: K has a head (Attention.cpp:32:11).
// Every launch keeps: the heads of K divide those of Q (Attention.cpp:34:11).
// Every launch keeps: V has the extents of K (Attention.cpp:36:13).
// Every launch keeps: V has the extents of K (Attention.cpp:36:13).
// Every launch keeps: V has the extents of K (Attention.cpp:36:13).
// Every launch keeps: tiles <= 2146435072 (Attention.cpp:41:36).
// Every launch keeps: matrixTiles <= 2146435072 (Attention.cpp:41:36).
//
//   barrier          slots  count  bytes  offset
//   full_q_k             1      1      -  229376
//   empty_q_k            1      8      -  229384
//   full_k_2             2      1      -  229392
//   empty_k_2            2      8      -  229408
//   full_v               2      1      -  229424
//   empty_v              2      8      -  229440
//   full_v_2             1      1      -  229456
//   empty_v_2            1      8      -  229464
//
//   shared memory    slots  bytes  offset  tile
//   q                    1  32768       0  bf16 128 x 128 sw128
//   k                    1  32768   32768  bf16 128 x 128 sw128
//   k_2                  2  32768   65536  bf16 128 x 128 sw128
//   v                    2  32768  131072  bf16 128 x 128 sw128
//   v_2                  1  32768  196608  bf16 128 x 128 sw128
#include <sluice/device.cuh>

using namespace sluice;

extern "C" __global__ void __launch_bounds__(384, 1)
attention(const __grid_constant__ TensorMap QMap, const __grid_constant__ TensorMap KMap,
    const __grid_constant__ TensorMap VMap, bf16 *OGlobal, int queries, int keys, int QExtent0,
    int KExtent2, int QExtent2, int OExtent0, int OExtent2, int OExtent1, int OExtent3,
    i64 OStride0, i64 OStride2, i64 OStride1) {
  extern __shared__ __align__(1024) unsigned char sharedBytes[];
  const u32 smem = sharedAddress(sharedBytes);
  using QTile = SharedTile<bf16, 128, 128, 1, 128>;
  const Buffer<QTile, 32768> q{smem + 0};
  using KTile = SharedTile<bf16, 128, 128, 1, 128>;
  const Buffer<KTile, 32768> k{smem + 32768};
  using K_2Tile = SharedTile<bf16, 128, 128, 1, 128>;
  const Buffer<K_2Tile, 32768> k_2{smem + 65536};
  using VTile = SharedTile<bf16, 128, 128, 1, 128>;
  const Buffer<VTile, 32768> v{smem + 131072};
  using V_2Tile = SharedTile<bf16, 128, 128, 1, 128>;
  const Buffer<V_2Tile, 32768> v_2{smem + 196608};
  const Mbarriers full_q_k{smem + 229376};
  const Mbarriers empty_q_k{smem + 229384};
  const Mbarriers full_k_2{smem + 229392};
  const Mbarriers empty_k_2{smem + 229408};
  const Mbarriers full_v{smem + 229424};
  const Mbarriers empty_v{smem + 229440};
  const Mbarriers full_v_2{smem + 229456};
  const Mbarriers empty_v_2{smem + 229464};
  const int ctaWarp = warpOfCta();
  if (ctaWarp == 0 && electLane()) {
    tmaPrefetch(QMap);
    tmaPrefetch(KMap);
    tmaPrefetch(VMap);
  }
  const int shared = QExtent2 / KExtent2;
  const int blocks = ceilDiv(queries, 128);
  const int matrixTiles = QExtent0 * QExtent2;
  const int tiles = matrixTiles * blocks;
  const int waves = (tiles - 1) / 132 + 1;
  const int ctas = ceilDiv(tiles, waves);
  const int cta = blockIdx.x;
  if (ctaWarp == 0 && electLane()) {
    mbarrierInit(full_q_k[0], 1);
    mbarrierInit(empty_q_k[0], 8);
    for (int i = 0; i < 2; ++i)
      mbarrierInit(full_k_2[i], 1);
    for (int i = 0; i < 2; ++i)
      mbarrierInit(empty_k_2[i], 8);
    for (int i = 0; i < 2; ++i)
      mbarrierInit(full_v[i], 1);
    for (int i = 0; i < 2; ++i)
      mbarrierInit(empty_v[i], 8);
    mbarrierInit(full_v_2[0], 1);
    mbarrierInit(empty_v_2[0], 8);
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
    const int group = warp / 4;
    const int mine = group + 1;
    const bool groupIs1 = group == 1;
    const int theirs = groupIs1 ? 1 : (group + 2);
    waitForPreviousKernel();
    if (groupIs1)
      namedBarrierArrive(theirs, 256);
    Cursor<1> at_q_k;
    Cursor<2> at_k_2;
    Cursor<2> at_v;
    Cursor<1> at_v_2;
    for (int tile = cta; tile < tiles; tile += ctas) {
      const int k1 = tile % blocks;
      const int n = tile / blocks;
      const int j = n % QExtent2;
      const int i = n / QExtent2;
      const int row = k1 * 128;
      fill(o, 0.0f);
      fill(most, -1e+30f);
      fill(sum, 0.0f);
      const int tiles1 = ceilDiv(max(keys - 128, 0), 128);
      mbarrierWait(full_q_k[0], at_q_k.phase);
      wgmmaFence(s);
      wgmma<128, 2>(s, kMajor(q, 0), kMajor(k, 0), false, warp / 4);
      wgmmaCommit();
      wgmmaWait<0>(s);
      if (keys < 128) {
        #pragma unroll
        for (int i1 = 0; i1 < 64; ++i1)
          s.set(i1, (fragmentCol(s.colIndex(i1)) < keys) ? s.get(i1) : (-infinity()));
      }
      maxOfRows(largest, s);
      #pragma unroll
      for (int i1 = 0; i1 < 2; ++i1) {
        const float x = most.get(i1);
        less.set(i1, exp2Approx((x - fmaxf(x, largest.get(i1))) * 0.12751743f));
      }
      #pragma unroll
      for (int i1 = 0; i1 < 2; ++i1)
        most.set(i1, fmaxf(most.get(i1), largest.get(i1)));
      #pragma unroll
      for (int i1 = 0; i1 < 64; ++i1)
        s.set(i1, exp2Approx((s.get(i1) * 0.12751743f) - (most.get(s.rowIndex(i1)) * 0.12751743f)));
      sumOfRows(weights, s);
      #pragma unroll
      for (int i1 = 0; i1 < 2; ++i1)
        sum.set(i1, (sum.get(i1) * less.get(i1)) + weights.get(i1));
      #pragma unroll
      for (int i1 = 0; i1 < 64; ++i1)
        o.set(i1, o.get(i1) * less.get(o.rowIndex(i1)));
      assign(p, s);
      for (int t = 0; t < tiles1; ++t) {
        const int first = t * 128;
        const int next = first + 128;
        mbarrierWait(full_k_2[at_k_2.slot], at_k_2.phase);
        namedBarrierSync(mine, 256);
        wgmmaFence(s_2);
        wgmma<128, 2>(s_2, kMajor(q, 0), kMajor(k_2, at_k_2.slot), false, warp / 4);
        wgmmaCommit();
        mbarrierWait(full_v[at_v.slot], at_v.phase);
        wgmmaFence(o, p);
        wgmma<128>(o, inRegisters(p), mnMajor(v, at_v.slot), true);
        wgmmaCommit();
        namedBarrierArrive(theirs, 256);
        const int left = keys - next;
        wgmmaWait<1>(s_2);
        if (electLane())
          mbarrierArrive(empty_k_2[at_k_2.slot]);
        if (left < 128) {
          #pragma unroll
          for (int i1 = 0; i1 < 64; ++i1)
            s_2.set(i1, (fragmentCol(s_2.colIndex(i1)) < left) ? s_2.get(i1) : (-infinity()));
        }
        maxOfRows(largest_2, s_2);
        #pragma unroll
        for (int i1 = 0; i1 < 2; ++i1) {
          const float x = most.get(i1);
          less_2.set(i1, exp2Approx((x - fmaxf(x, largest_2.get(i1))) * 0.12751743f));
        }
        #pragma unroll
        for (int i1 = 0; i1 < 2; ++i1)
          most.set(i1, fmaxf(most.get(i1), largest_2.get(i1)));
        #pragma unroll
        for (int i1 = 0; i1 < 64; ++i1)
          s_2.set(i1, exp2Approx((s_2.get(i1) * 0.12751743f) - (most.get(s_2.rowIndex(i1)) * 0.12751743f)));
        sumOfRows(weights_2, s_2);
        #pragma unroll
        for (int i1 = 0; i1 < 2; ++i1)
          sum.set(i1, (sum.get(i1) * less_2.get(i1)) + weights_2.get(i1));
        wgmmaWait<0>(o, p);
        if (electLane())
          mbarrierArrive(empty_v[at_v.slot]);
        #pragma unroll
        for (int i1 = 0; i1 < 64; ++i1)
          o.set(i1, o.get(i1) * less_2.get(o.rowIndex(i1)));
        assign(p, s_2);
        at_k_2 = at_k_2.advance();
        at_v = at_v.advance();
      }
      if (electLane())
        mbarrierArrive(empty_q_k[0]);
      mbarrierWait(full_v_2[0], at_v_2.phase);
      wgmmaFence(o, p);
      wgmma<128>(o, inRegisters(p), mnMajor(v_2, 0), true);
      wgmmaCommit();
      wgmmaWait<0>(o, p);
      if (electLane())
        mbarrierArrive(empty_v_2[0]);
      #pragma unroll
      for (int i1 = 0; i1 < 64; i1 += 2) {
        float out0[2];
        #pragma unroll
        for (int e = 0; e < 2; ++e) {
          const float x = sum.get(result.rowIndex(i1 + e));
          out0[e] = (x == 0.0f) ? 0.0f : quotientApprox(o.get(i1 + e), x);
        }
        result.put(i1, out0[0], out0[1]);
      }
      storeFragment<8, 16>(Window<bf16>{OGlobal + i64(i) * OStride0 + i64(j) * OStride2,
          inside(i, OExtent0) && inside(j, OExtent2) ? OExtent1 : 0, OExtent3, OStride1, 1, row,
          0}, result, warp);
      at_q_k = at_q_k.advance();
      at_v_2 = at_v_2.advance();
    }
    if (group == 0)
      namedBarrierSync(mine, 256);
  } else if (ctaWarp >= 8 && ctaWarp < 12) {
    registersShrink<40>();
    if (ctaWarp == 8) { // load
      waitForPreviousKernel();
      Cursor<1> at_q_k;
      Cursor<2> at_k_2;
      Cursor<2> at_v;
      Cursor<1> at_v_2;
      for (int tile = cta; tile < tiles; tile += ctas) {
        const int k1 = tile % blocks;
        const int n = tile / blocks;
        const int j = n % QExtent2;
        const int i = n / QExtent2;
        const int row = k1 * 128;
        const int kv = quotient(j, shared);
        mbarrierWait(empty_q_k[0], at_q_k.phase ^ 1);
        if (electLane()) {
          mbarrierArriveExpectTx(full_q_k[0], 65536);
          tmaLoad<2, 64, 16384>(q[0], QMap, full_q_k[0], 0, j, row, i);
        }
        const int tiles1 = ceilDiv(max(keys - 128, 0), 128);
        if (electLane())
          tmaLoad<2, 64, 16384>(k[0], KMap, full_q_k[0], 0, kv, 0, i);
        for (int t = 0; t < tiles1; ++t) {
          const int first = t * 128;
          const int next = first + 128;
          mbarrierWait(empty_k_2[at_k_2.slot], at_k_2.phase ^ 1);
          if (electLane()) {
            mbarrierArriveExpectTx(full_k_2[at_k_2.slot], 32768);
            tmaLoad<2, 64, 16384>(k_2[at_k_2.slot], KMap, full_k_2[at_k_2.slot], 0, kv, next, i);
          }
          mbarrierWait(empty_v[at_v.slot], at_v.phase ^ 1);
          if (electLane()) {
            mbarrierArriveExpectTx(full_v[at_v.slot], 32768);
            tmaLoad<2, 64, 16384>(v[at_v.slot], VMap, full_v[at_v.slot], 0, kv, first, i);
          }
          at_k_2 = at_k_2.advance();
          at_v = at_v.advance();
        }
        const int last = tiles1 * 128;
        mbarrierWait(empty_v_2[0], at_v_2.phase ^ 1);
        if (electLane()) {
          mbarrierArriveExpectTx(full_v_2[0], 32768);
          tmaLoad<2, 64, 16384>(v_2[0], VMap, full_v_2[0], 0, kv, last, i);
        }
        at_q_k = at_q_k.advance();
        at_v_2 = at_v_2.advance();
      }
    }
  }
}

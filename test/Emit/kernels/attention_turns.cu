// Kernel attention for sm_90a, printed by sluice.
// 384 threads, 213120 bytes of dynamic shared memory.
// Roles: mma (warps 0..7, 240 registers), load (warps 8..8, 24 registers).
// Every launch keeps: K has as many batches as Q (Attention.cpp:30:11).
// Every launch keeps: K has a head (Attention.cpp:31:11).
// Every launch keeps: the heads of K divide those of Q (Attention.cpp:46:11).
// Every launch keeps: V has the extents of K (Attention.cpp:48:13).
// Every launch keeps: V has the extents of K (Attention.cpp:48:13).
// Every launch keeps: V has the extents of K (Attention.cpp:48:13).
// Every launch keeps: tiles <= 2146435072 (Attention.cpp:53:39).
// Every launch keeps: matrixTiles <= 2146435072 (Attention.cpp:53:39).
//
//   barrier          slots  count  bytes  offset
//   full_q               1      1      -  212992
//   empty_q              1      8      -  213000
//   full_k               2      1      -  213008
//   empty_k              2      8      -  213024
//   full_v               2      1      -  213040
//   empty_v              2      8      -  213056
//
//   shared memory    slots  bytes  offset  tile
//   q                    1  32768       0  bf16 128 x 128 sw128
//   k                    2  45056   32768  bf16 176 x 128 sw128
//   v                    2  45056  122880  bf16 176 x 128 sw128
#include <sluice/device.cuh>

using namespace sluice;

extern "C" __global__ void __launch_bounds__(384, 1)
attention(const __grid_constant__ TensorMap QMap, const __grid_constant__ TensorMap KMap,
    const __grid_constant__ TensorMap VMap, bf16 *OGlobal, int queries, int keys, int QExtent0,
    int KExtent2, int QExtent2, int OExtent0, int OExtent2, int OExtent1, i64 OStride0,
    i64 OStride2, i64 OStride1) {
  extern __shared__ __align__(1024) unsigned char sharedBytes[];
  const u32 smem = sharedAddress(sharedBytes);
  using QTile = SharedTile<bf16, 128, 128, 1, 128>;
  const Buffer<QTile, 32768> q{smem + 0};
  using KTile = SharedTile<bf16, 176, 128, 1, 128>;
  const Buffer<KTile, 45056> k{smem + 32768};
  using VTile = SharedTile<bf16, 176, 128, 1, 128>;
  const Buffer<VTile, 45056> v{smem + 122880};
  const Mbarriers full_q{smem + 212992};
  const Mbarriers empty_q{smem + 213000};
  const Mbarriers full_k{smem + 213008};
  const Mbarriers empty_k{smem + 213024};
  const Mbarriers full_v{smem + 213040};
  const Mbarriers empty_v{smem + 213056};
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
    mbarrierInit(full_q[0], 1);
    mbarrierInit(empty_q[0], 8);
    for (int i = 0; i < 2; ++i)
      mbarrierInit(full_k[i], 1);
    for (int i = 0; i < 2; ++i)
      mbarrierInit(empty_k[i], 8);
    for (int i = 0; i < 2; ++i)
      mbarrierInit(full_v[i], 1);
    for (int i = 0; i < 2; ++i)
      mbarrierInit(empty_v[i], 8);
    fenceMbarrierInit();
  }
  namedBarrierSync(0, 384);
  launchDependents();
  if (ctaWarp < 8) { // mma
    registersGrow<240>();
    const int warp = ctaWarp;
    Fragment<float, 128> o;
    RowVector<float> most;
    RowVector<float> sum;
    Fragment<bf16, 176> p;
    Fragment<float, 176> s;
    RowVector<float> largest;
    RowVector<float> less;
    RowVector<float> weights;
    Fragment<float, 176> s_2;
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
    Cursor<2> at_k;
    Cursor<2> at_v;
    Cursor<1> at_q;
    for (int tile = cta; tile < tiles; tile += ctas) {
      const int k1 = tile % blocks;
      const int n = tile / blocks;
      const int j = n % QExtent2;
      const int i = n / QExtent2;
      const int row = k1 * 128;
      fill(o, 0.0f);
      fill(most, -1e+30f);
      fill(sum, 0.0f);
      const int tiles1 = ceilDiv(max(keys - 176, 0), 176);
      mbarrierWait(full_k[at_k.slot], at_k.phase);
      mbarrierWait(full_q[0], at_q.phase);
      wgmmaFence(s);
      wgmma<128, 2>(s, kMajor(q, 0), kMajor(k, at_k.slot), false, warp / 4);
      wgmmaCommit();
      wgmmaWait<0>(s);
      if (electLane())
        mbarrierArrive(empty_k[at_k.slot]);
      if (keys < 176) {
        #pragma unroll
        for (int i1 = 0; i1 < 88; ++i1)
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
      for (int i1 = 0; i1 < 88; ++i1)
        s.set(i1, exp2Approx((s.get(i1) * 0.12751743f) - (most.get(s.rowIndex(i1)) * 0.12751743f)));
      sumOfRows(weights, s);
      #pragma unroll
      for (int i1 = 0; i1 < 2; ++i1)
        sum.set(i1, (sum.get(i1) * less.get(i1)) + weights.get(i1));
      #pragma unroll
      for (int i1 = 0; i1 < 64; ++i1)
        o.set(i1, o.get(i1) * less.get(o.rowIndex(i1)));
      assign(p, s);
      Cursor<2> at_k_2 = at_k.advance();
      for (int t = 0; t < tiles1; ++t) {
        const int first = t * 176;
        const int next = first + 176;
        mbarrierWait(full_k[at_k_2.slot], at_k_2.phase);
        namedBarrierSync(mine, 256);
        wgmmaFence(s_2);
        wgmma<128, 2>(s_2, kMajor(q, 0), kMajor(k, at_k_2.slot), false, warp / 4);
        wgmmaCommit();
        mbarrierWait(full_v[at_v.slot], at_v.phase);
        wgmmaFence(o, p);
        wgmma<176>(o, inRegisters(p), mnMajor(v, at_v.slot), true);
        wgmmaCommit();
        namedBarrierArrive(theirs, 256);
        const int left = keys - next;
        wgmmaWait<1>(s_2);
        if (electLane())
          mbarrierArrive(empty_k[at_k_2.slot]);
        if (left < 176) {
          #pragma unroll
          for (int i1 = 0; i1 < 88; ++i1)
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
        for (int i1 = 0; i1 < 88; ++i1) {
          s_2.set(i1, exp2Approx((s_2.get(i1) * 0.12751743f)
              - (most.get(s_2.rowIndex(i1)) * 0.12751743f)));
        }
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
        at_v = at_v.advance();
        at_k_2 = at_k_2.advance();
      }
      if (electLane())
        mbarrierArrive(empty_q[0]);
      mbarrierWait(full_v[at_v.slot], at_v.phase);
      wgmmaFence(o, p);
      wgmma<176>(o, inRegisters(p), mnMajor(v, at_v.slot), true);
      wgmmaCommit();
      wgmmaWait<0>(o, p);
      if (electLane())
        mbarrierArrive(empty_v[at_v.slot]);
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
          inside(i, OExtent0) && inside(j, OExtent2) ? OExtent1 : 0, 128, OStride1, 1, row, 0},
          result, warp);
      at_k = at_k_2;
      at_v = at_v.advance();
      at_q = at_q.advance();
    }
    if (group == 0)
      namedBarrierSync(mine, 256);
  } else if (ctaWarp >= 8 && ctaWarp < 12) {
    registersShrink<24>();
    if (ctaWarp == 8) { // load
      waitForPreviousKernel();
      Cursor<2> at_k;
      Cursor<2> at_v;
      Cursor<1> at_q;
      for (int tile = cta; tile < tiles; tile += ctas) {
        const int k1 = tile % blocks;
        const int n = tile / blocks;
        const int j = n % QExtent2;
        const int i = n / QExtent2;
        const int row = k1 * 128;
        const int kv = quotient(j, shared);
        mbarrierWait(empty_q[0], at_q.phase ^ 1);
        if (electLane()) {
          mbarrierArriveExpectTx(full_q[0], 32768);
          tmaLoad<2, 64, 16384>(q[0], QMap, full_q[0], 0, j, row, i);
        }
        const int tiles1 = ceilDiv(max(keys - 176, 0), 176);
        mbarrierWait(empty_k[at_k.slot], at_k.phase ^ 1);
        if (electLane()) {
          mbarrierArriveExpectTx(full_k[at_k.slot], 45056);
          tmaLoad<2, 64, 22528>(k[at_k.slot], KMap, full_k[at_k.slot], 0, kv, 0, i);
        }
        Cursor<2> at_k_2 = at_k.advance();
        for (int t = 0; t < tiles1; ++t) {
          const int first = t * 176;
          const int next = first + 176;
          mbarrierWait(empty_k[at_k_2.slot], at_k_2.phase ^ 1);
          if (electLane()) {
            mbarrierArriveExpectTx(full_k[at_k_2.slot], 45056);
            tmaLoad<2, 64, 22528>(k[at_k_2.slot], KMap, full_k[at_k_2.slot], 0, kv, next, i);
          }
          mbarrierWait(empty_v[at_v.slot], at_v.phase ^ 1);
          if (electLane()) {
            mbarrierArriveExpectTx(full_v[at_v.slot], 45056);
            tmaLoad<2, 64, 22528>(v[at_v.slot], VMap, full_v[at_v.slot], 0, kv, first, i);
          }
          at_v = at_v.advance();
          at_k_2 = at_k_2.advance();
        }
        const int last = tiles1 * 176;
        mbarrierWait(empty_v[at_v.slot], at_v.phase ^ 1);
        if (electLane()) {
          mbarrierArriveExpectTx(full_v[at_v.slot], 45056);
          tmaLoad<2, 64, 22528>(v[at_v.slot], VMap, full_v[at_v.slot], 0, kv, last, i);
        }
        at_k = at_k_2;
        at_v = at_v.advance();
        at_q = at_q.advance();
      }
    }
  }
}

// Kernel attention for sm_90a, printed by sluice.
// 384 threads, 131200 bytes of dynamic shared memory.
// Roles: mma (warps 0..7, 232 registers), load (warps 8..8, 40 registers),
//   store (warps 9..9, 40 registers).
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
//   full_q_k             1      1      -  131072
//   empty_q_k            1      8      -  131080
//   full_k_2             2      1      -  131088
//   empty_k_2            2      8      -  131104
//   full_v               2      1      -  131120
//   empty_v              2      8      -  131136
//   full_v_2             1      1      -  131152
//   empty_v_2            1      8      -  131160
//   full_result_staging     1      8      -  131168
//   empty_result_staging     1      1      -  131176
//
//   shared memory    slots  bytes  offset  tile
//   q                    1  16384       0  bf16 128 x 64 sw128
//   k                    1  16384   16384  bf16 128 x 64 sw128
//   k_2                  2  16384   32768  bf16 128 x 64 sw128
//   v                    2  16384   65536  bf16 128 x 64 sw128
//   v_2                  1  16384   98304  bf16 128 x 64 sw128
//   result_staging       1  16384  114688  bf16 128 x 64 sw128
#include <sluice/device.cuh>

using namespace sluice;

extern "C" __global__ void __launch_bounds__(384, 1)
attention(const __grid_constant__ TensorMap QMap, const __grid_constant__ TensorMap KMap,
    const __grid_constant__ TensorMap VMap, const __grid_constant__ TensorMap OMap, int queries,
    int keys, int QExtent0, int KExtent2, int QExtent2) {
  extern __shared__ __align__(1024) unsigned char sharedBytes[];
  const u32 smem = sharedAddress(sharedBytes);
  using QTile = SharedTile<bf16, 128, 64, 1, 128>;
  const Buffer<QTile, 16384> q{smem + 0};
  using KTile = SharedTile<bf16, 128, 64, 1, 128>;
  const Buffer<KTile, 16384> k{smem + 16384};
  using K_2Tile = SharedTile<bf16, 128, 64, 1, 128>;
  const Buffer<K_2Tile, 16384> k_2{smem + 32768};
  using VTile = SharedTile<bf16, 128, 64, 1, 128>;
  const Buffer<VTile, 16384> v{smem + 65536};
  using V_2Tile = SharedTile<bf16, 128, 64, 1, 128>;
  const Buffer<V_2Tile, 16384> v_2{smem + 98304};
  using Result_stagingTile = SharedTile<bf16, 128, 64, 1, 128>;
  const Buffer<Result_stagingTile, 16384> result_staging{smem + 114688};
  const Mbarriers full_q_k{smem + 131072};
  const Mbarriers empty_q_k{smem + 131080};
  const Mbarriers full_k_2{smem + 131088};
  const Mbarriers empty_k_2{smem + 131104};
  const Mbarriers full_v{smem + 131120};
  const Mbarriers empty_v{smem + 131136};
  const Mbarriers full_v_2{smem + 131152};
  const Mbarriers empty_v_2{smem + 131160};
  const Mbarriers full_result_staging{smem + 131168};
  const Mbarriers empty_result_staging{smem + 131176};
  const int ctaWarp = warpOfCta();
  if (ctaWarp == 0 && electLane()) {
    tmaPrefetch(QMap);
    tmaPrefetch(KMap);
    tmaPrefetch(VMap);
    tmaPrefetch(OMap);
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
    mbarrierInit(full_result_staging[0], 8);
    mbarrierInit(empty_result_staging[0], 1);
    fenceMbarrierInit();
  }
  namedBarrierSync(0, 384);
  launchDependents();
  if (ctaWarp < 8) { // mma
    registersGrow<232>();
    const int warp = ctaWarp;
    Fragment<float, 64> o;
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
    Fragment<bf16, 64> result;
    Cursor<1> at_q_k;
    Cursor<2> at_k_2;
    Cursor<2> at_v;
    Cursor<1> at_v_2;
    Cursor<1> at_result_staging;
    for (int tile = cta; tile < tiles; tile += ctas) {
      fill(o, 0.0f);
      fill(most, -1e+30f);
      fill(sum, 0.0f);
      const int tiles1 = ceilDiv(max(keys - 128, 0), 128);
      mbarrierWait(full_q_k[0], at_q_k.phase);
      wgmmaFence(s);
      wgmma<64, 2>(s, kMajor(q, 0), kMajor(k, 0), false, warp / 4);
      wgmmaCommit();
      wgmmaWait<0>(s);
      if (keys < 128) {
        #pragma unroll
        for (int i = 0; i < 64; ++i)
          s.set(i, (fragmentCol(s.colIndex(i)) < keys) ? s.get(i) : (-infinity()));
      }
      maxOfRows(largest, s);
      #pragma unroll
      for (int i = 0; i < 2; ++i) {
        const float x = most.get(i);
        less.set(i, exp2Approx((x - fmaxf(x, largest.get(i))) * 0.18033688f));
      }
      #pragma unroll
      for (int i = 0; i < 2; ++i)
        most.set(i, fmaxf(most.get(i), largest.get(i)));
      #pragma unroll
      for (int i = 0; i < 64; ++i)
        s.set(i, exp2Approx((s.get(i) * 0.18033688f) - (most.get(s.rowIndex(i)) * 0.18033688f)));
      sumOfRows(weights, s);
      #pragma unroll
      for (int i = 0; i < 2; ++i)
        sum.set(i, (sum.get(i) * less.get(i)) + weights.get(i));
      #pragma unroll
      for (int i = 0; i < 32; ++i)
        o.set(i, o.get(i) * less.get(o.rowIndex(i)));
      assign(p, s);
      for (int t = 0; t < tiles1; ++t) {
        const int first = t * 128;
        const int next = first + 128;
        mbarrierWait(full_k_2[at_k_2.slot], at_k_2.phase);
        wgmmaFence(s_2);
        wgmma<64, 2>(s_2, kMajor(q, 0), kMajor(k_2, at_k_2.slot), false, warp / 4);
        wgmmaCommit();
        mbarrierWait(full_v[at_v.slot], at_v.phase);
        wgmmaFence(o, p);
        wgmma<128>(o, inRegisters(p), mnMajor(v, at_v.slot), true);
        wgmmaCommit();
        const int left = keys - next;
        wgmmaWait<1>(s_2);
        if (electLane())
          mbarrierArrive(empty_k_2[at_k_2.slot]);
        if (left < 128) {
          #pragma unroll
          for (int i = 0; i < 64; ++i)
            s_2.set(i, (fragmentCol(s_2.colIndex(i)) < left) ? s_2.get(i) : (-infinity()));
        }
        maxOfRows(largest_2, s_2);
        #pragma unroll
        for (int i = 0; i < 2; ++i) {
          const float x = most.get(i);
          less_2.set(i, exp2Approx((x - fmaxf(x, largest_2.get(i))) * 0.18033688f));
        }
        #pragma unroll
        for (int i = 0; i < 2; ++i)
          most.set(i, fmaxf(most.get(i), largest_2.get(i)));
        #pragma unroll
        for (int i = 0; i < 64; ++i) {
          s_2.set(i, exp2Approx((s_2.get(i) * 0.18033688f)
              - (most.get(s_2.rowIndex(i)) * 0.18033688f)));
        }
        sumOfRows(weights_2, s_2);
        #pragma unroll
        for (int i = 0; i < 2; ++i)
          sum.set(i, (sum.get(i) * less_2.get(i)) + weights_2.get(i));
        wgmmaWait<0>(o, p);
        if (electLane())
          mbarrierArrive(empty_v[at_v.slot]);
        #pragma unroll
        for (int i = 0; i < 32; ++i)
          o.set(i, o.get(i) * less_2.get(o.rowIndex(i)));
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
      for (int i = 0; i < 32; i += 2) {
        float out0[2];
        #pragma unroll
        for (int e = 0; e < 2; ++e) {
          const float x = sum.get(result.rowIndex(i + e));
          out0[e] = (x == 0.0f) ? 0.0f : quotientApprox(o.get(i + e), x);
        }
        result.put(i, out0[0], out0[1]);
      }
      mbarrierWait(empty_result_staging[0], at_result_staging.phase ^ 1);
      storeFragmentMatrices<Result_stagingTile, 8>(result_staging[0], 0, 0, result, warp);
      fenceProxyAsync();
      warpSync();
      if (electLane())
        mbarrierArrive(full_result_staging[0]);
      at_q_k = at_q_k.advance();
      at_v_2 = at_v_2.advance();
      at_result_staging = at_result_staging.advance();
    }
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
          mbarrierArriveExpectTx(full_q_k[0], 32768);
          tmaLoad<1, 64, 16384>(q[0], QMap, full_q_k[0], 0, j, row, i);
        }
        const int tiles1 = ceilDiv(max(keys - 128, 0), 128);
        if (electLane())
          tmaLoad<1, 64, 16384>(k[0], KMap, full_q_k[0], 0, kv, 0, i);
        for (int t = 0; t < tiles1; ++t) {
          const int first = t * 128;
          const int next = first + 128;
          mbarrierWait(empty_k_2[at_k_2.slot], at_k_2.phase ^ 1);
          if (electLane()) {
            mbarrierArriveExpectTx(full_k_2[at_k_2.slot], 16384);
            tmaLoad<1, 64, 16384>(k_2[at_k_2.slot], KMap, full_k_2[at_k_2.slot], 0, kv, next, i);
          }
          mbarrierWait(empty_v[at_v.slot], at_v.phase ^ 1);
          if (electLane()) {
            mbarrierArriveExpectTx(full_v[at_v.slot], 16384);
            tmaLoad<1, 64, 16384>(v[at_v.slot], VMap, full_v[at_v.slot], 0, kv, first, i);
          }
          at_k_2 = at_k_2.advance();
          at_v = at_v.advance();
        }
        const int last = tiles1 * 128;
        mbarrierWait(empty_v_2[0], at_v_2.phase ^ 1);
        if (electLane()) {
          mbarrierArriveExpectTx(full_v_2[0], 16384);
          tmaLoad<1, 64, 16384>(v_2[0], VMap, full_v_2[0], 0, kv, last, i);
        }
        at_q_k = at_q_k.advance();
        at_v_2 = at_v_2.advance();
      }
    } else if (ctaWarp == 9) { // store
      waitForPreviousKernel();
      Cursor<1> at_result_staging;
      for (int tile = cta; tile < tiles; tile += ctas) {
        const int k1 = tile % blocks;
        const int n = tile / blocks;
        const int j = n % QExtent2;
        const int i = n / QExtent2;
        const int row = k1 * 128;
        mbarrierWait(full_result_staging[0], at_result_staging.phase);
        if (electLane()) {
          tmaStore<1, 64, 16384>(OMap, result_staging[0], 0, j, row, i);
          bulkCommit();
          bulkWaitRead<0>();
          mbarrierArrive(empty_result_staging[0]);
        }
        warpSync();
        at_result_staging = at_result_staging.advance();
      }
    }
  }
}

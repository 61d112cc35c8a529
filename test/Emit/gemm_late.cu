// Kernel gemm for sm_90a, printed by sluice.
// 384 threads, 196672 bytes of dynamic shared memory.
// Roles: load (warps 0..3, 40 registers), mma (warps 4..11, 232 registers).
//
//   barrier          slots  count  bytes  offset
//   full                 4      1      -  196608
//   empty                4      8      -  196640
//
//   shared memory    slots  bytes  offset  tile
//   a                    4  16384       0  f16 128 x 64 sw128
//   b                    4  32768   65536  f16 64 x 256 sw128
#include <sluice/device.cuh>

using namespace sluice;

extern "C" __global__ void __launch_bounds__(384, 1)
gemm(const __grid_constant__ TensorMap AMap, const __grid_constant__ TensorMap BMap, f16 *CGlobal,
    int M, int N, int K, i64 CStride0) {
  extern __shared__ __align__(1024) unsigned char sharedBytes[];
  const u32 smem = sharedAddress(sharedBytes);
  using ATile = SharedTile<f16, 128, 64, 1, 128>;
  const Buffer<ATile, 16384> a{smem + 0};
  using BTile = SharedTile<f16, 64, 256, 1, 128>;
  const Buffer<BTile, 32768> b{smem + 65536};
  const Mbarriers full{smem + 196608};
  const Mbarriers empty{smem + 196640};
  const int ctaWarp = warpOfCta();
  if (ctaWarp == 0 && electLane()) {
    tmaPrefetch(AMap);
    tmaPrefetch(BMap);
  }
  const int i = blockIdx.x;
  const int j = blockIdx.y;
  const int n = i * 128;
  const int n1 = j * 256;
  const int tSteps = ceilDiv(K, 64);
  if (ctaWarp == 0 && electLane()) {
    for (int i1 = 0; i1 < 4; ++i1)
      mbarrierInit(full[i1], 1);
    for (int i1 = 0; i1 < 4; ++i1)
      mbarrierInit(empty[i1], 8);
    fenceMbarrierInit();
  }
  namedBarrierSync(0, 384);
  if (ctaWarp < 4) { // load
    registersShrink<40>();
    const int warp = ctaWarp;
    Cursor<4> at;
    for (int t = 0; t < tSteps; ++t) {
      const int n2 = t * 64;
      mbarrierWait(empty[at.slot], at.phase ^ 1);
      if (warp == 0 && electLane()) {
        mbarrierArriveExpectTx(full[at.slot], 49152);
        tmaLoad<1, 64, 16384>(a[at.slot], AMap, full[at.slot], n2, n);
        tmaLoad<4, 64, 8192>(b[at.slot], BMap, full[at.slot], n1, n2);
      }
      at = at.advance();
    }
  } else if (ctaWarp >= 4 && ctaWarp < 12) { // mma
    registersGrow<232>();
    const int warp = ctaWarp - 4;
    Fragment<float, 256> acc;
    Cursor<4> at;
    Cursor<4> before;
    for (int t = 0; t < tSteps; ++t) {
      mbarrierWait(full[at.slot], at.phase);
      wgmmaFence(acc);
      wgmma<64, 2>(acc, kMajor(a, at.slot), mnMajor(b, at.slot), t != 0, warp / 4);
      wgmmaCommit();
      wgmmaWait<1>(acc);
      if (t != 0 && electLane())
        mbarrierArrive(empty[before.slot]);
      before = at;
      at = at.advance();
    }
    wgmmaWait<0>(acc);
    storeFragment<8, 16>(Window<f16>{CGlobal, M, N, CStride0, 1, n, n1}, acc, warp);
  }
}

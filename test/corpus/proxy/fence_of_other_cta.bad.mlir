// RUN: not sluice check %s | FileCheck %s
// Fuser #4804 (scope of the proxy fence). The CTA that multicasts fences for itself; the generic
// writes of the peer, in the peer's shared memory, are fenced by nobody. The fence is printed as
// fence.proxy.async.shared::cta and speaks for the own CTA's shared memory alone.
// Expected: R23.
// CHECK: R23 {{.*}}TMA load of warp 0 of CTA (0) {{.*}} overwrites x
sluice.kernel @both(%X: !sluice.tensor<?x64xf16, align 16> {sluice.name = "X"},
                    %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4, cluster = array<i64: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %cta = sluice.grid %c2 : index
  %rank = sluice.cluster.rank
  %first = arith.cmpi eq, %rank, %c0 : index
  %part = arith.muli %rank, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, sw128>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.fill %x with 0.0 : <64x64xf16, smem, sw128>
  sluice.cluster.arrive
  sluice.cluster.wait
  sluice.mbarrier.arrive_expect_tx %full[%c0] bytes 8192 by one : <1>
  scf.if %first {
    sluice.fence proxy_async by one
    sluice.tma.load %X[%c0, %c0] to %x, %full[%c0] multicast 3
        : <?x64xf16, align 16>, <64x64xf16, smem, sw128>, <1>
  }
  sluice.mbarrier.wait %full[%c0], %c0 : <1>
  sluice.store %x to %Y[%part, %c0] : <64x64xf16, smem, sw128>, <?x64xf16>
  sluice.cluster.arrive
  sluice.cluster.wait
}

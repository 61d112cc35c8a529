// RUN: not sluice check %s | FileCheck %s
// Triton ConSan, python/test/gluon/test_consan.py, test_multibuffered_wgmma_loop. One load runs
// ahead and one product behind, but the operands have two slots: the load overwrites what the
// product reads.
// Expected: R22.
// CHECK: R22 {{.*}}TMA load of warp 0 {{.*}} writes a[0] {{.*}} while wgmma of warp {{.*}} may
// CHECK-SAME: still read
sluice.kernel @product(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                       %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                       %C: !sluice.tensor<?x64xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %n = arith.ceildivsi %K, %c64 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16, smem, sw128, slots 2>
  %b = sluice.alloc "b" : !sluice.buffer<64x64xf16, smem, sw128, slots 2>
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32, reg, acc>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<2>
  sluice.mbarrier.init %full count 1 by one : <2>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 128
  sluice.fill %acc with 0.0 : <64x64xf32, reg, acc>
  %start = sluice.cursor : !sluice.cursor<2>
  %some = arith.cmpi sgt, %n, %c0 : index
  scf.if %some {
    %a0 = sluice.slot %a[%c0] : <64x64xf16, smem, sw128, slots 2>
    %b0 = sluice.slot %b[%c0] : <64x64xf16, smem, sw128, slots 2>
    sluice.mbarrier.arrive_expect_tx %full[%c0] bytes 16384 by one : <2>
    sluice.tma.load %A[%c0, %c0] to %a0, %full[%c0]
        : <?x?xf16, align 16>, <64x64xf16, smem, sw128>, <2>
    sluice.tma.load %B[%c0, %c0] to %b0, %full[%c0]
        : <?x?xf16, align 16>, <64x64xf16, smem, sw128>, <2>
  }
  scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
    %next = sluice.cursor.advance %at : <2>
    %t1 = arith.addi %t, %c1 : index
    %more = arith.cmpi slt, %t1, %n : index
    scf.if %more { // one load ahead, one product behind
      %k = arith.muli %t1, %c64 : index
      %ahead = sluice.cursor.slot %next : <2>
      %an = sluice.slot %a[%ahead] : <64x64xf16, smem, sw128, slots 2>
      %bn = sluice.slot %b[%ahead] : <64x64xf16, smem, sw128, slots 2>
      sluice.mbarrier.arrive_expect_tx %full[%ahead] bytes 16384 by one : <2>
      sluice.tma.load %A[%c0, %k] to %an, %full[%ahead]
          : <?x?xf16, align 16>, <64x64xf16, smem, sw128>, <2>
      sluice.tma.load %B[%k, %c0] to %bn, %full[%ahead]
          : <?x?xf16, align 16>, <64x64xf16, smem, sw128>, <2>
    }
    %slot = sluice.cursor.slot %at : <2>
    %phase = sluice.cursor.phase %at : <2>
    %at_a = sluice.slot %a[%slot] : <64x64xf16, smem, sw128, slots 2>
    %at_b = sluice.slot %b[%slot] : <64x64xf16, smem, sw128, slots 2>
    sluice.mbarrier.wait %full[%slot], %phase : <2>
    sluice.wgmma.fence
    sluice.wgmma %acc, %at_a, %at_b
        : <64x64xf32, reg, acc>, <64x64xf16, smem, sw128>, <64x64xf16, smem, sw128>
    sluice.wgmma.commit
    sluice.wgmma.wait 1
    sluice.bar.sync 0, 128
    scf.yield %next : !sluice.cursor<2>
  } {sluice.name = "t", sluice.pipelined}
  sluice.wgmma.wait 0
  sluice.store %acc to %C[%c0, %c0] : <64x64xf32, reg, acc>, <?x64xf32>
}

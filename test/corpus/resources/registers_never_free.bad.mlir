// RUN: not sluice check %s | FileCheck %s
// triton #9786. The roles ask for more registers than the SM has: the last setmaxnreg waits for
// ever.
// Expected: R19.
// CHECK: R19 {{.*}}the roles ask for {{[0-9]+}} registers; a CTA of 12 warps starts with 64512 (168 a thread), and
// CHECK-SAME: setmaxnreg would wait for ever
sluice.kernel @two_groups(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                          %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                          %C: !sluice.tensor<?x64xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 12} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %n = arith.ceildivsi %K, %c64 : index
  %a = sluice.alloc "a" : !sluice.buffer<128x64xf16, smem, sw128, slots 2>
  %b = sluice.alloc "b" : !sluice.buffer<64x64xf16, smem, sw128, slots 2>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<2>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<2>
  sluice.mbarrier.init %full count 1 by one : <2>
  sluice.mbarrier.init %empty count 8 by one : <2>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 384
  %start = sluice.cursor : !sluice.cursor<2>
  sluice.role "load" warps 0 to 4 registers 56 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %free = arith.xori %phase, %c1 : index
      %k = arith.muli %t, %c64 : index
      %at_a = sluice.slot %a[%slot] : <128x64xf16, smem, sw128, slots 2>
      %at_b = sluice.slot %b[%slot] : <64x64xf16, smem, sw128, slots 2>
      sluice.mbarrier.wait %empty[%slot], %free by one : <2>
      sluice.mbarrier.arrive_expect_tx %full[%slot] bytes 24576 by one : <2>
      sluice.tma.load %A[%c0, %k] to %at_a, %full[%slot]
          : <?x?xf16, align 16>, <128x64xf16, smem, sw128>, <2>
      sluice.tma.load %B[%k, %c0] to %at_b, %full[%slot]
          : <?x?xf16, align 16>, <64x64xf16, smem, sw128>, <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
  }
  sluice.role "mma" warps 4 to 12 registers 240 {
    %acc = sluice.alloc "acc" : !sluice.buffer<128x64xf32, reg, acc>
    sluice.fill %acc with 0.0 : <128x64xf32, reg, acc>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %at_a = sluice.slot %a[%slot] : <128x64xf16, smem, sw128, slots 2>
      %at_b = sluice.slot %b[%slot] : <64x64xf16, smem, sw128, slots 2>
      sluice.mbarrier.wait %full[%slot], %phase : <2>
      sluice.wgmma.fence
      sluice.wgmma %acc, %at_a, %at_b
          : <128x64xf32, reg, acc>, <128x64xf16, smem, sw128>, <64x64xf16, smem, sw128>
      sluice.wgmma.commit
      sluice.wgmma.wait 0
      sluice.mbarrier.arrive %empty[%slot] by warp : <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    } {sluice.name = "t", sluice.pipelined}
    sluice.store %acc to %C[%c0, %c0] : <128x64xf32, reg, acc>, <?x64xf32>
  }
}

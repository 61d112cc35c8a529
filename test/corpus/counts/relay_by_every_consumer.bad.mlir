// RUN: not sluice check %s | FileCheck %s
// fb-triton #3458. The empty barrier counts the warps of one consumer; a second consumer of the
// same slot releases it too.
// Expected: R4.
// CHECK: R4 {{.*}}counts for phase 1 of empty[0], but nothing orders it after arrive of second
// CHECK-SAME: warp
sluice.kernel @relay(%X: !sluice.tensor<?x64xf16, align 16> {sluice.name = "X"},
                     %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out},
                     %Z: !sluice.tensor<?x64xf16> {sluice.name = "Z", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 12} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16, align 16>
  %n = arith.ceildivsi %rows, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, sw128, slots 2>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<2>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<2>
  sluice.mbarrier.init %full count 1 by one : <2>
  sluice.mbarrier.init %empty count 4 by one : <2>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 384
  %start = sluice.cursor : !sluice.cursor<2>
  sluice.role "load" warps 8 to 12 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %free = arith.xori %phase, %c1 : index
      %row = arith.muli %t, %c64 : index
      %xt = sluice.slot %x[%slot] : <64x64xf16, smem, sw128, slots 2>
      sluice.mbarrier.wait %empty[%slot], %free by one : <2>
      sluice.mbarrier.arrive_expect_tx %full[%slot] bytes 8192 by one : <2>
      sluice.tma.load %X[%row, %c0] to %xt, %full[%slot]
          : <?x64xf16, align 16>, <64x64xf16, smem, sw128>, <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
  }
  sluice.role "first" warps 4 to 8 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %row = arith.muli %t, %c64 : index
      %xt = sluice.slot %x[%slot] : <64x64xf16, smem, sw128, slots 2>
      sluice.mbarrier.wait %full[%slot], %phase : <2>
      sluice.store %xt to %Y[%row, %c0] : <64x64xf16, smem, sw128>, <?x64xf16>
      sluice.warp_sync
      sluice.mbarrier.arrive %empty[%slot] by warp : <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    } {sluice.name = "t", sluice.pipelined}
  }
  sluice.role "second" warps 0 to 4 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %row = arith.muli %t, %c64 : index
      %xt = sluice.slot %x[%slot] : <64x64xf16, smem, sw128, slots 2>
      sluice.mbarrier.wait %full[%slot], %phase : <2>
      sluice.store %xt to %Z[%row, %c0] : <64x64xf16, smem, sw128>, <?x64xf16>
      sluice.warp_sync
      sluice.mbarrier.arrive %empty[%slot] by warp : <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
  }
}

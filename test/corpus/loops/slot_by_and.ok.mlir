// RUN: sluice check %s | FileCheck %s
// Slots and phases by masks and shifts instead of remainders and quotients.
// CHECK: {{^}}proven: every launch
sluice.kernel @copy_rows(%X: !sluice.tensor<?x64xf16, align 16> {sluice.name = "X"},
                         %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 5} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16, align 16>
  %n = arith.ceildivsi %rows, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, sw128, slots 4>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<4>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<4>
  sluice.mbarrier.init %full count 1 by one : <4>
  sluice.mbarrier.init %empty count 4 by one : <4>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 160
  sluice.role "load" warps 4 to 5 {
    scf.for %t = %c0 to %n step %c1 {
      %slot = arith.andi %t, %c3 : index
      %q = arith.shrsi %t, %c2 : index
      %phase = arith.andi %q, %c1 : index
      %free = arith.xori %phase, %c1 : index
      %row = arith.muli %t, %c64 : index
      %xt = sluice.slot %x[%slot] : <64x64xf16, smem, sw128, slots 4>
      sluice.mbarrier.wait %empty[%slot], %free : <4>
      sluice.mbarrier.arrive_expect_tx %full[%slot] bytes 8192 by one : <4>
      sluice.tma.load %X[%row, %c0] to %xt, %full[%slot]
          : <?x64xf16, align 16>, <64x64xf16, smem, sw128>, <4>
    }
  }
  sluice.role "copy" warps 0 to 4 {
    scf.for %t = %c0 to %n step %c1 {
      %slot = arith.andi %t, %c3 : index
      %q = arith.shrsi %t, %c2 : index
      %phase = arith.andi %q, %c1 : index
      %row = arith.muli %t, %c64 : index
      %xt = sluice.slot %x[%slot] : <64x64xf16, smem, sw128, slots 4>
      sluice.mbarrier.wait %full[%slot], %phase : <4>
      sluice.store %xt to %Y[%row, %c0] : <64x64xf16, smem, sw128>, <?x64xf16>
      sluice.warp_sync
      sluice.mbarrier.arrive %empty[%slot] by warp : <4>
    } {sluice.name = "t", sluice.pipelined}
  }
}

// RUN: sluice check %s | FileCheck %s
// tilelang #2420, cuda-oxide #1066 (a mailbox for work tiles). The consumer reads, then says that
// it is free.
// CHECK: {{^}}proven
sluice.kernel @mailbox(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"},
                       %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 5} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16>
  %n = arith.ceildivsi %rows, %c64 : index
  %item = sluice.alloc "item" : !sluice.buffer<64x64xf16, smem, row>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<1>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 1 by one : <1>
  sluice.mbarrier.init %empty count 4 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 160
  %start = sluice.cursor : !sluice.cursor<1>
  sluice.role "post" warps 4 to 5 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<1> {
      %slot = sluice.cursor.slot %at : <1>
      %phase = sluice.cursor.phase %at : <1>
      %free = arith.xori %phase, %c1 : index
      %row = arith.muli %t, %c64 : index
      sluice.mbarrier.wait %empty[%slot], %free : <1>
      sluice.load %X[%row, %c0] to %item : <?x64xf16>, <64x64xf16, smem, row>
      sluice.warp_sync
      sluice.mbarrier.arrive %full[%slot] by one : <1>
      %next = sluice.cursor.advance %at : <1>
      scf.yield %next : !sluice.cursor<1>
    }
  }
  sluice.role "take" warps 0 to 4 {
    %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<1> {
      %slot = sluice.cursor.slot %at : <1>
      %phase = sluice.cursor.phase %at : <1>
      %row = arith.muli %t, %c64 : index
      sluice.mbarrier.wait %full[%slot], %phase : <1>
      sluice.copy %item to %v : <64x64xf16, smem, row>, <64x64xf16, reg, blocked>
      sluice.warp_sync
      sluice.mbarrier.arrive %empty[%slot] by warp : <1>
      sluice.store %v to %Y[%row, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
      %next = sluice.cursor.advance %at : <1>
      scf.yield %next : !sluice.cursor<1>
    } {sluice.name = "t", sluice.pipelined}
  }
}

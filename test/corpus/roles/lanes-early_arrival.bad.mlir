// RUN: not sluice check %s | FileCheck %s
// The elected lane arrives while other lanes of its warp still read the slot. Expected: R22.
// CHECK: R22 (
// CHECK-SAME: TMA load of load warp 4 {{.*}} writes x[0] {{.*}} while copy of write warp {{[0-3]}} {{.*}} may still read it: nothing orders the two. All lanes did the first, one lane signalled for them: put a warp sync before that lane's arrive
sluice.kernel @relay(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
                     %Y: !sluice.tensor<?x?xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 5} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %M = sluice.dim %X, 0 : <?x?xf32, align 16>
  %N = sluice.dim %X, 1 : <?x?xf32, align 16>
  %gm = arith.ceildivsi %M, %c32 : index
  %n = arith.ceildivsi %N, %c32 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c32 : index
  %x = sluice.alloc "x" : !sluice.buffer<32x32xf32, smem, row, slots 2>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<2>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<2>
  sluice.mbarrier.init %full count 1 by one : <2>
  sluice.mbarrier.init %empty count 4 by one : <2>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 160
  %start = sluice.cursor : !sluice.cursor<2>

  sluice.role "write" warps 0 to 4 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> (!sluice.cursor<2>) {
      %col = arith.muli %t, %c32 : index
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %here = sluice.slot %x[%slot] : <32x32xf32, smem, row, slots 2>
      sluice.mbarrier.wait %full[%slot], %phase : <2>
      sluice.store %here to %Y[%row, %col] : <32x32xf32, smem, row>, <?x?xf32>
      sluice.mbarrier.arrive %empty[%slot] by warp : <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    } {sluice.pipelined}
  }
  sluice.role "load" warps 4 to 5 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> (!sluice.cursor<2>) {
      %col = arith.muli %t, %c32 : index
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %free = arith.xori %phase, %c1 : index
      %to = sluice.slot %x[%slot] : <32x32xf32, smem, row, slots 2>
      sluice.mbarrier.wait %empty[%slot], %free by one : <2>
      sluice.mbarrier.arrive_expect_tx %full[%slot] bytes 4096 by one : <2>
      sluice.tma.load %X[%row, %col] to %to, %full[%slot]
          : <?x?xf32, align 16>, <32x32xf32, smem, row>, <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    } {sluice.pipelined}
  }
}

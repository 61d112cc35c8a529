// RUN: not sluice check %s | FileCheck %s
// CUTLASS PipelineAsync. The consumer starts one slot on: it reads what the producers fill next,
// with the barrier of the slot before. Expected: R21.
// CHECK: R21 (
// CHECK-SAME: copy of consumer warp 2 {{.*}} reads x[1] {{.*}}, which nothing has written
sluice.kernel @copy(%X: !sluice.tensor<?x?xf32> {sluice.name = "X"},
                    %Y: !sluice.tensor<?x?xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 3} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %M = sluice.dim %X, 0 : <?x?xf32>
  %K = sluice.dim %X, 1 : <?x?xf32>
  %gm = arith.ceildivsi %M, %c32 : index
  %n = arith.ceildivsi %K, %c32 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c32 : index
  %x = sluice.alloc "x" : !sluice.buffer<32x32xf32, smem, row, slots 5>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<5>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<5>
  sluice.mbarrier.init %full count 2 by one : <5> // one lane of each producer
  sluice.mbarrier.init %empty count 1 by one : <5>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 96
  %start = sluice.cursor : !sluice.cursor<5>

  sluice.role "producer" warps 0 to 2 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> (!sluice.cursor<5>) {
      %k = arith.muli %t, %c32 : index
      %slot = sluice.cursor.slot %at : <5>
      %phase = sluice.cursor.phase %at : <5>
      %free = arith.xori %phase, %c1 : index
      %to = sluice.slot %x[%slot] : <32x32xf32, smem, row, slots 5>
      sluice.mbarrier.wait %empty[%slot], %free : <5>
      sluice.load %X[%row, %k] to %to : <?x?xf32>, <32x32xf32, smem, row>
      sluice.warp_sync // the elected lane speaks for all
      sluice.mbarrier.arrive %full[%slot] by warp : <5>
      %next = sluice.cursor.advance %at : <5>
      scf.yield %next : !sluice.cursor<5>
    } {sluice.pipelined}
  }

  sluice.role "consumer" warps 2 to 3 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> (!sluice.cursor<5>) {
      %k = arith.muli %t, %c32 : index
      %slot = sluice.cursor.slot %at : <5>
      %phase = sluice.cursor.phase %at : <5>
      %ahead = sluice.cursor.advance %at : <5>
      %slot_ahead = sluice.cursor.slot %ahead : <5>
      %from = sluice.slot %x[%slot_ahead] : <32x32xf32, smem, row, slots 5>
      sluice.mbarrier.wait %full[%slot], %phase : <5>
      sluice.store %from to %Y[%row, %k] : <32x32xf32, smem, row>, <?x?xf32>
      sluice.warp_sync
      sluice.mbarrier.arrive %empty[%slot] by warp : <5>
      %next = sluice.cursor.advance %at : <5>
      scf.yield %next : !sluice.cursor<5>
    } {sluice.pipelined}
  }
}

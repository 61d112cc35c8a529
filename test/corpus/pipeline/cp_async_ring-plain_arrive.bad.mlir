// RUN: not sluice check %s | FileCheck %s
// CUTLASS PipelineAsync with cp.async: a plain arrive does not wait for the copies. Expected:
// R22.
// CHECK: R22 (
// CHECK-SAME: copy of store warp {{[23]}} {{.*}} reads x[0] {{.*}} while cp.async of load warp {{[01]}} {{.*}} may still write it
sluice.kernel @copy(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
                    %Y: !sluice.tensor<?x?xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %M = sluice.dim %X, 0 : <?x?xf32, align 16>
  %K = sluice.dim %X, 1 : <?x?xf32, align 16>
  %gm = arith.ceildivsi %M, %c32 : index
  %n = arith.ceildivsi %K, %c32 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c32 : index
  %x = sluice.alloc "x" : !sluice.buffer<32x32xf32, smem, row, slots 4>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<4>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<4>
  sluice.mbarrier.init %full count 64 by one : <4> // threads of the loading warps
  sluice.mbarrier.init %empty count 64 by one : <4> // threads of the storing warps
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 128
  %start = sluice.cursor : !sluice.cursor<4>

  sluice.role "load" warps 0 to 2 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> (!sluice.cursor<4>) {
      %k = arith.muli %t, %c32 : index
      %slot = sluice.cursor.slot %at : <4>
      %phase = sluice.cursor.phase %at : <4>
      %free = arith.xori %phase, %c1 : index
      %to = sluice.slot %x[%slot] : <32x32xf32, smem, row, slots 4>
      sluice.mbarrier.wait %empty[%slot], %free : <4>
      sluice.load %X[%row, %k] to %to async : <?x?xf32, align 16>, <32x32xf32, smem, row>
      sluice.mbarrier.arrive %full[%slot] : <4>
      %next = sluice.cursor.advance %at : <4>
      scf.yield %next : !sluice.cursor<4>
    } {sluice.pipelined}
  }
  sluice.role "store" warps 2 to 4 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> (!sluice.cursor<4>) {
      %k = arith.muli %t, %c32 : index
      %slot = sluice.cursor.slot %at : <4>
      %phase = sluice.cursor.phase %at : <4>
      %from = sluice.slot %x[%slot] : <32x32xf32, smem, row, slots 4>
      sluice.mbarrier.wait %full[%slot], %phase : <4>
      sluice.store %from to %Y[%row, %k] : <32x32xf32, smem, row>, <?x?xf32>
      sluice.mbarrier.arrive %empty[%slot] : <4>
      %next = sluice.cursor.advance %at : <4>
      scf.yield %next : !sluice.cursor<4>
    } {sluice.pipelined}
  }
}

// RUN: not sluice check %s | FileCheck %s
// NVIDIA/Fuser #4524: the bytes are announced for every block, the copy is issued for those
// inside only. Expected: R14.
// CHECK: R14 (
// CHECK-SAME: raw[{{[0-2]}}] is left in the middle of a phase ({{.*}}, bytes 0 of 8192)
sluice.kernel @scale(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
                     %Y: !sluice.tensor<?x?xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 5} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %M = sluice.dim %X, 0 : <?x?xf32, align 16>
  // Four CTAs take blocks of 16 rows in turn; all run the same number of steps.
  %blocks = arith.ceildivsi %M, %c16 : index
  %n = arith.ceildivsi %blocks, %c4 : index
  %i = sluice.grid %c4 : index
  %x = sluice.alloc "x" : !sluice.buffer<16x128xf32, smem, row, slots 3>
  %raw = sluice.mbarrier.alloc "raw" : !sluice.mbarrier<3>
  %war = sluice.mbarrier.alloc "war" : !sluice.mbarrier<3>
  sluice.mbarrier.init %raw count 1 by one : <3>
  sluice.mbarrier.init %war count 4 by one : <3>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 160
  %start = sluice.cursor : !sluice.cursor<3>

  sluice.role "compute" warps 0 to 4 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> (!sluice.cursor<3>) {
      %before = arith.muli %t, %c4 : index
      %block = arith.addi %before, %i : index
      %row = arith.muli %block, %c16 : index
      %inside = arith.cmpi slt, %row, %M : index
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      %from = sluice.slot %x[%slot] : <16x128xf32, smem, row, slots 3>
      scf.if %inside { // the tail predicate of the copy
        sluice.mbarrier.wait %raw[%slot], %phase : <3>
        sluice.store %from to %Y[%row, %c0] : <16x128xf32, smem, row>, <?x?xf32>
        sluice.warp_sync
        sluice.mbarrier.arrive %war[%slot] by warp : <3>
      }
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    } {sluice.pipelined}
  }
  sluice.role "async" warps 4 to 5 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> (!sluice.cursor<3>) {
      %before = arith.muli %t, %c4 : index
      %block = arith.addi %before, %i : index
      %row = arith.muli %block, %c16 : index
      %inside = arith.cmpi slt, %row, %M : index
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      %free = arith.xori %phase, %c1 : index
      %to = sluice.slot %x[%slot] : <16x128xf32, smem, row, slots 3>
      sluice.mbarrier.wait %war[%slot], %free by one : <3>
      sluice.mbarrier.arrive_expect_tx %raw[%slot] bytes 8192 by one : <3>
      scf.if %inside {
        sluice.tma.load %X[%row, %c0] to %to, %raw[%slot]
            : <?x?xf32, align 16>, <16x128xf32, smem, row>, <3>
      }
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    } {sluice.pipelined}
  }
}

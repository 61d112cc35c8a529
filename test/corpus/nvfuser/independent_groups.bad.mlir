// RUN: not sluice check %s | FileCheck %s
// NVIDIA/Fuser #5862: 6 stages for 8 independent loads a slice: groups share barriers, and a
// group that comes late to a barrier takes the other group's phase for its own. Expected: R5.
// CHECK: R5 (
// CHECK-SAME: wait of group1 warp 4 {{.*}} for phase 1 of raw[0] passes one phase early
sluice.kernel @norm_rows(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
                         %Y: !sluice.tensor<?x?xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 9} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %X, 0 : <?x?xf32, align 16>
  %n = arith.ceildivsi %M, %c128 : index // slices: 2 groups x 4 blocks of 16 rows
  %i = sluice.grid %c1 : index
  %x = sluice.alloc "x" : !sluice.buffer<16x64xf32, smem, row, slots 6>
  %raw = sluice.mbarrier.alloc "raw" : !sluice.mbarrier<6>
  %war = sluice.mbarrier.alloc "war" : !sluice.mbarrier<6>
  sluice.mbarrier.init %raw count 1 by one : <6>
  sluice.mbarrier.init %war count 4 by one : <6> // warps of one group
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 288
  %start = sluice.cursor : !sluice.cursor<6>

  sluice.role "async" warps 8 to 9 {
    %blocks = arith.muli %n, %c8 : index
    scf.for %t = %c0 to %blocks step %c1 iter_args(%at = %start) -> (!sluice.cursor<6>) {
      %row = arith.muli %t, %c16 : index
      %slot = sluice.cursor.slot %at : <6>
      %phase = sluice.cursor.phase %at : <6>
      %free = arith.xori %phase, %c1 : index
      %to = sluice.slot %x[%slot] : <16x64xf32, smem, row, slots 6>
      sluice.mbarrier.wait %war[%slot], %free by one : <6>
      sluice.mbarrier.arrive_expect_tx %raw[%slot] bytes 4096 by one : <6>
      sluice.tma.load %X[%row, %c0] to %to, %raw[%slot]
          : <?x?xf32, align 16>, <16x64xf32, smem, row>, <6>
      %next = sluice.cursor.advance %at : <6>
      scf.yield %next : !sluice.cursor<6>
    } {sluice.pipelined}
  }
  sluice.role "group0" warps 0 to 4 {
    scf.for %t = %c0 to %n step %c1 iter_args(%from = %start) -> (!sluice.cursor<6>) {
      %slice = arith.muli %t, %c8 : index
      %read = scf.for %b = %c0 to %c4 step %c1 iter_args(%at = %from) -> (!sluice.cursor<6>) {
        %block = arith.addi %slice, %b : index
        %row_0 = arith.muli %block, %c16 : index
        %mine_row = arith.constant 0 : index
        %row = arith.addi %row_0, %mine_row : index
        %slot = sluice.cursor.slot %at : <6>
        %phase = sluice.cursor.phase %at : <6>
        %here = sluice.slot %x[%slot] : <16x64xf32, smem, row, slots 6>
        sluice.mbarrier.wait %raw[%slot], %phase : <6>
        sluice.store %here to %Y[%row, %c0] : <16x64xf32, smem, row>, <?x?xf32>
        sluice.warp_sync
        sluice.mbarrier.arrive %war[%slot] by warp : <6>
        %next = sluice.cursor.advance %at : <6>
        scf.yield %next : !sluice.cursor<6>
      }
      %again = sluice.cursor.advance %read by 4 : <6>
      scf.yield %again : !sluice.cursor<6>
    }
  }
  sluice.role "group1" warps 4 to 8 {
    %mine = sluice.cursor.advance %start by 4 : <6>
    scf.for %t = %c0 to %n step %c1 iter_args(%from = %mine) -> (!sluice.cursor<6>) {
      %slice = arith.muli %t, %c8 : index
      %read = scf.for %b = %c0 to %c4 step %c1 iter_args(%at = %from) -> (!sluice.cursor<6>) {
        %block = arith.addi %slice, %b : index
        %row_0 = arith.muli %block, %c16 : index
        %mine_row = arith.constant 64 : index
        %row = arith.addi %row_0, %mine_row : index
        %slot = sluice.cursor.slot %at : <6>
        %phase = sluice.cursor.phase %at : <6>
        %here = sluice.slot %x[%slot] : <16x64xf32, smem, row, slots 6>
        sluice.mbarrier.wait %raw[%slot], %phase : <6>
        sluice.store %here to %Y[%row, %c0] : <16x64xf32, smem, row>, <?x?xf32>
        sluice.warp_sync
        sluice.mbarrier.arrive %war[%slot] by warp : <6>
        %next = sluice.cursor.advance %at : <6>
        scf.yield %next : !sluice.cursor<6>
      }
      %again = sluice.cursor.advance %read by 4 : <6>
      scf.yield %again : !sluice.cursor<6>
    }
  }
}

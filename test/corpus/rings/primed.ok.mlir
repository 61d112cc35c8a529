// RUN: sluice check %s | FileCheck %s
// The reader gives each slot back once before the loop, by its number: in the loop cursors alone
// name slots.
// CHECK: {{^}}proven: every launch
sluice.kernel @primed(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16>
  %n = arith.ceildivsi %rows, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, row, slots 3>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<3>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<3>
  sluice.mbarrier.init %full count 32 by one : <3>
  sluice.mbarrier.init %empty count 32 by one : <3>
  sluice.bar.sync 0, 64
  %start = sluice.cursor : !sluice.cursor<3>
  sluice.role "fill" warps 0 to 1 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<3> {
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      %tile = sluice.slot %x[%slot] : <64x64xf16, smem, row, slots 3>
      sluice.mbarrier.wait %empty[%slot], %phase : <3>
      sluice.fill %tile with 0.0 : <64x64xf16, smem, row>
      sluice.mbarrier.arrive %full[%slot] : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
  }
  sluice.role "read" warps 1 to 2 {
    %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
    sluice.mbarrier.arrive %empty[%c0] : <3>
    sluice.mbarrier.arrive %empty[%c1] : <3>
    sluice.mbarrier.arrive %empty[%c2] : <3>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<3> {
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      %tile = sluice.slot %x[%slot] : <64x64xf16, smem, row, slots 3>
      sluice.mbarrier.wait %full[%slot], %phase : <3>
      sluice.copy %tile to %v : <64x64xf16, smem, row>, <64x64xf16, reg, blocked>
      sluice.mbarrier.arrive %empty[%slot] : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
  }
}

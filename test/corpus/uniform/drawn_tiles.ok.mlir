// RUN: sluice check %s --set X=0x32 ctas=2 | FileCheck %s
// Where a scheduler's number says one role writes, and another one where the number two before did;
// a slot of the ring comes back when that is done.
// CHECK: proven: every launch
// CHECK: assuming tiles-apart: parts of Y that numbers of tensors place do not overlap
sluice.kernel @drawn(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
                     %Z: !sluice.tensor<?xi32> {sluice.name = "Z"},
                     %next: !sluice.tensor<1xi32> {sluice.name = "next", sluice.inout},
                     %Y: !sluice.tensor<?x?xf32> {sluice.name = "Y", sluice.out},
                     %ctas: index {sluice.name = "ctas"})
    attributes {target = "sm_90a", phase = "barrier", warps = 3} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %none = arith.constant -1 : index
  %M = sluice.dim %X, 0 : <?x?xf32, align 16>
  %total = arith.ceildivsi %M, %c32 : index
  %i = sluice.grid %ctas : index
  %number = sluice.alloc "number" : !sluice.buffer<1x4xi32, smem, row, slots 2>
  %known = sluice.mbarrier.alloc "known" : !sluice.mbarrier<2>
  %taken = sluice.mbarrier.alloc "taken" : !sluice.mbarrier<2>
  sluice.mbarrier.init %known count 1 by one : <2>
  sluice.mbarrier.init %taken count 2 by one : <2>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 96
  %start = sluice.cursor : !sluice.cursor<2>
  sluice.role "scheduler" warps 0 to 1 {
    %end = scf.while (%at = %start) : (!sluice.cursor<2>) -> (!sluice.cursor<2>) {
      %drawn = sluice.counter.add %next[%c0], %c1 scope gpu : <1xi32>
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %free = arith.xori %phase, %c1 : index
      sluice.mbarrier.wait %taken[%slot], %free : <2>
      %box = sluice.slot %number[%slot] : <1x4xi32, smem, row, slots 2>
      sluice.scalar_write %drawn to %box[%c0, %c0] by one : <1x4xi32, smem, row>
      sluice.mbarrier.arrive %known[%slot] by one : <2>
      %tile = sluice.uniform %drawn : index
      %more = arith.cmpi slt, %tile, %total : index
      %after = sluice.cursor.advance %at : <2>
      scf.condition(%more) %after : !sluice.cursor<2>
    } do {
    ^bb0(%at: !sluice.cursor<2>):
      scf.yield %at : !sluice.cursor<2>
    }
  }
  sluice.role "first" warps 1 to 2 {
    %r = sluice.alloc "r1" : !sluice.buffer<32x32xf32, reg, blocked>
    sluice.fill %r with 1.0 : <32x32xf32, reg, blocked>
    %end:2 = scf.while (%at = %start, %before = %none) : (!sluice.cursor<2>, index)
        -> (!sluice.cursor<2>, index) {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      sluice.mbarrier.wait %known[%slot], %phase : <2>
      %box = sluice.slot %number[%slot] : <1x4xi32, smem, row, slots 2>
      %read = sluice.scalar_read %box[%c0, %c0] : <1x4xi32, smem, row>
      sluice.warp_sync
      %tile = sluice.uniform %read : index
      %more = arith.cmpi slt, %tile, %total : index
      %row = arith.muli %tile, %c32 : index
      scf.if %more {
        sluice.store %r to %Y[%row, %c0] : <32x32xf32, reg, blocked>, <?x?xf32>
      }
      sluice.warp_sync
      sluice.mbarrier.arrive %taken[%slot] by one : <2>
      %after = sluice.cursor.advance %at : <2>
      scf.condition(%more) %after, %tile : !sluice.cursor<2>, index
    } do {
    ^bb0(%at: !sluice.cursor<2>, %before: index):
      scf.yield %at, %before : !sluice.cursor<2>, index
    }
  }
  sluice.role "second" warps 2 to 3 {
    %r = sluice.alloc "r2" : !sluice.buffer<32x32xf32, reg, blocked>
    sluice.fill %r with 2.0 : <32x32xf32, reg, blocked>
    %end:3 = scf.while (%at = %start, %before = %none, %late = %none)
        : (!sluice.cursor<2>, index, index) -> (!sluice.cursor<2>, index, index) {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      sluice.mbarrier.wait %known[%slot], %phase : <2>
      %box = sluice.slot %number[%slot] : <1x4xi32, smem, row, slots 2>
      %read = sluice.scalar_read %box[%c0, %c0] : <1x4xi32, smem, row>
      sluice.warp_sync
      %tile = sluice.uniform %read : index
      %more = arith.cmpi slt, %tile, %total : index
      %long = sluice.scalar_load %Z[%tile] : <?xi32>
      %word = sluice.uniform %long : index
      %is = arith.cmpi sgt, %word, %c0 : index
      %next_late = scf.if %is -> (index) {
        sluice.warp_sync
        %v = arith.addi %before, %c0 : index
        scf.yield %v : index
      } else {
        %v = arith.addi %before, %c0 : index
        scf.yield %v : index
      }
      %row = arith.muli %late, %c32 : index
      sluice.store %r to %Y[%row, %c0] : <32x32xf32, reg, blocked>, <?x?xf32>
      sluice.mbarrier.arrive %taken[%slot] by one : <2>
      %after = sluice.cursor.advance %at : <2>
      scf.condition(%more) %after, %tile, %next_late : !sluice.cursor<2>, index, index
    } do {
    ^bb0(%at: !sluice.cursor<2>, %before: index, %late: index):
      scf.yield %at, %before, %late : !sluice.cursor<2>, index, index
    }
  }
}

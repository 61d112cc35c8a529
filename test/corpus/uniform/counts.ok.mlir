// RUN: sluice check %s --set items=5 ctas=2 | FileCheck %s
// Packed sequences, persistent: how many tiles an item has is data, read by both roles and marked
// `uniform`. The ring runs on across items; the store is clipped at the end of its sequence.
// CHECK: proven: every launch
// CHECK: in-range: scalar loads of start name elements that it has
// CHECK-NEXT: assuming divisors: nothing is divided by a number computed from start that is 0
sluice.kernel @packed(%X: !sluice.tensor<?x32xf32, align 16> {sluice.name = "X"},
                      %start: !sluice.tensor<?xi32> {sluice.name = "start"}, // sequences + 1
                      %Y: !sluice.tensor<?x32xf32> {sluice.name = "Y", sluice.out},
                      %items: index {sluice.name = "items"}, %ctas: index {sluice.name = "ctas"})
    attributes {target = "sm_90a", phase = "barrier", warps = 5} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %i = sluice.grid %ctas : index
  %x = sluice.alloc "x" : !sluice.buffer<32x32xf32, smem, row, slots 2>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<2>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<2>
  sluice.mbarrier.init %full count 1 by one : <2>
  sluice.mbarrier.init %empty count 4 by one : <2>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 160
  %begin = sluice.cursor : !sluice.cursor<2>

  sluice.role "write" warps 0 to 4 {
    scf.for %w = %i to %items step %ctas iter_args(%first = %begin) -> (!sluice.cursor<2>) {
      %w1 = arith.addi %w, %c1 : index
      %from = sluice.scalar_load %start[%w] : <?xi32>
      %end = sluice.scalar_load %start[%w1] : <?xi32>
      %length = arith.subi %end, %from : index
      %tiles = arith.ceildivsi %length, %c32 : index
      %n = sluice.uniform %tiles : index
      %own = sluice.clip %Y, 0 to %end : <?x32xf32>
      %last = scf.for %t = %c0 to %n step %c1 iter_args(%at = %first) -> (!sluice.cursor<2>) {
        %down = arith.muli %t, %c32 : index
        %row = arith.addi %from, %down : index
        %slot = sluice.cursor.slot %at : <2>
        %phase = sluice.cursor.phase %at : <2>
        %here = sluice.slot %x[%slot] : <32x32xf32, smem, row, slots 2>
        sluice.mbarrier.wait %full[%slot], %phase : <2>
        sluice.store %here to %own[%row, %c0] : <32x32xf32, smem, row>, <?x32xf32>
        sluice.warp_sync
        sluice.mbarrier.arrive %empty[%slot] by warp : <2>
        %next = sluice.cursor.advance %at : <2>
        scf.yield %next : !sluice.cursor<2>
      } {sluice.pipelined}
      scf.yield %last : !sluice.cursor<2>
    }
  }
  sluice.role "load" warps 4 to 5 {
    scf.for %w = %i to %items step %ctas iter_args(%first = %begin) -> (!sluice.cursor<2>) {
      %w1 = arith.addi %w, %c1 : index
      %from = sluice.scalar_load %start[%w] : <?xi32>
      %end = sluice.scalar_load %start[%w1] : <?xi32>
      %length = arith.subi %end, %from : index
      %tiles = arith.ceildivsi %length, %c32 : index
      %n = sluice.uniform %tiles : index
      %last = scf.for %t = %c0 to %n step %c1 iter_args(%at = %first) -> (!sluice.cursor<2>) {
        %down = arith.muli %t, %c32 : index
        %row = arith.addi %from, %down : index
        %slot = sluice.cursor.slot %at : <2>
        %phase = sluice.cursor.phase %at : <2>
        %free = arith.xori %phase, %c1 : index
        %to = sluice.slot %x[%slot] : <32x32xf32, smem, row, slots 2>
        sluice.mbarrier.wait %empty[%slot], %free by one : <2>
        sluice.mbarrier.arrive_expect_tx %full[%slot] bytes 4096 by one : <2>
        sluice.tma.load %X[%row, %c0] to %to, %full[%slot]
            : <?x32xf32, align 16>, <32x32xf32, smem, row>, <2>
        %next = sluice.cursor.advance %at : <2>
        scf.yield %next : !sluice.cursor<2>
      } {sluice.pipelined}
      scf.yield %last : !sluice.cursor<2>
    }
  }
}

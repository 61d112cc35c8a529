// RUN: sluice check %s --set X=1024x64 ctas=2 | FileCheck %s
// A persistent kernel with a dynamic scheduler: one warp draws tile numbers from a counter and puts
// them into a ring; the load and the math warps take them out. The first number past the end is
// handed on like any other: all stop at it.
// CHECK: proven: every launch
// CHECK: assuming counters-zero: next holds zeros at launch
// CHECK: assuming draws-end: loops that go on while a number drawn from next allows it come to an end
// CHECK-NOT: draws-in-turn
sluice.kernel @drawn(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
                     %next: !sluice.tensor<1xi32> {sluice.name = "next", sluice.inout},
                     %Y: !sluice.tensor<?x?xf32> {sluice.name = "Y", sluice.out},
                     %ctas: index {sluice.name = "ctas"})
    attributes {target = "sm_90a", phase = "barrier", warps = 6} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %M = sluice.dim %X, 0 : <?x?xf32, align 16>
  %N = sluice.dim %X, 1 : <?x?xf32, align 16>
  %total = arith.ceildivsi %M, %c32 : index
  %n = arith.ceildivsi %N, %c32 : index
  %i = sluice.grid %ctas : index
  %x = sluice.alloc "x" : !sluice.buffer<32x32xf32, smem, row, slots 2>
  %number = sluice.alloc "number" : !sluice.buffer<1x4xi32, smem, row, slots 2>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<2>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<2>
  %known = sluice.mbarrier.alloc "known" : !sluice.mbarrier<2>
  %taken = sluice.mbarrier.alloc "taken" : !sluice.mbarrier<2>
  sluice.mbarrier.init %full count 1 by one : <2>
  sluice.mbarrier.init %empty count 4 by one : <2>
  sluice.mbarrier.init %known count 1 by one : <2>
  sluice.mbarrier.init %taken count 5 by one : <2> // 4 math warps and the load warp
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 192
  %begin = sluice.cursor : !sluice.cursor<2>

  sluice.role "math" warps 0 to 4 {
    %end:2 = scf.while (%at = %begin, %data = %begin) : (!sluice.cursor<2>, !sluice.cursor<2>)
        -> (!sluice.cursor<2>, !sluice.cursor<2>) {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      sluice.mbarrier.wait %known[%slot], %phase : <2>
      %box = sluice.slot %number[%slot] : <1x4xi32, smem, row, slots 2>
      %read = sluice.scalar_read %box[%c0, %c0] : <1x4xi32, smem, row>
      sluice.warp_sync
      sluice.mbarrier.arrive %taken[%slot] by warp : <2>
      %tile = sluice.uniform %read : index
      %more = arith.cmpi slt, %tile, %total : index
      %row = arith.muli %tile, %c32 : index
      %last = scf.if %more -> (!sluice.cursor<2>) {
        %d = scf.for %t = %c0 to %n step %c1 iter_args(%s = %data) -> (!sluice.cursor<2>) {
          %col = arith.muli %t, %c32 : index
          %place = sluice.cursor.slot %s : <2>
          %turn = sluice.cursor.phase %s : <2>
          %here = sluice.slot %x[%place] : <32x32xf32, smem, row, slots 2>
          sluice.mbarrier.wait %full[%place], %turn : <2>
          sluice.store %here to %Y[%row, %col] : <32x32xf32, smem, row>, <?x?xf32>
          sluice.warp_sync
          sluice.mbarrier.arrive %empty[%place] by warp : <2>
          %s1 = sluice.cursor.advance %s : <2>
          scf.yield %s1 : !sluice.cursor<2>
        } {sluice.pipelined}
        scf.yield %d : !sluice.cursor<2>
      } else {
        scf.yield %data : !sluice.cursor<2>
      }
      %after = sluice.cursor.advance %at : <2>
      scf.condition(%more) %after, %last : !sluice.cursor<2>, !sluice.cursor<2>
    } do {
    ^bb0(%at: !sluice.cursor<2>, %data: !sluice.cursor<2>):
      scf.yield %at, %data : !sluice.cursor<2>, !sluice.cursor<2>
    }
  }
  sluice.role "load" warps 4 to 5 {
    %end:3 = scf.while (%at = %begin, %data = %begin) : (!sluice.cursor<2>, !sluice.cursor<2>)
        -> (index, !sluice.cursor<2>, !sluice.cursor<2>) {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      sluice.mbarrier.wait %known[%slot], %phase : <2>
      %box = sluice.slot %number[%slot] : <1x4xi32, smem, row, slots 2>
      %read = sluice.scalar_read %box[%c0, %c0] : <1x4xi32, smem, row>
      sluice.warp_sync
      sluice.mbarrier.arrive %taken[%slot] by one : <2>
      %tile = sluice.uniform %read : index
      %more = arith.cmpi slt, %tile, %total : index
      %after = sluice.cursor.advance %at : <2>
      scf.condition(%more) %tile, %after, %data : index, !sluice.cursor<2>, !sluice.cursor<2>
    } do {
    ^bb0(%tile: index, %at: !sluice.cursor<2>, %data: !sluice.cursor<2>):
      %row = arith.muli %tile, %c32 : index
      %last = scf.for %t = %c0 to %n step %c1 iter_args(%s = %data) -> (!sluice.cursor<2>) {
        %col = arith.muli %t, %c32 : index
        %place = sluice.cursor.slot %s : <2>
        %turn = sluice.cursor.phase %s : <2>
        %free = arith.xori %turn, %c1 : index
        %to = sluice.slot %x[%place] : <32x32xf32, smem, row, slots 2>
        sluice.mbarrier.wait %empty[%place], %free by one : <2>
        sluice.mbarrier.arrive_expect_tx %full[%place] bytes 4096 by one : <2>
        sluice.tma.load %X[%row, %col] to %to, %full[%place]
            : <?x?xf32, align 16>, <32x32xf32, smem, row>, <2>
        %s1 = sluice.cursor.advance %s : <2>
        scf.yield %s1 : !sluice.cursor<2>
      } {sluice.pipelined}
      scf.yield %at, %last : !sluice.cursor<2>, !sluice.cursor<2>
    }
  }
  sluice.role "scheduler" warps 5 to 6 {
    %end = scf.while (%at = %begin) : (!sluice.cursor<2>) -> !sluice.cursor<2> {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %free = arith.xori %phase, %c1 : index
      %drawn = sluice.counter.add %next[%c0], %c1 scope gpu relaxed : <1xi32>
      sluice.mbarrier.wait %taken[%slot], %free by one : <2>
      %box = sluice.slot %number[%slot] : <1x4xi32, smem, row, slots 2>
      sluice.scalar_write %drawn to %box[%c0, %c0] : <1x4xi32, smem, row>
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
}

// RUN: sluice check %s --set X=1024x64 | FileCheck %s
// RUN: sluice check %s --set X=1024x64 --strict | FileCheck %s
// RUN: %python %S/Inputs/arrays.py %t
// RUN: sluice run %s --in X=%t/X.npy --set Y=6400x32 --expect Y=%t/X.npy --chaos 3000
// RUN: sluice run %s --in X=%t/X.npy --set Y=6400x32 --expect Y=%t/X.npy --device host
// RUN: sluice emit %s --set X=1024x64 --single-file -o %t.cu
// RUN: %if nvcc %{ %nvcc100 -cubin %t.cu -o %t.cubin %}
// A CTA for each row of tiles. One warp asks for CTAs that have not been launched; the load and the
// math warps read the responses, of which the last says that none is left. A slot goes back behind
// a fence, since the next response comes through the async proxy.
// CHECK: proven: every launch
// CHECK: assuming launched-once: every cluster of the grid is launched, or given to one request
// CHECK-NOT: draws-in-turn
sluice.kernel @asked(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
                     %Y: !sluice.tensor<?x?xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_100a", phase = "barrier", warps = 6, shared_bytes = 204800} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %M = sluice.dim %X, 0 : <?x?xf32, align 16>
  %N = sluice.dim %X, 1 : <?x?xf32, align 16>
  %total = arith.ceildivsi %M, %c32 : index
  %n = arith.ceildivsi %N, %c32 : index
  %i = sluice.grid %total : index
  %x = sluice.alloc "x" : !sluice.buffer<32x32xf32, smem, row, slots 2>
  %response = sluice.alloc "response" : !sluice.buffer<1x4xi32, smem, row, slots 2>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<2>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<2>
  %known = sluice.mbarrier.alloc "known" : !sluice.mbarrier<2>
  %taken = sluice.mbarrier.alloc "taken" : !sluice.mbarrier<2>
  sluice.mbarrier.init %full count 1 by one : <2>
  sluice.mbarrier.init %empty count 4 by one : <2>
  sluice.mbarrier.init %known count 1 by one : <2>
  sluice.mbarrier.init %taken count 6 by one : <2> // all warps
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 192
  %begin = sluice.cursor : !sluice.cursor<2>

  sluice.role "math" warps 0 to 4 {
    %end:3 = scf.while (%tile = %i, %at = %begin, %data = %begin)
        : (index, !sluice.cursor<2>, !sluice.cursor<2>)
        -> (index, !sluice.cursor<2>, !sluice.cursor<2>) {
      %row = arith.muli %tile, %c32 : index
      %last = scf.for %t = %c0 to %n step %c1 iter_args(%s = %data) -> (!sluice.cursor<2>) {
        %col = arith.muli %t, %c32 : index
        %place = sluice.cursor.slot %s : <2>
        %turn = sluice.cursor.phase %s : <2>
        %here = sluice.slot %x[%place] : <32x32xf32, smem, row, slots 2>
        sluice.mbarrier.wait %full[%place], %turn : <2>
        sluice.store %here to %Y[%row, %col] : <32x32xf32, smem, row>, <?x?xf32>
        sluice.fence proxy_async
        sluice.warp_sync
        sluice.mbarrier.arrive %empty[%place] by warp : <2>
        %s1 = sluice.cursor.advance %s : <2>
        scf.yield %s1 : !sluice.cursor<2>
      } {sluice.pipelined}
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      sluice.mbarrier.wait %known[%slot], %phase : <2>
      %box = sluice.slot %response[%slot] : <1x4xi32, smem, row, slots 2>
      %read = sluice.clc.query %box : <1x4xi32, smem, row>
      sluice.fence proxy_async
      sluice.warp_sync
      sluice.mbarrier.arrive %taken[%slot] by warp : <2>
      %next = sluice.uniform %read : index
      %more = arith.cmpi sge, %next, %c0 : index
      %after = sluice.cursor.advance %at : <2>
      scf.condition(%more) %next, %after, %last : index, !sluice.cursor<2>, !sluice.cursor<2>
    } do {
    ^bb0(%tile: index, %at: !sluice.cursor<2>, %data: !sluice.cursor<2>):
      scf.yield %tile, %at, %data : index, !sluice.cursor<2>, !sluice.cursor<2>
    }
  }
  sluice.role "load" warps 4 to 5 {
    %end:3 = scf.while (%tile = %i, %at = %begin, %data = %begin)
        : (index, !sluice.cursor<2>, !sluice.cursor<2>)
        -> (index, !sluice.cursor<2>, !sluice.cursor<2>) {
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
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      sluice.mbarrier.wait %known[%slot], %phase : <2>
      %box = sluice.slot %response[%slot] : <1x4xi32, smem, row, slots 2>
      %read = sluice.clc.query %box : <1x4xi32, smem, row>
      sluice.fence proxy_async
      sluice.warp_sync
      sluice.mbarrier.arrive %taken[%slot] by warp : <2>
      %next = sluice.uniform %read : index
      %more = arith.cmpi sge, %next, %c0 : index
      %after = sluice.cursor.advance %at : <2>
      scf.condition(%more) %next, %after, %last : index, !sluice.cursor<2>, !sluice.cursor<2>
    } do {
    ^bb0(%tile: index, %at: !sluice.cursor<2>, %data: !sluice.cursor<2>):
      scf.yield %tile, %at, %data : index, !sluice.cursor<2>, !sluice.cursor<2>
    }
  }
  sluice.role "scheduler" warps 5 to 6 {
    %end = scf.while (%at = %begin) : (!sluice.cursor<2>) -> !sluice.cursor<2> {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %free = arith.xori %phase, %c1 : index
      %box = sluice.slot %response[%slot] : <1x4xi32, smem, row, slots 2>
      sluice.mbarrier.wait %taken[%slot], %free : <2>
      sluice.mbarrier.arrive_expect_tx %known[%slot] bytes 16 by one : <2>
      sluice.clc.try_cancel %box, %known[%slot] : <1x4xi32, smem, row>, !sluice.mbarrier<2>
      sluice.mbarrier.wait %known[%slot], %phase : <2>
      %read = sluice.clc.query %box : <1x4xi32, smem, row>
      sluice.fence proxy_async
      sluice.warp_sync
      sluice.mbarrier.arrive %taken[%slot] by warp : <2>
      %next = sluice.uniform %read : index
      %more = arith.cmpi sge, %next, %c0 : index
      %after = sluice.cursor.advance %at : <2>
      scf.condition(%more) %after : !sluice.cursor<2>
    } do {
    ^bb0(%at: !sluice.cursor<2>):
      scf.yield %at : !sluice.cursor<2>
    }
  }
}

// RUN: not sluice check %s | FileCheck %s
// Two roles compare their own numbers with the difference of two extents: one moves by 8, the other
// by 1, so that it asks about what the other has long left behind.
// CHECK: {{^}}violated
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"},
                 %B: !sluice.tensor<?x?xf32> {sluice.name = "B"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c40 = arith.constant 40 : index
  %M = sluice.dim %A, 0 : <?x?xf32>
  %N = sluice.dim %A, 1 : <?x?xf32>
  %K = sluice.dim %B, 0 : <?x?xf32>
  %X = arith.subi %N, %M : index
  %cta = sluice.grid %c1 : index
  %number = sluice.alloc "number" : !sluice.buffer<1x4xi32, smem, row, slots 2>
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<1>
  sluice.mbarrier.init %b count 1 by one : <1>
  %f = sluice.mbarrier.alloc "f" : !sluice.mbarrier<2>
  sluice.mbarrier.init %f count 1 by one : <2>
  %e = sluice.mbarrier.alloc "e" : !sluice.mbarrier<2>
  sluice.mbarrier.init %e count 1 by one : <2>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  %begin = sluice.cursor : !sluice.cursor<2>
  sluice.role "a" warps 0 to 1 {
    %last = scf.for %i = %c0 to %K step %c8 iter_args(%at = %begin) -> (!sluice.cursor<2>) {
      %q = arith.cmpi slt, %i, %X : index
      scf.if %q {
      } else {
        sluice.warp_sync
      }
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %free = arith.xori %phase, %c1 : index
      sluice.mbarrier.wait %e[%slot], %free by one : <2>
      %box = sluice.slot %number[%slot] : <1x4xi32, smem, row, slots 2>
      sluice.scalar_write %c1 to %box[%c0, %c0] : <1x4xi32, smem, row>
      sluice.mbarrier.arrive %f[%slot] by one : <2>
      %nx = sluice.cursor.advance %at : <2>
      scf.yield %nx : !sluice.cursor<2>
    }
    %slot = sluice.cursor.slot %last : <2>
    %phase = sluice.cursor.phase %last : <2>
    %free = arith.xori %phase, %c1 : index
    sluice.mbarrier.wait %e[%slot], %free by one : <2>
    %box = sluice.slot %number[%slot] : <1x4xi32, smem, row, slots 2>
    sluice.scalar_write %c0 to %box[%c0, %c0] : <1x4xi32, smem, row>
    sluice.mbarrier.arrive %f[%slot] by one : <2>
  }
  sluice.role "b" warps 1 to 2 {
    %end:2 = scf.while (%at = %begin, %j = %c0) : (!sluice.cursor<2>, index)
        -> (!sluice.cursor<2>, index) {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      sluice.mbarrier.wait %f[%slot], %phase : <2>
      %box = sluice.slot %number[%slot] : <1x4xi32, smem, row, slots 2>
      %read = sluice.scalar_read %box[%c0, %c0] : <1x4xi32, smem, row>
      sluice.warp_sync
      sluice.mbarrier.arrive %e[%slot] by warp : <2>
      %tile = sluice.uniform %read : index
      %more = arith.cmpi sgt, %tile, %c0 : index
      scf.if %more {
        %p = arith.cmpi slt, %j, %X : index
        scf.if %p {
        } else {
          %late = arith.cmpi sgt, %j, %c40 : index
          %pj = arith.subi %j, %c1 : index
          %was = arith.cmpi slt, %pj, %X : index
          %both = arith.andi %late, %was : i1
          scf.if %both {
            sluice.mbarrier.wait %b[%c0], %c0 : <1>
          }
        }
      }
      %after = sluice.cursor.advance %at : <2>
      %jj = arith.addi %j, %c1 : index
      scf.condition(%more) %after, %jj : !sluice.cursor<2>, index
    } do {
    ^bb0(%at: !sluice.cursor<2>, %jx: index):
      scf.yield %at, %jx : !sluice.cursor<2>, index
    }
  }
}

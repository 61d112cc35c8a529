// RUN: sluice check %s --set T=1 X=64x16 --this-launch | FileCheck %s
// RUN: not sluice check %s --set T=1 X=64x16 | FileCheck %s --check-prefix=EVERY
// Which CTA draws which number depends on the schedule: the CTA that has not drawn its own waits for
// ever. The run of one launch has one of the schedules, and says which.
// CHECK: {{^}}proven: this launch
// CHECK: {{^}}assuming draws-in-turn: CTAs arrive at T in the order of their numbers; other orders are not followed
// EVERY-NOT: proven: every launch
sluice.kernel @k(%T: !sluice.tensor<?xi32> {sluice.name = "T", sluice.inout},
                 %X: !sluice.tensor<?x?xf32> {sluice.name = "X"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %M = sluice.dim %X, 0 : <?x?xf32>
  %n = arith.ceildivsi %M, %c16 : index
  %i = sluice.grid %n : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<1>
  sluice.mbarrier.init %b count 1 by one : <1>
  %old = sluice.counter.add %T[%c0], %c1 scope gpu : <?xi32>
  %num = sluice.alloc "num" : !sluice.buffer<1x1xi32, smem, row>
  sluice.scalar_write %old to %num[%c0, %c0] : <1x1xi32, smem, row>
  sluice.warp_sync
  %x = sluice.scalar_read %num[%c0, %c0] : <1x1xi32, smem, row>
  %u = sluice.uniform %x : index
  %other = arith.cmpi ne, %u, %i : index
  scf.if %other {
    sluice.mbarrier.wait %b[%c0], %c0 : <1>
  }
}

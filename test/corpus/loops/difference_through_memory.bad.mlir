// RUN: not sluice check %s --set N=1x5x3 | FileCheck %s
// Two extents go through shared memory, and their difference is asked for.
// Expected: R9.
// CHECK: R9 (
sluice.kernel @k(%N: !sluice.tensor<?x?x?xi32> {sluice.name = "N"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  %s = sluice.dim %N, 0 : <?x?x?xi32>
  %n = sluice.dim %N, 1 : <?x?x?xi32>
  %kk = sluice.dim %N, 2 : <?x?x?xi32>
  %i = sluice.grid %c1 : index
  %number = sluice.alloc "number" : !sluice.buffer<1x4xi32, smem, row>
  %bar = sluice.mbarrier.alloc "bar" : !sluice.mbarrier<1>
  sluice.mbarrier.init %bar count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.scalar_write %n to %number[%c0, %c0] : <1x4xi32, smem, row>
  sluice.scalar_write %s to %number[%c0, %c1] : <1x4xi32, smem, row>
  sluice.bar.sync 0, 32
  scf.for %t = %s to %n step %c1 {
    sluice.bar.sync 0, 32
  }
  scf.for %k = %c0 to %kk step %c1 {
    sluice.bar.sync 0, 32
  }
  %read = sluice.scalar_read %number[%c0, %c0] : <1x4xi32, smem, row>
  %r = sluice.uniform %read : index
  %read2 = sluice.scalar_read %number[%c0, %c1] : <1x4xi32, smem, row>
  %r2 = sluice.uniform %read2 : index
  %d = arith.subi %r, %r2 : index
  %is = arith.cmpi eq, %d, %c40 : index
  scf.if %is {
    sluice.mbarrier.wait %bar[%c0], %c0 : <1>
  }
}

// RUN: not sluice check %s --set N=8 | FileCheck %s
// A number is handed on through shared memory and bounds a loop, whose round 30 waits for what
// nobody signals.
// Expected: R9.
// CHECK: R9 (
sluice.kernel @k(%N: !sluice.tensor<?xi32> {sluice.name = "N"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c30 = arith.constant 30 : index
  %c40 = arith.constant 40 : index
  %n = sluice.dim %N, 0 : <?xi32>
  %i = sluice.grid %c1 : index
  %number = sluice.alloc "number" : !sluice.buffer<1x4xi32, smem, row>
  %bar = sluice.mbarrier.alloc "bar" : !sluice.mbarrier<1>
  sluice.mbarrier.init %bar count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  sluice.role "a" warps 0 to 1 {
    scf.for %t = %c0 to %n step %c1 {
      %q = arith.remsi %t, %c40 : index
      sluice.scalar_write %q to %number[%c0, %c0] : <1x4xi32, smem, row>
      sluice.warp_sync
      sluice.bar.sync 0, 64
      sluice.bar.sync 0, 64
    }
  }
  sluice.role "b" warps 1 to 2 {
    scf.for %t = %c0 to %n step %c1 {
      sluice.bar.sync 0, 64
      %read = sluice.scalar_read %number[%c0, %c0] : <1x4xi32, smem, row>
      %m = sluice.uniform %read : index
      scf.for %u = %c0 to %m step %c1 {
        %late = arith.cmpi eq, %u, %c30 : index
        scf.if %late {
          sluice.mbarrier.wait %bar[%c0], %c0 : <1>
        }
      }
      sluice.bar.sync 0, 64
    }
  }
}

// RUN: sluice check %s --set A=1x1 T=64 | FileCheck %s
// The number of the last round goes through memory; no remainder by 23 is 23.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"},
                 %T: !sluice.tensor<?xi32> {sluice.name = "T"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c23 = arith.constant 23 : index
  %last = arith.constant 23 : index
  %N = sluice.dim %A, 0 : <?x?xf32>
  %i = sluice.grid %c1 : index
  %number = sluice.alloc "number" : !sluice.buffer<1x4xi32, smem, row>
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<1>
  %z = sluice.mbarrier.alloc "z" : !sluice.mbarrier<1>
  sluice.mbarrier.init %b count 1 by one : <1>
  sluice.mbarrier.init %z count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.scalar_write %c0 to %number[%c0, %c0] : <1x4xi32, smem, row>
  sluice.bar.sync 0, 64
  sluice.role "put" warps 0 to 1 {
    scf.for %t = %c0 to %N step %c1 {
      sluice.scalar_write %t to %number[%c0, %c0] : <1x4xi32, smem, row>
    }
    sluice.mbarrier.arrive %z[%c0] by one : <1>
  }
  sluice.role "take" warps 1 to 2 {
    scf.for %u = %c0 to %N step %c1 {
      %l = sluice.scalar_load %T[%u] : <?xi32>
      %length = sluice.uniform %l : index
      scf.for %w = %c0 to %length step %c1 {
        sluice.warp_sync
      }
    }
    sluice.mbarrier.wait %z[%c0], %c0 : <1>
    %read = sluice.scalar_read %number[%c0, %c0] : <1x4xi32, smem, row>
    %x = sluice.uniform %read : index
    %r = arith.remsi %x, %c23 : index
    %late = arith.cmpi eq, %r, %last : index
    scf.if %late {
      sluice.mbarrier.wait %b[%c0], %c0 : <1>
    }
  }
}

// RUN: not sluice check %s --set A=1x1 T=64 | FileCheck %s
// The same, but nobody arrives at slot 21, which the number of round 21 is.
// CHECK: {{^}}violated
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"},
                 %T: !sluice.tensor<?xi32> {sluice.name = "T"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c21 = arith.constant 21 : index
  %c23 = arith.constant 23 : index
  %N = sluice.dim %A, 0 : <?x?xf32>
  %K = sluice.dim %A, 1 : <?x?xf32>
  %i = sluice.grid %c1 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<23>
  %z = sluice.mbarrier.alloc "z" : !sluice.mbarrier<1>
  sluice.mbarrier.init %b count 1 by one : <23>
  sluice.mbarrier.init %z count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  sluice.role "put" warps 0 to 1 {
    %long = arith.cmpi sgt, %K, %c0 : index
    %x = scf.for %t = %c0 to %N step %c1 iter_args(%a = %c0) -> (index) {
      %v = arith.select %long, %t, %c0 : index
      scf.yield %v : index
    }
    sluice.mbarrier.wait %z[%c0], %c0 : <1>
    scf.for %w = %c0 to %c23 step %c1 {
      %is = arith.cmpi ne, %w, %c21 : index
      scf.if %is {
        sluice.mbarrier.arrive %b[%w] by one : <23>
      }
    }
    scf.if %long {
      %r = arith.remsi %x, %c23 : index
      sluice.mbarrier.wait %b[%r], %c0 : <23>
    }
  }
  sluice.role "take" warps 1 to 2 {
    scf.for %u = %c0 to %N step %c1 {
      %l = sluice.scalar_load %T[%u] : <?xi32>
      %length = sluice.uniform %l : index
      scf.for %w = %c0 to %length step %c1 {
        sluice.warp_sync
      }
    }
    sluice.mbarrier.arrive %z[%c0] by one : <1>
  }
}

// RUN: not sluice check %s | FileCheck %s
// The same difference is gone over once, and then in each iteration of another loop; a late step
// waits for what nobody signals.
// CHECK: {{^}}violated
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"},
                 %B: !sluice.tensor<?x?xf32> {sluice.name = "B"},
                 %L: !sluice.tensor<?xi32> {sluice.name = "L"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %M = sluice.dim %A, 0 : <?x?xf32>
  %N = sluice.dim %A, 1 : <?x?xf32>
  %P = sluice.dim %B, 1 : <?x?xf32>
  %cta = sluice.grid %c1 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<1>
  sluice.mbarrier.init %b count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 32
  sluice.role "a" warps 0 to 1 {
    scf.for %ta = %c0 to %M step %c1 {
      scf.for %i6 = %ta to %N step %c1 {
        sluice.warp_sync
      }
      scf.for %i8 = %c0 to %P step %c1 {
        %n0 = scf.for %jx = %ta to %N step %c1 iter_args(%n = %c0) -> (index) {
          %jj7 = arith.addi %n, %c1 : index
          %r7 = arith.remsi %jj7, %c7 : index
          %late7 = arith.cmpi eq, %r7, %c0 : index
          scf.if %late7 {
            sluice.mbarrier.wait %b[%c0], %c0 : <1>
          }
          %nn = arith.addi %n, %c1 : index
          scf.yield %nn : index
        }
      }
    }
  }
}

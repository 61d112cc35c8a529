// RUN: sluice check %s | FileCheck %s
// One role asks whether its CTA has a tile, as every CTA of the grid has; the other does not ask.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %N = sluice.dim %A, 0 : <?x?xf32>
  %cta = sluice.grid %N : index
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<3>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<3>
  sluice.mbarrier.init %full count 1 by one : <3>
  sluice.mbarrier.init %empty count 1 by one : <3>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  %st = sluice.cursor : !sluice.cursor<3>
  sluice.role "put" warps 0 to 1 {
    %inside = arith.cmpi slt, %cta, %N : index
    scf.if %inside {
      sluice.mbarrier.arrive %full[%c0] by one : <3>
    }
  }
  sluice.role "take" warps 1 to 2 {
    sluice.mbarrier.wait %full[%c0], %c0 : <3>
  }
}

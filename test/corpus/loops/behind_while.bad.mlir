// RUN: not sluice check %s | FileCheck %s
// The same, but the wait comes where the variable is N, not that of the last iteration.
// CHECK: {{^}}violated
sluice.kernel @k(%A: !sluice.tensor<?x?xf16> {sluice.name = "A"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %N = sluice.dim %A, 0 : <?x?xf16>
  %i = sluice.grid %c1 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<1>
  sluice.mbarrier.init %b count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 32
  %end = scf.while (%t = %c0) : (index) -> index {
    %more = arith.cmpi slt, %t, %N : index
    scf.condition(%more) %t : index
  } do {
  ^bb0(%t: index):
    sluice.warp_sync
    %next = arith.addi %t, %c1 : index
    scf.yield %next : index
  }
  %late = arith.cmpi eq, %end, %N : index
  scf.if %late {
    sluice.mbarrier.wait %b[%c0], %c0 : <1>
  }
}

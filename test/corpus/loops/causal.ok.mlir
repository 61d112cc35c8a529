// RUN: sluice check %s | FileCheck %s
// Trip counts min(K, t + 1), as under a causal mask.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%A: !sluice.tensor<?x?xf16> {sluice.name = "A"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %N = sluice.dim %A, 0 : <?x?xf16>
  %K = sluice.dim %A, 1 : <?x?xf16>
  %i = sluice.grid %c1 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<1>
  sluice.mbarrier.init %b count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 32
  %start = sluice.cursor : !sluice.cursor<1>
  scf.for %t = %c0 to %N step %c1 iter_args(%at = %start) -> !sluice.cursor<1> {
    %most = arith.addi %t, %c1 : index
    %end = arith.minsi %K, %most : index
    %after = scf.for %u = %c0 to %end step %c1 iter_args(%in = %at) -> !sluice.cursor<1> {
      %phase = sluice.cursor.phase %in : <1>
      sluice.mbarrier.arrive %b[%c0] by one : <1>
      sluice.mbarrier.wait %b[%c0], %phase : <1>
      %next = sluice.cursor.advance %in : <1>
      scf.yield %next : !sluice.cursor<1>
    }
    scf.yield %after : !sluice.cursor<1>
  }
}

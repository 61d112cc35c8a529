// RUN: not sluice check %s --set A=1x2 B=1 | FileCheck %s
// Whether an iteration was before an extent is handed on, and the next one waits for what nobody
// signals where it was not.
// Expected: R9.
// CHECK: R9 (
sluice.kernel @k(%A: !sluice.tensor<?x?xf16> {sluice.name = "A"}, %B: !sluice.tensor<?xf16> {sluice.name = "B"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c1 = arith.constant 1 : index
  %q = sluice.dim %A, 0 : <?x?xf16>
  %p = sluice.dim %A, 1 : <?x?xf16>
  %n = sluice.dim %B, 0 : <?xf16>
  %i = sluice.grid %c1 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<1>
  sluice.mbarrier.init %b count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 32
  %x = scf.for %t = %c0 to %n step %c1 iter_args(%was = %c0) -> (index) {
    %at = arith.addi %t, %q : index
    %before = arith.cmpi slt, %t, %q : index
    %now = scf.if %before -> (index) {
      sluice.bar.sync 0, 32
      scf.yield %c0 : index
    } else {
      sluice.warp_sync
      scf.yield %c1 : index
    }
    %behind = arith.cmpi eq, %was, %c1 : index
    scf.if %behind {
      sluice.mbarrier.wait %b[%c0], %c0 : <1>
    }
    scf.yield %now : index
  }
}

// RUN: not sluice check %s --set A=1x2 B=1 | FileCheck %s
// A difference that a loop has told is compared with a number forty steps later, and there something
// waits for what nobody signals.
// Expected: R9.
// CHECK: R9 (
sluice.kernel @k(%A: !sluice.tensor<?x?xf16> {sluice.name = "A"}, %B: !sluice.tensor<?xf16> {sluice.name = "B"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c40 = arith.constant 40 : index
  %c80 = arith.constant 80 : index
  %c1 = arith.constant 1 : index
  %q = sluice.dim %A, 0 : <?x?xf16>
  %p = sluice.dim %A, 1 : <?x?xf16>
  %n = sluice.dim %B, 0 : <?xf16>
  %i = sluice.grid %c1 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<1>
  sluice.mbarrier.init %b count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 32
  %some = arith.cmpi slt, %q, %p : index
  scf.if %some {
    scf.for %t = %c0 to %n step %c1 {
      %at = arith.addi %t, %q : index
      %before = arith.cmpi slt, %at, %p : index
      scf.if %before {
        sluice.bar.sync 0, 32
      } else {
        %last = arith.cmpi eq, %t, %c80 : index
        scf.if %last {
          %d = arith.subi %p, %q : index
          %is = arith.cmpi eq, %d, %c40 : index
          scf.if %is {
            sluice.mbarrier.wait %b[%c0], %c0 : <1>
          }
        }
      }
    }
  }
}

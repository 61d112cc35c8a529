// RUN: not sluice check %s | FileCheck %s
// A pipe passes over the first loop over an extent and takes part in the second; a late step waits
// for a flag that nobody sets.
// CHECK: {{^}}violated
sluice.kernel @k(%A: !sluice.tensor<?x64xf16> {sluice.name = "A"},
                 %B: !sluice.tensor<?x64xf16> {sluice.name = "B"},
                 %L: !sluice.tensor<?xi32> {sluice.name = "L"})
    attributes {target = "ascend910b", phase = "barrier"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %K = sluice.dim %B, 0 : <?x64xf16>
  %one = arith.constant 1 : index
  %core = sluice.grid %one : index
  sluice.role "cube" core "aic" {
    scf.for %i1 = %c0 to %K step %c1 {
      sluice.pipe_barrier MTE2
    }
    sluice.set_flag MTE2 to MTE1[%c0]
    sluice.wait_flag MTE2 to MTE1[%c0]
    scf.for %j = %c0 to %K step %c1 {
      %jj = arith.addi %j, %c1 : index
      %r = arith.remsi %jj, %c7 : index
      %late = arith.cmpi eq, %r, %c0 : index
      scf.if %late {
        sluice.wait_flag FIX to MTE1[%c2]
      }
    }
  }
}

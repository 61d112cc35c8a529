// RUN: not sluice check %s | FileCheck %s
// CTAs step by 8 rows and store 16.
// CHECK: {{^}}violated
// CHECK: R27
sluice.kernel @k(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"},
                 %W: !sluice.tensor<?x64xf16> {sluice.name = "W", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %rows = sluice.dim %X, 0 : <?x64xf16>
  %n = arith.ceildivsi %rows, %c8 : index
  %i = sluice.grid %n : index
  %v = sluice.alloc "v" : !sluice.buffer<16x64xf16, reg, blocked>
  %row = arith.muli %i, %c8 : index
  sluice.fill %v with 0.0 : <16x64xf16, reg, blocked>
  scf.for %t = %c0 to %rows step %c1 {
    scf.for %u = %c0 to %c16 step %c1 {
    sluice.load %X[%t, %c0] to %v : <?x64xf16>, <16x64xf16, reg, blocked>
    }
  } {sluice.pipelined}
  sluice.store %v to %W[%row, %c0] : <16x64xf16, reg, blocked>, <?x64xf16>
}

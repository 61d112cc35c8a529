// RUN: sluice check %s | FileCheck %s
// All tiles lie at one place, wherever that is: every lane writes its own elements again.
// CHECK: {{^}}proven: every launch
sluice.kernel @later(%X: !sluice.tensor<?x64xf32> {sluice.name = "X"},
                     %Y: !sluice.tensor<?x64xf32> {sluice.name = "Y", sluice.inout})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n = sluice.dim %X, 0 : <?x64xf32>
  %row = arith.maxsi %n, %c8 : index
  %r = sluice.alloc "r" : !sluice.buffer<64x64xf32, reg, acc>
  scf.for %t = %c0 to %n step %c1 {
    sluice.load %Y[%row, %c0] to %r : <?x64xf32>, <64x64xf32, reg, acc>
    sluice.store %r to %Y[%row, %c0] : <64x64xf32, reg, acc>, <?x64xf32>
  }
  scf.for %t = %c0 to %n step %c1 {
    %at = arith.maxsi %t, %c8 : index
    sluice.warp_sync
    sluice.load %Y[%at, %c0] to %r : <?x64xf32>, <64x64xf32, reg, acc>
    sluice.store %r to %Y[%at, %c0] : <64x64xf32, reg, acc>, <?x64xf32>
  }
}

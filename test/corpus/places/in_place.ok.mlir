// RUN: sluice check %s | FileCheck %s
// Each tile of X is read before Y is stored in its place.
// CHECK: {{^}}proven: every launch
// CHECK: {{^}}assuming apart: Y is X, or shares no memory with it (checked at launch)
// CHECK: {{^}}assuming needed: extent 1 of Y is that of X (in_place.ok.mlir:{{.*}}, checked at launch)
sluice.kernel @k(%X: !sluice.tensor<?x?xf32> {sluice.name = "X"},
                 %Y: !sluice.tensor<?x?xf32> {sluice.name = "Y", sluice.out, sluice.in_place = "X"})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %Y, 0 : <?x?xf32>
  %N = sluice.dim %Y, 1 : <?x?xf32>
  %rows = arith.ceildivsi %M, %c32 : index
  %n = arith.ceildivsi %N, %c64 : index
  %i = sluice.grid %rows : index
  %row = arith.muli %i, %c32 : index
  %r = sluice.alloc "r" : !sluice.buffer<32x64xf32, reg, blocked>
  scf.for %t = %c0 to %n step %c1 {
    %col = arith.muli %t, %c64 : index
    sluice.load %X[%row, %col] to %r : <?x?xf32>, <32x64xf32, reg, blocked>
    sluice.warp_sync // lanes store for each other
    sluice.store %r to %Y[%row, %col] : <32x64xf32, reg, blocked>, <?x?xf32>
  }
}

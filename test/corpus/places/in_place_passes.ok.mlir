// RUN: sluice check %s | FileCheck %s
// A pass reads all rows of a CTA, a second one reads them again and stores in their place; a barrier
// stands between, as warps do not hold the same part of a row in both.
// CHECK: {{^}}proven: every launch
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
  }
  sluice.bar.sync 0, 128
  scf.for %u = %c0 to %n step %c1 {
    %col = arith.muli %u, %c64 : index
    sluice.load %X[%row, %col] to %r : <?x?xf32>, <32x64xf32, reg, blocked>
    sluice.warp_sync // lanes store for each other
    sluice.store %r to %Y[%row, %col] : <32x64xf32, reg, blocked>, <?x?xf32>
  }
}

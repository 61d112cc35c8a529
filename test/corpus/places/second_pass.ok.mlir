// RUN: sluice check %s | FileCheck %s
// Tiles are stored in one loop and read in the other direction in a second; a barrier stands between.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%Y: !sluice.tensor<?x?xf32> {sluice.name = "Y", sluice.inout})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %k64 = arith.constant 64 : index
  %k32 = arith.constant 32 : index
  %k0 = arith.constant 0 : index
  %k1 = arith.constant 1 : index
  %v1 = sluice.dim %Y, 0 : <?x?xf32>
  %v2 = sluice.dim %Y, 1 : <?x?xf32>
  %v3 = arith.ceildivsi %v2, %k64 : index
  %v4 = arith.ceildivsi %v1, %k32 : index
  %v5 = sluice.grid %v4 : index
  %v6 = arith.muli %v5, %k32 : index
  %r = sluice.alloc "r" : !sluice.buffer<32x64xf32, reg, blocked>
  sluice.fill %r with 1.0 : <32x64xf32, reg, blocked>
  scf.for %v7 = %k0 to %v3 step %k1 {
    %v8 = arith.muli %v7, %k64 : index
    sluice.store %r to %Y[%v6, %v8] : <32x64xf32, reg, blocked>, <?x?xf32>
  }
  sluice.bar.sync 0, 128
  scf.for %v9 = %k0 to %v3 step %k1 {
    %v10 = arith.subi %v3, %k1 : index
    %v11 = arith.subi %v10, %v9 : index
    %v12 = arith.muli %v11, %k64 : index
    sluice.load %Y[%v6, %v12] to %r : <?x?xf32>, <32x64xf32, reg, blocked>
  }
}

// RUN: not sluice check %s | FileCheck %s
// All lanes of a warp store a tile, and one lane reads what the others stored fifty tiles before,
// without a warp_sync.
// CHECK: {{^}}violated
// CHECK: R26
sluice.kernel @k(%Y: !sluice.tensor<?x64xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %k32 = arith.constant 32 : index
  %k1 = arith.constant 1 : index
  %k0 = arith.constant 0 : index
  %k1600 = arith.constant 1600 : index
  %v1 = sluice.dim %Y, 0 : <?x64xf32>
  %v2 = arith.ceildivsi %v1, %k32 : index
  %v3 = sluice.grid %k1 : index
  %r = sluice.alloc "r" : !sluice.buffer<32x64xf32, reg, blocked>
  sluice.fill %r with 1.0 : <32x64xf32, reg, blocked>
  %sm = sluice.alloc "sm" : !sluice.buffer<32x64xf32, smem, row>
  scf.for %v4 = %k0 to %v2 step %k1 {
    %v5 = arith.muli %v4, %k32 : index
    sluice.store %r to %Y[%v5, %k0] : <32x64xf32, reg, blocked>, <?x64xf32>
    %v6 = arith.muli %v4, %k32 : index
    %v7 = arith.subi %v6, %k1600 : index
    sluice.load %Y[%v7, %k0] to %sm by one : <?x64xf32>, <32x64xf32, smem, row>
  }
}

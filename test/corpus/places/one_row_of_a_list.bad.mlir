// RUN: not sluice check %s --set X=32x64 Y=64x64 L=8 | FileCheck %s
// Every CTA stores at the row that the first integer of a list says.
// CHECK: {{^}}violated
// CHECK: R27
sluice.kernel @k(%Y: !sluice.tensor<?x64xf32> {sluice.name = "Y", sluice.out}, %L: !sluice.tensor<?xi32> {sluice.name = "L"}, %X: !sluice.tensor<?x64xf32> {sluice.name = "X"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %k32 = arith.constant 32 : index
  %k0 = arith.constant 0 : index
  %k1 = arith.constant 1 : index
  %v1 = sluice.dim %X, 0 : <?x64xf32>
  %v2 = arith.ceildivsi %v1, %k32 : index
  %v3 = sluice.grid %v2 : index
  %r = sluice.alloc "r" : !sluice.buffer<32x64xf32, reg, blocked>
  sluice.fill %r with 1.0 : <32x64xf32, reg, blocked>
  %v4 = sluice.scalar_load %L[%k0] : <?xi32>
  %v5 = sluice.scalar_load %L[%k1] : <?xi32>
  %v6 = arith.muli %v4, %k32 : index
  sluice.store %r to %Y[%v6, %k0] : <32x64xf32, reg, blocked>, <?x64xf32>
}

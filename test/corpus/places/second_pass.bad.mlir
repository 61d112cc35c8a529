// RUN: not sluice check %s | FileCheck %s
// Two warps store tiles in one loop and read the lower halves back in a second, from the fortieth
// tile on; no barrier stands between the loops.
// CHECK: {{^}}violated
// CHECK: R26
sluice.kernel @k(%Y: !sluice.tensor<?x64xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %k32 = arith.constant 32 : index
  %k1 = arith.constant 1 : index
  %k0 = arith.constant 0 : index
  %k40 = arith.constant 40 : index
  %k16 = arith.constant 16 : index
  %v1 = sluice.dim %Y, 0 : <?x64xf32>
  %v2 = arith.ceildivsi %v1, %k32 : index
  %v3 = sluice.grid %k1 : index
  %r = sluice.alloc "r" : !sluice.buffer<32x64xf32, reg, blocked>
  sluice.fill %r with 1.0 : <32x64xf32, reg, blocked>
  %q = sluice.alloc "q" : !sluice.buffer<16x64xf32, reg, blocked>
  sluice.fill %q with 1.0 : <16x64xf32, reg, blocked>
  scf.for %v4 = %k0 to %v2 step %k1 {
    %v5 = arith.muli %v4, %k32 : index
    sluice.store %r to %Y[%v5, %k0] : <32x64xf32, reg, blocked>, <?x64xf32>
  }
  scf.for %v6 = %k0 to %v2 step %k1 {
    %v7 = arith.cmpi sge, %v6, %k40 : index
    scf.if %v7 {
      %v8 = arith.muli %v6, %k32 : index
      %v9 = arith.addi %v8, %k16 : index
      sluice.load %Y[%v9, %k0] to %q : <?x64xf32>, <16x64xf32, reg, blocked>
    }
  }
}

// RUN: not sluice check %s | FileCheck %s
// A role reads what another stores, from the fortieth tile on, after two rounds of a loop over the
// same tiles; nothing orders the two.
// CHECK: {{^}}violated
// CHECK: R26
sluice.kernel @k(%Y: !sluice.tensor<?x64xf32> {sluice.name = "Y", sluice.out}, %X: !sluice.tensor<?x64xf32> {sluice.name = "X"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %k32 = arith.constant 32 : index
  %k1 = arith.constant 1 : index
  %k0 = arith.constant 0 : index
  %k2 = arith.constant 2 : index
  %k40 = arith.constant 40 : index
  %v1 = sluice.dim %Y, 0 : <?x64xf32>
  %v2 = arith.ceildivsi %v1, %k32 : index
  %v3 = sluice.grid %k1 : index
  sluice.role "a" warps 0 to 1 {
    %r = sluice.alloc "r" : !sluice.buffer<32x64xf32, reg, blocked>
    sluice.fill %r with 1.0 : <32x64xf32, reg, blocked>
    scf.for %v4 = %k0 to %v2 step %k1 {
      %v5 = arith.muli %v4, %k32 : index
      sluice.store %r to %Y[%v5, %k0] : <32x64xf32, reg, blocked>, <?x64xf32>
    }
  }
  sluice.role "b" warps 1 to 2 {
    %q = sluice.alloc "q" : !sluice.buffer<32x64xf32, reg, blocked>
    sluice.fill %q with 1.0 : <32x64xf32, reg, blocked>
    scf.for %v6 = %k0 to %k2 step %k1 {
      scf.for %v7 = %k0 to %v2 step %k1 {
        %v8 = arith.muli %v7, %k32 : index
        sluice.load %X[%v8, %k0] to %q : <?x64xf32>, <32x64xf32, reg, blocked>
      }
    }
    scf.for %v9 = %k0 to %v2 step %k1 {
      %v10 = arith.cmpi sge, %v9, %k40 : index
      scf.if %v10 {
        %v11 = arith.muli %v9, %k32 : index
        sluice.load %Y[%v11, %k0] to %q : <?x64xf32>, <32x64xf32, reg, blocked>
      }
    }
  }
}

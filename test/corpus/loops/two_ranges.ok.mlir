// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// Role a stores the first half of the columns, role b the others.
sluice.kernel @k(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
                 %Y: !sluice.tensor<?x?xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %M = sluice.dim %X, 0 : <?x?xf32, align 16>
  %K = sluice.dim %X, 1 : <?x?xf32, align 16>
  %gm = arith.ceildivsi %M, %c32 : index
  %n = arith.ceildivsi %K, %c32 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c32 : index
  %c16 = arith.constant 16 : index
  %h = arith.divsi %n, %c2 : index
  sluice.bar.sync 0, 64
  sluice.role "a" warps 0 to 1 {
    %r = sluice.alloc "r" : !sluice.buffer<32x32xf32, reg, blocked>
    scf.for %t = %c0 to %h step %c1 {
      %col = arith.muli %t, %c32 : index
      sluice.load %X[%row, %col] to %r : <?x?xf32, align 16>, <32x32xf32, reg, blocked>
      sluice.store %r to %Y[%row, %col] : <32x32xf32, reg, blocked>, <?x?xf32>
    }
  }
  sluice.role "b" warps 1 to 2 {
    %q = sluice.alloc "q" : !sluice.buffer<32x32xf32, reg, blocked>
    sluice.fill %q with 0.0 : <32x32xf32, reg, blocked>
    scf.for %u = %h to %n step %c1 {
      %col = arith.muli %u, %c32 : index
      sluice.store %q to %Y[%row, %col] : <32x32xf32, reg, blocked>, <?x?xf32>
    }
  }
}

// RUN: not sluice check %s --set T=1 X=1 Y=64x32 | FileCheck %s
// Two roles store where the product of two integers says, one of them an iteration later, and with
// the factors exchanged.
// CHECK: {{^}}violated
// CHECK: R26
sluice.kernel @k(%T: !sluice.tensor<?xi32> {sluice.name = "T"}, %X: !sluice.tensor<?xi32> {sluice.name = "X"},
                 %Y: !sluice.tensor<?x32xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %n = sluice.dim %T, 0 : <?xi32>
  %g = sluice.grid %c1 : index
  %s = sluice.alloc "s" : !sluice.buffer<1x32xf32, smem, row>
  sluice.fill %s with 0.0 : <1x32xf32, smem, row>
  sluice.bar.sync 0, 64
  sluice.role "a" warps 0 to 1 {
    scf.for %t = %c1 to %n step %c1 {
      %x = sluice.scalar_load %T[%t] : <?xi32>
      %y = sluice.scalar_load %X[%t] : <?xi32>
      %row = arith.muli %x, %y : index
      sluice.store %s to %Y[%row, %c0] : <1x32xf32, smem, row>, <?x32xf32>
    }
  }
  sluice.role "b" warps 1 to 2 {
    scf.for %t = %c1 to %n step %c1 {
      %u = arith.subi %t, %c1 : index
      %x = sluice.scalar_load %T[%u] : <?xi32>
      %y = sluice.scalar_load %X[%u] : <?xi32>
      %row = arith.muli %y, %x : index
      sluice.store %s to %Y[%row, %c0] : <1x32xf32, smem, row>, <?x32xf32>
    }
  }
}

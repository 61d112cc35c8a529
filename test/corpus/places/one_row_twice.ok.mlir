// RUN: sluice check %s --set T=1 Y=32x32 | FileCheck %s
// Two roles store at the row that one integer says, in one iteration, one after the other. Rows of
// different integers are assumed apart.
// CHECK: {{^}}proven: every launch
// CHECK: assuming tiles-apart
sluice.kernel @k(%T: !sluice.tensor<?xi32> {sluice.name = "T"},
                 %Y: !sluice.tensor<?x32xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = sluice.dim %T, 0 : <?xi32>
  %g = sluice.grid %c1 : index
  %s = sluice.alloc "s" : !sluice.buffer<1x32xf32, smem, row>
  sluice.fill %s with 0.0 : <1x32xf32, smem, row>
  sluice.bar.sync 0, 64
  sluice.role "first" warps 0 to 1 {
    scf.for %t = %c1 to %n step %c1 {
      %read = sluice.scalar_load %T[%t] : <?xi32>
      %row = sluice.uniform %read : index
      sluice.store %s to %Y[%row, %c0] : <1x32xf32, smem, row>, <?x32xf32>
      sluice.bar.sync 1, 64
    }
  }
  sluice.role "second" warps 1 to 2 {
    scf.for %t = %c1 to %n step %c1 {
      %read = sluice.scalar_load %T[%t] : <?xi32>
      %row = sluice.uniform %read : index
      sluice.bar.sync 1, 64
      sluice.store %s to %Y[%row, %c0] : <1x32xf32, smem, row>, <?x32xf32>
    }
  }
}

// RUN: not sluice check %s | FileCheck %s
// The clips of clipped_ctas.ok end one row late.
// CHECK: {{^}}violated
// CHECK: R27
sluice.kernel @k(%Y: !sluice.tensor<?x?xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c24 = arith.constant 24 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %Y, 0 : <?x?xf32>
  %N = sluice.dim %Y, 1 : <?x?xf32>
  %rows = arith.ceildivsi %M, %c24 : index
  %n = arith.ceildivsi %N, %c64 : index
  %i = sluice.grid %rows : index
  %row = arith.muli %i, %c24 : index
  %c25 = arith.constant 25 : index
  %end = arith.addi %row, %c25 : index
  %own = sluice.clip %Y, 0 to %end : <?x?xf32>
  %r = sluice.alloc "r" : !sluice.buffer<32x64xf32, reg, blocked>
  sluice.fill %r with 1.0 : <32x64xf32, reg, blocked>
  scf.for %t = %c0 to %n step %c1 {
    %col = arith.muli %t, %c64 : index
    sluice.store %r to %own[%row, %col] : <32x64xf32, reg, blocked>, <?x?xf32>
  }
}

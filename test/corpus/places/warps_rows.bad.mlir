// RUN: not sluice check %s --set Y=64x64 n=1 | FileCheck %s
// Four warps add to one tile again and again; in turn 16 rows further on, which are those of another warp.
// CHECK: {{^}}violated
// CHECK: R26
sluice.kernel @k(%Y: !sluice.tensor<?x64xf32> {sluice.name = "Y", sluice.inout},
                 %n: index {sluice.name = "n"})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %Y, 0 : <?x64xf32>
  %c128 = arith.constant 128 : index
  %rows = arith.ceildivsi %M, %c128 : index
  %i = sluice.grid %rows : index
  %row = arith.muli %i, %c128 : index
  sluice.role "all" warps 0 to 4 {
    %r = sluice.alloc "r" : !sluice.buffer<64x64xf32, reg, acc>
    scf.for %t = %c0 to %n step %c1 {
      %odd = arith.remsi %t, %c2 : index
      %up = arith.muli %odd, %c16 : index
      %here = arith.addi %row, %up : index
      sluice.load %Y[%here, %c0] to %r : <?x64xf32>, <64x64xf32, reg, acc>
      sluice.store %r to %Y[%row, %c0] : <64x64xf32, reg, acc>, <?x64xf32>
    }
  }
}

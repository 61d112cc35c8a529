// RUN: not sluice check %s --set Y=64x256 n=1 | FileCheck %s
// The strips of warps_strips.ok begin 16 rows lower in every second round, in those of another warp.
// CHECK: {{^}}violated
// CHECK: R26
sluice.kernel @k(%Y: !sluice.tensor<?x256xf32> {sluice.name = "Y", sluice.out},
                 %n: index {sluice.name = "n"})
    attributes {target = "sm_90a", phase = "barrier", warps = 8} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %Y, 0 : <?x256xf32>
  %c128 = arith.constant 128 : index
  %rows = arith.ceildivsi %M, %c128 : index
  %i = sluice.grid %rows : index
  %row = arith.muli %i, %c128 : index
  sluice.role "all" warps 4 to 8 {
    %r = sluice.alloc "r" : !sluice.buffer<64x64xf32, reg, blocked>
    sluice.fill %r with 1.0 : <64x64xf32, reg, blocked>
    scf.for %t = %c0 to %n step %c1 {
      %strip = arith.remsi %t, %c4 : index
      %col = arith.muli %strip, %c64 : index
      %round = arith.divsi %t, %c4 : index
      %odd = arith.remsi %round, %c2 : index
      %down = arith.muli %odd, %c16 : index
      %here = arith.addi %row, %down : index
      sluice.store %r to %Y[%here, %col] : <64x64xf32, reg, blocked>, <?x256xf32>
      sluice.warp_sync
    }
  }
}

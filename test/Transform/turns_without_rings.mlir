// RUN: not sluice check %s 2>&1 | FileCheck %s
// CHECK: tiles are computed in turns, and nothing is brought in for them that the groups could take in turn; leave out the turns (pingpong)
sluice.kernel @k(%Y: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Y", sluice.out}) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %Y, 0 : <?x?xf32, align 16>
  %g = arith.ceildivsi %rows, %c64 : index
  %x = sluice.grid %g {persistent, sluice.turns = 2} : index
  %row = arith.muli %x, %c64 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x16xf32>
  sluice.fill %acc with 1.0 : <64x16xf32>
  sluice.store %acc to %Y[%row, %c0] {sluice.staging = 0} : <64x16xf32>, <?x?xf32, align 16>
}

// RUN: not sluice check %s | FileCheck %s
// What the one warp of a CTA does is in order, what the CTAs of its cluster do is not: row 10 is of
// the first CTA's eleventh iteration and of the second's first.
// CHECK: {{^}}violated
// CHECK: R26
sluice.kernel @k(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"},
                 %W: !sluice.tensor<?x64xf16> {sluice.name = "W", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 1, cluster = array<i64: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %apart = arith.constant 640 : index
  %rows = sluice.dim %X, 0 : <?x64xf16>
  %n = arith.ceildivsi %rows, %c64 : index
  %i = sluice.grid %c2 : index
  %rank = sluice.cluster.rank
  %first = arith.muli %rank, %apart : index
  %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
  scf.for %t = %c0 to %n step %c1 {
    %tile = arith.muli %t, %c64 : index
    %row = arith.addi %tile, %first : index
    sluice.load %X[%row, %c0] to %v : <?x64xf16>, <64x64xf16, reg, blocked>
    sluice.store %v to %W[%row, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
  } {sluice.name = "t", sluice.pipelined}
}

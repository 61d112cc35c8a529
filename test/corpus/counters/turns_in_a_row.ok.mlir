// RUN: sluice check %s --set share=1 turn=8 T=64x32 | FileCheck %s
// The splits of all tiles in one row of CTAs: tile and split are quotient and remainder.
// CHECK: {{^}}proven: every launch
sluice.kernel @turns(%T: !sluice.tensor<?x32xf32> {sluice.name = "T", sluice.inout},
                     %turn: !sluice.tensor<?xi32> {sluice.name = "turn", sluice.inout},
                     %share: !sluice.tensor<?xf32> {sluice.name = "share"})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %splits = sluice.dim %share, 0 : <?xf32>
  %M = sluice.dim %T, 0 : <?x32xf32>
  %tiles = arith.ceildivsi %M, %c64 : index
  %ctas = arith.muli %tiles, %splits : index
  %x = sluice.grid %ctas : index
  %tile = arith.divsi %x, %splits : index
  %split = arith.remsi %x, %splits : index
  %row = arith.muli %tile, %c64 : index
  %t = sluice.alloc "t" : !sluice.buffer<64x32xf32, reg, acc>
  sluice.counter.wait %turn[%tile], %split scope gpu co_resident : <?xi32>
  sluice.load %T[%row, %c0] to %t : <?x32xf32>, <64x32xf32, reg, acc>
  sluice.store %t to %T[%row, %c0] : <64x32xf32, reg, acc>, <?x32xf32>
  sluice.bar.sync 0, 128
  %seen = sluice.counter.add %turn[%tile], %c1 scope gpu : <?xi32>
}

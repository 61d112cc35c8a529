// RUN: not sluice check %s --set N=1 | FileCheck %s
// The same, but both CTAs have the same row: what is assumed of different integers does not help.
// Expected: R27.
// CHECK: R27 (
sluice.kernel @k(%N: !sluice.tensor<?xf32> {sluice.name = "N"}, %E: !sluice.tensor<?xi32> {sluice.name = "E"},
                 %Y: !sluice.tensor<?x32xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = sluice.dim %N, 0 : <?xf32>
  %cta = sluice.grid %n : index
  %s = sluice.alloc "s" : !sluice.buffer<1x32xf32, smem, row>
  sluice.fill %s with 1.0 : <1x32xf32, smem, row>
  sluice.warp_sync
  %pair = arith.divsi %cta, %c2 : index
  %place = sluice.scalar_load %E[%pair] : <?xi32>
  sluice.store %s to %Y[%place, %c0] : <1x32xf32, smem, row>, <?x32xf32>
}

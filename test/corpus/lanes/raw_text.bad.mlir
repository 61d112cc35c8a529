// RUN: not sluice check %s --set N=8 Y=32x32 | FileCheck %s
// Raw text may deal bytes out to other lanes every time.
// Expected: R22.
// CHECK: R22 (
sluice.kernel @k(%N: !sluice.tensor<?xi32> {sluice.name = "N"}, %Y: !sluice.tensor<?x32xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = sluice.dim %N, 0 : <?xi32>
  %i = sluice.grid %c1 : index
  %x = sluice.alloc "x" : !sluice.buffer<1x32xf32, smem, row>
  sluice.fill %x with 1.0 : <1x32xf32, smem, row>
  sluice.warp_sync
  scf.for %t = %c0 to %n step %c1 {
    sluice.raw {sm_90a = "asm volatile(\"st.shared.f32 [%0], %1;\" ::\"r\"($=tile + 4 * ((laneOfWarp() + $step) % 32)), \"f\"(float($step)) : \"memory\");"}
        outs(%x : !sluice.buffer<1x32xf32, smem, row>) with(%t) named ["tile", "step"]
  }
  sluice.warp_sync
  sluice.store %x to %Y[%c0, %c0] : <1x32xf32, smem, row>, <?x32xf32>
}

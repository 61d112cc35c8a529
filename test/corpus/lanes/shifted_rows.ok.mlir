// RUN: sluice check %s | FileCheck %s
// Tiles of 64 rows every 8 rows: of two that follow each other, other lanes write the same elements.
// CHECK: {{^}}proven: every launch
sluice.kernel @shifted(%X: !sluice.tensor<?x64xf32> {sluice.name = "X"},
                    %Y: !sluice.tensor<?x64xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf32>
  %n = arith.ceildivsi %rows, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf32, smem, row>
  %c8 = arith.constant 8 : index
  sluice.fill %x with 0.0 : <64x64xf32, smem, row>
  sluice.warp_sync
  scf.for %t = %c0 to %n step %c1 {
    %row = arith.muli %t, %c8 : index
    sluice.store %x to %Y[%row, %c0] : <64x64xf32, smem, row>, <?x64xf32>
    sluice.warp_sync
  } {sluice.name = "t", sluice.pipelined}
}

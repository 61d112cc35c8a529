// RUN: sluice check %s | FileCheck %s
// Each warp goes on with the rows that it has copied: rows are contiguous, and a copy by threads deals out lines.
// CHECK: {{^}}proven
sluice.kernel @own_lines(%X: !sluice.tensor<64x64xf16> {sluice.name = "X"},
                         %Y: !sluice.tensor<64x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, row>
  sluice.role "all" warps 0 to 4 {
    %f = sluice.alloc "f" : !sluice.buffer<64x64xf16, reg, acc>
    sluice.load %X[%c0, %c0] to %x : <64x64xf16>, <64x64xf16, smem, row>
    sluice.warp_sync
    sluice.copy %x to %f : <64x64xf16, smem, row>, <64x64xf16, reg, acc>
    sluice.store %f to %Y[%c0, %c0] : <64x64xf16, reg, acc>, <64x64xf16>
  }
}

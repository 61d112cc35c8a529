// RUN: not sluice check %s | FileCheck %s
// Columns are contiguous: a warp has copied columns, and its rows come from all warps.
// Expected: R2{{[12]}}.
// CHECK: R2{{[12]}} {{.*}}copy of all warp 0 {{.*}} reads x
sluice.kernel @own_lines(%X: !sluice.tensor<64x64xf16, minor 0> {sluice.name = "X"},
                         %Y: !sluice.tensor<64x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, row, minor 0>
  sluice.role "all" warps 0 to 4 {
    %f = sluice.alloc "f" : !sluice.buffer<64x64xf16, reg, acc>
    sluice.load %X[%c0, %c0] to %x : <64x64xf16, minor 0>, <64x64xf16, smem, row, minor 0>
    sluice.warp_sync
    sluice.copy %x to %f : <64x64xf16, smem, row, minor 0>, <64x64xf16, reg, acc>
    sluice.store %f to %Y[%c0, %c0] : <64x64xf16, reg, acc>, <64x64xf16>
  }
}

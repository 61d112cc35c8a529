// RUN: sluice check %s | FileCheck %s
// The second of two warpgroups multiplies: all four warps of it come to the product.
// CHECK: {{^}}proven: every launch
sluice.kernel @halves(%A: !sluice.tensor<64x64xf16, align 16> {sluice.name = "A"},
                      %B: !sluice.tensor<64x64xf16, align 16> {sluice.name = "B"},
                      %C: !sluice.tensor<128x64xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 8} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %i = sluice.grid %c1 : index
  %a = sluice.alloc "a" : !sluice.buffer<128x64xf16, smem, sw128>
  %b = sluice.alloc "b" : !sluice.buffer<64x64xf16, smem, sw128>
  %upper = sluice.subview %a[%c0, %c0] : <128x64xf16, smem, sw128> to <64x64xf16, smem, sw128>
  %lower = sluice.subview %a[%c64, %c0] : <128x64xf16, smem, sw128> to <64x64xf16, smem, sw128>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 256
  sluice.mbarrier.arrive_expect_tx %full[%c0] bytes 24576 by one : <1>
  sluice.tma.load %A[%c0, %c0] to %upper, %full[%c0]
      : <64x64xf16, align 16>, <64x64xf16, smem, sw128>, <1>
  sluice.tma.load %A[%c0, %c0] to %lower, %full[%c0]
      : <64x64xf16, align 16>, <64x64xf16, smem, sw128>, <1>
  sluice.tma.load %B[%c0, %c0] to %b, %full[%c0]
      : <64x64xf16, align 16>, <64x64xf16, smem, sw128>, <1>
  sluice.mbarrier.wait %full[%c0], %c0 : <1>
  %acc = sluice.alloc "acc" : !sluice.buffer<128x64xf32, reg, acc>
  sluice.fill %acc with 0.0 : <128x64xf32, reg, acc>
  %warp = sluice.warp
  %part = arith.divsi %warp, %c4 : index
  %some = arith.cmpi eq, %part, %c1 : index
  scf.if %some {
    sluice.wgmma.fence
    sluice.wgmma %acc, %a, %b
        : <128x64xf32, reg, acc>, <128x64xf16, smem, sw128>, <64x64xf16, smem, sw128>
    sluice.wgmma.commit
    sluice.wgmma.wait 0
  }
  sluice.store %acc to %C[%c0, %c0] : <128x64xf32, reg, acc>, <128x64xf32>
}

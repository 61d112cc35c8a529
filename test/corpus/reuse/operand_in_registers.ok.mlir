// RUN: sluice check %s | FileCheck %s
// An operand in registers is stored when the product has ended.
// CHECK: {{^}}proven: every launch
sluice.kernel @twice(%A: !sluice.tensor<64x64xf16> {sluice.name = "A"},
                     %B: !sluice.tensor<64x64xf16, align 16> {sluice.name = "B"},
                     %C: !sluice.tensor<64x64xf32> {sluice.name = "C", sluice.out},
                     %D: !sluice.tensor<64x64xf16> {sluice.name = "D", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = sluice.grid %c1 : index
  %b = sluice.alloc "b" : !sluice.buffer<64x64xf16, smem, sw128>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 128
  sluice.mbarrier.arrive_expect_tx %full[%c0] bytes 8192 by one : <1>
  sluice.tma.load %B[%c0, %c0] to %b, %full[%c0]
      : <64x64xf16, align 16>, <64x64xf16, smem, sw128>, <1>
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16, reg, fragA>
  sluice.load %A[%c0, %c0] to %a : <64x64xf16>, <64x64xf16, reg, fragA>
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32, reg, acc>
  sluice.fill %acc with 0.0 : <64x64xf32, reg, acc>
  sluice.mbarrier.wait %full[%c0], %c0 : <1>
  sluice.wgmma.fence
  sluice.wgmma %acc, %a, %b
      : <64x64xf32, reg, acc>, <64x64xf16, reg, fragA>, <64x64xf16, smem, sw128>
  sluice.wgmma.commit
  sluice.wgmma.wait 0
  sluice.store %a to %D[%c0, %c0] : <64x64xf16, reg, fragA>, <64x64xf16>
  sluice.store %acc to %C[%c0, %c0] : <64x64xf32, reg, acc>, <64x64xf32>
}

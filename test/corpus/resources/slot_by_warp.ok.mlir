// RUN: sluice check %s | FileCheck %s
// A slot by the number of the warpgroup: all four warps name one tile.
// CHECK: {{^}}proven: every launch
sluice.kernel @parts(%A: !sluice.tensor<64x64xf16, align 16> {sluice.name = "A"},
                     %B: !sluice.tensor<64x64xf16, align 16> {sluice.name = "B"},
                     %C: !sluice.tensor<64x64xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %i = sluice.grid %c1 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16, smem, sw128>
  %b = sluice.alloc "b" : !sluice.buffer<64x64xf16, smem, sw128, slots 4>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 128
  sluice.mbarrier.arrive_expect_tx %full[%c0] bytes 40960 by one : <1>
  sluice.tma.load %A[%c0, %c0] to %a, %full[%c0]
      : <64x64xf16, align 16>, <64x64xf16, smem, sw128>, <1>
  scf.for %t = %c0 to %c4 step %c1 {
    %to = sluice.slot %b[%t] : <64x64xf16, smem, sw128, slots 4>
    sluice.tma.load %B[%c0, %c0] to %to, %full[%c0]
        : <64x64xf16, align 16>, <64x64xf16, smem, sw128>, <1>
  }
  sluice.mbarrier.wait %full[%c0], %c0 : <1>
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32, reg, acc>
  sluice.fill %acc with 0.0 : <64x64xf32, reg, acc>
  %warp = sluice.warp
  %part = arith.divsi %warp, %c4 : index
  %own = sluice.slot %b[%part] : <64x64xf16, smem, sw128, slots 4>
  sluice.wgmma.fence
  sluice.wgmma %acc, %a, %own
      : <64x64xf32, reg, acc>, <64x64xf16, smem, sw128>, <64x64xf16, smem, sw128>
  sluice.wgmma.commit
  sluice.wgmma.wait 0
  sluice.store %acc to %C[%c0, %c0] : <64x64xf32, reg, acc>, <64x64xf32>
}

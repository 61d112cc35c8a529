// RUN: sluice check %s | FileCheck %s
// triton #7994, TIRx-kernels #19 (there tensor memory freed while other warps still read). All
// warps are past their wait before the barrier is invalidated.
// CHECK: {{^}}proven
sluice.kernel @one_tile(%X: !sluice.tensor<?x64xf16, align 16> {sluice.name = "X"},
                        %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, sw128>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 128
  sluice.mbarrier.arrive_expect_tx %full[%c0] bytes 8192 by one : <1>
  sluice.tma.load %X[%c0, %c0] to %x, %full[%c0]
      : <?x64xf16, align 16>, <64x64xf16, smem, sw128>, <1>
  sluice.mbarrier.wait %full[%c0], %c0 : <1>
  sluice.bar.sync 0, 128
  sluice.mbarrier.inval %full by one : <1>
  sluice.store %x to %Y[%c0, %c0] : <64x64xf16, smem, sw128>, <?x64xf16>
}

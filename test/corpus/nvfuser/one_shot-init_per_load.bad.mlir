// RUN: not sluice check %s | FileCheck %s
// NVIDIA/Fuser #5858: every load initialises its barrier; here they share one without
// mbarrier.inval between. Expected: R3.
// CHECK: R3 (
// CHECK-SAME: the barrier is initialised again without mbarrier.inval
sluice.kernel @add3(%A: !sluice.tensor<?x?xf32, align 16> {sluice.name = "A"},
                    %B: !sluice.tensor<?x?xf32, align 16> {sluice.name = "B"},
                    %D: !sluice.tensor<?x?xf32, align 16> {sluice.name = "D"},
                    %Y: !sluice.tensor<?x?xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %A, 0 : <?x?xf32, align 16>
  %N = sluice.dim %A, 1 : <?x?xf32, align 16>
  %gm = arith.ceildivsi %M, %c32 : index
  %gn = arith.ceildivsi %N, %c64 : index
  %i, %j = sluice.grid %gm, %gn : index, index
  %row = arith.muli %i, %c32 : index
  %col = arith.muli %j, %c64 : index
  %a = sluice.alloc "a" : !sluice.buffer<32x64xf32, smem, row>
  %b = sluice.alloc "b" : !sluice.buffer<32x64xf32, smem, row>
  %d = sluice.alloc "d" : !sluice.buffer<32x64xf32, smem, row>
  %ra = sluice.alloc "ra" : !sluice.buffer<32x64xf32, reg, blocked>
  %rb = sluice.alloc "rb" : !sluice.buffer<32x64xf32, reg, blocked>
  %rd = sluice.alloc "rd" : !sluice.buffer<32x64xf32, reg, blocked>
  %loaded = sluice.mbarrier.alloc "loaded" : !sluice.mbarrier<1>
  // One initialisation and one synchronisation for all three loads.
  sluice.mbarrier.init %loaded count 3 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 128
  sluice.mbarrier.arrive_expect_tx %loaded[%c0] bytes 8192 by one : <1>
  sluice.tma.load %A[%row, %col] to %a, %loaded[%c0]
      : <?x?xf32, align 16>, <32x64xf32, smem, row>, <1>
  sluice.mbarrier.arrive_expect_tx %loaded[%c0] bytes 8192 by one : <1>
  sluice.tma.load %B[%row, %col] to %b, %loaded[%c0]
      : <?x?xf32, align 16>, <32x64xf32, smem, row>, <1>
  sluice.mbarrier.init %loaded count 3 by one : <1>
  sluice.mbarrier.arrive_expect_tx %loaded[%c0] bytes 8192 by one : <1>
  sluice.tma.load %D[%row, %col] to %d, %loaded[%c0]
      : <?x?xf32, align 16>, <32x64xf32, smem, row>, <1>
  sluice.mbarrier.wait %loaded[%c0], %c0 : <1>
  sluice.copy %a to %ra : <32x64xf32, smem, row>, <32x64xf32, reg, blocked>
  sluice.copy %b to %rb : <32x64xf32, smem, row>, <32x64xf32, reg, blocked>
  sluice.copy %d to %rd : <32x64xf32, smem, row>, <32x64xf32, reg, blocked>
  sluice.map ins(%ra, %rb, %rd : !sluice.buffer<32x64xf32, reg, blocked>,
          !sluice.buffer<32x64xf32, reg, blocked>, !sluice.buffer<32x64xf32, reg, blocked>)
      outs(%ra : !sluice.buffer<32x64xf32, reg, blocked>) {
  ^bb0(%u: f32, %v: f32, %w: f32):
    %s = arith.addf %u, %v : f32
    %t = arith.addf %s, %w : f32
    sluice.yield %t : f32
  }
  sluice.store %ra to %Y[%row, %col] : <32x64xf32, reg, blocked>, <?x?xf32>
}

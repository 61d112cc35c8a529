// RUN: not sluice check %s | FileCheck %s
// PTX ISA, fence.proxy.async.global: ordinary writes of global memory and TMA loads of them go
// through two proxies as well; the fence between the passes is missing. Expected: R23.
// CHECK: R23 (
sluice.kernel @two_passes(%X: !sluice.tensor<?x64xf32> {sluice.name = "X"},
                          %W: !sluice.tensor<?x64xf32, align 16> {sluice.name = "W", sluice.inout},
                          %Y: !sluice.tensor<?x64xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %M = sluice.dim %X, 0 : <?x64xf32>
  %n = arith.ceildivsi %M, %c32 : index
  %i = sluice.grid %c1 : index
  %x = sluice.alloc "x" : !sluice.buffer<32x64xf32, smem, row>
  %r = sluice.alloc "r" : !sluice.buffer<32x64xf32, reg, blocked>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 128
  %start = sluice.cursor : !sluice.cursor<1>
  // First pass: ordinary stores to the workspace.
  scf.for %t = %c0 to %n step %c1 {
    %row = arith.muli %t, %c32 : index
    sluice.load %X[%row, %c0] to %r : <?x64xf32>, <32x64xf32, reg, blocked>
    sluice.map ins(%r : !sluice.buffer<32x64xf32, reg, blocked>)
        outs(%r : !sluice.buffer<32x64xf32, reg, blocked>) {
    ^bb0(%v: f32):
      %w = math.exp %v : f32
      sluice.yield %w : f32
    }
    sluice.store %r to %W[%row, %c0] : <32x64xf32, reg, blocked>, <?x64xf32, align 16>
  }
  sluice.bar.sync 0, 128
  // Second pass: TMA brings the tiles back.
  scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> (!sluice.cursor<1>) {
    %row = arith.muli %t, %c32 : index
    %phase = sluice.cursor.phase %at : <1>
    sluice.mbarrier.arrive_expect_tx %full[%c0] bytes 8192 by one : <1>
    sluice.tma.load %W[%row, %c0] to %x, %full[%c0]
        : <?x64xf32, align 16>, <32x64xf32, smem, row>, <1>
    sluice.mbarrier.wait %full[%c0], %phase : <1>
    sluice.store %x to %Y[%row, %c0] : <32x64xf32, smem, row>, <?x64xf32>
    sluice.bar.sync 0, 128
    %next = sluice.cursor.advance %at : <1>
    scf.yield %next : !sluice.cursor<1>
  } {sluice.pipelined}
}

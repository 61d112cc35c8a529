// RUN: not sluice check %s | FileCheck %s
// tilelang #2700. The tail of a tile is cleared by a fill that the planner did not count as a
// write: no barrier stands between it and the readers.
// Expected: R22.
// CHECK: R22 {{.*}}fill of warp {{.*}} writes x {{.*}} while copy of warp {{.*}} may still read
sluice.kernel @tail(%X: !sluice.tensor<?x64xf16, align 16> {sluice.name = "X"},
                    %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16, align 16>
  %n = arith.ceildivsi %rows, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, sw128>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 128
  %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
  %start = sluice.cursor : !sluice.cursor<1>
  scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<1> {
    %slot = sluice.cursor.slot %at : <1>
    %phase = sluice.cursor.phase %at : <1>
    %row = arith.muli %t, %c64 : index
    sluice.mbarrier.arrive_expect_tx %full[%slot] bytes 8192 by one : <1>
    sluice.tma.load %X[%row, %c0] to %x, %full[%slot]
        : <?x64xf16, align 16>, <64x64xf16, smem, sw128>, <1>
    sluice.mbarrier.wait %full[%slot], %phase : <1>
    %tail = sluice.subview %x[%c32, %c0] : <64x64xf16, smem, sw128> to <32x64xf16, smem, sw128>
    sluice.fill %tail with 0.0
        : <32x64xf16, smem, sw128> // eight rows a warp; they are read sixteen a warp
    sluice.fence proxy_async
    sluice.warp_sync // of a warp, not of the others whose rows it reads
    sluice.copy %x to %v : <64x64xf16, smem, sw128>, <64x64xf16, reg, blocked>
    sluice.store %v to %Y[%row, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
    sluice.bar.sync 0, 128
    %next = sluice.cursor.advance %at : <1>
    scf.yield %next : !sluice.cursor<1>
  } {sluice.name = "t", sluice.pipelined}
}

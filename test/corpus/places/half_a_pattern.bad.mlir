// RUN: not sluice check %s | FileCheck %s
// A tile is loaded to row 4 t of a swizzled one, whose pattern repeats every 8 rows.
// Expected: R15.
// CHECK: R15 (
sluice.kernel @k(%X: !sluice.tensor<?x64xf16, align 16> {sluice.name = "X"}, %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %i = sluice.grid %c1 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, sw128>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 32
  scf.for %t = %c0 to %c2 step %c1 {
    %off = arith.muli %t, %c4 : index
    %sub = sluice.subview %x[%off, %c0] : <64x64xf16, smem, sw128> to <8x64xf16, smem, sw128>
    sluice.mbarrier.arrive_expect_tx %full[%c0] bytes 1024 by one : <1>
    sluice.tma.load %X[%c0, %c0] to %sub, %full[%c0] : <?x64xf16, align 16>, <8x64xf16, smem, sw128>, <1>
    sluice.mbarrier.wait %full[%c0], %t : <1>
    sluice.store %sub to %Y[%c0, %c0] : <8x64xf16, smem, sw128>, <?x64xf16>
    sluice.bar.sync 0, 32
  }
}

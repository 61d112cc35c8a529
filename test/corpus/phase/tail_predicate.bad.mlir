// RUN: not sluice check %s | FileCheck %s
// Fuser #4524. The loop is unrolled by two. In the last pair the second load is skipped when there
// is no tile for it, but the wait for it is not.
// Expected: R9.
// CHECK: R9 {{.*}}waits {{.*}} for full[1] parity {{.*}}Nobody will signal it
sluice.kernel @unrolled(%X: !sluice.tensor<?x64xf16, align 16> {sluice.name = "X"},
                        %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16, align 16>
  %n = arith.ceildivsi %rows, %c64 : index
  %pairs = arith.ceildivsi %n, %c2 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, sw128, slots 2>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<2>
  sluice.mbarrier.init %full count 1 by one : <2>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 128
  %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
  %x0 = sluice.slot %x[%c0] : <64x64xf16, smem, sw128, slots 2>
  %x1 = sluice.slot %x[%c1] : <64x64xf16, smem, sw128, slots 2>
  %start = sluice.cursor : !sluice.cursor<1>
  scf.for %t = %c0 to %pairs step %c1 iter_args(%at = %start) -> !sluice.cursor<1> {
    %phase = sluice.cursor.phase %at : <1>
    %tile = arith.muli %t, %c2 : index
    %second = arith.addi %tile, %c1 : index
    %more = arith.cmpi slt, %second, %n : index
    %row = arith.muli %tile, %c64 : index
    %below = arith.addi %row, %c64 : index
    sluice.mbarrier.arrive_expect_tx %full[%c0] bytes 8192 by one : <2>
    sluice.tma.load %X[%row, %c0] to %x0, %full[%c0]
        : <?x64xf16, align 16>, <64x64xf16, smem, sw128>, <2>
    scf.if %more {
      sluice.mbarrier.arrive_expect_tx %full[%c1] bytes 8192 by one : <2>
      sluice.tma.load %X[%below, %c0] to %x1, %full[%c1]
          : <?x64xf16, align 16>, <64x64xf16, smem, sw128>, <2>
    }
    sluice.mbarrier.wait %full[%c0], %phase : <2>
    sluice.store %x0 to %Y[%row, %c0] : <64x64xf16, smem, sw128>, <?x64xf16>
    sluice.mbarrier.wait %full[%c1], %phase : <2>
    scf.if %more {
      sluice.store %x1 to %Y[%below, %c0] : <64x64xf16, smem, sw128>, <?x64xf16>
    }
    sluice.bar.sync 0, 128
    %next = sluice.cursor.advance %at : <1>
    scf.yield %next : !sluice.cursor<1>
  } {sluice.name = "t", sluice.pipelined}
}

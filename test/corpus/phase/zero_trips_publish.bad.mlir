// RUN: not sluice check %s | FileCheck %s
// cutlass #2835 (there a tensor memory address; 0 tiles of keys). The loading warp publishes the
// scales with its first tile; with no tile at all the epilogue reads scales that nobody has
// written.
// Expected: R21.
// CHECK: R21 {{.*}}copy of mma warp {{.*}} reads scale {{.*}}which nothing has written
sluice.kernel @scaled(%X: !sluice.tensor<?x64xf16, align 16> {sluice.name = "X"},
                      %S: !sluice.tensor<?x1xf32> {sluice.name = "S"},
                      %Y: !sluice.tensor<?x1xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 5} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16, align 16>
  %n = arith.ceildivsi %rows, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, sw128>
  %scale = sluice.alloc "scale" : !sluice.buffer<64x1xf32, smem, row>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<1>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<1>
  %known = sluice.mbarrier.alloc "known" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 1 by one : <1>
  sluice.mbarrier.init %empty count 4 by one : <1>
  sluice.mbarrier.init %known count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 160
  %start = sluice.cursor : !sluice.cursor<1>
  sluice.role "load" warps 4 to 5 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<1> {
      %slot = sluice.cursor.slot %at : <1>
      %phase = sluice.cursor.phase %at : <1>
      %free = arith.xori %phase, %c1 : index
      %row = arith.muli %t, %c64 : index
      %first = arith.cmpi eq, %t, %c0 : index
      scf.if %first {
        sluice.load %S[%c0, %c0] to %scale : <?x1xf32>, <64x1xf32, smem, row>
      }
      sluice.mbarrier.wait %empty[%slot], %free : <1>
      sluice.mbarrier.arrive_expect_tx %full[%slot] bytes 8192 by one : <1>
      sluice.tma.load %X[%row, %c0] to %x, %full[%slot]
          : <?x64xf16, align 16>, <64x64xf16, smem, sw128>, <1>
      %next = sluice.cursor.advance %at : <1>
      scf.yield %next : !sluice.cursor<1>
    }
    sluice.warp_sync
    sluice.mbarrier.arrive %known[%c0] by one : <1>
  }
  sluice.role "mma" warps 0 to 4 {
    %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
    %s = sluice.alloc "s" : !sluice.buffer<64x1xf32, reg, rowVector>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<1> {
      %slot = sluice.cursor.slot %at : <1>
      %phase = sluice.cursor.phase %at : <1>
      sluice.mbarrier.wait %full[%slot], %phase : <1>
      sluice.copy %x to %v : <64x64xf16, smem, sw128>, <64x64xf16, reg, blocked>
      sluice.warp_sync
      sluice.mbarrier.arrive %empty[%slot] by warp : <1>
      %next = sluice.cursor.advance %at : <1>
      scf.yield %next : !sluice.cursor<1>
    } {sluice.name = "t", sluice.pipelined}
    sluice.mbarrier.wait %known[%c0], %c0 : <1>
    sluice.copy %scale to %s : <64x1xf32, smem, row>, <64x1xf32, reg, rowVector>
    sluice.store %s to %Y[%c0, %c0] : <64x1xf32, reg, rowVector>, <?x1xf32>
  }
}

// RUN: not sluice check %s | FileCheck %s
// Triton ConSan, python/test/gluon/test_consan.py, test_ws_store_wait_load. The draining role reads
// the tile without waiting for the role that writes it.
// Expected: R22 (or R21: a warp that runs first finds bytes that nothing has written).
// CHECK: R2{{[12]}} {{.*}}copy of drain warp {{.*}} reads x
sluice.kernel @handover(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"},
                        %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 8} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16>
  %n = arith.ceildivsi %rows, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, row>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<1>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 4 by one : <1>
  sluice.mbarrier.init %empty count 4 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 256
  %start = sluice.cursor : !sluice.cursor<1>
  sluice.role "fill" warps 4 to 8 {
    %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<1> {
      %slot = sluice.cursor.slot %at : <1>
      %phase = sluice.cursor.phase %at : <1>
      %free = arith.xori %phase, %c1 : index
      %row = arith.muli %t, %c64 : index
      sluice.load %X[%row, %c0] to %v : <?x64xf16>, <64x64xf16, reg, blocked>
      sluice.mbarrier.wait %empty[%slot], %free : <1>
      sluice.copy %v to %x : <64x64xf16, reg, blocked>, <64x64xf16, smem, row>
      sluice.warp_sync
      sluice.mbarrier.arrive %full[%slot] by warp : <1>
      %next = sluice.cursor.advance %at : <1>
      scf.yield %next : !sluice.cursor<1>
    }
  }
  sluice.role "drain" warps 0 to 4 {
    %w = sluice.alloc "w" : !sluice.buffer<64x64xf16, reg, blocked>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<1> {
      %slot = sluice.cursor.slot %at : <1>
      %phase = sluice.cursor.phase %at : <1>
      %row = arith.muli %t, %c64 : index
      sluice.copy %x to %w : <64x64xf16, smem, row>, <64x64xf16, reg, blocked>
      sluice.warp_sync
      sluice.mbarrier.arrive %empty[%slot] by warp : <1>
      sluice.store %w to %Y[%row, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
      %next = sluice.cursor.advance %at : <1>
      scf.yield %next : !sluice.cursor<1>
    } {sluice.name = "t", sluice.pipelined}
  }
}

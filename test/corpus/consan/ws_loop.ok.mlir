// RUN: sluice check %s | FileCheck %s
// Triton ConSan, python/test/gluon/test_consan.py, test_ws_two_loads_two_bars_loop[none]. A tile is
// written for two readers, each with its own full and empty barrier, over any number of rows.
// CHECK: {{^}}proven
sluice.kernel @broadcast(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"},
                         %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out},
                         %Z: !sluice.tensor<?x64xf16> {sluice.name = "Z", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 12} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16>
  %n = arith.ceildivsi %rows, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, row>
  %full_a = sluice.mbarrier.alloc "full_a" : !sluice.mbarrier<1>
  %full_b = sluice.mbarrier.alloc "full_b" : !sluice.mbarrier<1>
  %empty_a = sluice.mbarrier.alloc "empty_a" : !sluice.mbarrier<1>
  %empty_b = sluice.mbarrier.alloc "empty_b" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full_a count 4 by one : <1>
  sluice.mbarrier.init %full_b count 4 by one : <1>
  sluice.mbarrier.init %empty_a count 4 by one : <1>
  sluice.mbarrier.init %empty_b count 4 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 384
  %start = sluice.cursor : !sluice.cursor<1>
  sluice.role "write" warps 8 to 12 {
    %u = sluice.alloc "u" : !sluice.buffer<64x64xf16, reg, blocked>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<1> {
      %slot = sluice.cursor.slot %at : <1>
      %phase = sluice.cursor.phase %at : <1>
      %free = arith.xori %phase, %c1 : index
      %row = arith.muli %t, %c64 : index
      sluice.load %X[%row, %c0] to %u : <?x64xf16>, <64x64xf16, reg, blocked>
      sluice.mbarrier.wait %empty_a[%slot], %free : <1>
      sluice.mbarrier.wait %empty_b[%slot], %free : <1>
      sluice.copy %u to %x : <64x64xf16, reg, blocked>, <64x64xf16, smem, row>
      sluice.warp_sync
      sluice.mbarrier.arrive %full_a[%slot] by warp : <1>
      sluice.mbarrier.arrive %full_b[%slot] by warp : <1>
      %next = sluice.cursor.advance %at : <1>
      scf.yield %next : !sluice.cursor<1>
    }
  }
  sluice.role "a" warps 4 to 8 {
    %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<1> {
      %slot = sluice.cursor.slot %at : <1>
      %phase = sluice.cursor.phase %at : <1>
      %row = arith.muli %t, %c64 : index
      sluice.mbarrier.wait %full_a[%slot], %phase : <1>
      sluice.copy %x to %v : <64x64xf16, smem, row>, <64x64xf16, reg, blocked>
      sluice.warp_sync
      sluice.mbarrier.arrive %empty_a[%slot] by warp : <1>
      sluice.store %v to %Y[%row, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
      %next = sluice.cursor.advance %at : <1>
      scf.yield %next : !sluice.cursor<1>
    } {sluice.name = "t", sluice.pipelined}
  }
  sluice.role "b" warps 0 to 4 {
    %w = sluice.alloc "w" : !sluice.buffer<64x64xf16, reg, blocked>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<1> {
      %slot = sluice.cursor.slot %at : <1>
      %phase = sluice.cursor.phase %at : <1>
      %row = arith.muli %t, %c64 : index
      sluice.mbarrier.wait %full_b[%slot], %phase : <1>
      sluice.copy %x to %w : <64x64xf16, smem, row>, <64x64xf16, reg, blocked>
      sluice.warp_sync
      sluice.mbarrier.arrive %empty_b[%slot] by warp : <1>
      sluice.store %w to %Z[%row, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
      %next = sluice.cursor.advance %at : <1>
      scf.yield %next : !sluice.cursor<1>
    }
  }
}

// RUN: sluice check %s | FileCheck %s
// Triton ConSan, python/test/gluon/test_consan.py, test_ws_two_producers_two_consumers[none]. Two
// writers complete one full barrier; each of two readers frees both tiles.
// CHECK: {{^}}proven
sluice.kernel @pairs(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"},
                     %Z: !sluice.tensor<?x64xf16> {sluice.name = "Z"},
                     %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out},
                     %V: !sluice.tensor<?x64xf16> {sluice.name = "V", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 16} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16>
  %n = arith.ceildivsi %rows, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, row>
  %z = sluice.alloc "z" : !sluice.buffer<64x64xf16, smem, row>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<1>
  %empty_x = sluice.mbarrier.alloc "empty_x" : !sluice.mbarrier<1>
  %empty_z = sluice.mbarrier.alloc "empty_z" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 8 by one : <1>
  sluice.mbarrier.init %empty_x count 8 by one : <1>
  sluice.mbarrier.init %empty_z count 8 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 512
  %start = sluice.cursor : !sluice.cursor<1>
  sluice.role "t0" warps 12 to 16 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<1> {
      %slot = sluice.cursor.slot %at : <1>
      %phase = sluice.cursor.phase %at : <1>
      %free = arith.xori %phase, %c1 : index
      %row = arith.muli %t, %c64 : index
      sluice.mbarrier.wait %empty_x[%slot], %free : <1>
      sluice.load %X[%row, %c0] to %x : <?x64xf16>, <64x64xf16, smem, row>
      sluice.warp_sync
      sluice.mbarrier.arrive %full[%slot] by warp : <1>
      %next = sluice.cursor.advance %at : <1>
      scf.yield %next : !sluice.cursor<1>
    }
  }
  sluice.role "t1" warps 8 to 12 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<1> {
      %slot = sluice.cursor.slot %at : <1>
      %phase = sluice.cursor.phase %at : <1>
      %free = arith.xori %phase, %c1 : index
      %row = arith.muli %t, %c64 : index
      sluice.mbarrier.wait %empty_z[%slot], %free : <1>
      sluice.load %Z[%row, %c0] to %z : <?x64xf16>, <64x64xf16, smem, row>
      sluice.warp_sync
      sluice.mbarrier.arrive %full[%slot] by warp : <1>
      %next = sluice.cursor.advance %at : <1>
      scf.yield %next : !sluice.cursor<1>
    }
  }
  sluice.role "t2" warps 4 to 8 {
    %v_t2 = sluice.alloc "v_t2" : !sluice.buffer<64x64xf16, reg, blocked>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<1> {
      %slot = sluice.cursor.slot %at : <1>
      %phase = sluice.cursor.phase %at : <1>
      %row = arith.muli %t, %c64 : index
      sluice.mbarrier.wait %full[%slot], %phase : <1>
      sluice.copy %x to %v_t2 : <64x64xf16, smem, row>, <64x64xf16, reg, blocked>
      sluice.warp_sync
      sluice.mbarrier.arrive %empty_x[%slot] by warp : <1>
      sluice.mbarrier.arrive %empty_z[%slot] by warp : <1>
      sluice.store %v_t2 to %Y[%row, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
      %next = sluice.cursor.advance %at : <1>
      scf.yield %next : !sluice.cursor<1>
    } {sluice.name = "t", sluice.pipelined}
  }
  sluice.role "t3" warps 0 to 4 {
    %v_t3 = sluice.alloc "v_t3" : !sluice.buffer<64x64xf16, reg, blocked>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<1> {
      %slot = sluice.cursor.slot %at : <1>
      %phase = sluice.cursor.phase %at : <1>
      %row = arith.muli %t, %c64 : index
      sluice.mbarrier.wait %full[%slot], %phase : <1>
      sluice.copy %z to %v_t3 : <64x64xf16, smem, row>, <64x64xf16, reg, blocked>
      sluice.warp_sync
      sluice.mbarrier.arrive %empty_x[%slot] by warp : <1>
      sluice.mbarrier.arrive %empty_z[%slot] by warp : <1>
      sluice.store %v_t3 to %V[%row, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
      %next = sluice.cursor.advance %at : <1>
      scf.yield %next : !sluice.cursor<1>
    }
  }
}

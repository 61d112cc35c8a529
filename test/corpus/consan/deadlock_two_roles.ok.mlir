// RUN: sluice check %s | FileCheck %s
// Triton ConSan, python/test/gluon/test_consan.py, test_deadlock_two_partitions. Role a begins.
// CHECK: {{^}}proven
sluice.kernel @turns(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"},
                     %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 8} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16>
  %n = arith.ceildivsi %rows, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, row>
  %turn_a = sluice.mbarrier.alloc "turn_a" : !sluice.mbarrier<1>
  %turn_b = sluice.mbarrier.alloc "turn_b" : !sluice.mbarrier<1>
  sluice.mbarrier.init %turn_a count 4 by one : <1>
  sluice.mbarrier.init %turn_b count 4 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 256
  %start = sluice.cursor : !sluice.cursor<1>
  sluice.role "a" warps 0 to 4 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<1> {
      %slot = sluice.cursor.slot %at : <1>
      %phase = sluice.cursor.phase %at : <1>
      %free = arith.xori %phase, %c1 : index
      %row = arith.muli %t, %c64 : index
      sluice.mbarrier.wait %turn_a[%slot], %free : <1>
      sluice.load %X[%row, %c0] to %x : <?x64xf16>, <64x64xf16, smem, row>
      sluice.warp_sync
      sluice.mbarrier.arrive %turn_b[%slot] by warp : <1>
      %next = sluice.cursor.advance %at : <1>
      scf.yield %next : !sluice.cursor<1>
    } {sluice.name = "t", sluice.pipelined}
  }
  sluice.role "b" warps 4 to 8 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<1> {
      %slot = sluice.cursor.slot %at : <1>
      %phase = sluice.cursor.phase %at : <1>
      %row = arith.muli %t, %c64 : index
      sluice.mbarrier.wait %turn_b[%slot], %phase : <1>
      sluice.store %x to %Y[%row, %c0] : <64x64xf16, smem, row>, <?x64xf16>
      sluice.warp_sync
      sluice.mbarrier.arrive %turn_a[%slot] by warp : <1>
      %next = sluice.cursor.advance %at : <1>
      scf.yield %next : !sluice.cursor<1>
    }
  }
}

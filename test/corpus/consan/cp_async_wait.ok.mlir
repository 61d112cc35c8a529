// RUN: sluice check %s | FileCheck %s
// Triton ConSan, python/test/gluon/test_consan.py, test_async_copy. wait_group 1 leaves the newer
// copy in flight and retires the one whose slot comes next.
// CHECK: {{^}}proven
sluice.kernel @prefetch(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16>
  %n = arith.ceildivsi %rows, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, row, slots 2>
  %start = sluice.cursor : !sluice.cursor<2>
  scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
    %slot = sluice.cursor.slot %at : <2>
    %phase = sluice.cursor.phase %at : <2>
    %row = arith.muli %t, %c64 : index
    %xt = sluice.slot %x[%slot] : <64x64xf16, smem, row, slots 2>
    sluice.load %X[%row, %c0] to %xt async : <?x64xf16>, <64x64xf16, smem, row>
    sluice.cp_async.commit
    sluice.cp_async.wait 1
    sluice.warp_sync
    %next = sluice.cursor.advance %at : <2>
    scf.yield %next : !sluice.cursor<2>
  } {sluice.name = "t", sluice.pipelined}
  sluice.cp_async.wait 0
}

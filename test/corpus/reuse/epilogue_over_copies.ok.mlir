// RUN: sluice check %s | FileCheck %s
// cutlass #1326. wait_group 0 and a barrier stand before the epilogue.
// CHECK: {{^}}proven
sluice.kernel @stage_over(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"},
                          %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16>
  %n = arith.ceildivsi %rows, %c64 : index
  %x = sluice.alloc "x" at 0 : !sluice.buffer<64x64xf16, smem, row, slots 2>
  %stage = sluice.alloc "stage" at 0 : !sluice.buffer<64x64xf16, smem, row>
  %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
  %sum = sluice.alloc "sum" : !sluice.buffer<64x64xf16, reg, blocked>
  sluice.fill %sum with 0.0 : <64x64xf16, reg, blocked>
  %x0 = sluice.slot %x[%c0] : <64x64xf16, smem, row, slots 2>
  sluice.load %X[%c0, %c0] to %x0 async : <?x64xf16>, <64x64xf16, smem, row>
  sluice.cp_async.commit
  %start = sluice.cursor : !sluice.cursor<2>
  scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
    %slot = sluice.cursor.slot %at : <2>
    %next = sluice.cursor.advance %at : <2>
    %ahead = sluice.cursor.slot %next : <2>
    %now = sluice.slot %x[%slot] : <64x64xf16, smem, row, slots 2>
    %then = sluice.slot %x[%ahead] : <64x64xf16, smem, row, slots 2>
    %row = arith.muli %t, %c64 : index
    %below = arith.addi %row, %c64 : index
    sluice.load %X[%below, %c0] to %then async
        : <?x64xf16>, <64x64xf16, smem, row> // one tile ahead
    sluice.cp_async.commit
    sluice.cp_async.wait 1
    sluice.bar.sync 0, 128
    sluice.copy %now to %v : <64x64xf16, smem, row>, <64x64xf16, reg, blocked>
    sluice.map ins(%sum, %v
        : !sluice.buffer<64x64xf16, reg, blocked>, !sluice.buffer<64x64xf16, reg, blocked>)
        outs(%sum : !sluice.buffer<64x64xf16, reg, blocked>) {
    ^bb0(%p: f16, %q: f16):
      %r = arith.addf %p, %q : f16
      sluice.yield %r : f16
    }
    sluice.bar.sync 0, 128
    scf.yield %next : !sluice.cursor<2>
  } {sluice.name = "t", sluice.pipelined}
  sluice.cp_async.wait 0
  sluice.bar.sync 0, 128
  sluice.copy %sum to %stage : <64x64xf16, reg, blocked>, <64x64xf16, smem, row>
  sluice.bar.sync 0, 128
  sluice.store %stage to %Y[%c0, %c0] : <64x64xf16, smem, row>, <?x64xf16>
}

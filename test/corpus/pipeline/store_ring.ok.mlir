// RUN: sluice check %s | FileCheck %s
// CUTLASS PipelineTmaStore<3>: three staging tiles, at most two stores unfinished when the next
// tile is written.
// CHECK: {{^}}proven
sluice.kernel @square(%X: !sluice.tensor<?x?xf32> {sluice.name = "X"},
                      %Y: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %M = sluice.dim %X, 0 : <?x?xf32>
  %N = sluice.dim %X, 1 : <?x?xf32>
  %gm = arith.ceildivsi %M, %c32 : index
  %n = arith.ceildivsi %N, %c32 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c32 : index
  %out = sluice.alloc "out" : !sluice.buffer<32x32xf32, smem, row, slots 3>
  %r = sluice.alloc "r" : !sluice.buffer<32x32xf32, reg, blocked>
  %start = sluice.cursor : !sluice.cursor<3>
  scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> (!sluice.cursor<3>) {
    %col = arith.muli %t, %c32 : index
    %slot = sluice.cursor.slot %at : <3>
    %here = sluice.slot %out[%slot] : <32x32xf32, smem, row, slots 3>
    sluice.load %X[%row, %col] to %r : <?x?xf32>, <32x32xf32, reg, blocked>
    sluice.map ins(%r : !sluice.buffer<32x32xf32, reg, blocked>)
        outs(%r : !sluice.buffer<32x32xf32, reg, blocked>) {
    ^bb0(%v: f32):
      %w = arith.mulf %v, %v : f32
      sluice.yield %w : f32
    }
    // At most 2 stores still read: the slot about to be written is none of theirs.
    sluice.bulk.wait 2 read by one
    sluice.bar.sync 1, 128
    sluice.copy %r to %here : <32x32xf32, reg, blocked>, <32x32xf32, smem, row>
    sluice.fence proxy_async
    sluice.bar.sync 1, 128
    sluice.tma.store %here to %Y[%row, %col] : <32x32xf32, smem, row>, <?x?xf32, align 16>
    sluice.bulk.commit by one
    %next = sluice.cursor.advance %at : <3>
    scf.yield %next : !sluice.cursor<3>
  } {sluice.pipelined}
  sluice.bulk.wait 0 read by one
}

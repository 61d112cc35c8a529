// RUN: not sluice check %s | FileCheck %s
// CUTLASS PipelineTransactionAsync: the warp arrives, then one thread announces the bytes: the
// phase may complete before its bytes are announced. Expected: R6.
// CHECK: R6 (
// CHECK-SAME: phase 0 of full[0] may complete before expect_tx of load warp 4 {{.*}} announces its bytes
sluice.kernel @epilogue(%C: !sluice.tensor<?x?xf32, align 16> {sluice.name = "C"},
                        %D: !sluice.tensor<?x?xf32, align 16> {sluice.name = "D", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 5} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %C, 0 : <?x?xf32, align 16>
  %N = sluice.dim %C, 1 : <?x?xf32, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %n = arith.ceildivsi %N, %c32 : index
  %last = arith.subi %n, %c1 : index
  %some = arith.cmpi sgt, %n, %c0 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c64 : index
  %c = sluice.alloc "c" : !sluice.buffer<64x32xf32, smem, row, slots 3>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<3>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<3>
  sluice.mbarrier.init %full count 32 by one : <3> // the load warp
  sluice.mbarrier.init %empty count 1 by one : <3> // the thread that stores
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 160
  %start = sluice.cursor : !sluice.cursor<3>

  sluice.role "store" warps 0 to 4 {
    %r = sluice.alloc "r" : !sluice.buffer<64x32xf32, reg, blocked>
    // A tile is stored one step late, and two stores may read at a time: so the slot of tile t - 2
    // goes back in step t.
    %end, %delayed, %done = scf.for %t = %c0 to %n step %c1
        iter_args(%at = %start, %before = %start, %old = %start)
        -> (!sluice.cursor<3>, !sluice.cursor<3>, !sluice.cursor<3>) {
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      %here = sluice.slot %c[%slot] : <64x32xf32, smem, row, slots 3>
      sluice.mbarrier.wait %full[%slot], %phase : <3>
      sluice.copy %here to %r : <64x32xf32, smem, row>, <64x32xf32, reg, blocked>
      sluice.map ins(%r : !sluice.buffer<64x32xf32, reg, blocked>)
          outs(%r : !sluice.buffer<64x32xf32, reg, blocked>) {
      ^bb0(%v: f32):
        %w = arith.addf %v, %v : f32
        sluice.yield %w : f32
      }
      sluice.copy %r to %here : <64x32xf32, reg, blocked>, <64x32xf32, smem, row>
      sluice.fence proxy_async
      sluice.bar.sync 1, 128
      %second = arith.cmpi sgt, %t, %c0 : index
      scf.if %second {
        %u = arith.subi %t, %c1 : index
        %col = arith.muli %u, %c32 : index
        %slot_u = sluice.cursor.slot %before : <3>
        %there = sluice.slot %c[%slot_u] : <64x32xf32, smem, row, slots 3>
        sluice.tma.store %there to %D[%row, %col] : <64x32xf32, smem, row>, <?x?xf32, align 16>
        sluice.bulk.commit by one
        sluice.bulk.wait 1 read by one
      }
      %third = arith.cmpi sgt, %t, %c1 : index
      %old_next = scf.if %third -> (!sluice.cursor<3>) {
        %back = sluice.cursor.slot %old : <3>
        sluice.mbarrier.arrive %empty[%back] by one : <3>
        %on = sluice.cursor.advance %old : <3>
        scf.yield %on : !sluice.cursor<3>
      } else {
        scf.yield %old : !sluice.cursor<3>
      }
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next, %at, %old_next
          : !sluice.cursor<3>, !sluice.cursor<3>, !sluice.cursor<3>
    } {sluice.pipelined}
    scf.if %some {
      %col = arith.muli %last, %c32 : index
      %slot = sluice.cursor.slot %delayed : <3>
      %there = sluice.slot %c[%slot] : <64x32xf32, smem, row, slots 3>
      sluice.tma.store %there to %D[%row, %col] : <64x32xf32, smem, row>, <?x?xf32, align 16>
      sluice.bulk.commit by one
    }
    sluice.bulk.wait 0 read by one
  }

  sluice.role "load" warps 4 to 5 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> (!sluice.cursor<3>) {
      %col = arith.muli %t, %c32 : index
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      %free = arith.xori %phase, %c1 : index
      %to = sluice.slot %c[%slot] : <64x32xf32, smem, row, slots 3>
      sluice.mbarrier.wait %empty[%slot], %free : <3>
      sluice.tma.load %C[%row, %col] to %to, %full[%slot]
          : <?x?xf32, align 16>, <64x32xf32, smem, row>, <3>
      sluice.mbarrier.arrive %full[%slot] : <3> // every thread of the warp
      sluice.mbarrier.expect_tx %full[%slot] bytes 8192 by one : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    } {sluice.pipelined}
  }
}

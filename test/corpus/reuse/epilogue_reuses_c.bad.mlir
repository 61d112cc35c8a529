// RUN: not sluice check %s | FileCheck %s
// CUTLASS rejects StagesC <= StagesD by a static_assert: the slot of tile t - 2 goes back in step
// t, behind the wait for tile t, which needs that slot. A matter of capacity alone; nothing else
// is wrong. Expected: R9.
// CHECK: R9 (
// CHECK-SAME: full[0] parity 1
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
  %c = sluice.alloc "c" : !sluice.buffer<64x32xf32, smem, row, slots 2>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<2>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<2>
  sluice.mbarrier.init %full count 32 by one : <2> // the load warp
  sluice.mbarrier.init %empty count 1 by one : <2> // the thread that stores
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 160
  %start = sluice.cursor : !sluice.cursor<2>

  sluice.role "store" warps 0 to 4 {
    %r = sluice.alloc "r" : !sluice.buffer<64x32xf32, reg, blocked>
    // A tile is stored one step late, and two stores may read at a time: so the slot of tile t - 2
    // goes back in step t.
    %end, %delayed, %done = scf.for %t = %c0 to %n step %c1
        iter_args(%at = %start, %before = %start, %old = %start)
        -> (!sluice.cursor<2>, !sluice.cursor<2>, !sluice.cursor<2>) {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %here = sluice.slot %c[%slot] : <64x32xf32, smem, row, slots 2>
      sluice.mbarrier.wait %full[%slot], %phase : <2>
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
        %slot_u = sluice.cursor.slot %before : <2>
        %there = sluice.slot %c[%slot_u] : <64x32xf32, smem, row, slots 2>
        sluice.tma.store %there to %D[%row, %col] : <64x32xf32, smem, row>, <?x?xf32, align 16>
        sluice.bulk.commit by one
        sluice.bulk.wait 1 read by one
      }
      %third = arith.cmpi sgt, %t, %c1 : index
      %old_next = scf.if %third -> (!sluice.cursor<2>) {
        %back = sluice.cursor.slot %old : <2>
        sluice.mbarrier.arrive %empty[%back] by one : <2>
        %on = sluice.cursor.advance %old : <2>
        scf.yield %on : !sluice.cursor<2>
      } else {
        scf.yield %old : !sluice.cursor<2>
      }
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next, %at, %old_next
          : !sluice.cursor<2>, !sluice.cursor<2>, !sluice.cursor<2>
    } {sluice.pipelined}
    scf.if %some {
      %col = arith.muli %last, %c32 : index
      %slot = sluice.cursor.slot %delayed : <2>
      %there = sluice.slot %c[%slot] : <64x32xf32, smem, row, slots 2>
      sluice.tma.store %there to %D[%row, %col] : <64x32xf32, smem, row>, <?x?xf32, align 16>
      sluice.bulk.commit by one
    }
    sluice.bulk.wait 0 read by one
  }

  sluice.role "load" warps 4 to 5 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> (!sluice.cursor<2>) {
      %col = arith.muli %t, %c32 : index
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %free = arith.xori %phase, %c1 : index
      %to = sluice.slot %c[%slot] : <64x32xf32, smem, row, slots 2>
      sluice.mbarrier.wait %empty[%slot], %free : <2>
      sluice.mbarrier.expect_tx %full[%slot] bytes 8192 by one : <2>
      sluice.tma.load %C[%row, %col] to %to, %full[%slot]
          : <?x?xf32, align 16>, <64x32xf32, smem, row>, <2>
      sluice.mbarrier.arrive %full[%slot] : <2> // every thread of the warp
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    } {sluice.pipelined}
  }
}

// RUN: sluice check %s --set X=128x64 | FileCheck %s
// The two CTAs of a cluster send each other their tiles through distributed shared memory: the
// sender announces the bytes at the receiver's barrier and copies; the receiver's arrival at the
// sender's barrier gives the slot back on both sides. A cluster barrier ends it: nobody leaves while
// a peer may still copy or signal.
// CHECK: proven: every launch
sluice.kernel @exchange(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
                        %Y: !sluice.tensor<?x?xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 2, cluster = array<i64: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %X, 0 : <?x?xf32, align 16>
  %N = sluice.dim %X, 1 : <?x?xf32, align 16>
  %pairs = arith.ceildivsi %M, %c64 : index
  %ctas = arith.muli %pairs, %c2 : index
  %n = arith.ceildivsi %N, %c32 : index
  %i = sluice.grid %ctas : index
  %rank = sluice.cluster.rank
  %peer = arith.xori %rank, %c1 : index
  %first = arith.subi %i, %rank : index
  %other = arith.addi %first, %peer : index
  %row = arith.muli %i, %c32 : index
  %there = arith.muli %other, %c32 : index
  %mine = sluice.alloc "mine" : !sluice.buffer<32x32xf32, smem, row, slots 2>
  %inbox = sluice.alloc "inbox" : !sluice.buffer<32x32xf32, smem, row, slots 2>
  %loaded = sluice.mbarrier.alloc "loaded" : !sluice.mbarrier<2>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<2>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<2>
  sluice.mbarrier.init %loaded count 1 by one : <2>
  sluice.mbarrier.init %full count 1 by one : <2>
  sluice.mbarrier.init %empty count 1 by one : <2>
  sluice.fence mbarrier_init by one
  sluice.cluster.arrive
  sluice.cluster.wait
  %begin = sluice.cursor : !sluice.cursor<2>

  sluice.role "send" warps 0 to 1 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %begin) -> (!sluice.cursor<2>) {
      %col = arith.muli %t, %c32 : index
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %free = arith.xori %phase, %c1 : index
      %from = sluice.slot %mine[%slot] : <32x32xf32, smem, row, slots 2>
      %to = sluice.slot %inbox[%slot] : <32x32xf32, smem, row, slots 2>
      sluice.mbarrier.wait %empty[%slot], %free by one : <2>
      sluice.mbarrier.arrive_expect_tx %loaded[%slot] bytes 4096 by one : <2>
      sluice.tma.load %X[%row, %col] to %from, %loaded[%slot]
          : <?x?xf32, align 16>, <32x32xf32, smem, row>, <2>
      sluice.mbarrier.wait %loaded[%slot], %phase by one : <2>
      sluice.mbarrier.arrive_expect_tx %full[%slot] rank %peer bytes 4096 by one : <2>
      sluice.remote.copy %from to %to rank %peer, %full[%slot] by one
          : <32x32xf32, smem, row>, <32x32xf32, smem, row>, <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    } {sluice.pipelined}
  }
  sluice.role "read" warps 1 to 2 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %begin) -> (!sluice.cursor<2>) {
      %col = arith.muli %t, %c32 : index
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %here = sluice.slot %inbox[%slot] : <32x32xf32, smem, row, slots 2>
      sluice.mbarrier.wait %full[%slot], %phase : <2>
      sluice.store %here to %Y[%there, %col] : <32x32xf32, smem, row>, <?x?xf32>
      sluice.warp_sync
      sluice.mbarrier.arrive %empty[%slot] rank %peer by one : <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    } {sluice.pipelined}
  }
  sluice.cluster.arrive
  sluice.cluster.wait
}

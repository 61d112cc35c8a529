// RUN: sluice check %s --set X=128x256 groups=1 | FileCheck %s
// RUN: sluice emit %s --set X=128x256 groups=1 | FileCheck %s --check-prefix=TEXT
// Sums of rows too long for one CTA: each of a cluster's eight adds up its part of 64 rows in
// registers and stores the sums into column `rank` of everybody's inbox (st.async); the receiver's
// barrier counts the bytes of all eight. Two slots suffice without an empty barrier: whoever stores
// for step t + 2 has seen step t + 1 complete, and for that one every warp stored after it had read
// step t. A cluster barrier ends it: nobody leaves while a peer may still store.
// CHECK: proven: every launch
// TEXT: storeRowVectorToPeer<InboxTile, 4>(addressInCluster(inbox[at.slot], [[TO:[A-Za-z_0-9]+]]), 0, rank,
// TEXT-SAME: part,
// TEXT-NEXT: addressInCluster(full[at.slot], [[TO]]), ctaWarp);
sluice.kernel @row_sums(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
                        %Y: !sluice.tensor<?x1xf32> {sluice.name = "Y", sluice.out},
                        %groups: index {sluice.name = "groups"})
    attributes {target = "sm_90a", phase = "barrier", warps = 4, cluster = array<i64: 8, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %M = sluice.dim %X, 0 : <?x?xf32, align 16>
  %N = sluice.dim %X, 1 : <?x?xf32, align 16>
  %blocks = arith.ceildivsi %M, %c64 : index
  %steps = arith.ceildivsi %N, %c256 : index
  %ctas = arith.muli %groups, %c8 : index
  %i = sluice.grid %ctas : index
  %rank = sluice.cluster.rank
  %first = arith.subi %i, %rank : index
  %group = arith.divsi %first, %c8 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x32xf32, reg, acc>
  %sum = sluice.alloc "sum" : !sluice.buffer<64x1xf32, reg, rowVector>
  %part = sluice.alloc "part" : !sluice.buffer<64x1xf32, reg, rowVector>
  %parts = sluice.alloc "parts" : !sluice.buffer<64x8xf32, reg, acc>
  %inbox = sluice.alloc "inbox" : !sluice.buffer<64x8xf32, smem, row, slots 2>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<2>
  sluice.mbarrier.init %full count 1 by one : <2>
  sluice.fence mbarrier_init by one
  sluice.cluster.arrive
  sluice.cluster.wait
  %begin = sluice.cursor : !sluice.cursor<2>

  scf.for %b = %group to %blocks step %groups iter_args(%at = %begin) -> (!sluice.cursor<2>) {
    %row = arith.muli %b, %c64 : index
    sluice.fill %part with 0.0 : <64x1xf32, reg, rowVector>
    scf.for %t = %c0 to %steps step %c1 {
      %chunk = arith.muli %t, %c8 : index
      %own = arith.addi %chunk, %rank : index
      %col = arith.muli %own, %c32 : index
      sluice.load %X[%row, %col] to %x : <?x?xf32, align 16>, <64x32xf32, reg, acc>
      sluice.reduce ins(%x : !sluice.buffer<64x32xf32, reg, acc>)
          outs(%sum : !sluice.buffer<64x1xf32, reg, rowVector>) axis 1 from [0.0] {
      ^bb0(%s: f32, %e: f32):
        %r = arith.addf %s, %e : f32
        sluice.yield %r : f32
      }
      sluice.map ins(%part, %sum : !sluice.buffer<64x1xf32, reg, rowVector>,
              !sluice.buffer<64x1xf32, reg, rowVector>)
          outs(%part : !sluice.buffer<64x1xf32, reg, rowVector>) {
      ^bb0(%p: f32, %s: f32):
        %r = arith.addf %p, %s : f32
        sluice.yield %r : f32
      }
    }
    %slot = sluice.cursor.slot %at : <2>
    %phase = sluice.cursor.phase %at : <2>
    %here = sluice.slot %inbox[%slot] : <64x8xf32, smem, row, slots 2>
    // 8 CTAs x 64 sums x 4 bytes
    sluice.mbarrier.arrive_expect_tx %full[%slot] bytes 2048 by one : <2>
    scf.for %to = %c0 to %c8 step %c1 {
      %column = sluice.subview %here[%c0, %rank] : <64x8xf32, smem, row> to <64x1xf32, smem, row>
      sluice.remote.copy %part to %column rank %to, %full[%slot]
          : <64x1xf32, reg, rowVector>, <64x1xf32, smem, row>, <2>
    }
    sluice.mbarrier.wait %full[%slot], %phase : <2>
    sluice.copy %here to %parts : <64x8xf32, smem, row>, <64x8xf32, reg, acc>
    sluice.reduce ins(%parts : !sluice.buffer<64x8xf32, reg, acc>)
        outs(%sum : !sluice.buffer<64x1xf32, reg, rowVector>) axis 1 from [0.0] {
    ^bb0(%s: f32, %e: f32):
      %r = arith.addf %s, %e : f32
      sluice.yield %r : f32
    }
    %zero = arith.cmpi eq, %rank, %c0 : index
    scf.if %zero {
      sluice.store %sum to %Y[%row, %c0] : <64x1xf32, reg, rowVector>, <?x1xf32>
    }
    %next = sluice.cursor.advance %at : <2>
    scf.yield %next : !sluice.cursor<2>
  }
  sluice.cluster.arrive
  sluice.cluster.wait
}

// A row over the warps of two CTAs: each warp sends the number of its part to both, two slots of them
// without an empty side. Who has the sixteen of a row knows that all have read those of the row before.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// CHECK-NOT: reads-in-time
// RUN: sluice barriers %s | FileCheck %s --check-prefix=TABLE
// TABLE: full_own_shared 0 1 64 CTA rank 1 remote copy of mma warps 0-7, mma warp 0, remote copy of mma warps 0-7 mma warps 0-7
// TABLE-NOT: empty_own
// RUN: sluice check %s --dump-after-each 2>%t >/dev/null
// RUN: FileCheck %s --check-prefix=PLACED --input-file %t
// PLACED: after sluice-place-hopper
// PLACED: sluice.cluster.gather %own to %own_shared : <8x1xf32, reg, blockedRowVector>, <16x1xf32, smem, row>
// PLACED-NOT: sluice.across
// RUN: sluice emit %s | FileCheck %s --check-prefix=TEXT
// TEXT: mbarrierArriveExpectTx(full_own_shared[at_own_shared.slot], 64);
// TEXT-NEXT: const int ownRows = clusterRank() * 8;
// TEXT-NEXT: storeBlockedRowVectorToPeer<Own_sharedTile,
// TEXT-NEXT: 8>(addressInCluster(own_shared[at_own_shared.slot], 0), ownRows, 0, own,
// TEXT-NEXT: addressInCluster(full_own_shared[at_own_shared.slot], 0), warp);
// TEXT: addressInCluster(full_own_shared[at_own_shared.slot], 1), warp);
// TEXT-NEXT: mbarrierWait(full_own_shared[at_own_shared.slot], at_own_shared.phase);
// TEXT-NEXT: loadBlockedColVectorShared<Own_sharedTile, 4>(own_all, own_shared[at_own_shared.slot], 0, 0);
// TEXT-NEXT: fenceProxyAsync();
// Of sixteen numbers a lane has one, and those of the others cross the warp.
// TEXT: for (int i2 = 0; i2 < 1; ++i2)
// TEXT-NEXT: folded = folded + own_all.get(i2);
// TEXT-NEXT: folded = folded + laneXor(folded, 1);
// TEXT-NEXT: folded = folded + laneXor(folded, 2);
// TEXT-NEXT: folded = folded + laneXor(folded, 4);
// TEXT-NEXT: folded = folded + laneXor(folded, 8);
// TEXT: clusterArriveRelaxed();
//
// The numbers are those of the loop without stages, and of any order of things.
// RUN: sed 's/ {sluice.stages = 3}//' %s > %t.plain.mlir
// RUN: sluice check %t.plain.mlir | FileCheck %s
// RUN: sluice run %t.plain.mlir --random 3 --set X=9x16x200 Y=9x16x200 --out Y=%t.npy
// RUN: sluice run %s --random 3 --set X=9x16x200 Y=9x16x200 --expect Y=%t.npy
// RUN: sluice run %s --random 3 --set X=9x16x200 Y=9x16x200 --expect Y=%t.npy --chaos 5
// Over four CTAs, two rows a warp.
// RUN: sed 's/x16x?/x64x?/g;s/8x256/16x256/g;s/8x1x/16x1x/g;s/constant 8/constant 16/;s/%%c2, %%c2 {cluster = array<i64: 2/%%c4, %%c2 {cluster = array<i64: 4/;s/^  %%c0 = arith.*/&\n  %%c4 = arith.constant 4 : index/' %s > %t.four.mlir
// RUN: sluice check %t.four.mlir | FileCheck %s
// RUN: sluice run %t.four.mlir --random 3 --set X=5x64x200 Y=5x64x200 --chaos 2
//
// In one slot a CTA would send its numbers where others still read; what a barrier counts are the
// bytes of all; and who still sends, sends to CTAs that live.
// RUN: %python %S/Inputs/after.py sluice-allocate < %t > %t.low.mlir
// RUN: sluice check %t.low.mlir | FileCheck %s
// RUN: sed 's/%%own_shared\[%%slot\]/%%own_shared[%%c0]/' %t.low.mlir > %t.one.mlir
// RUN: not sluice check %t.one.mlir | FileCheck %s --check-prefix=ONE
// ONE: R22 (No race): remote copy of mma warp 7 of CTA (1,0) at {{.*}} writes own_shared[0] of CTA (0,0), rank 0
// RUN: sed 's/bytes 64/bytes 60/' %t.low.mlir > %t.less.mlir
// RUN: not sluice check %t.less.mlir | FileCheck %s --check-prefix=LESS
// LESS: R21 (Defined before read): copy of mma warp 6 of CTA (1,0) at {{.*}} reads own_shared[0]
// RUN: sed '/cluster.arrive relaxed/,/cluster.wait/d' %t.low.mlir > %t.end.mlir
// RUN: not sluice check %t.end.mlir | FileCheck %s --check-prefix=END
// END: R10 (Nothing in flight at exit): remote copy of mma warp 0 of CTA (0,0) at {{.*}} may still be under way when CTA (0,0) exits
// Without the fence a number that comes late may be overtaken.
// RUN: sluice check %t.plain.mlir --strict | FileCheck %s
// RUN: sluice check %t.plain.mlir --dump-after-each 2>%t.plain >/dev/null
// RUN: %python %S/Inputs/after.py sluice-allocate < %t.plain | sed '/fence proxy_async$/d' > %t.fence.mlir
// RUN: not sluice check %t.fence.mlir --strict | FileCheck %s --check-prefix=FENCE
// FENCE: R39
//
// CTAs that come to it more often than others wait for ever.
// RUN: sed 's/^  %%n = arith.ceildivsi %%m, %%c2 : index/  %%all = arith.ceildivsi %%m, %%c2 : index/;s/^  %%first = .*/  %%n = arith.addi %%all, %%i : index\n&/' %s > %t.uneven.mlir
// RUN: not sluice check %t.uneven.mlir | FileCheck %s --check-prefix=UNEVEN
// UNEVEN: R9 (Progress): deadlock: mma warp 0 of CTA (1,0) waits at {{.*}} for full_own_shared[1] parity 0 (phase 0, arrivals 1 of 1, bytes 32 of 64)
//
// st.async sends words.
// RUN: sed 's/f32/f16/g' %s > %t.half.mlir
// RUN: not sluice check %t.half.mlir 2>&1 | FileCheck %s --check-prefix=HALF
// HALF: unsupported: a fold across CTAs (sluice.across) of 'f16', of which st.async sends no single number; fold f32
// Tiles of products lie in fragments, where nothing crosses the warps.
// RUN: sed 's/8x256/8x200/g;s/8x1x/8x1x/g' %s > %t.part.mlir
// RUN: not sluice check %t.part.mlir 2>&1 | FileCheck %s --check-prefix=PART
// PART: unsupported: a fold across CTAs (sluice.across) is of a vector of one number a row, where tiles lie by whole rows: 4 or more of them
sluice.kernel @less_sum(%X: !sluice.tensor<?x16x?xf32, rows 1, align 16> {sluice.name = "X"},
    %Y: !sluice.tensor<?x16x?xf32, rows 1, align 16> {sluice.name = "Y", sluice.out}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %m = sluice.dim %X, 0 : <?x16x?xf32, rows 1, align 16>
  %n = arith.ceildivsi %m, %c2 : index
  %i, %j = sluice.grid %c2, %c2 {cluster = array<i64: 2, 1>} : index, index
  %first = arith.muli %j, %n : index
  %part = arith.muli %i, %c8 : index
  scf.for %t = %c0 to %n step %c1 {
    %row = arith.addi %first, %t : index
    %x = sluice.alloc "x" : !sluice.buffer<8x256xf32>
    sluice.load %X[%row, %part, %c0] to %x : <?x16x?xf32, rows 1, align 16>, <8x256xf32>
    %own = sluice.alloc "own" : !sluice.buffer<8x1xf32>
    sluice.reduce ins(%x : !sluice.buffer<8x256xf32>) outs(%own : !sluice.buffer<8x1xf32>)
        axis 1 from [0.0] {
    ^bb0(%s: f32, %v: f32):
      %r = arith.addf %s, %v : f32
      sluice.yield %r : f32
    }
    %whole = sluice.alloc "whole" : !sluice.buffer<1x1xf32>
    sluice.reduce ins(%own : !sluice.buffer<8x1xf32>) outs(%whole : !sluice.buffer<1x1xf32>)
        axis 0 from [0.0] attributes {sluice.across = 0} {
    ^bb0(%s: f32, %v: f32):
      %r = arith.addf %s, %v : f32
      sluice.yield %r : f32
    }
    %y = sluice.alloc "y" : !sluice.buffer<8x256xf32>
    sluice.map ins(%x, %whole : !sluice.buffer<8x256xf32>, !sluice.buffer<1x1xf32>)
        outs(%y : !sluice.buffer<8x256xf32>) {
    ^bb0(%v: f32, %s: f32):
      %r = arith.subf %v, %s : f32
      sluice.yield %r : f32
    }
    sluice.store %y to %Y[%row, %part, %c0] : <8x256xf32>, <?x16x?xf32, rows 1, align 16>
  } {sluice.stages = 3}
}

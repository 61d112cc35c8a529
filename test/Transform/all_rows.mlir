// Sum and largest number of a row over the warps of two CTAs, in one exchange: each warp sends both
// numbers of its part to both CTAs, where one barrier counts the bytes of all.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// CHECK-NOT: reads-in-time
// RUN: sluice barriers %s | FileCheck %s --check-prefix=TABLE
// TABLE: full_own_most_shared 0 1 128 CTA rank 1 remote copy of mma warps 0-7, mma warp 0, remote copy of mma warps 0-7 mma warps 0-7
// TABLE-NOT: empty_own
// RUN: sluice check %s --dump-after-each 2>%t >/dev/null
// RUN: FileCheck %s --check-prefix=PLACED --input-file %t
// PLACED: after sluice-place-hopper
// PLACED: %own_most_shared = sluice.alloc "own_most_shared" : !sluice.buffer<32x1xf32, smem, row>
// PLACED: [[OWN:%own_most_shared.box]] = sluice.subview %own_most_shared[%c0{{[_0-9]*}}, %c0{{[_0-9]*}}] : {{.*}} to <16x1xf32, smem, row>
// PLACED: sluice.cluster.gather %own to [[OWN]] : <8x1xf32, reg, blockedRowVector>, <16x1xf32, smem, row>
// PLACED: sluice.cluster.gather %most to {{%.*}} : <8x1xf32, reg, blockedRowVector>, <16x1xf32, smem, row>
// PLACED: sluice.copy {{%.*}} to %owns : <1x16xf32, smem, row, minor 0>, <1x16xf32, reg, blockedColVector>
// PLACED-NOT: sluice.across
// RUN: sluice emit %s | FileCheck %s --check-prefix=TEXT
// TEXT: mbarrierArriveExpectTx(full_own_most_shared[at_own_most_shared.slot], 128);
// TEXT: storeBlockedRowVectorToPeer<Own_most_sharedTile,
// TEXT: mbarrierWait(full_own_most_shared[at_own_most_shared.slot], at_own_most_shared.phase);
// TEXT-NOT: mbarrierWait(full_own_most_shared
// TEXT: loadBlockedColVectorShared<Own_most_sharedTile, 4>(owns,
// TEXT-NEXT: own_most_shared[at_own_most_shared.slot], 0, 0);
// TEXT-NEXT: loadBlockedColVectorShared<Own_most_sharedTile, 4>(mosts,
// TEXT-NEXT: own_most_shared[at_own_most_shared.slot], 16, 0);
// Lanes have one of sixteen each; what the others have crosses the warp.
// TEXT: for (int i2 = 0; i2 < 1; ++i2)
// TEXT-NEXT: scaled.set(i2, __fmul_rn(owns.get(i2) + mosts.get(i2),
// TEXT-NEXT: float((BlockedColVector<float, 16>::column(i2)) + 1)));
// TEXT: folded = folded + laneXor(folded, 8);
//
// The numbers are those of the loop without stages, and of any order of things.
// RUN: sed 's/ {sluice.stages = 3}//' %s > %t.plain.mlir
// RUN: sluice check %t.plain.mlir | FileCheck %s
// RUN: sluice run %t.plain.mlir --random 3 --set X=9x16x200 Y=9x16x200 --out Y=%t.npy
// RUN: sluice run %s --random 3 --set X=9x16x200 Y=9x16x200 --expect Y=%t.npy --chaos 5
//
// In one slot a CTA would send its numbers where others still read; what a barrier counts are the
// bytes of both vectors.
// RUN: %python %S/Inputs/after.py sluice-allocate < %t > %t.low.mlir
// RUN: sluice check %t.low.mlir | FileCheck %s
// RUN: sed 's/%%own_most_shared\[%%slot\]/%%own_most_shared[%%c0]/' %t.low.mlir > %t.one.mlir
// RUN: not sluice check %t.one.mlir | FileCheck %s --check-prefix=ONE
// ONE: R22 (No race): remote copy of mma warp 7 of CTA (1,0) at {{.*}} writes own_most_shared[0] of CTA (0,0), rank 0
// RUN: sed 's/bytes 128/bytes 64/' %t.low.mlir > %t.less.mlir
// RUN: not sluice check %t.less.mlir | FileCheck %s --check-prefix=LESS
// LESS: R21 (Defined before read)
//
// Eight numbers within one CTA, all of which every lane has.
// RUN: sed 's/ {sluice.across = 0}//;s/ {cluster = array<i64: 2, 1>}//;s/1x16x/1x8x/g' %s > %t.cta.mlir
// RUN: sluice check %t.cta.mlir | FileCheck %s
// RUN: sluice emit %t.cta.mlir | FileCheck %s --check-prefix=CTA
// CTA: storeBlockedRowVectorShared<Own_most_sharedTile, 8>(own_most_shared[at_own_most_shared.slot],
// CTA: storeBlockedRowVectorShared<Own_most_sharedTile, 8>(own_most_shared[at_own_most_shared.slot],
// CTA-NEXT: 8, 0, most, warp);
// CTA: loadBlockedColVectorShared<Own_most_sharedTile, 16>(owns,
// CTA: float((BlockedColVector<float, 8>::column(i2)) + 1)
// RUN: sed 's/ {sluice.stages = 3}//' %t.cta.mlir > %t.alone.mlir
// RUN: sluice run %t.alone.mlir --random 3 --set X=9x16x200 Y=9x16x200 --out Y=%t.npy
// RUN: sluice run %t.cta.mlir --random 3 --set X=9x16x200 Y=9x16x200 --expect Y=%t.npy --chaos 2
//
// What has no form.
// RUN: sed 's/f32/f16/g' %s > %t.half.mlir
// RUN: not sluice check %t.half.mlir 2>&1 | FileCheck %s --check-prefix=HALF
// HALF: unsupported: all numbers of a vector across CTAs (sluice.across), of 'f16', of which st.async sends no single number; make them f32
// RUN: sed 's/8x256/8x200/g' %s > %t.part.mlir
// RUN: not sluice check %t.part.mlir 2>&1 | FileCheck %s --check-prefix=PART
// PART: unsupported: all numbers of a vector for every row (a copy of it turned) are taken where tiles lie by whole rows: 4 or more of them
sluice.kernel @less(%X: !sluice.tensor<?x16x?xf32, rows 1, align 16> {sluice.name = "X"},
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
    %most = sluice.alloc "most" : !sluice.buffer<8x1xf32>
    sluice.reduce ins(%x : !sluice.buffer<8x256xf32>) outs(%most : !sluice.buffer<8x1xf32>)
        axis 1 from [-inf] {
    ^bb0(%s: f32, %v: f32):
      %r = arith.maxnumf %s, %v : f32
      sluice.yield %r : f32
    }
    %owns = sluice.alloc "owns" : !sluice.buffer<1x16xf32>
    %mosts = sluice.alloc "mosts" : !sluice.buffer<1x16xf32>
    %a = sluice.transpose %own : <8x1xf32>
    sluice.copy %a to %owns {sluice.across = 0} : <1x8xf32, minor 0>, <1x16xf32>
    %b = sluice.transpose %most : <8x1xf32>
    sluice.copy %b to %mosts {sluice.across = 0} : <1x8xf32, minor 0>, <1x16xf32>
    %scaled = sluice.alloc "scaled" : !sluice.buffer<1x16xf32>
    sluice.map ins(%owns, %mosts : !sluice.buffer<1x16xf32>, !sluice.buffer<1x16xf32>)
        outs(%scaled : !sluice.buffer<1x16xf32>) coordinates {
    ^bb0(%s: f32, %v: f32, %r: index, %c: index):
      %one = arith.addi %c, %c1 : index
      %number = arith.index_cast %one : index to i32
      %weight = arith.sitofp %number : i32 to f32
      %both = arith.addf %s, %v : f32
      %w = arith.mulf %both, %weight : f32
      sluice.yield %w : f32
    }
    %whole = sluice.alloc "whole" : !sluice.buffer<1x1xf32>
    sluice.reduce ins(%scaled : !sluice.buffer<1x16xf32>) outs(%whole : !sluice.buffer<1x1xf32>)
        axis 1 from [0.0] {
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

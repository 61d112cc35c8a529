// Without a product tiles wait in registers by whole rows: a warp has 8 rows here, a lane 8 columns
// of every 256, and results go out 16 bytes at a time.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: sluice check %s --dump-after-each 2>&1 | FileCheck %s --check-prefix=PLACED
// PLACED: after sluice-stage-stores
// PLACED: "w" : !sluice.buffer<1x512xbf16, reg, blockedColVector>
// PLACED: "x" : !sluice.buffer<32x512xbf16, smem, panels>
// PLACED: "sum" : !sluice.buffer<32x1xf32, reg, blockedRowVector>
// PLACED: "y" : !sluice.buffer<32x512xbf16, reg, blocked>
// RUN: sluice emit %s | FileCheck %s --check-prefix=TEXT
// TEXT: BlockedColVector<bf16, 512> w;
// TEXT: loadBlockedShared<XTile, 8>(x_held, x[
// TEXT: laneXor(folded[{{.*}}], 16)
// TEXT: storeBlocked<8, 16>(Window<bf16>{YGlobal, {{.*}}, y, warp);
//
// The numbers are those of the loop without stages.
// RUN: sed 's/ {sluice.stages = 3}//' %s > %t.plain.mlir
// RUN: sluice run %t.plain.mlir --random 3 --set X=200x328 W=1x328 Y=200x328 --out Y=%t.npy
// RUN: sluice run %s --random 3 --set X=200x328 W=1x328 Y=200x328 --expect Y=%t.npy
//
// With staging it takes the place of a tile that has been read, from where a role of its own stores
// it: one buffer, full for those who compute, then for those who store, then empty.
// RUN: sed 's/store %y.*\] :/store %y to %Y[%row, %c0] {sluice.staging = 1} :/' %s > %t.in.mlir
// RUN: sluice check %t.in.mlir | FileCheck %s
// RUN: sluice run %t.in.mlir --random 3 --set X=200x328 W=1x328 Y=200x328 --expect Y=%t.npy
// RUN: sluice run %t.in.mlir --random 3 --set X=16x328 W=1x328 Y=16x328
// RUN: sluice barriers %t.in.mlir | FileCheck %s --check-prefix=HANDS
// HANDS: full_x_result 2 8 0 mma warps 0-7 store warp 9
// HANDS: full_x_loaded 2 1 32768 TMA of load warp 8, load warp 8 mma warps 0-7
// HANDS: empty_x 2 1 0 store warp 9 load warp 8
// RUN: sluice emit %t.in.mlir | FileCheck %s --check-prefix=REPLACED
// REPLACED: storeBlockedShared<XTile, 8>(x[at_x.slot], 0, 0, y, warp);
// REPLACED-NEXT: fenceProxyAsync();
// REPLACED: mbarrierWait(empty_x[at_x.slot], at_x.phase ^ 1);
// REPLACED: mbarrierWait(full_x_result[at_x.slot], at_x.phase);
// REPLACED: tmaStore<2, 256, 16384>(YMap, x[at_x.slot], 0, row);
// REPLACED-NEXT: bulkCommit();
// REPLACED-NEXT: bulkWaitRead<0>();
// REPLACED-NEXT: mbarrierArrive(empty_x[at_x.slot]);
sluice.kernel @rms_norm(%X: !sluice.tensor<?x?xbf16, align 16> {sluice.name = "X"},
                        %W: !sluice.tensor<1x?xbf16, align 16> {sluice.name = "W"},
                        %Y: !sluice.tensor<?x?xbf16, align 16> {sluice.name = "Y", sluice.out}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %m = sluice.dim %X, 0 : <?x?xbf16, align 16>
  %n = arith.ceildivsi %m, %c32 : index
  %i = sluice.grid %c1 : index
  %w = sluice.alloc "w" : !sluice.buffer<1x512xbf16>
  sluice.load %W[%c0, %c0] to %w : <1x?xbf16, align 16>, <1x512xbf16>
  scf.for %t = %c0 to %n step %c1 {
    %row = arith.muli %t, %c32 : index
    %x = sluice.alloc "x" : !sluice.buffer<32x512xbf16>
    sluice.load %X[%row, %c0] to %x : <?x?xbf16, align 16>, <32x512xbf16>
    %sum = sluice.alloc "sum" : !sluice.buffer<32x1xf32>
    sluice.reduce ins(%x : !sluice.buffer<32x512xbf16>)
        outs(%sum : !sluice.buffer<32x1xf32>) axis 1 from [0.0] {
    ^bb0(%s: f32, %v: bf16):
      %f = arith.extf %v : bf16 to f32
      %q = arith.mulf %f, %f : f32
      %r = arith.addf %s, %q : f32
      sluice.yield %r : f32
    }
    %y = sluice.alloc "y" : !sluice.buffer<32x512xbf16>
    sluice.map ins(%x, %sum, %w : !sluice.buffer<32x512xbf16>, !sluice.buffer<32x1xf32>,
                   !sluice.buffer<1x512xbf16>) outs(%y : !sluice.buffer<32x512xbf16>) {
    ^bb0(%v: bf16, %s: f32, %g: bf16):
      %f = arith.extf %v : bf16 to f32
      %h = arith.extf %g : bf16 to f32
      %z = arith.constant 1.0 : f32
      %s1 = arith.addf %s, %z : f32
      %q = math.rsqrt %s1 : f32
      %p = arith.mulf %f, %q : f32
      %o = arith.mulf %p, %h : f32
      %r = arith.truncf %o : f32 to bf16
      sluice.yield %r : bf16
    }
    sluice.store %y to %Y[%row, %c0] : <32x512xbf16>, <?x?xbf16, align 16>
  } {sluice.stages = 3}
}

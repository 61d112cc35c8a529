// A row over eight warps: each folds its part, and the eight numbers go through shared memory, two
// slots of them without an empty side: who has seen all eight knows that all have read the eight
// before.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: sluice barriers %s | FileCheck %s --check-prefix=TABLE
// TABLE: full_part_shared 1 8 0 mma warps 0-7 mma warps 0-7
// TABLE-NOT: empty_part
// RUN: sluice emit %s | FileCheck %s --check-prefix=TEXT
// TEXT: storeBlockedRowVectorShared<PartSharedTile, 8>(part_shared[at_part_shared.slot], 0, 0, part, warp);
// TEXT: loadBlockedColVectorShared<PartSharedTile>(part_all, part_shared[at_part_shared.slot], 0, 0);
// TEXT: folded = folded + part_all.get(
// TEXT: x_held1.get(i1) - whole.get(0)
// RUN: sluice run %s --random 3 --set X=9x8x200 Y=9x8x200 --out Y=%t.npy
sluice.kernel @less_sum(%X: !sluice.tensor<?x8x?xf32, rows 1, align 16> {sluice.name = "X"},
    %Y: !sluice.tensor<?x8x?xf32, rows 1, align 16> {sluice.name = "Y", sluice.out}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = sluice.dim %X, 0 : <?x8x?xf32, rows 1, align 16>
  %n = arith.ceildivsi %m, %c2 : index
  %i = sluice.grid %c2 : index
  %first = arith.muli %i, %n : index
  scf.for %t = %c0 to %n step %c1 {
    %row = arith.addi %first, %t : index
    %x = sluice.alloc "x" : !sluice.buffer<8x256xf32>
    sluice.load %X[%row, %c0, %c0] to %x : <?x8x?xf32, rows 1, align 16>, <8x256xf32>
    %part = sluice.alloc "part" : !sluice.buffer<8x1xf32>
    sluice.reduce ins(%x : !sluice.buffer<8x256xf32>) outs(%part : !sluice.buffer<8x1xf32>)
        axis 1 from [0.0] {
    ^bb0(%s: f32, %v: f32):
      %r = arith.addf %s, %v : f32
      sluice.yield %r : f32
    }
    %whole = sluice.alloc "whole" : !sluice.buffer<1x1xf32>
    sluice.reduce ins(%part : !sluice.buffer<8x1xf32>) outs(%whole : !sluice.buffer<1x1xf32>)
        axis 0 from [0.0] {
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
    sluice.store %y to %Y[%row, %c0, %c0] : <8x256xf32>, <?x8x?xf32, rows 1, align 16>
  } {sluice.stages = 3}
}

// A row over eight warps: each folds its part, and the eight numbers go through shared memory, two
// slots of them without an empty side: who has seen all eight knows that all have read the eight
// before.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: sluice barriers %s | FileCheck %s --check-prefix=TABLE
// TABLE: full_part_shared 1 8 0 mma warps 0-7 mma warps 0-7
// TABLE-NOT: empty_part
// RUN: sluice emit %s | FileCheck %s --check-prefix=TEXT
// TEXT: storeBlockedRowVectorShared<{{.*}}, 8>(part_shared[at_part_shared.slot], 0, 0, part,
// TEXT: mbarrierArrive(full_part_shared[at_part_shared.slot]);
// TEXT-NEXT: mbarrierWait(full_part_shared[at_part_shared.slot], at_part_shared.phase);
// TEXT-NEXT: loadBlockedColVectorShared<{{.*}}, 16>(part_all, part_shared[at_part_shared.slot],
// TEXT-NEXT: 0, 0);
// TEXT: folded = folded + part_all.get(
// TEXT: x_held1.get({{.*}}) - whole.get(0)
//
// The numbers are those of the loop without stages.
// RUN: sed 's/ {sluice.stages = 3}//' %s > %t.plain.mlir
// RUN: sluice run %t.plain.mlir --random 3 --set X=9x8x200 Y=9x8x200 --out Y=%t.npy
// RUN: sluice run %s --random 3 --set X=9x8x200 Y=9x8x200 --expect Y=%t.npy
// Two rows a warp.
// RUN: sed 's/x8x?/x16x?/g;s/8x256/16x256/g;s/8x1x/16x1x/g' %s > %t.two.mlir
// RUN: sluice check %t.two.mlir | FileCheck %s
// RUN: sluice run %t.two.mlir --random 3 --set X=5x16x200 Y=5x16x200
//
// In one slot a warp would write its number while others read; and before all eight have arrived
// there are not eight to read.
// RUN: sluice check %s --dump-after-each 2>%t >/dev/null
// RUN: %python %S/Inputs/after.py sluice-allocate < %t > %t.low.mlir
// RUN: sluice check %t.low.mlir | FileCheck %s
// RUN: sed 's/%%part_shared\[%%slot\]/%%part_shared[%%c0]/' %t.low.mlir > %t.one.mlir
// RUN: not sluice check %t.one.mlir | FileCheck %s --check-prefix=ONE
// ONE: R22 (No race): copy of mma warp 7 of CTA (0) at {{.*}} writes part_shared[0] {{.*}} while copy of mma warp 0 of CTA (0) at {{.*}} may still read it
// RUN: sed 's/%%full_part_shared count 8/%%full_part_shared count 7/' %t.low.mlir > %t.seven.mlir
// RUN: not sluice check %t.seven.mlir | FileCheck %s --check-prefix=SEVEN
// SEVEN: R21 (Defined before read): copy of mma warp 6 of CTA (0) at {{.*}} reads part_shared[0]
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

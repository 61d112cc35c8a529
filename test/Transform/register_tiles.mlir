// Tiles that wait in registers: what has no place there is said where it is declared or used.
// RUN: sluice check %s | FileCheck %s --check-prefix=GOOD
// GOOD: proven: every launch
// RUN: sed 's/<64x/<1x/g' %s > %t.row.mlir
// RUN: not sluice check %t.row.mlir 2>&1 | FileCheck %s --check-prefix=ROW
// RUN: sh -c 'sluice run %t.row.mlir --device sim 2>/dev/null; echo $?' | FileCheck %s --check-prefix=THREE
// ROW: error: {{.*}}row.mlir:[[#]]:3: unsupported: every warp has the only row of tile 'y', and all would store it; make it part of a larger tile
// THREE: 3
// RUN: sed 's/<64x/<4x/g' %s > %t.few.mlir
// RUN: not sluice check %t.few.mlir 2>&1 | FileCheck %s --check-prefix=FEW
// FEW: error: {{.*}}few.mlir:[[#]]:8: unsupported: tile 'x' has 4 rows and waits in registers, where a warpgroup holds 64; take a multiple of 64
// RUN: sed 's/x64xf32/x10xf32/g' %s > %t.narrow.mlir
// RUN: not sluice check %t.narrow.mlir 2>&1 | FileCheck %s --check-prefix=NARROW
// NARROW: error: {{.*}}narrow.mlir:[[#]]:8: unsupported: tile 'x' has 10 columns and waits in registers, which hold 8 at a time; take a multiple of 8
// RUN: sed 's/^  sluice.store .*/  %%p = sluice.subview %%y[%%c0, %%c0] : <64x64xf32> to <32x64xf32>\n  sluice.store %%p to %%Y[%%row, %%c0] : <32x64xf32>, <?x?xf32, align 16>/' %s > %t.part.mlir
// RUN: not sluice check %t.part.mlir 2>&1 | FileCheck %s --check-prefix=PART
// PART: error: {{.*}}: unsupported: a part of tile 'y', which waits in registers, has all its rows and a multiple of 8 columns from a constant multiple of 8 on
// RUN: sed 's/^  sluice.map.*/  sluice.reduce ins(%%x : !sluice.buffer<64x64xf32>) outs(%%y : !sluice.buffer<1x64xf32>) axis 0 from [0.0] {/; s/bb0(/&%%s: f32, /; s/%%y = sluice.alloc.*/%%y = sluice.alloc "y" : !sluice.buffer<1x64xf32>/; s/%%v, %%one/%%s, %%v/; s/store %%y.*/store %%y to %%Y[%%i, %%c0] : <1x64xf32>, <?x?xf32, align 16>/' %s > %t.fold.mlir
// RUN: not sluice check %t.fold.mlir 2>&1 | FileCheck %s --check-prefix=FOLD
// FOLD: error: {{.*}}fold.mlir:[[#]]:3: unsupported: a fold of rows (axis 0) crosses the warps that hold them in registers; fold columns (axis 1), or write this part at the barrier level
// RUN: sed '/sluice.alloc/,/sluice.store/d' %s > %t.empty.mlir
// RUN: sed 's/, sluice.out}/}/' %t.empty.mlir > %t.nothing.mlir
// RUN: not sluice check %t.nothing.mlir 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: error: {{.*}}: unsupported: kernel 'rows' touches no tile; there is nothing to launch

// A constant of the kernel stands for itself in a body.
// RUN: sluice run %s --device sim --set X=64x64 Y=64x64 --random 1 --out Y=%t.npy
// RUN: sed 's/^    %%w/    %%own = arith.constant 1.0 : f32\n&/; s/%%v, %%one/%%v, %%own/' %s > %t.own.mlir
// RUN: sluice run %t.own.mlir --device sim --set X=64x64 Y=64x64 --random 1 --expect Y=%t.npy | FileCheck %s --check-prefix=SAME
// SAME: error      0 of the largest value
sluice.kernel @rows(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
    %Y: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Y", sluice.out}) attributes {target = "sm_90a"} {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %X, 0 : <?x?xf32, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf32>
  sluice.load %X[%row, %c0] to %x : <?x?xf32, align 16>, <64x64xf32>
  %y = sluice.alloc "y" : !sluice.buffer<64x64xf32>
  sluice.map ins(%x : !sluice.buffer<64x64xf32>) outs(%y : !sluice.buffer<64x64xf32>) {
  ^bb0(%v: f32):
    %w = arith.addf %v, %one : f32
    sluice.yield %w : f32
  }
  sluice.store %y to %Y[%row, %c0] : <64x64xf32>, <?x?xf32, align 16>
}

// A row that comes in pieces: each lane adds up its own columns, and nobody exchanges anything
// until the row ends.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: sluice emit %s | FileCheck %s --check-prefix=TEXT
// TEXT: Blocked<float, 1, 32> more;
// TEXT: sumOfLanes(more, x_held);
// TEXT: sums.set([[I:i[0-9]*]], sums.get([[I]]) + more.get([[I]]));
// TEXT-NOT: laneXor
// TEXT: sumOfRows(y, sums);
// RUN: sluice run %s --random 3 --set X=19x8000 Y=19x1 --out Y=%t.npy --chaos 5
// RUN: %if nvcc %{ sluice run %s --random 3 --device host --set X=19x8000 Y=19x1 | FileCheck %s --check-prefix=SAME %}
// SAME: {{all 19 are the virtual machine's, bit by bit|of 19 differ from the virtual machine's by rounding}}
// RUN: sluice check %s --dump-after-each 2>&1 >/dev/null | FileCheck %s --check-prefix=PLACED
// PLACED: outs(%more : !sluice.buffer<8x32xf32, reg, blocked>) axis 1 together 8 from [0.000000e+00]
//
// The numbers are those of one fold for each piece, and of eight numbers a lane.
// RUN: sed 's/8x32x/8x1x/g;s/together 8 //' %s > %t.each.mlir
// RUN: sluice run %t.each.mlir --random 3 --set X=19x8000 Y=19x1 --expect Y=%t.npy
// RUN: sed 's/8x32x/8x256x/g;s/together 8 //' %s > %t.eight.mlir
// RUN: sluice run %t.eight.mlir --random 3 --set X=19x8000 Y=19x1 --expect Y=%t.npy --chaos 5
// RUN: sluice emit %t.eight.mlir | FileCheck %s --check-prefix=EIGHT
// EIGHT: fill(more, 0.0f);
// EIGHT-NEXT: #pragma unroll
// EIGHT-NEXT: for (int [[I:i[0-9]*]] = 0; [[I]] < 64; ++[[I]])
// EIGHT-NEXT: more.set([[I]] % 8, more.get([[I]] % 8) + x_held.get([[I]]));
//
// Squares of them.
// RUN: sed '/addf %%s, %%v/s/.*/%%p = arith.mulf %%v, %%v : f32 %%o = arith.addf %%s, %%p : f32/' %s > %t.squares.mlir
// RUN: sluice emit %t.squares.mlir | FileCheck %s --check-prefix=SQUARES
// SQUARES: folded[[[I:i[0-9]*]] % 4 * 2 + x_held.rowIndex([[I]])] = folded
// SQUARES-NOT: laneXor
// SQUARES: more.set([[J:i[0-9]*]], folded[[[J]]]);
// RUN: %if nvcc %{ sluice run %t.squares.mlir --random 3 --device host --set X=19x8000 Y=19x1 | FileCheck %s --check-prefix=SAME %}
//
// Two rows a warp.
// RUN: sed 's/8x2048x/16x1024x/g;s/8x32x/16x32x/g;s/8x1x/16x1x/g;s/%%c8/%%c16/g;s/constant 8 /constant 16 /;s/2048/1024/g' %s > %t.two.mlir
// RUN: sluice check %t.two.mlir | FileCheck %s
// RUN: sluice run %t.two.mlir --random 3 --set X=19x8000 Y=19x1 --expect Y=%t.npy
// RUN: sed 's/16x32x/16x256x/g;s/together 8 //' %t.two.mlir > %t.sixteen.mlir
// RUN: sluice run %t.sixteen.mlir --random 3 --set X=19x8000 Y=19x1 --expect Y=%t.npy
// RUN: sluice emit %t.sixteen.mlir | FileCheck %s --check-prefix=SIXTEEN
// SIXTEEN: more.set([[I:i[0-9]*]] / 32 * 8 + [[I]] % 8,
//
// Which columns of a tile are a lane's; what divides no columns; partial results that are rounded.
// RUN: sed 's/together 8/together 4/' %s > %t.four.mlir
// RUN: not sluice check %t.four.mlir 2>&1 | FileCheck %s --check-prefix=FOUR
// FOUR: unsupported: a fold into 32 columns, 4 together, of tiles by whole rows, whose lanes have the same of every 256; take a multiple of that, or 32 columns, 8 together, one for each lane
// RUN: sed 's/8x32x/8x768x/g;s/together 8 //' %s > %t.some.mlir
// RUN: not sluice check %t.some.mlir 2>&1 | FileCheck %s --check-prefix=SOME
// SOME: 'sluice.reduce' op output of shape 8x768; expected 8x1
// RUN: sed 's/together 8/together 0/' %s > %t.none.mlir
// RUN: not sluice check %t.none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: 'sluice.reduce' op together is a number of columns, 1 or more, of a fold of rows (axis 1)
// RUN: sed '/^ .*alloc "more"/s/f32/f16/;/^ .*outs(%%more/{s/8x32xf32/8x32xf16/;n;s/%%s: f32/%%s: f16/;n;s/.*/%%w = arith.extf %%s : f16 to f32 %%u = arith.addf %%w, %%v : f32 %%o = arith.truncf %%u : f32 to f16/;n;s/f32/f16/};/^ .*map ins(%%sums/s/, !sluice.buffer<8x32xf32>)/, !sluice.buffer<8x32xf16>)/;/^ .*%%b: f32/{s/%%b: f32/%%b: f16/;n;s/.*/%%w = arith.extf %%b : f16 to f32 %%o = arith.addf %%a, %%w : f32/}' %s > %t.round.mlir
// RUN: not sluice check %t.round.mlir 2>&1 | FileCheck %s --check-prefix=ROUND
// ROUND: unsupported: a fold into columns of 'f16', which rounds every partial result; take f32
sluice.kernel @sum(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
                   %Y: !sluice.tensor<?x1xf32> {sluice.name = "Y", sluice.out}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c2048 = arith.constant 2048 : index
  %m = sluice.dim %X, 0 : <?x?xf32, align 16>
  %columns = sluice.dim %X, 1 : <?x?xf32, align 16>
  %blocks = arith.ceildivsi %m, %c8 : index
  %across = arith.ceildivsi %columns, %c2048 : index
  %i = sluice.grid %blocks : index
  %row = arith.muli %i, %c8 : index
  %sums = sluice.alloc "sums" : !sluice.buffer<8x32xf32>
  sluice.fill %sums with 0.0 : <8x32xf32>
  scf.for %t = %c0 to %across step %c1 {
    %column = arith.muli %t, %c2048 : index
    %x = sluice.alloc "x" : !sluice.buffer<8x2048xf32>
    sluice.load %X[%row, %column] to %x : <?x?xf32, align 16>, <8x2048xf32>
    %more = sluice.alloc "more" : !sluice.buffer<8x32xf32>
    sluice.reduce ins(%x : !sluice.buffer<8x2048xf32>) outs(%more : !sluice.buffer<8x32xf32>) axis 1 together 8 from [0.0] {
    ^bb0(%s: f32, %v: f32):
      %o = arith.addf %s, %v : f32
      sluice.yield %o : f32
    }
    sluice.map ins(%sums, %more : !sluice.buffer<8x32xf32>, !sluice.buffer<8x32xf32>)
        outs(%sums : !sluice.buffer<8x32xf32>) {
    ^bb0(%a: f32, %b: f32):
      %o = arith.addf %a, %b : f32
      sluice.yield %o : f32
    }
  } {sluice.stages = 3}
  %y = sluice.alloc "y" : !sluice.buffer<8x1xf32>
  sluice.reduce ins(%sums : !sluice.buffer<8x32xf32>) outs(%y : !sluice.buffer<8x1xf32>) axis 1 from [0.0] {
  ^bb0(%s: f32, %v: f32):
    %o = arith.addf %s, %v : f32
    sluice.yield %o : f32
  }
  sluice.store %y to %Y[%row, %c0] : <8x1xf32>, <?x1xf32>
}

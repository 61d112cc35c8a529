// The sum of squares, then the rows scaled: two loops over the columns, both pipelined. The role
// that stores has the second alone.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: sed 's/ {sluice.stages = 4}//' %s > %t.plain.mlir
// RUN: sluice check %t.plain.mlir | FileCheck %s
// RUN: sluice run %t.plain.mlir --random 3 --set X=200x328 Y=200x328 --out Y=%t.npy
// RUN: sluice run %s --random 3 --set X=200x328 Y=200x328 --expect Y=%t.npy
// RUN: sed 's/grid %gm/grid %gm {persistent}/' %s > %t.tiles.mlir
// RUN: sluice run %t.tiles.mlir --random 3 --set X=200x328 Y=200x328 --expect Y=%t.npy
// RUN: sed 's/grid %gm/grid %gm {sluice.load_ahead}/' %s > %t.ahead.mlir
// RUN: sluice check %t.ahead.mlir | FileCheck %s
// RUN: sluice run %t.ahead.mlir --random 3 --set X=200x328 Y=200x328 --expect Y=%t.npy
sluice.kernel @rms_norm(%X: !sluice.tensor<?x?xbf16, align 16> {sluice.name = "X"},
                        %Y: !sluice.tensor<?x?xbf16, align 16> {sluice.name = "Y", sluice.out}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cr = arith.constant 64 : index
  %cc = arith.constant 128 : index
  %m = sluice.dim %X, 0 : <?x?xbf16, align 16>
  %n = sluice.dim %X, 1 : <?x?xbf16, align 16>
  %gm = arith.ceildivsi %m, %cr : index
  %gn = arith.ceildivsi %n, %cc : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %cr : index
  %ss = sluice.alloc "ss" : !sluice.buffer<64x1xf32>
  sluice.fill %ss with 0.0 : <64x1xf32>
  scf.for %t = %c0 to %gn step %c1 {
    %col = arith.muli %t, %cc : index
    %x = sluice.alloc "x" : !sluice.buffer<64x128xbf16>
    sluice.load %X[%row, %col] to %x : <?x?xbf16, align 16>, <64x128xbf16>
    %part = sluice.alloc "part" : !sluice.buffer<64x1xf32>
    sluice.reduce ins(%x : !sluice.buffer<64x128xbf16>)
        outs(%part : !sluice.buffer<64x1xf32>) axis 1 from [0.0] {
    ^bb0(%s: f32, %v: bf16):
      %f = arith.extf %v : bf16 to f32
      %q = arith.mulf %f, %f : f32
      %r = arith.addf %s, %q : f32
      sluice.yield %r : f32
    }
    sluice.map ins(%ss, %part : !sluice.buffer<64x1xf32>, !sluice.buffer<64x1xf32>)
        outs(%ss : !sluice.buffer<64x1xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      sluice.yield %c : f32
    }
  } {sluice.stages = 4}
  scf.for %t = %c0 to %gn step %c1 {
    %col = arith.muli %t, %cc : index
    %x2 = sluice.alloc "x2" : !sluice.buffer<64x128xbf16>
    %y = sluice.alloc "y" : !sluice.buffer<64x128xbf16>
    sluice.load %X[%row, %col] to %x2 : <?x?xbf16, align 16>, <64x128xbf16>
    sluice.map ins(%x2, %ss : !sluice.buffer<64x128xbf16>, !sluice.buffer<64x1xf32>)
        outs(%y : !sluice.buffer<64x128xbf16>) {
    ^bb0(%v: bf16, %s: f32):
      %f = arith.extf %v : bf16 to f32
      %z = arith.constant 1.0 : f32
      %s1 = arith.addf %s, %z : f32
      %q = math.rsqrt %s1 : f32
      %p = arith.mulf %f, %q : f32
      %r = arith.truncf %p : f32 to bf16
      sluice.yield %r : bf16
    }
    sluice.store %y to %Y[%row, %col] : <64x128xbf16>, <?x?xbf16, align 16>
  } {sluice.stages = 4}
}

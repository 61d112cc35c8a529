// Folds go on in f32, also those of numbers that warps hand each other: whole numbers are refused.
// RUN: not sluice check %s 2>&1 | FileCheck %s
// CHECK: unsupported: no source can be printed
// CHECK: note: no source for sm_90a: {{.*}}fold_of_integers.mlir:{{[0-9]+}}:3: kernel fi: reduce folds floats; convert n_all of i32 to f32 first
sluice.kernel @fi(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"}, %Y: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Y", sluice.out}) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = sluice.grid %c1 : index
  %x = sluice.alloc "x" : !sluice.buffer<8x256xf32>
  sluice.load %X[%c0, %c0] to %x : <?x?xf32, align 16>, <8x256xf32>
  %own = sluice.alloc "own" : !sluice.buffer<8x1xf32>
  sluice.reduce ins(%x : !sluice.buffer<8x256xf32>) outs(%own : !sluice.buffer<8x1xf32>) axis 1 from [0.0] {
  ^bb0(%s: f32, %v: f32):
    %r = arith.addf %s, %v : f32
    sluice.yield %r : f32
  }
  %n = sluice.alloc "n" : !sluice.buffer<8x1xi32>
  sluice.map ins(%own : !sluice.buffer<8x1xf32>) outs(%n : !sluice.buffer<8x1xi32>) {
  ^bb0(%v: f32):
    %k = arith.constant 16777216.0 : f32
    %q = arith.mulf %v, %k : f32
    %r = arith.fptosi %q : f32 to i32
    sluice.yield %r : i32
  }
  %w = sluice.alloc "w" : !sluice.buffer<1x1xi32>
  sluice.reduce ins(%n : !sluice.buffer<8x1xi32>) outs(%w : !sluice.buffer<1x1xi32>) axis 0 from [0.0] {
  ^bb0(%s: i32, %v: i32):
    %r = arith.addi %s, %v : i32
    sluice.yield %r : i32
  }
  %y = sluice.alloc "y" : !sluice.buffer<8x256xf32>
  sluice.map ins(%x, %w : !sluice.buffer<8x256xf32>, !sluice.buffer<1x1xi32>) outs(%y : !sluice.buffer<8x256xf32>) {
  ^bb0(%v: f32, %s: i32):
    %f = arith.sitofp %s : i32 to f32
    %r = arith.subf %f, %v : f32
    sluice.yield %r : f32
  }
  sluice.store %y to %Y[%c0, %c0] : <8x256xf32>, <?x?xf32, align 16>
}

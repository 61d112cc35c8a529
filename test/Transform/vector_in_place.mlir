// Sums of rows added to numbers in their place: lanes of a vector are dealt out anew by each statement, so
// that the warp meets between.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: sluice run %s --random 1 --set X=70x64 T=70x1 --out T=%t.npy
// RUN: sluice run %s --device host --random 1 --set X=70x64 T=70x1 --expect T=%t.npy | FileCheck %s --check-prefix=HOST
// HOST: are the virtual machine's, bit by bit
sluice.kernel @v(%X: !sluice.tensor<?x64xf32, align 16> {sluice.name = "X"}, %T: !sluice.tensor<?x1xf32> {sluice.name = "T", sluice.inout})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %X, 0 : <?x64xf32, align 16>
  %g = arith.ceildivsi %M, %c64 : index
  %i = sluice.grid %g : index
  %row = arith.muli %i, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf32>
  sluice.load %X[%row, %c0] to %x : <?x64xf32, align 16>, <64x64xf32>
  %t = sluice.alloc "t" : !sluice.buffer<64x1xf32>
  sluice.load %T[%row, %c0] to %t : <?x1xf32>, <64x1xf32>
  %s = sluice.alloc "s" : !sluice.buffer<64x1xf32>
  sluice.reduce ins(%x : !sluice.buffer<64x64xf32>) outs(%s : !sluice.buffer<64x1xf32>) axis 1 from [0.0] {
  ^bb0(%a: f32, %b: f32):
    %y = arith.addf %a, %b : f32
    sluice.yield %y : f32
  }
  sluice.map ins(%s, %t : !sluice.buffer<64x1xf32>, !sluice.buffer<64x1xf32>) outs(%s : !sluice.buffer<64x1xf32>) {
  ^bb0(%a: f32, %b: f32):
    %y = arith.addf %a, %b : f32
    sluice.yield %y : f32
  }
  sluice.store %s to %T[%row, %c0] : <64x1xf32>, <?x1xf32>
}

// A tile that is loaded in front of a store to its tensor and read behind it: who stores has waited for the load.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: sluice run %s --random 1 --set A=192x64 B=64x64 Y=192x64 C=192x64 --out C=%t.npy Y=%t.y.npy
// The same, where the first sum is stored behind that.
// RUN: sed '/store %%s to/d; s/^  sluice.store %%c .*/&\n  sluice.store %%s to %%Y[%%row, %%c0] : <64x64xf32>, <?x?xf32, align 16>/' %s > %t.late.mlir
// RUN: sluice run %t.late.mlir --random 1 --set A=192x64 B=64x64 Y=192x64 C=192x64 --expect C=%t.npy Y=%t.y.npy | FileCheck %s --check-prefix=SAME
// SAME: error 0 of the largest value
// A role of its own stores, of a loop over tiles.
// RUN: sed 's/sluice.grid %%g :/sluice.grid %%g {persistent} :/' %s > %t.tiles.mlir
// RUN: sluice check %t.tiles.mlir | FileCheck %s
// RUN: sluice run %t.tiles.mlir --random 1 --set A=192x64 B=64x64 Y=192x64 C=192x64 --expect C=%t.npy Y=%t.y.npy --chaos 3000 | FileCheck %s --check-prefix=SAME
sluice.kernel @both(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"}, %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
    %Y: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Y", sluice.inout}, %C: !sluice.tensor<?x?xf32, align 16> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %m = sluice.dim %A, 0 : <?x?xf16, align 16>
  %g = arith.ceildivsi %m, %c64 : index
  %i = sluice.grid %g : index
  %row = arith.muli %i, %c64 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
  sluice.load %A[%row, %c0] to %a : <?x?xf16, align 16>, <64x64xf16>
  %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
  sluice.load %B[%c0, %c0] to %b : <?x?xf16, align 16>, <64x64xf16>
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  sluice.fill %acc with 0.0 : <64x64xf32>
  sluice.mma %acc, %a, %b : <64x64xf32>, <64x64xf16>, <64x64xf16>
  %y = sluice.alloc "y" : !sluice.buffer<64x64xf32>
  sluice.load %Y[%row, %c0] to %y : <?x?xf32, align 16>, <64x64xf32>
  %s = sluice.alloc "s" : !sluice.buffer<64x64xf32>
  sluice.map ins(%acc : !sluice.buffer<64x64xf32>) outs(%s : !sluice.buffer<64x64xf32>) {
  ^bb0(%x: f32):
    %e = arith.addf %x, %x : f32
    sluice.yield %e : f32
  }
  sluice.store %s to %Y[%row, %c0] : <64x64xf32>, <?x?xf32, align 16>
  %c = sluice.alloc "c" : !sluice.buffer<64x64xf32>
  sluice.map ins(%acc, %y : !sluice.buffer<64x64xf32>, !sluice.buffer<64x64xf32>) outs(%c : !sluice.buffer<64x64xf32>) {
  ^bb0(%x: f32, %r: f32):
    %e = arith.addf %x, %r : f32
    sluice.yield %e : f32
  }
  sluice.store %c to %C[%row, %c0] : <64x64xf32>, <?x?xf32, align 16>
}

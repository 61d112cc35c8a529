// Tiles of 8 bits that lie by whole rows are computed with, loaded and stored: numbers of e4m3, and
// integers that wrap around.
// RUN: split-file %s %t
// RUN: sluice check %t/rounded.mlir | FileCheck %s
// RUN: sluice check %t/twice.mlir | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: sluice emit %t/rounded.mlir --single-file -o %t/rounded.cu
// RUN: FileCheck %s --check-prefix=ROUNDED < %t/rounded.cu
// ROUNDED: Blocked<e4m3, 1, 256> q;
// ROUNDED: storeBlocked<8, 8>(Window<e4m3>{
// RUN: %if nvcc %{ %nvcc -cubin %t/rounded.cu -o %t/rounded.cubin %}
// RUN: sluice emit %t/twice.mlir --single-file -o %t/twice.cu
// RUN: FileCheck %s --check-prefix=TWICE < %t/twice.cu
// TWICE: lowByte(
// RUN: %if nvcc %{ %nvcc -cubin %t/twice.cu -o %t/twice.cubin %}
//
// Rounded in a tile is rounded in the function.
// RUN: sluice run %t/rounded.mlir --random 1 --set X=19x200 Q=19x200 --out Q=%t/q.npy
// RUN: sluice run %t/widened.mlir --in Q=%t/q.npy --set Y=19x200 --out Y=%t/y.npy
// RUN: sluice run %t/inside.mlir --random 1 --set X=19x200 Y=19x200 --expect Y=%t/y.npy
// RUN: %python %S/Inputs/bytes.py %t
// RUN: sluice run %t/twice.mlir --in X=%t/x.npy --set Y=19x200 --expect Y=%t/twice.npy

//--- rounded.mlir
sluice.kernel @rounded(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
    %Q: !sluice.tensor<?x?xf8E4M3FN, align 8> {sluice.name = "Q", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %m = sluice.dim %X, 0 : <?x?xf32, align 16>
  %n = arith.ceildivsi %m, %c8 : index
  %i = sluice.grid %n : index
  %row = arith.muli %i, %c8 : index
  %x = sluice.alloc "x" : !sluice.buffer<8x256xf32>
  sluice.load %X[%row, %c0] to %x : <?x?xf32, align 16>, <8x256xf32>
  %q = sluice.alloc "q" : !sluice.buffer<8x256xf8E4M3FN>
  sluice.map ins(%x : !sluice.buffer<8x256xf32>) outs(%q : !sluice.buffer<8x256xf8E4M3FN>) {
  ^bb0(%v: f32):
    %r = arith.truncf %v : f32 to f8E4M3FN
    sluice.yield %r : f8E4M3FN
  }
  sluice.store %q to %Q[%row, %c0] : <8x256xf8E4M3FN>, <?x?xf8E4M3FN, align 8>
}

//--- widened.mlir
sluice.kernel @widened(%Q: !sluice.tensor<?x?xf8E4M3FN, align 8> {sluice.name = "Q"},
    %Y: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %m = sluice.dim %Y, 0 : <?x?xf32, align 16>
  %n = arith.ceildivsi %m, %c8 : index
  %i = sluice.grid %n : index
  %row = arith.muli %i, %c8 : index
  %q = sluice.alloc "q" : !sluice.buffer<8x256xf8E4M3FN>
  sluice.load %Q[%row, %c0] to %q : <?x?xf8E4M3FN, align 8>, <8x256xf8E4M3FN>
  %y = sluice.alloc "y" : !sluice.buffer<8x256xf32>
  sluice.map ins(%q : !sluice.buffer<8x256xf8E4M3FN>) outs(%y : !sluice.buffer<8x256xf32>) {
  ^bb0(%v: f8E4M3FN):
    %r = arith.extf %v : f8E4M3FN to f32
    sluice.yield %r : f32
  }
  sluice.store %y to %Y[%row, %c0] : <8x256xf32>, <?x?xf32, align 16>
}

//--- inside.mlir
sluice.kernel @inside(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
    %Y: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %m = sluice.dim %X, 0 : <?x?xf32, align 16>
  %n = arith.ceildivsi %m, %c8 : index
  %i = sluice.grid %n : index
  %row = arith.muli %i, %c8 : index
  %x = sluice.alloc "x" : !sluice.buffer<8x256xf32>
  sluice.load %X[%row, %c0] to %x : <?x?xf32, align 16>, <8x256xf32>
  %y = sluice.alloc "y" : !sluice.buffer<8x256xf32>
  sluice.map ins(%x : !sluice.buffer<8x256xf32>) outs(%y : !sluice.buffer<8x256xf32>) {
  ^bb0(%v: f32):
    %q = arith.truncf %v : f32 to f8E4M3FN
    %r = arith.extf %q : f8E4M3FN to f32
    sluice.yield %r : f32
  }
  sluice.store %y to %Y[%row, %c0] : <8x256xf32>, <?x?xf32, align 16>
}

//--- twice.mlir
sluice.kernel @twice(%X: !sluice.tensor<?x?xi8, align 8> {sluice.name = "X"},
    %Y: !sluice.tensor<?x?xi8, align 8> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %m = sluice.dim %X, 0 : <?x?xi8, align 8>
  %n = arith.ceildivsi %m, %c8 : index
  %i = sluice.grid %c2 : index
  scf.for %t = %c0 to %n step %c2 {
    %block = arith.addi %t, %i : index
    %row = arith.muli %block, %c8 : index
    %x = sluice.alloc "x" : !sluice.buffer<8x256xi8>
    sluice.load %X[%row, %c0] to %x : <?x?xi8, align 8>, <8x256xi8>
    %y = sluice.alloc "y" : !sluice.buffer<8x256xi8>
    sluice.map ins(%x : !sluice.buffer<8x256xi8>) outs(%y : !sluice.buffer<8x256xi8>) {
    ^bb0(%v: i8):
      %r = arith.addi %v, %v : i8
      sluice.yield %r : i8
    }
    sluice.store %y to %Y[%row, %c0] : <8x256xi8>, <?x?xi8, align 8>
  } {sluice.stages = 2}
}

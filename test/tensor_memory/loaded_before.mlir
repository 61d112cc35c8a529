// A tensor is loaded where the author says so, though element functions take it part by part: here in front of a
// store to it, and so it is on sm_90a.
// RUN: sluice check %s | FileCheck %s
// CHECK: proven: every launch
// RUN: sed 's/sm_100a/sm_90a/' %s > %t.mlir
// RUN: sluice check %t.mlir | FileCheck %s
// RUN: sluice run %t.mlir --random 5 --set A=128x64 B=64x64 Y=128x64 C=128x64 --device sim --out C=%t.npy
// RUN: sluice run %s --random 5 --set A=128x64 B=64x64 Y=128x64 C=128x64 --device sim --expect C=%t.npy
// RUN: %if nvcc %{ sluice run %s --random 5 --set A=128x64 B=64x64 Y=128x64 C=128x64 --device host | FileCheck %s --check-prefix=HOST %}
// HOST: are the virtual machine's, bit by bit
// In the tile that it reads a result is refused by name; in the sum itself, which is then in registers, it is right.
// RUN: sed 's/outs(%%c :/outs(%%y :/; s/store %%c to/store %%y to/' %s > %t.place.mlir
// RUN: not sluice check %t.place.mlir 2>&1 | FileCheck %s --check-prefix=PLACE
// PLACE: :{{[0-9]+}}:3: unsupported: tile 'y' is loaded and not only multiplied, or read by maps as it is, which is not lowered for sm_100a yet
// RUN: sed 's/outs(%%s :/outs(%%acc :/; s/store %%s to/store %%acc to/; /alloc "s"/d' %s > %t.sum.mlir
// RUN: sluice check %t.sum.mlir | FileCheck %s
// RUN: sed 's/sm_100a/sm_90a/' %t.sum.mlir > %t.hopper.mlir
// RUN: sluice run %t.hopper.mlir --random 5 --set A=128x64 B=64x64 Y=128x64 C=128x64 --device sim --out C=%t.sum.npy
// RUN: sluice run %t.sum.mlir --random 5 --set A=128x64 B=64x64 Y=128x64 C=128x64 --device sim --expect C=%t.sum.npy
sluice.kernel @moved(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"}, %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
    %Y: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Y", sluice.inout}, %C: !sluice.tensor<?x?xf32, align 16> {sluice.name = "C", sluice.out})
    attributes {target = "sm_100a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %k = sluice.dim %A, 1 : <?x?xf16, align 16>
  %parts = arith.ceildivsi %k, %c64 : index
  %steps = arith.maxsi %parts, %c1 : index
  %i = sluice.grid %c1 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<128x64xf32>
  scf.for %t = %c0 to %steps step %c1 {
    %o = arith.muli %t, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<128x64xf16>
    sluice.load %A[%c0, %o] to %a : <?x?xf16, align 16>, <128x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
    sluice.load %B[%o, %c0] to %b : <?x?xf16, align 16>, <64x64xf16>
    %more = arith.cmpi ne, %t, %c0 : index
    sluice.mma %acc, %a, %b accumulate %more : <128x64xf32>, <128x64xf16>, <64x64xf16>
  } {sluice.name = "k", sluice.stages = 2 : i64}
  %y = sluice.alloc "y" : !sluice.buffer<128x64xf32>
  sluice.load %Y[%c0, %c0] to %y : <?x?xf32, align 16>, <128x64xf32>
  %s = sluice.alloc "s" : !sluice.buffer<128x64xf32>
  sluice.map ins(%acc : !sluice.buffer<128x64xf32>) outs(%s : !sluice.buffer<128x64xf32>) {
  ^bb0(%x: f32):
    %two = arith.constant 2.0 : f32
    %e = arith.mulf %x, %two : f32
    sluice.yield %e : f32
  }
  sluice.store %s to %Y[%c0, %c0] : <128x64xf32>, <?x?xf32, align 16>
  %c = sluice.alloc "c" : !sluice.buffer<128x64xf32>
  sluice.map ins(%acc, %y : !sluice.buffer<128x64xf32>, !sluice.buffer<128x64xf32>) outs(%c : !sluice.buffer<128x64xf32>) {
  ^bb0(%x: f32, %r: f32):
    %e = arith.addf %x, %r : f32
    sluice.yield %e : f32
  }
  sluice.store %c to %C[%c0, %c0] : <128x64xf32>, <?x?xf32, align 16>
}

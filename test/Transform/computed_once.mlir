// A computed operand that is made once, before the loop that multiplies by it, also by columns: the
// same numbers as of a loaded one. It has one slot and nothing to hand back.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: sluice barriers %s | FileCheck %s --check-prefix=TABLE
// TABLE-NOT: empty_h_shared
// TABLE: full_h_shared 0 4 0 mma warps 0-3 mma warps 0-3
// RUN: sed 's/constant 0.5/constant 1.0/' %s > %t.computed.mlir
// RUN: sed 's/%%a, %%h :/%%a, %%b :/' %s > %t.loaded.mlir
// RUN: sluice run %t.loaded.mlir --random 3 --set A=200x64 C=200x128 --out C=%t.npy
// RUN: sluice run %t.computed.mlir --random 3 --set A=200x64 C=200x128 --expect C=%t.npy
// RUN: sed 's/64x128/64x64/g; s/?x128/?x64/g; s/^    sluice.mma.*/    %%hT = sluice.transpose %%h : <64x64xf16>\n    sluice.mma %%acc, %%a, %%hT : <64x64xf32>, <64x64xf16>, <64x64xf16, minor 0>/' %t.computed.mlir > %t.turned.mlir
// RUN: sed 's/transpose %%h/transpose %%b/' %t.turned.mlir > %t.loaded.mlir
// RUN: sluice check %t.turned.mlir | FileCheck %s
// RUN: sluice run %t.loaded.mlir --random 3 --set A=200x64 C=200x64 --out C=%t.npy
// RUN: sluice run %t.turned.mlir --random 3 --set A=200x64 C=200x64 --expect C=%t.npy
sluice.kernel @once(%A: !sluice.tensor<?x64xf16, align 16> {sluice.name = "A"},
                    %B: !sluice.tensor<64x128xf16, align 16> {sluice.name = "B"},
                    %C: !sluice.tensor<?x128xf32> {sluice.name = "C", sluice.out}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %A, 0 : <?x64xf16, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %i = sluice.grid %c1 : index
  %b = sluice.alloc "b" : !sluice.buffer<64x128xf16>
  %h = sluice.alloc "h" : !sluice.buffer<64x128xf16>
  sluice.load %B[%c0, %c0] to %b : <64x128xf16, align 16>, <64x128xf16>
  sluice.map ins(%b : !sluice.buffer<64x128xf16>) outs(%h : !sluice.buffer<64x128xf16>) {
  ^bb0(%x: f16):
    %half = arith.constant 0.5 : f16
    %y = arith.mulf %x, %half : f16
    sluice.yield %y : f16
  }
  scf.for %t = %c0 to %gm step %c1 {
    %row = arith.muli %t, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
    %acc = sluice.alloc "acc" : !sluice.buffer<64x128xf32>
    sluice.load %A[%row, %c0] to %a : <?x64xf16, align 16>, <64x64xf16>
    sluice.fill %acc with 0.0 : <64x128xf32>
    sluice.mma %acc, %a, %h : <64x128xf32>, <64x64xf16>, <64x128xf16>
    sluice.store %acc to %C[%row, %c0] : <64x128xf32>, <?x128xf32>
  } {sluice.stages = 4}
}

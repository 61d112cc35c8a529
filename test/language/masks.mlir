// Element functions see indices from outside: of loops, extents, arguments and the grid.
// RUN: split-file %s %t
// RUN: sluice check %t/masked.mlir | FileCheck %s --check-prefix=PROOF
// RUN: %python %S/Inputs/products.py %t
// RUN: sluice run %t/masked.mlir --in A=%t/A.npy --set C=200x192 --expect C=%t/lower.npy
// RUN: sluice emit %t/masked.mlir --single-file -o %t/masked.cu
// RUN: %if nvcc %{ %nvcc -cubin %t/masked.cu -o %t/masked.cubin %}
// RUN: not sluice check %t/counted.mlir 2>&1 | FileCheck %s --check-prefix=COUNTED
// RUN: not sluice check %t/folded.mlir 2>&1 | FileCheck %s --check-prefix=FOLDED
// PROOF: {{^}}proven: every launch
// COUNTED: error: {{.*}}counted.mlir:18:3: {{.*}}takes the old value of a counter, which the adding warp alone knows: it would be another for other elements. Hand it on through shared memory (sluice.scalar_write, sluice.scalar_read), or, in a role of one warp, mark it with sluice.uniform
// FOLDED: error: {{.*}}folded.mlir:12:3: the body uses a value from outside; only elements, constants, and f32 arguments of the kernel may be used

//--- masked.mlir
// The lower triangle of A, times 1 in every second tile of columns and 2 in the others, tile by tile.
sluice.kernel @lower(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                     %C: !sluice.tensor<?x?xf16, align 16> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %N = sluice.dim %A, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %n = arith.ceildivsi %N, %c64 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c64 : index
  scf.for %t = %c0 to %n step %c1 {
    %col = arith.muli %t, %c64 : index
    %odd = arith.remsi %t, %c2 : index
    %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
    sluice.load %A[%row, %col] to %a : <?x?xf16, align 16>, <64x64xf16>
    %c = sluice.alloc "c" : !sluice.buffer<64x64xf16>
    sluice.map ins(%a : !sluice.buffer<64x64xf16>) outs(%c : !sluice.buffer<64x64xf16>) coordinates {
    ^bb0(%x: f16, %r: index, %s: index):
      %zero = arith.constant 0.0 : f16
      %down = arith.addi %row, %r : index
      %across = arith.addi %col, %s : index
      %below = arith.cmpi sle, %across, %down : index
      %one = arith.constant 1 : index
      %times = arith.addi %odd, %one : index
      %small = arith.index_cast %times : index to i32
      %factor = arith.sitofp %small : i32 to f16
      %y = arith.mulf %x, %factor : f16
      %z = arith.select %below, %y, %zero : f16
      sluice.yield %z : f16
    }
    sluice.store %c to %C[%row, %col] : <64x64xf16>, <?x?xf16, align 16>
  } {sluice.stages = 2, sluice.name = "t"}
}

//--- counted.mlir
// The old value of a counter is known to the warp that adds.
sluice.kernel @counted(%next: !sluice.tensor<1xi32> {sluice.name = "next", sluice.inout},
                       %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = sluice.grid %c1 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x8xf32, reg, acc>
  sluice.fill %x with 0.0 : <64x8xf32, reg, acc>
  %old = sluice.counter.add %next[%c0], %c1 scope gpu : <1xi32>
  %n = arith.addi %old, %c1 : index
  %two = scf.for %t = %c0 to %c1 step %c1 iter_args(%m = %n) -> index {
    %more = arith.addi %m, %c1 : index
    scf.yield %more : index
  }
  %1 = arith.muli %two, %c1 : index

  sluice.map ins(%x : !sluice.buffer<64x8xf32, reg, acc>) outs(%x : !sluice.buffer<64x8xf32, reg, acc>) {
  ^bb0(%e: f32):
    %m = arith.index_cast %1 : index to i32
    %f = arith.sitofp %m : i32 to f32
    sluice.yield %f : f32
  }
  sluice.store %x to %C[%c0, %c0] : <64x8xf32, reg, acc>, <?x?xf32>
}

//--- folded.mlir
// A fold joins partial results in any order: it sees elements alone.
sluice.kernel @folded(%C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out},
                      %n: index {sluice.name = "n"})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = sluice.grid %c1 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x8xf32, reg, acc>
  %s = sluice.alloc "s" : !sluice.buffer<64x1xf32, reg, rowVector>
  sluice.fill %x with 0.0 : <64x8xf32, reg, acc>

  sluice.reduce ins(%x : !sluice.buffer<64x8xf32, reg, acc>)
      outs(%s : !sluice.buffer<64x1xf32, reg, rowVector>) axis 1 from [0.0] {
  ^bb0(%a: f32, %e: f32):
    %m = arith.index_cast %n : index to i32
    %f = arith.sitofp %m : i32 to f32
    %y = arith.mulf %e, %f : f32
    %r = arith.addf %a, %y : f32
    sluice.yield %r : f32
  }
  sluice.store %s to %C[%c0, %c0] : <64x1xf32, reg, rowVector>, <?x?xf32>
}

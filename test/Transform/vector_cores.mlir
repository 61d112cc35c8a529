// Ascend: what the two vector cores compute on halves of a tile's rows, and hand on to products.
// RUN: split-file %s %t
// RUN: %python %S/../language/Inputs/products.py %t
// RUN: sluice check %t/rows.mlir | FileCheck %s --check-prefix=PROOF
// RUN: sluice run %t/rows.mlir --in A=%t/A.npy --set C=200x192 --expect C=%t/lower.npy | FileCheck %s --check-prefix=RIGHT
// RUN: sluice check %t/operand.mlir | FileCheck %s --check-prefix=PROOF
// RUN: sluice run %t/operand.mlir --in A=%t/A.npy B=%t/B.npy --set C=200x144 --expect C=%t/halved.npy | FileCheck %s --check-prefix=RIGHT
// RUN: sed 's/ {sluice.any_tiles}//' %t/operand.mlir > %t/told.mlir
// RUN: not sluice check %t/told.mlir 2>&1 | FileCheck %s --check-prefix=TOLD
// RUN: not sluice check %t/columns.mlir 2>&1 | FileCheck %s --check-prefix=COLUMNS
// RUN: not sluice check %t/part.mlir 2>&1 | FileCheck %s --check-prefix=PART
// RUN: sluice check %t/carried.mlir | FileCheck %s --check-prefix=PROOF
// RUN: sed '/with 1.0/d' %t/carried.mlir > %t/first.mlir
// RUN: not sluice check %t/first.mlir 2>&1 | FileCheck %s --check-prefix=FIRST
// PROOF: {{^}}proven: every launch
// RIGHT: within
// TOLD: told.mlir:27:5: unsupported: adds up products of tile 'h', which is computed on the vector cores: of such tiles nothing tells which belong together on ascend910b yet; mark the product {sluice.any_tiles}
// COLUMNS: columns.mlir:8:3: unsupported: folds columns, whose rows are halved between the two vector cores of ascend910b; only rows are folded there yet
// FIRST: first.mlir:19:5: unsupported: fills buffer 'p' within or after the statement of its block in which aiv.MTE3 first reads it; give each value its own tile, declared where it is filled
// PART: part.mlir:18:3: unsupported: tile 'p' is computed on the vector cores; products on ascend910b take all of it, not parts

//--- rows.mlir
// The lower triangle of A, times 1 in every second tile of columns and 2 in the others, tile by tile.
sluice.kernel @lower(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                     %C: !sluice.tensor<?x?xf16, align 16> {sluice.name = "C", sluice.out})
    attributes {target = "ascend910b"} {
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
  } {sluice.name = "t"}
}

//--- operand.mlir
sluice.kernel @halved(%A: !sluice.tensor<?x192xf16, align 16> {sluice.name = "A"},
                      %B: !sluice.tensor<192x144xf16, align 16> {sluice.name = "B"},
                      %C: !sluice.tensor<?x144xf32, align 16> {sluice.name = "C", sluice.out})
    attributes {target = "ascend910b"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c192 = arith.constant 192 : index
  %M = sluice.dim %A, 0 : <?x192xf16, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c64 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x144xf32>
  sluice.fill %acc with 0.0 : <64x144xf32>
  scf.for %k = %c0 to %c192 step %c64 {
    %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
    sluice.load %A[%row, %k] to %a : <?x192xf16, align 16>, <64x64xf16>
    %h = sluice.alloc "h" : !sluice.buffer<64x64xf16>
    sluice.map ins(%a : !sluice.buffer<64x64xf16>) outs(%h : !sluice.buffer<64x64xf16>) {
    ^bb0(%x: f16):
      %half = arith.constant 0.5 : f16
      %y = arith.mulf %x, %half : f16
      sluice.yield %y : f16
    }
    %b = sluice.alloc "b" : !sluice.buffer<64x144xf16>
    sluice.load %B[%k, %c0] to %b : <192x144xf16, align 16>, <64x144xf16>
    sluice.mma %acc, %h, %b {sluice.any_tiles} : <64x144xf32>, <64x64xf16>, <64x144xf16>
  }
  sluice.store %acc to %C[%row, %c0] : <64x144xf32>, <?x144xf32, align 16>
}

//--- columns.mlir
sluice.kernel @columns(%A: !sluice.tensor<64x64xf32> {sluice.name = "A"},
                       %C: !sluice.tensor<64x64xf32> {sluice.name = "C", sluice.out})
    attributes {target = "ascend910b"} {
  %c0 = arith.constant 0 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf32>
  sluice.load %A[%c0, %c0] to %a : <64x64xf32>, <64x64xf32>
  %sum = sluice.alloc "sum" : !sluice.buffer<1x64xf32>
  sluice.reduce ins(%a : !sluice.buffer<64x64xf32>) outs(%sum : !sluice.buffer<1x64xf32>)
      axis 0 from [0.0] {
  ^bb0(%s: f32, %x: f32):
    %y = arith.addf %s, %x : f32
    sluice.yield %y : f32
  }
  sluice.store %sum to %C[%c0, %c0] : <1x64xf32>, <64x64xf32>
}

//--- part.mlir
sluice.kernel @part(%A: !sluice.tensor<64x64xf16> {sluice.name = "A"},
                    %C: !sluice.tensor<64x64xf32> {sluice.name = "C", sluice.out})
    attributes {target = "ascend910b"} {
  %c0 = arith.constant 0 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
  sluice.load %A[%c0, %c0] to %a : <64x64xf16>, <64x64xf16>
  %p = sluice.alloc "p" : !sluice.buffer<64x64xf16>
  sluice.map ins(%a : !sluice.buffer<64x64xf16>) outs(%p : !sluice.buffer<64x64xf16>) {
  ^bb0(%x: f16):
    %y = arith.addf %x, %x : f16
    sluice.yield %y : f16
  }
  %left = sluice.subview %p[%c0, %c0] : <64x64xf16> to <64x32xf16>
  %b = sluice.alloc "b" : !sluice.buffer<32x64xf16>
  sluice.load %A[%c0, %c0] to %b : <64x64xf16>, <32x64xf16>
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  sluice.fill %acc with 0.0 : <64x64xf32>
  sluice.mma %acc, %left, %b : <64x64xf32>, <64x32xf16>, <32x64xf16>
  sluice.store %acc to %C[%c0, %c0] : <64x64xf32>, <64x64xf32>
}

//--- carried.mlir
// Each tile is multiplied with the result of the one before.
sluice.kernel @carried(%A: !sluice.tensor<?x64xf16, align 16> {sluice.name = "A"},
                       %C: !sluice.tensor<?x64xf32, align 16> {sluice.name = "C", sluice.out})
    attributes {target = "ascend910b"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %A, 0 : <?x64xf16, align 16>
  %n = arith.ceildivsi %M, %c64 : index
  %p = sluice.alloc "p" : !sluice.buffer<64x64xf16>
  sluice.fill %p with 1.0 : <64x64xf16>
  scf.for %t = %c0 to %n step %c1 {
    %row = arith.muli %t, %c64 : index
    %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
    sluice.load %A[%row, %c0] to %b : <?x64xf16, align 16>, <64x64xf16>
    %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
    sluice.fill %acc with 0.0 : <64x64xf32>
    sluice.mma %acc, %p, %b : <64x64xf32>, <64x64xf16>, <64x64xf16>
    sluice.store %acc to %C[%row, %c0] : <64x64xf32>, <?x64xf32, align 16>
    sluice.map ins(%acc : !sluice.buffer<64x64xf32>) outs(%p : !sluice.buffer<64x64xf16>) {
    ^bb0(%x: f32):
      %y = arith.truncf %x : f32 to f16
      sluice.yield %y : f16
    }
  }
}

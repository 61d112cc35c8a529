// Random numbers follow from seed, stream, row and column of the tensor, whatever the tiles: whole
// rows or those of products, eight columns of a lane or two.
// RUN: split-file %s %t
// RUN: %python %S/Inputs/philox.py %t
// RUN: sluice check %t/uniform.mlir | FileCheck %s --check-prefix=PROOF
// RUN: sluice run %t/uniform.mlir --in X=%t/X.npy --set U=50x300 seed0=-7 seed1=2147483647 --expect U=%t/U.npy
// RUN: sed 's/8x512x/64x64x/g; s/constant 8 /constant 64 /; s/constant 512 /constant 64 /' %t/uniform.mlir > %t/narrow.mlir
// RUN: sluice run %t/narrow.mlir --in X=%t/X.npy --set U=50x300 seed0=-7 seed1=2147483647 --expect U=%t/U.npy
// PROOF: {{^}}proven: every launch
//
// The column goes in its parts, so that the assembler shares what four neighbours have in common: of
// 16 elements a thread with two numbers each, 8 blocks of at most 20 products, 16 bytes each. (Code
// that shares nothing is 41,000 bytes.)
// RUN: sluice emit %t/uniform.mlir --single-file -o %t/uniform.cu
// RUN: FileCheck %s --check-prefix=TEXT --input-file %t/uniform.cu
// TEXT: const int [[ROW:x[0-9]+]] = blockedRow<1>({{.*}} + row;
// TEXT-NEXT: const float {{x[0-9]+}} = randomUniform(seed0, seed1, 0, [[ROW]], blockedCol(u.colIndex(i1)), col);
// TEXT-NEXT: randomBits(seed0, seed1, 1, [[ROW]], blockedCol(
// RUN: %if nvcc %{ %nvcc -cubin %t/uniform.cu -o %t/uniform.cubin && %python -c "import os; assert os.path.getsize(r'%t/uniform.cubin') <= 25000" %}
// RUN: %if nvcc %{ sluice emit %t/narrow.mlir --single-file -o %t/narrow.cu && %nvcc -cubin %t/narrow.cu -o %t/narrow.cubin %}
//
// RUN: not sluice check %t/outside.mlir 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// OUTSIDE: error: {{.*}}outside.mlir:6:8: 'sluice.random' op expects parent op to be one of 'sluice.map, sluice.reduce, sluice.raw'
// RUN: not sluice check %t/folded.mlir 2>&1 | FileCheck %s --check-prefix=FOLDED
// FOLDED: error: {{.*}}folded.mlir:9:3: the body uses a value from outside; only elements, constants, and f32 arguments of the kernel may be used
// RUN: sed 's/{sluice.name = "seed1"}) {/{sluice.name = "seed1"}) attributes {target = "ascend910b"} {/' %t/uniform.mlir > %t/ascend.mlir
// RUN: sluice check %t/ascend.mlir | FileCheck %s --check-prefix=PROOF
// RUN: not sluice emit %t/ascend.mlir 2>&1 | FileCheck %s --check-prefix=ASCEND
// ASCEND: error: {{.*}}: kernel uniform: an element function that is no single instruction of the vector cores is not printed for Ascend; no instruction computes random

//--- uniform.mlir
sluice.kernel @uniform(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
                       %U: !sluice.tensor<?x?xf32, align 16> {sluice.name = "U", sluice.out},
                       %seed0: index {sluice.name = "seed0"},
                       %seed1: index {sluice.name = "seed1"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 8 : index
  %cols = arith.constant 512 : index
  %M = sluice.dim %X, 0 : <?x?xf32, align 16>
  %N = sluice.dim %X, 1 : <?x?xf32, align 16>
  %gm = arith.ceildivsi %M, %rows : index
  %n = arith.ceildivsi %N, %cols : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %rows : index
  scf.for %t = %c0 to %n step %c1 {
    %col = arith.muli %t, %cols : index
    %x = sluice.alloc "x" : !sluice.buffer<8x512xf32>
    sluice.load %X[%row, %col] to %x : <?x?xf32, align 16>, <8x512xf32>
    %u = sluice.alloc "u" : !sluice.buffer<8x512xf32>
    sluice.map ins(%x : !sluice.buffer<8x512xf32>) outs(%u : !sluice.buffer<8x512xf32>) coordinates {
    ^bb0(%v: f32, %r: index, %c: index):
      %zero = arith.constant 0 : i32
      %one = arith.constant 1.0 : f32
      %down = arith.addi %r, %row : index
      %across = arith.addi %c, %col : index
      %a = sluice.random[%down, %across] seed[%seed0, %seed1] stream %c0 : f32
      %b = sluice.random[%down, %across] seed[%seed0, %seed1] stream %c1 : i32
      %negative = arith.cmpi slt, %b, %zero : i32
      %a1 = arith.addf %a, %one : f32
      %s = arith.select %negative, %a1, %a : f32
      %y = arith.addf %v, %s : f32
      sluice.yield %y : f32
    }
    sluice.store %u to %U[%row, %col] : <8x512xf32>, <?x?xf32, align 16>
  } {sluice.stages = 2, sluice.name = "t"}
}

//--- outside.mlir
sluice.kernel @outside(%U: !sluice.tensor<64x64xf32> {sluice.name = "U", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %u = sluice.alloc "u" : !sluice.buffer<64x64xf32>
  sluice.fill %u with 0.0 : <64x64xf32>
  %a = sluice.random[%c0, %c0] seed[%c0, %c0] stream %c0 : f32
  sluice.store %u to %U[%c0, %c0] : <64x64xf32>, <64x64xf32>
}

//--- folded.mlir
sluice.kernel @folded(%U: !sluice.tensor<64x1xf32> {sluice.name = "U", sluice.out},
                      %seed: index {sluice.name = "seed"})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf32>
  sluice.fill %x with 0.0 : <64x64xf32>
  %u = sluice.alloc "u" : !sluice.buffer<64x1xf32>

  sluice.reduce ins(%x : !sluice.buffer<64x64xf32>) outs(%u : !sluice.buffer<64x1xf32>) axis 1 from [0.0] {
  ^bb0(%s: f32, %e: f32):
    %a = sluice.random[%c0, %c0] seed[%seed, %c0] stream %c0 : f32
    %y = arith.addf %s, %a : f32
    sluice.yield %y : f32
  }
  sluice.store %u to %U[%c0, %c0] : <64x1xf32>, <64x1xf32>
}

// C = A W with weights of 8 bits, loaded as they are, converted on their way through registers and
// multiplied as f16.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: %python %S/../language/Inputs/products.py %t.d
// RUN: sluice run %s --in A=%t.d/A.npy W=%t.d/W.npy --set C=200x144 --expect C=%t.d/AW.npy
// RUN: sluice emit %s | FileCheck %s --check-prefix=CUDA
// CUDA: mbarrierWait(full_w[
// CUDA-NEXT: loadFragmentShared<WTile, 4>(h, w[
// CUDA: mbarrierArrive(empty_w[
// CUDA: storeFragmentMatrices<H_sharedTile, 4>(h_shared[
//
// A map of such a tile has no registers to wait in.
// RUN: sed 's/^    sluice.copy .*/sluice.map ins(%%w : !sluice.buffer<64x128xi8>) outs(%%h : !sluice.buffer<64x128xf16>) {\n^bb0(%%x: i8):\n%%y = arith.sitofp %%x : i8 to f16\nsluice.yield %%y : f16\n}/' %s > %t.map.mlir
// RUN: not sluice check %t.map.mlir 2>&1 | FileCheck %s --check-prefix=MAP
// MAP: error: {{.*}}: unsupported: tile 'w' of 'i8' waits in registers
sluice.kernel @weights(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                       %W: !sluice.tensor<?x?xi8, align 16> {sluice.name = "W"},
                       %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %N = sluice.dim %W, 1 : <?x?xi8, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %gn = arith.ceildivsi %N, %c128 : index
  %steps = arith.ceildivsi %K, %c64 : index
  %i, %j = sluice.grid %gm, %gn : index, index
  %row = arith.muli %i, %c64 : index
  %col = arith.muli %j, %c128 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x128xf32>
  sluice.fill %acc with 0.0 : <64x128xf32>
  scf.for %t = %c0 to %steps step %c1 {
    %k = arith.muli %t, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
    %w = sluice.alloc "w" : !sluice.buffer<64x128xi8>
    %h = sluice.alloc "h" : !sluice.buffer<64x128xf16>
    sluice.load %A[%row, %k] to %a : <?x?xf16, align 16>, <64x64xf16>
    sluice.load %W[%k, %col] to %w : <?x?xi8, align 16>, <64x128xi8>
    sluice.copy %w to %h : <64x128xi8>, <64x128xf16>
    sluice.mma %acc, %a, %h : <64x128xf32>, <64x64xf16>, <64x128xf16>
  } {sluice.stages = 4, sluice.name = "k"}
  sluice.store %acc to %C[%row, %col] : <64x128xf32>, <?x?xf32>
}

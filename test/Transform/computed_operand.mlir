// A computed tile as b of a product: in registers, then in shared memory, of which every warpgroup
// reads all. The warps that compute it hand it on to themselves: two slots, one of which is written
// while products may still read the other. Who has seen that a value is whole knows that all are done
// with the one before: nobody hands a slot back.
// RUN: sluice check %s --dump-after-each 2>%t >%t.verdict
// RUN: FileCheck %s < %t.verdict
// RUN: FileCheck %s --check-prefix=DUMP < %t
// CHECK: {{^}}proven: every launch
// DUMP:      after sluice-load-ahead
// DUMP:      sluice.pipeline "h_shared" over %h_shared : {{.*}}<64x128xf16, smem, sw128, slots 2> from ["mma"] to ["mma"] {empty = "none"} : !sluice.pipeline<2>
// DUMP:      sluice.acquire %h_shared
// DUMP-NEXT: sluice.copy %h to %h_shared
// DUMP-NEXT: sluice.commit %h_shared
// DUMP:      sluice.wait %h_shared
// DUMP:      sluice.wgmma.wait 0
// DUMP:      sluice.release %h_shared
// RUN: %python %S/../language/Inputs/products.py %t.d
// RUN: sluice run %s --in A=%t.d/A.npy B=%t.d/B.npy --set C=200x144 --expect C=%t.d/halved.npy
// RUN: sluice barriers %s | FileCheck %s --check-prefix=TABLE
// TABLE: full_h_shared 1 4 0 mma warps 0-3 mma warps 0-3
// TABLE-NOT: empty_h_shared
// RUN: sluice emit %s | FileCheck %s --check-prefix=CUDA
// CUDA: storeFragmentMatrices<H_sharedTile, 4>(h_shared[
// CUDA-NEXT: fenceProxyAsync();
// CUDA-NEXT: warpSync();
// CUDA: mbarrierArrive(full_h_shared[
// CUDA: mbarrierWait(full_h_shared[
//
// In a loop over tiles, where no role loads, where groups take turns, in clusters, where threads load.
// RUN: sed 's/%%gm, %%gn :/%%gm, %%gn {persistent} :/' %s > %t.tiles.mlir
// RUN: sluice check %t.tiles.mlir | FileCheck %s
// RUN: sluice run %t.tiles.mlir --in A=%t.d/A.npy B=%t.d/B.npy --set C=200x144 --expect C=%t.d/halved.npy
// RUN: sed 's/%%gm, %%gn :/%%gm, %%gn {sluice.load_ahead} :/' %s > %t.ahead.mlir
// RUN: sluice check %t.ahead.mlir | FileCheck %s
// RUN: sluice run %t.ahead.mlir --in A=%t.d/A.npy B=%t.d/B.npy --set C=200x144 --expect C=%t.d/halved.npy
// RUN: sed 's/%%gm, %%gn :/%%gm, %%gn {persistent, sluice.turns = 2} :/' %s > %t.turns.mlir
// RUN: sluice check %t.turns.mlir | FileCheck %s
// RUN: sluice run %t.turns.mlir --in A=%t.d/A.npy B=%t.d/B.npy --set C=200x144 --expect C=%t.d/halved.npy
// RUN: sed 's/%%gm, %%gn :/%%gm, %%gn {cluster = array<i64: 1, 2>} :/' %s > %t.cluster.mlir
// RUN: sluice check %t.cluster.mlir | FileCheck %s
// RUN: sed 's/align 16/align 2/' %s > %t.threads.mlir
// RUN: sluice run %t.threads.mlir --in A=%t.d/A.npy B=%t.d/B.npy --set C=200x144 --expect C=%t.d/halved.npy
//
// Handed on before it lies there, it is read too early.
// RUN: %python %S/Inputs/after.py sluice-split-roles < %t > %t.roles.mlir
// RUN: sluice check %t.roles.mlir | FileCheck %s
// RUN: sed '/sluice.wait %%h_shared/d' %t.roles.mlir > %t.early.mlir
// RUN: not sluice check %t.early.mlir | FileCheck %s --check-prefix=EARLY
// EARLY: R21 (Defined before read): wgmma
//
// RUN: sed 's/^    sluice.mma .*/&\n    sluice.fill %%h with 1.0 : <64x128xf16>/' %s > %t.again.mlir
// RUN: not sluice check %t.again.mlir 2>&1 | FileCheck %s --check-prefix=AGAIN
// AGAIN: error: {{.*}}: unsupported: fills tile 'h' behind a product that takes it as b; give each value its own tile, declared where it is filled
sluice.kernel @halved(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                      %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                      %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %N = sluice.dim %B, 1 : <?x?xf16, align 16>
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
    %b = sluice.alloc "b" : !sluice.buffer<64x128xf16>
    %h = sluice.alloc "h" : !sluice.buffer<64x128xf16>
    sluice.load %A[%row, %k] to %a : <?x?xf16, align 16>, <64x64xf16>
    sluice.load %B[%k, %col] to %b : <?x?xf16, align 16>, <64x128xf16>
    sluice.map ins(%b : !sluice.buffer<64x128xf16>) outs(%h : !sluice.buffer<64x128xf16>) {
    ^bb0(%x: f16):
      %half = arith.constant 0.5 : f16
      %y = arith.mulf %x, %half : f16
      sluice.yield %y : f16
    }
    sluice.mma %acc, %a, %h : <64x128xf32>, <64x64xf16>, <64x128xf16>
  } {sluice.stages = 4, sluice.name = "k"}
  sluice.store %acc to %C[%row, %col] : <64x128xf32>, <?x?xf32>
}

// RUN: sluice check %s | FileCheck %s
// RUN: %python %S/Inputs/products.py %t
// RUN: sluice run %s --in A=%t/A.npy W=%t/W.npy --set C=200x144 --expect C=%t/AW.npy
// RUN: sluice barriers %s | FileCheck %s --check-prefix=TABLE
// RUN: sluice emit %s | FileCheck %s --check-prefix=CUDA
// CHECK: {{^}}proven: every launch
// TABLE: full_tiles 0 1 8192 TMA of load warp 8, load warp 8 mma warps 0-3
// TABLE: full_weights 0 1 8192 TMA of load warp 8, load warp 8 convert warps 4-7
// TABLE: full_ready 0 4 0 convert warps 4-7 mma warps 0-3
// TABLE: empty_ready 0 4 0 mma warps 0-3 convert warps 4-7
// CUDA: loadFragmentShared<WTile, 4>(h, w[
// CUDA: mbarrierArrive(empty_weights[
// CUDA: storeFragmentMatrices<BTile, 4>(b[
// CUDA-NEXT: fenceProxyAsync();
// CUDA-NEXT: warpSync();
// CUDA: mbarrierArrive(full_ready[
//
// Handed on before it is written, multiplied before it is there, handed back too early.
// RUN: sed -E '/sluice.commit %%ready/d; s/( *)(sluice.acquire %%ready.*)/\1\2\n\1sluice.commit %%ready[%%to] : <2>/' %s > %t.commit.mlir
// RUN: not sluice check %t.commit.mlir | FileCheck %s --check-prefix=RACE
// RUN: sed '/sluice.wait %%ready/d' %s > %t.wait.mlir
// RUN: not sluice check %t.wait.mlir | FileCheck %s --check-prefix=VIOLATED
// RUN: sed -E '/sluice.release %%weights/d; s/( *)(sluice.wait %%weights.*)/\1\2\n\1sluice.release %%weights[%%at] : <4>/' %s > %t.release.mlir
// RUN: not sluice check %t.release.mlir | FileCheck %s --check-prefix=RACE
// RACE: R22 (No race)
// VIOLATED: {{^}}violated:
//
// C = A W with weights of 8 bits: one role loads, one converts a tile of weights in shared memory to
// 16 bits, one multiplies. Three rings: loaded weights, converted ones, tiles of A.
sluice.kernel @converted(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                         %W: !sluice.tensor<?x?xi8, align 16> {sluice.name = "W"},
                         %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a", phase = "pipeline", warps = 12} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %N = sluice.dim %W, 1 : <?x?xi8, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %gn = arith.ceildivsi %N, %c128 : index
  %i, %j = sluice.grid %gm, %gn : index, index
  %row = arith.muli %i, %c64 : index
  %col = arith.muli %j, %c128 : index
  %n = arith.ceildivsi %K, %c64 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16, smem, sw128, slots 4>
  %w = sluice.alloc "w" : !sluice.buffer<64x128xi8, smem, sw128, slots 4>
  %b = sluice.alloc "b" : !sluice.buffer<64x128xf16, smem, sw128, slots 2>
  %tiles = sluice.pipeline "tiles" over %a : !sluice.buffer<64x64xf16, smem, sw128, slots 4>
      from ["load"] to ["mma"] : !sluice.pipeline<4>
  %weights = sluice.pipeline "weights" over %w : !sluice.buffer<64x128xi8, smem, sw128, slots 4>
      from ["load"] to ["convert"] : !sluice.pipeline<4>
  %ready = sluice.pipeline "ready" over %b : !sluice.buffer<64x128xf16, smem, sw128, slots 2>
      from ["convert"] to ["mma"] : !sluice.pipeline<2>
  %four = sluice.cursor : !sluice.cursor<4>
  %two = sluice.cursor : !sluice.cursor<2>

  sluice.role "mma" warps 0 to 4 {
    %acc = sluice.alloc "acc" : !sluice.buffer<64x128xf32, reg, acc>
    sluice.fill %acc with 0.0 : <64x128xf32, reg, acc>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %four, %from = %two)
        -> (!sluice.cursor<4>, !sluice.cursor<2>) {
      %slot = sluice.cursor.slot %at : <4>
      %place = sluice.cursor.slot %from : <2>
      %ta = sluice.slot %a[%slot] : <64x64xf16, smem, sw128, slots 4>
      %tb = sluice.slot %b[%place] : <64x128xf16, smem, sw128, slots 2>
      sluice.wait %tiles[%at] : <4>
      sluice.wait %ready[%from] : <2>
      sluice.mma %acc, %ta, %tb : <64x128xf32, reg, acc>, <64x64xf16, smem, sw128>,
          <64x128xf16, smem, sw128>
      sluice.release %tiles[%at] : <4>
      sluice.release %ready[%from] : <2>
      %next = sluice.cursor.advance %at : <4>
      %after = sluice.cursor.advance %from : <2>
      scf.yield %next, %after : !sluice.cursor<4>, !sluice.cursor<2>
    }
    sluice.store %acc to %C[%row, %col] : <64x128xf32, reg, acc>, <?x?xf32>
  }
  sluice.role "convert" warps 4 to 8 {
    %h = sluice.alloc "h" : !sluice.buffer<64x128xf16, reg, acc>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %four, %to = %two)
        -> (!sluice.cursor<4>, !sluice.cursor<2>) {
      %slot = sluice.cursor.slot %at : <4>
      %place = sluice.cursor.slot %to : <2>
      %tw = sluice.slot %w[%slot] : <64x128xi8, smem, sw128, slots 4>
      %tb = sluice.slot %b[%place] : <64x128xf16, smem, sw128, slots 2>
      sluice.wait %weights[%at] : <4>
      sluice.copy %tw to %h : <64x128xi8, smem, sw128>, <64x128xf16, reg, acc>
      sluice.release %weights[%at] : <4>
      sluice.acquire %ready[%to] : <2>
      sluice.copy %h to %tb : <64x128xf16, reg, acc>, <64x128xf16, smem, sw128>
      sluice.commit %ready[%to] : <2>
      %next = sluice.cursor.advance %at : <4>
      %after = sluice.cursor.advance %to : <2>
      scf.yield %next, %after : !sluice.cursor<4>, !sluice.cursor<2>
    }
  }
  sluice.role "load" warps 8 to 9 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %four) -> !sluice.cursor<4> {
      %k = arith.muli %t, %c64 : index
      %slot = sluice.cursor.slot %at : <4>
      %ta = sluice.slot %a[%slot] : <64x64xf16, smem, sw128, slots 4>
      %tw = sluice.slot %w[%slot] : <64x128xi8, smem, sw128, slots 4>
      sluice.acquire %weights[%at] : <4>
      sluice.load %W[%k, %col] to %tw : <?x?xi8, align 16>, <64x128xi8, smem, sw128>
      sluice.commit %weights[%at] : <4>
      sluice.acquire %tiles[%at] : <4>
      sluice.load %A[%row, %k] to %ta : <?x?xf16, align 16>, <64x64xf16, smem, sw128>
      sluice.commit %tiles[%at] : <4>
      %next = sluice.cursor.advance %at : <4>
      scf.yield %next : !sluice.cursor<4>
    }
  }
}

// RUN: sluice check %s --target sm_100a | FileCheck %s
// RUN: sluice run %s --target sm_100a --random 1 --set A=200x136 B=136x264 C=200x264 --chaos 20 --out C=%t.npy
// RUN: sluice emit %s --target sm_100a | FileCheck %s --check-prefix=CODE
// A GEMM of tiles: what the other target keeps in registers lies in tensor memory without a word
// of the author's; roles, rings and fences follow.
// CHECK: {{^}}proven
// CODE: Roles: {{.*}}epilogue (warps 0..3)
// CODE: tmemAlloc<128>
// CODE: fenceTmemAfter();
// CODE: tmemLoad(
// CODE: tmemWait(
// CODE: fenceTmemBefore();
// CODE: tcgen05Mma<128, 64>(tmem,
// CODE: tcgen05Commit(
// CODE: tmemDealloc<128>(tmem);
sluice.kernel @gemm(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                    %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                    %C: !sluice.tensor<?x?xf16, align 16> {sluice.name = "C", sluice.out}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %A, 0 : !sluice.tensor<?x?xf16, align 16>
  %N = sluice.dim %B, 1 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c128 : index
  %gn = arith.ceildivsi %N, %c128 : index
  %steps = arith.ceildivsi %K, %c64 : index
  %i, %j = sluice.grid %gm, %gn : index, index
  %row = arith.muli %i, %c128 : index
  %col = arith.muli %j, %c128 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<128x128xf32>
  sluice.fill %acc with 0.0 : <128x128xf32>
  scf.for %t = %c0 to %steps step %c1 {
    %k = arith.muli %t, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<128x64xf16>
    sluice.load %A[%row, %k] to %a : <?x?xf16, align 16>, <128x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x128xf16>
    sluice.load %B[%k, %col] to %b : <?x?xf16, align 16>, <64x128xf16>
    sluice.mma %acc, %a, %b : <128x128xf32>, <128x64xf16>, <64x128xf16>
  } {sluice.stages = 4, sluice.name = "k"}
  %c = sluice.alloc "c" : !sluice.buffer<128x128xf16>
  sluice.map ins(%acc : !sluice.buffer<128x128xf32>) outs(%c : !sluice.buffer<128x128xf16>) {
  ^bb0(%x: f32):
    %y = arith.truncf %x : f32 to f16
    sluice.yield %y : f16
  }
  sluice.store %c to %C[%row, %col] : <128x128xf16>, <?x?xf16, align 16>
}

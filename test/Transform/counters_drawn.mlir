// A counter beside tiles that are drawn: the role that computes adds when all of it have stored a tile.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: sluice run %s --random 1 --set A=200x192 B=192x144 C=200x144 --chaos 300 --out C=%t.npy
// RUN: sed 's/, sluice.dynamic//; /counter.add/d; /sluice.inout/d' %s > %t.plain.mlir
// RUN: sluice run %t.plain.mlir --random 1 --set A=200x192 B=192x144 C=200x144 --expect C=%t.npy | FileCheck %s --check-prefix=SAME
// SAME: error 0 of the largest value
// RUN: sluice emit %s | FileCheck %s --check-prefix=CUDA
// CUDA:      namedBarrierSync({{[0-9]+}}, 128);
// CUDA-NEXT: if (warp == 0 && electLane())
// CUDA-NEXT: counterAdd
//
// Groups that take turns come to it one after another.
// RUN: sed 's/sluice.dynamic/sluice.turns = 2/' %s > %t.turns.mlir
// RUN: not sluice check %t.turns.mlir 2>&1 | FileCheck %s --check-prefix=TURNS
// TURNS: error: {{.*}}: unsupported: stands beside sluice.turns, whose groups come to it one after another and meet nowhere
sluice.kernel @counted(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                    %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                    %done: !sluice.tensor<1xi32> {sluice.name = "done", sluice.inout},
                    %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %N = sluice.dim %B, 1 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %gn = arith.ceildivsi %N, %c64 : index
  %steps = arith.ceildivsi %K, %c64 : index
  %i, %j = sluice.grid %gm, %gn {persistent, sluice.dynamic} : index, index
  %row = arith.muli %i, %c64 : index
  %col = arith.muli %j, %c64 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  sluice.fill %acc with 0.0 : <64x64xf32>
  scf.for %t = %c0 to %steps step %c1 {
    %k = arith.muli %t, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
    sluice.load %A[%row, %k] to %a : <?x?xf16, align 16>, <64x64xf16>
    sluice.load %B[%k, %col] to %b : <?x?xf16, align 16>, <64x64xf16>
    sluice.mma %acc, %a, %b : <64x64xf32>, <64x64xf16>, <64x64xf16>
  } {sluice.stages = 3}
  sluice.store %acc to %C[%row, %col] {sluice.staging = 0} : <64x64xf32>, <?x?xf32>
  %old = sluice.counter.add %done[%c0], %c1 scope gpu : <1xi32>
}

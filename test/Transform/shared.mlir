// RUN: sluice check %s | FileCheck %s --check-prefix=CHECK
// RUN: sluice run %s --device sim --random 3 --set A=256x320 B=320x64 C=256x64
// RUN: sluice emit %s | FileCheck %s --check-prefix=EMIT
// Two CTAs of a cluster read the same tiles of B: each loads half of it for both.
// CHECK: proven: every launch
// EMIT: tmaMulticast
sluice.kernel @gemm(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                    %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                    %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out}) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %C, 0 : <?x?xf32>
  %gm = arith.ceildivsi %M, %c64 : index
  %i = sluice.grid %gm {cluster = array<i64: 2>} : index
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %row = arith.muli %i, %c64 : index
  %n = arith.ceildivsi %K, %c64 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  sluice.fill %acc with 0.0 : <64x64xf32>
  scf.for %t = %c0 to %n step %c1 {
    %k = arith.muli %t, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
    sluice.load %A[%row, %k] to %a : <?x?xf16, align 16>, <64x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
    sluice.load %B[%k, %c0] to %b : <?x?xf16, align 16>, <64x64xf16>
    sluice.mma %acc, %a, %b : <64x64xf32>, <64x64xf16>, <64x64xf16>
  } {sluice.stages = 2}
  sluice.store %acc to %C[%row, %c0] : <64x64xf32>, <?x?xf32>
}

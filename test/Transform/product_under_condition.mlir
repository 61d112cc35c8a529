// A product that the first step leaves out: the zeros in front of the loop are written.
// RUN: sluice check %s | FileCheck %s
// RUN: sluice run %s --device sim --random 1 --set A=64x192 B=192x64 C=64x64 --out C=%t.all.npy
// RUN: %python %S/Inputs/zeros.py %t.zeros.npy 64 64
// RUN: sluice run %s --device sim --random 1 --set A=64x64 B=64x64 C=64x64 --expect C=%t.zeros.npy | FileCheck %s --check-prefix=ZERO
// CHECK: proven: every launch
// ZERO: error {{ *}}0 of the largest value
sluice.kernel @skipped(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                       %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                       %C: !sluice.tensor<?x?xf32, align 16> {sluice.name = "C", sluice.out}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %n = arith.ceildivsi %K, %c64 : index
  %i = sluice.grid %c1 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  sluice.fill %acc with 0.0 : <64x64xf32>
  scf.for %t = %c0 to %n step %c1 {
    %k = arith.muli %t, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
    sluice.load %A[%c0, %k] to %a : <?x?xf16, align 16>, <64x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
    sluice.load %B[%k, %c0] to %b : <?x?xf16, align 16>, <64x64xf16>
    %later = arith.cmpi sge, %t, %c1 : index
    scf.if %later {
      sluice.mma %acc, %a, %b : <64x64xf32>, <64x64xf16>, <64x64xf16>
    }
  } {sluice.stages = 3 : i64}
  sluice.store %acc to %C[%c0, %c0] : <64x64xf32>, <?x?xf32, align 16>
}

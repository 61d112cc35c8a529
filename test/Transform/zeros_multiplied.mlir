// RUN: sluice check %s | FileCheck %s
// RUN: %python -c "import npy; npy.write('%t.npy', '<f4', (64, 64), [1.0] * 4096)"
// RUN: sluice run %s --random 1 --set B=64x64 C=64x64 --expect C=%t.npy | FileCheck %s --check-prefix=RIGHT
// Zeros that a product reads are no zeros that it overwrites.
// CHECK: proven: every launch
// RIGHT: error {{ *}}0 of the largest value
sluice.kernel @k(%B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
  %C: !sluice.tensor<?x?xf32, align 16> {sluice.name = "C", sluice.out}) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
  %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  sluice.fill %acc with 1.0 : <64x64xf32>
  sluice.fill %a with 0.0 : <64x64xf16>
  sluice.load %B[%c0, %c0] to %b : <?x?xf16, align 16>, <64x64xf16>
  sluice.mma %acc, %a, %b : <64x64xf32>, <64x64xf16>, <64x64xf16>
  sluice.store %acc to %C[%c0, %c0] : <64x64xf32>, <?x?xf32, align 16>
}

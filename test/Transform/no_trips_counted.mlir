// RUN: sluice emit %s | FileCheck %s
// RUN: %python %S/Inputs/zeros.py %t.npy 64 64
// RUN: sluice run %s --device sim --set A=64x0 B=0x64 C=64x64 D=64x64 --expect D=%t.npy | FileCheck %s --check-prefix=ZERO
// Where K is 0 the loop has no steps. It counts them in another tile, so that it must not run once
// for the zeros of the sum, which stay in front of it.
// CHECK: fill(acc, 0.0f);
// ZERO: error {{ *}}0 of the largest value
sluice.kernel @k(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                 %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                 %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out},
                 %D: !sluice.tensor<?x?xf32> {sluice.name = "D", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %C, 0 : <?x?xf32>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %steps = arith.ceildivsi %K, %c64 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c64 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  sluice.fill %acc with 0.0 : <64x64xf32>
  %n = sluice.alloc "n" : !sluice.buffer<64x64xf32>
  sluice.fill %n with 0.0 : <64x64xf32>
  scf.for %t = %c0 to %steps step %c1 {
    %k = arith.muli %t, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
    sluice.load %A[%row, %k] to %a : <?x?xf16, align 16>, <64x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
    sluice.load %B[%k, %c0] to %b : <?x?xf16, align 16>, <64x64xf16>
    sluice.mma %acc, %a, %b : <64x64xf32>, <64x64xf16>, <64x64xf16>
    sluice.map ins(%n : !sluice.buffer<64x64xf32>) outs(%n : !sluice.buffer<64x64xf32>) {
    ^bb0(%x: f32):
      %one = arith.constant 1.0 : f32
      %y = arith.addf %x, %one : f32
      sluice.yield %y : f32
    }
  } {sluice.stages = 2, sluice.name = "k"}
  sluice.store %acc to %C[%row, %c0] : <64x64xf32>, <?x?xf32>
  sluice.store %n to %D[%row, %c0] : <64x64xf32>, <?x?xf32>
}

// RUN: sluice-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(sluice.kernel(sluice-to-placed,sluice-to-pipeline))'
// RUN: sed s/sm_90a/ascend910b/ %s | sluice-opt -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(sluice.kernel(sluice-to-placed,sluice-to-pipeline))'
// Fillings of a tile that no ring can carry: one error, at the filling.

// Nothing reads the first filling.
sluice.kernel @unread(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                   %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  sluice.fill %acc with 0.0 : <64x64xf32>
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
  scf.for %k = %c0 to %K step %c64 {
    // expected-error@+1 {{fills tile 'a', which is filled again before anything reads it; remove this operation, or give each value its own tile}}
    sluice.load %A[%c0, %c0] to %a : <?x?xf16, align 16>, <64x64xf16>
    sluice.load %A[%c0, %k] to %a : <?x?xf16, align 16>, <64x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
    sluice.load %A[%k, %c0] to %b : <?x?xf16, align 16>, <64x64xf16>
    sluice.mma %acc, %a, %b : <64x64xf32>, <64x64xf16>, <64x64xf16>
  }
  sluice.store %acc to %C[%c0, %c0] : <64x64xf32>, <?x?xf32>
}

// -----

// The tile keeps the value of the step before until it is filled again.
sluice.kernel @kept(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                   %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  sluice.fill %acc with 0.0 : <64x64xf32>
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
  sluice.load %A[%c0, %c0] to %a : <?x?xf16, align 16>, <64x64xf16>
  scf.for %k = %c0 to %K step %c64 {
    // expected-error-re@+1 {{fills buffer 'a' within or after the statement of its block in which {{mma|MTE1}} first reads it; give each value its own tile, declared where it is filled}}
    sluice.load %A[%c0, %k] to %a : <?x?xf16, align 16>, <64x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
    sluice.load %A[%k, %c0] to %b : <?x?xf16, align 16>, <64x64xf16>
    sluice.mma %acc, %a, %b : <64x64xf32>, <64x64xf16>, <64x64xf16>
  }
  sluice.store %acc to %C[%c0, %c0] : <64x64xf32>, <?x?xf32>
}

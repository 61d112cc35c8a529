sluice.kernel @unknown(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                       %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                       %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out}) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %steps = arith.ceildivsi %K, %c64 : index
  %i = sluice.grid %c1 {sluice.load_ahead} : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  sluice.fill %acc with 0.0 : <64x64xf32>
  %end = scf.for %t = %c0 to %steps step %c1 iter_args(%k = %c0) -> (index) {
    %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
    sluice.load %A[%c0, %k] to %a : <?x?xf16, align 16>, <64x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
    // The row comes from the step before.
    sluice.load %B[%k, %c0] to %b : <?x?xf16, align 16>, <64x64xf16>
    sluice.mma %acc, %a, %b : <64x64xf32>, <64x64xf16>, <64x64xf16>
    %next = arith.addi %k, %c64 : index
    scf.yield %next : index
  } {sluice.stages = 3}
  sluice.store %acc to %C[%c0, %c0] : <64x64xf32>, <?x?xf32>
}

sluice.kernel @stride(%A: !sluice.tensor<?x64xf16, align 16> {sluice.name = "A"},
                      %B: !sluice.tensor<?x64xf16, align 16> {sluice.name = "B"},
                      %C: !sluice.tensor<?x64xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c132 = arith.constant 132 : index
  %M = sluice.dim %A, 0 : <?x64xf16, align 16>
  %n = arith.ceildivsi %M, %c64 : index
  %g = arith.minsi %n, %c132 : index
  %cta = sluice.grid %g {sluice.load_ahead} : index
  scf.for %i = %cta to %n step %g {
    %row = arith.muli %i, %c64 : index
    %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
    sluice.fill %acc with 0.0 : <64x64xf32>
    %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
    sluice.load %A[%row, %c0] to %a : <?x64xf16, align 16>, <64x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
    sluice.load %B[%row, %c0] to %b : <?x64xf16, align 16>, <64x64xf16>
    sluice.mma %acc, %a, %b : <64x64xf32>, <64x64xf16>, <64x64xf16>
    sluice.store %acc to %C[%row, %c0] : <64x64xf32>, <?x64xf32>
  } {sluice.stages = 3}
}

// Products whose number is an argument.
sluice.kernel @trips(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                     %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                     %C: !sluice.tensor<?x?xf16, align 16> {sluice.name = "C", sluice.out},
                     %n: index {sluice.name = "n"})
    attributes {target = "ascend910b"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<128x64xf32>
  sluice.fill %acc with 0.0 : <128x64xf32>
  scf.for %t = %c0 to %n step %c1 {
    %k = arith.muli %t, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<128x64xf16>
    sluice.load %A[%c0, %k] to %a : <?x?xf16, align 16>, <128x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
    sluice.load %B[%k, %c0] to %b : <?x?xf16, align 16>, <64x64xf16>
    sluice.mma %acc, %a, %b : <128x64xf32>, <128x64xf16>, <64x64xf16>
  } {sluice.stages = 2, sluice.name = "k"}
  %c = sluice.alloc "c" : !sluice.buffer<128x64xf16>
  sluice.map ins(%acc : !sluice.buffer<128x64xf32>) outs(%c : !sluice.buffer<128x64xf16>) {
  ^bb0(%x: f32):
    %y = arith.truncf %x : f32 to f16
    sluice.yield %y : f16
  }
  sluice.store %c to %C[%c0, %c0] : <128x64xf16>, <?x?xf16, align 16>
}

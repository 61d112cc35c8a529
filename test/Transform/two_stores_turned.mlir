// A transposed tile is stored by all warps together, the other by every warpgroup: they meet at named barriers of their
// own (R11).
// RUN: sluice check %s | FileCheck %s
// CHECK: proven: every launch
// RUN: sluice emit %s | FileCheck %s --check-prefix=TEXT
// TEXT: namedBarrierSync(2, 128);
// TEXT: namedBarrierSync(3, 256);
sluice.kernel @turned(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                      %Y: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Y", sluice.out},
                      %Z: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Z", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %a = sluice.alloc "a" : !sluice.buffer<128x64xf16>
  sluice.load %A[%c0, %c0] to %a : <?x?xf16, align 16>, <128x64xf16>
  %b = sluice.alloc "b" : !sluice.buffer<64x16xf16>
  sluice.load %A[%c0, %c0] to %b : <?x?xf16, align 16>, <64x16xf16>
  %acc = sluice.alloc "acc" : !sluice.buffer<128x16xf32>
  sluice.fill %acc with 0.0 : <128x16xf32>
  sluice.mma %acc, %a, %b : <128x16xf32>, <128x64xf16>, <64x16xf16>
  %c = sluice.alloc "c" : !sluice.buffer<128x16xf32>
  sluice.map ins(%acc : !sluice.buffer<128x16xf32>) outs(%c : !sluice.buffer<128x16xf32>) {
  ^bb0(%v: f32):
    %y = arith.addf %v, %v : f32
    sluice.yield %y : f32
  }
  sluice.store %acc to %Y[%c0, %c0] : <128x16xf32>, <?x?xf32, align 16>
  %turned = sluice.transpose %c : <128x16xf32>
  sluice.store %turned to %Z[%c0, %c0] : <16x128xf32, minor 0>, <?x?xf32, align 16>
}

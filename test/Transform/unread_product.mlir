// A product whose sums nobody reads is waited for at the end of the kernel.
// RUN: sluice check %s | FileCheck %s
// RUN: sluice run %s --set A=100x64 B=64x32 Y=100x32 --random 3 --device sim --out Y=%t.npy
// CHECK: {{^}}proven: every launch
sluice.kernel @unread(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                      %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                      %Y: !sluice.tensor<?x?xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %rows = sluice.dim %Y, 0 : <?x?xf16>
  %blocks = arith.ceildivsi %rows, %c128 : index
  %i = sluice.grid %blocks : index
  %row = arith.muli %i, %c128 : index
  %a = sluice.alloc "a" : !sluice.buffer<128x64xf16>
  sluice.load %A[%row, %c0] to %a : <?x?xf16, align 16>, <128x64xf16>
  %b = sluice.alloc "b" : !sluice.buffer<64x32xf16>
  sluice.load %B[%c0, %c0] to %b : <?x?xf16, align 16>, <64x32xf16>
  %y = sluice.alloc "y" : !sluice.buffer<128x32xf16>
  sluice.fill %y with 1.0 : <128x32xf16>
  sluice.store %y to %Y[%row, %c0] : <128x32xf16>, <?x?xf16>
  %sum = sluice.alloc "sum" : !sluice.buffer<128x32xf32>
  sluice.fill %sum with 0.0 : <128x32xf32>
  sluice.mma %sum, %a, %b : <128x32xf32>, <128x64xf16>, <64x32xf16>
}

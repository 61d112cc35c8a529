// The rows of A repeat every four tiles of rows: a remainder in a coordinate of a persistent kernel.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// CHECK-NOT: tiles-in-step
sluice.kernel @k(%A: !sluice.tensor<?x?xbf16, align 16> {sluice.name = "A"}, %B: !sluice.tensor<?x?xbf16, align 16> {sluice.name = "B"}, %Y: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %c64 = arith.constant 64 : index
  %d1 = sluice.dim %Y, 0 : <?x?xf32, align 16>
  %d2 = sluice.dim %Y, 1 : <?x?xf32, align 16>
  %d8 = sluice.dim %A, 1 : <?x?xbf16, align 16>
  %gm = arith.ceildivsi %d1, %c64 : index
  %gn = arith.ceildivsi %d2, %c64 : index
  %steps = arith.ceildivsi %d8, %c64 : index
  %i, %j = sluice.grid %gm, %gn {persistent} : index, index
  %row = arith.muli %i, %c64 : index
  %col = arith.muli %j, %c64 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  sluice.fill %acc with 0.0 : <64x64xf32>
  scf.for %t = %c0 to %steps step %c1 {
    %k = arith.muli %t, %c64 : index
    %q = arith.remsi %i, %c4 : index
    %ra = arith.muli %q, %c64 : index
    %ta = sluice.alloc "ta" : !sluice.buffer<64x64xbf16>
    sluice.load %A[%ra, %k] to %ta : <?x?xbf16, align 16>, <64x64xbf16>
    %tb = sluice.alloc "tb" : !sluice.buffer<64x64xbf16>
    sluice.load %B[%k, %col] to %tb : <?x?xbf16, align 16>, <64x64xbf16>
    sluice.mma %acc, %ta, %tb : <64x64xf32>, <64x64xbf16>, <64x64xbf16>
  } {sluice.stages = 3}
  sluice.store %acc to %Y[%row, %col] : <64x64xf32>, <?x?xf32, align 16>
}

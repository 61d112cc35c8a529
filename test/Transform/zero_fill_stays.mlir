// RUN: sluice emit %s | FileCheck %s
// RUN: sluice check %s | FileCheck %s --check-prefix=VERDICT
// The first loop has no steps where K is 64 at most, and then tiles inside the tensor at its place:
// it must not run once for the zeros of the sum. The second goes on where it ends.
// CHECK-NOT: max(
// CHECK: fill(acc, 0.0f);
// CHECK: i1 < h;
// CHECK: i2 = h; i2 < n;
// VERDICT: {{^}}proven: every launch
sluice.kernel @k(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
  %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
  %C: !sluice.tensor<?x?xf16, align 16> {sluice.name = "C", sluice.out}) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %N = sluice.dim %B, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c128 : index
  %gn = arith.ceildivsi %N, %c128 : index
  %n = arith.ceildivsi %K, %c64 : index
  %i, %j = sluice.grid %gm, %gn : index, index
  %row = arith.muli %i, %c128 : index
  %col = arith.muli %j, %c128 : index
  %h = arith.divsi %n, %c2 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<128x128xf32>
  sluice.fill %acc with 0.0 : <128x128xf32>
  scf.for %k = %c0 to %h step %c1 {
    %kk1 = arith.muli %k, %c64 : index
    %a1 = sluice.alloc "a1" : !sluice.buffer<128x64xf16>
    %b1 = sluice.alloc "b1" : !sluice.buffer<64x128xf16>
    sluice.load %A[%row, %kk1] to %a1 : <?x?xf16, align 16>, <128x64xf16>
    sluice.load %B[%kk1, %col] to %b1 : <?x?xf16, align 16>, <64x128xf16>
    sluice.mma %acc, %a1, %b1 : <128x128xf32>, <128x64xf16>, <64x128xf16>
  }
  scf.for %k = %h to %n step %c1 {
    %kk2 = arith.muli %k, %c64 : index
    %a2 = sluice.alloc "a2" : !sluice.buffer<128x64xf16>
    %b2 = sluice.alloc "b2" : !sluice.buffer<64x128xf16>
    sluice.load %A[%row, %kk2] to %a2 : <?x?xf16, align 16>, <128x64xf16>
    sluice.load %B[%kk2, %col] to %b2 : <?x?xf16, align 16>, <64x128xf16>
    sluice.mma %acc, %a2, %b2 : <128x128xf32>, <128x64xf16>, <64x128xf16>
  }
  %c = sluice.alloc "c" : !sluice.buffer<128x128xf16>
  sluice.map ins(%acc : !sluice.buffer<128x128xf32>) outs(%c : !sluice.buffer<128x128xf16>) {
  ^bb0(%x0: f32):
    %m14 = arith.truncf %x0 : f32 to f16
    sluice.yield %m14 : f16
  }
  sluice.store %c to %C[%row, %col] : <128x128xf16>, <?x?xf16, align 16>
}

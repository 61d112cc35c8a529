// RUN: sluice-opt %s -sluice-to-placed | FileCheck %s
// A transposed tile of registers is staged whole, with its rows contiguous, and turned on the way.
// CHECK: %acc_staging = sluice.alloc "acc_staging" : !sluice.buffer<64x16xf32, smem, sw128, minor 0>
// CHECK: sluice.copy %acc to %acc_staging : <64x16xf32, reg, acc>, <64x16xf32, smem, sw128, minor 0>
// CHECK: %[[TURNED:.*]] = sluice.transpose %acc_staging : <64x16xf32, smem, sw128, minor 0>
// CHECK: sluice.store %[[TURNED]] to %C[%c0, %c0] cache evict_first : <16x64xf32, smem, sw128>, <?x?xf32, align 16>
sluice.kernel @turned(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                      %C: !sluice.tensor<?x?xf32, align 16> {sluice.name = "C", sluice.out}) {
  %c0 = arith.constant 0 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
  sluice.load %A[%c0, %c0] to %a : <?x?xf16, align 16>, <64x64xf16>
  %b = sluice.alloc "b" : !sluice.buffer<64x16xf16>
  sluice.load %A[%c0, %c0] to %b : <?x?xf16, align 16>, <64x16xf16>
  %acc = sluice.alloc "acc" : !sluice.buffer<64x16xf32>
  sluice.fill %acc with 0.0 : <64x16xf32>
  sluice.mma %acc, %a, %b : <64x16xf32>, <64x64xf16>, <64x16xf16>
  %turned = sluice.transpose %acc : <64x16xf32>
  sluice.store %turned to %C[%c0, %c0] cache evict_first {sluice.staging = 2} : <16x64xf32, minor 0>, <?x?xf32, align 16>
}

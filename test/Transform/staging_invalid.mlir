// RUN: not sluice check %s 2>&1 | FileCheck %s
// RUN: sed 's/staging = -1/staging = 9/' %s > %t.nine.mlir
// RUN: not sluice check %t.nine.mlir 2>&1 | FileCheck %s --check-prefix=NINE
// NINE: error: {{.*}}nine.mlir:[[@LINE+7]]:3: sluice.staging: the parts of 64 columns take no more than 8 slots; ask for so many, or leave it out
// CHECK: error: {{.*}}staging_invalid.mlir:[[@LINE+6]]:3: 'sluice.store' op sluice.staging must be an integer of at least 0
sluice.kernel @k(%C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out}) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %i = sluice.grid %c0 : index
  %c = sluice.alloc "c" : !sluice.buffer<64x64xf32>
  sluice.fill %c with 1.0 : <64x64xf32>
  sluice.store %c to %C[%c0, %c0] {sluice.staging = -1} : <64x64xf32>, <?x?xf32>
}

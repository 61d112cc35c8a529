// RUN: not sluice check %s 2>&1 | FileCheck %s
// CHECK: error: {{.*}}paced_invalid.mlir:[[@LINE+5]]:3: 'sluice.fill' op sluice.paced stands on a load or store, without a value
sluice.kernel @k(%C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out}) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %i = sluice.grid %c0 : index
  %c = sluice.alloc "c" : !sluice.buffer<64x64xf32>
  sluice.fill %c with 1.0 {sluice.paced} : <64x64xf32>
  sluice.store %c to %C[%c0, %c0] : <64x64xf32>, <?x?xf32>
}

// CUDA's headers overload `norm`, so that no kernel, which has C linkage, is called so; values may be.
// RUN: sluice emit %s -o %t.cu
// RUN: FileCheck %s < %t.cu
// CHECK: norm_kernel(const float *XGlobal
// CHECK: norm;
// RUN: %if nvcc %{ %nvcc -I %S/../../device -cubin %t.cu -o %t.cubin %}
sluice.kernel @norm(%X: !sluice.tensor<?x?xf32> {sluice.name = "X"},
                    %Y: !sluice.tensor<?x?xf32> {sluice.name = "Y", sluice.out}) {
  %c0 = arith.constant 0 : index
  %x = sluice.alloc "norm" : !sluice.buffer<64x64xf32>
  sluice.load %X[%c0, %c0] to %x : <?x?xf32>, <64x64xf32>
  sluice.store %x to %Y[%c0, %c0] : <64x64xf32>, <?x?xf32>
}

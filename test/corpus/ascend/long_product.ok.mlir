// RUN: sluice check %s | FileCheck %s
// Ascend C, Mmad: one product of 4064 numbers for each sum, where a call takes at most 4095.
// CHECK: {{^}}proven
sluice.kernel @long_product(
    %A: !sluice.tensor<16x4064xi8> {sluice.name = "A"},
    %B: !sluice.tensor<16x4064xi8> {sluice.name = "B"},
    %C: !sluice.tensor<16x16xi32> {sluice.name = "C", sluice.out})
    attributes {target = "ascend910b", phase = "barrier"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %no = arith.constant false
  %i = sluice.grid %c1 : index
  sluice.role "cube" core "aic" {
    %a = sluice.alloc "a" : !sluice.buffer<16x4064xi8, l1, zN>
    %b = sluice.alloc "b" : !sluice.buffer<16x4064xi8, l1, zN>
    %l0a = sluice.alloc "l0a" : !sluice.buffer<16x4064xi8, l0a, zZ>
    %l0b = sluice.alloc "l0b" : !sluice.buffer<4064x16xi8, l0b, nZ>
    %sums = sluice.alloc "sums" : !sluice.buffer<16x16xi32, l0c, zN>
    sluice.load %A[%c0, %c0] to %a on MTE2 : <16x4064xi8>, <16x4064xi8, l1, zN>
    sluice.load %B[%c0, %c0] to %b on MTE2 : <16x4064xi8>, <16x4064xi8, l1, zN>
    sluice.pipe_barrier ALL
    %b_t = sluice.transpose %b : <16x4064xi8, l1, zN>
    sluice.copy %a to %l0a on MTE1 : <16x4064xi8, l1, zN>, <16x4064xi8, l0a, zZ>
    sluice.copy %b_t to %l0b on MTE1 : <4064x16xi8, l1, zN, minor 0>, <4064x16xi8, l0b, nZ>
    sluice.pipe_barrier ALL
    sluice.mmad %sums, %l0a, %l0b accumulate %no : <16x16xi32, l0c, zN>,
        <16x4064xi8, l0a, zZ>, <4064x16xi8, l0b, nZ>
    sluice.pipe_barrier ALL
    sluice.store %sums to %C[%c0, %c0] on FIX : <16x16xi32, l0c, zN>, <16x16xi32>
  }
}

// RUN: sluice check %s | FileCheck %s
// simpler #1844. Both halves use one bound.
// CHECK: {{^}}proven
sluice.kernel @cube(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                    %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                    %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out})
    attributes {target = "ascend910b", phase = "barrier"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %one = arith.constant 1 : index
  %core = sluice.grid %one : index
  %tiles = arith.ceildivsi %K, %c32 : index
  %n = arith.maxsi %tiles, %c1 : index
  sluice.role "cube" core "aic" {
    %a = sluice.alloc "a" : !sluice.buffer<32x32xf16, l1, zN>
    %b = sluice.alloc "b" : !sluice.buffer<32x32xf16, l1, zN>
    %la = sluice.alloc "la" : !sluice.buffer<32x32xf16, l0a, zZ>
    %lb = sluice.alloc "lb" : !sluice.buffer<32x32xf16, l0b, nZ>
    %d = sluice.alloc "d" : !sluice.buffer<32x32xf32, l0c, zN>
    sluice.set_flag MTE1 to MTE2[%c0]
    sluice.set_flag M to MTE1[%c0]
    scf.for %t = %c0 to %n step %c1 { // the half of the copies from global memory
      %k = arith.muli %t, %c32 : index
      sluice.wait_flag MTE1 to MTE2[%c0]
      sluice.load %A[%c0, %k] to %a on MTE2 : <?x?xf16, align 16>, <32x32xf16, l1, zN>
      sluice.load %B[%k, %c0] to %b on MTE2 : <?x?xf16, align 16>, <32x32xf16, l1, zN>
      sluice.set_flag MTE2 to MTE1[%c0]
    }
    scf.for %t = %c0 to %n step %c1 { // the half of the products
      %later = arith.cmpi sgt, %t, %c0 : index
      sluice.wait_flag MTE2 to MTE1[%c0]
      sluice.wait_flag M to MTE1[%c0]
      sluice.copy %a to %la on MTE1 : <32x32xf16, l1, zN>, <32x32xf16, l0a, zZ>
      sluice.copy %b to %lb on MTE1 : <32x32xf16, l1, zN>, <32x32xf16, l0b, nZ>
      sluice.set_flag MTE1 to MTE2[%c0]
      sluice.set_flag MTE1 to M[%c0]
      sluice.wait_flag MTE1 to M[%c0]
      sluice.mmad %d, %la, %lb accumulate %later
          : <32x32xf32, l0c, zN>, <32x32xf16, l0a, zZ>, <32x32xf16, l0b, nZ>
      sluice.pipe_barrier M
      sluice.set_flag M to MTE1[%c0]
    } {sluice.name = "t", sluice.pipelined}
    sluice.wait_flag MTE1 to MTE2[%c0]
    sluice.wait_flag M to MTE1[%c0]
    sluice.set_flag M to FIX[%c0]
    sluice.wait_flag M to FIX[%c0]
    sluice.store %d to %C[%c0, %c0] on FIX : <32x32xf32, l0c, zN>, <?x?xf32>
  }
}

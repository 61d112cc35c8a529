// RUN: sluice-opt %s | sluice-opt -sluice-verify-phase | FileCheck %s
// Flags, pipes and cross-core flags: one step of a GEMM on the AIC, one vector step on the AIV.

// CHECK-LABEL: sluice.kernel @core
sluice.kernel @core(%A: !sluice.tensor<?x?xf16> {sluice.name = "A"},
                    %C: !sluice.tensor<?x?xf16> {sluice.name = "C", sluice.out})
    attributes {target = "ascend910b", phase = "allocated"} {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %no = arith.constant false
  // CHECK: sluice.role "cube" core "aic" {
  sluice.role "cube" core "aic" {
    %l1 = sluice.alloc "l1" at 0 : !sluice.buffer<32x32xf16, l1, zN>
    %a = sluice.alloc "a" at 0 : !sluice.buffer<32x32xf16, l0a, zZ>
    %b = sluice.alloc "b" at 0 : !sluice.buffer<32x32xf16, l0b, nZ>
    %d = sluice.alloc "d" at 0 : !sluice.buffer<32x32xf32, l0c, zN>
    // CHECK: sluice.load %A[%c0, %c0] to %l1 on MTE2 : <?x?xf16>, <32x32xf16, l1, zN>
    sluice.load %A[%c0, %c0] to %l1 on MTE2 : <?x?xf16>, <32x32xf16, l1, zN>
    // CHECK: sluice.set_flag MTE2 to MTE1[%c7]
    sluice.set_flag MTE2 to MTE1[%c7]
    // CHECK: sluice.wait_flag MTE2 to MTE1[%c7]
    sluice.wait_flag MTE2 to MTE1[%c7]
    // CHECK: sluice.copy %l1 to %a on MTE1 : <32x32xf16, l1, zN>, <32x32xf16, l0a, zZ>
    sluice.copy %l1 to %a on MTE1 : <32x32xf16, l1, zN>, <32x32xf16, l0a, zZ>
    sluice.copy %l1 to %b on MTE1 : <32x32xf16, l1, zN>, <32x32xf16, l0b, nZ>
    sluice.set_flag MTE1 to M[%c0]
    sluice.wait_flag MTE1 to M[%c0]
    // CHECK: sluice.mmad %d, %a, %b accumulate %false : <32x32xf32, l0c, zN>, <32x32xf16, l0a, zZ>, <32x32xf16, l0b, nZ>
    sluice.mmad %d, %a, %b accumulate %no
        : <32x32xf32, l0c, zN>, <32x32xf16, l0a, zZ>, <32x32xf16, l0b, nZ>
    // CHECK: sluice.pipe_barrier M
    sluice.pipe_barrier M
    sluice.set_flag M to FIX[%c0]
    sluice.wait_flag M to FIX[%c0]
    // CHECK: sluice.store %d to %C[%c0, %c0] on FIX : <32x32xf32, l0c, zN>, <?x?xf16>
    sluice.store %d to %C[%c0, %c0] on FIX : <32x32xf32, l0c, zN>, <?x?xf16>
    // CHECK: sluice.cross.set mode 2 on FIX[%c0]
    sluice.cross.set mode 2 on FIX[%c0]
    // CHECK: sluice.pipe_barrier ALL
    sluice.pipe_barrier ALL
  }
  sluice.role "vector" core "aiv" {
    %x = sluice.alloc "x" at 0 : !sluice.buffer<16x32xf16, ub, row>
    // CHECK: %subblock = sluice.subblock
    %half = sluice.subblock
    // CHECK: sluice.cross.wait on MTE2[%c0]
    sluice.cross.wait on MTE2[%c0]
    sluice.load %A[%half, %c0] to %x on MTE2 : <?x?xf16>, <16x32xf16, ub, row>
    sluice.set_flag MTE2 to V[%c0]
    sluice.wait_flag MTE2 to V[%c0]
    // CHECK: sluice.fill %x with 0.000000e+00 on V : <16x32xf16, ub, row>
    sluice.fill %x with 0.0 on V : <16x32xf16, ub, row>
    // CHECK: sluice.map ins(%x : !sluice.buffer<16x32xf16, ub, row>) outs(%x : !sluice.buffer<16x32xf16, ub, row>) on V {
    sluice.map ins(%x : !sluice.buffer<16x32xf16, ub, row>)
        outs(%x : !sluice.buffer<16x32xf16, ub, row>) on V {
    ^bb0(%v: f16):
      sluice.yield %v : f16
    }
    %m = sluice.alloc "m" at 1024 : !sluice.buffer<16x1xf16, ub, row>
    // CHECK: axis 1 from [0.000000e+00] on V {
    sluice.reduce ins(%x : !sluice.buffer<16x32xf16, ub, row>)
        outs(%m : !sluice.buffer<16x1xf16, ub, row>) axis 1 from [0.0] on V {
    ^bb0(%s: f16, %v: f16):
      %t = arith.maximumf %s, %v : f16
      sluice.yield %t : f16
    }
  }
}

// RUN: sluice emit %s | FileCheck %s
// RUN: not sluice check %S/Inputs/truth.mlir 2>&1 | FileCheck %s --check-prefix=TRUTH
// Conversions between numbers as in C: from reals toward zero, integers wrap around; bits as they are.
// CHECK: const int [[WHOLE:[a-z0-9]+]] = __float2int_rz(
// CHECK: lowByte([[WHOLE]])
// CHECK: __int_as_float(__float_as_int(float(wrapAdd<int>({{.*}}) & 2147483647)
// TRUTH: error: {{.*}}truth.mlir:8:3: no target computes 'arith.extsi' on elements
sluice.kernel @convert(%X: !sluice.tensor<64x32xf32, align 16> {sluice.name = "X"},
                       %Y: !sluice.tensor<64x32xf32, align 16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x32xf32, reg, acc>
  %y = sluice.alloc "y" : !sluice.buffer<64x32xf32, reg, acc>
  sluice.load %X[%c0, %c0] to %x : <64x32xf32, align 16>, <64x32xf32, reg, acc>
  sluice.map ins(%x : !sluice.buffer<64x32xf32, reg, acc>)
      outs(%y : !sluice.buffer<64x32xf32, reg, acc>) {
  ^bb0(%e: f32):
    %whole = arith.fptosi %e : f32 to i32
    %low = arith.trunci %whole : i32 to i8
    %wide = arith.extsi %low : i8 to i32
    %positive = arith.cmpi sgt, %wide, %whole : i32
    %more = arith.extui %positive : i1 to i32
    %whole_sum = arith.addi %wide, %more : i32
    %sum = arith.sitofp %whole_sum : i32 to f32
    %bits = arith.bitcast %sum : f32 to i32
    %mask = arith.constant 2147483647 : i32
    %unsigned = arith.andi %bits, %mask : i32
    %size = arith.bitcast %unsigned : i32 to f32
    sluice.yield %size : f32
  }
  sluice.store %y to %Y[%c0, %c0] : <64x32xf32, reg, acc>, <64x32xf32, align 16>
}

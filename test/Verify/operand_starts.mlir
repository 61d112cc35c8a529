// Operands of wgmma start at a step of K; those in shared memory at 8 rows of a swizzle pattern, or,
// where rows lie along the other dimension, at a whole span of it (R18).
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: sed 's/%%a\[%%c8, %%c16\]/%%a[%%c4, %%c16]/' %s > %t.rows.mlir
// RUN: not sluice check %t.rows.mlir | FileCheck %s --check-prefix=ROWS
// ROWS: R18 (wgmma shapes): wgmma at {{.*}}: operand a starts at multiples of 4 of M and multiples of 16 of K, as far as is known; it has to at multiples of 8 and of 16
// RUN: sed 's/%%a\[%%c8, %%c16\]/%%a[%%c8, %%c8]/' %s > %t.steps.mlir
// RUN: not sluice check %t.steps.mlir | FileCheck %s --check-prefix=STEPS
// STEPS: R18 {{.*}} operand a starts at multiples of 8 of M and multiples of 8 of K
// RUN: sed 's/%%b\[%%c16, %%c64\]/%%b[%%c16, %%c8]/' %s > %t.span.mlir
// RUN: not sluice check %t.span.mlir | FileCheck %s --check-prefix=SPAN
// SPAN: R18 {{.*}} operand b starts at multiples of 8 of N and multiples of 16 of K, as far as is known; it has to at multiples of 64 and of 16
// RUN: sed 's/%%b\[%%c16, %%c64\]/%%b[%%n, %%c64]/' %s > %t.unknown.mlir
// RUN: not sluice check %t.unknown.mlir | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: R18 {{.*}} operand b starts at multiples of 64 of N and multiples of 1 of K
// RUN: sed 's/%%f\[%%c0, %%c16\]/%%f[%%c0, %%c8]/' %s > %t.registers.mlir
// RUN: not sluice check %t.registers.mlir | FileCheck %s --check-prefix=REGISTERS
// REGISTERS: R18 {{.*}} operand f starts at 0 of M and multiples of 8 of K
sluice.kernel @starts(%Y: !sluice.tensor<?x64xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %n = sluice.dim %Y, 0 : <?x64xf32>
  %a = sluice.alloc "a" : !sluice.buffer<128x64xf16, smem, sw128>
  %b = sluice.alloc "b" : !sluice.buffer<64x128xf16, smem, sw128>
  %f = sluice.alloc "f" : !sluice.buffer<64x64xf16, reg, fragA>
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32, reg, acc>
  sluice.fill %a with 1.0 : <128x64xf16, smem, sw128>
  sluice.fill %b with 1.0 : <64x128xf16, smem, sw128>
  sluice.fill %f with 1.0 : <64x64xf16, reg, fragA>
  sluice.fill %acc with 0.0 : <64x64xf32, reg, acc>
  sluice.fence proxy_async
  sluice.bar.sync 0, 128
  %rows = sluice.subview %a[%c8, %c16] : <128x64xf16, smem, sw128> to <64x32xf16, smem, sw128>
  %columns = sluice.subview %b[%c16, %c64] : <64x128xf16, smem, sw128> to <32x64xf16, smem, sw128>
  %held = sluice.subview %f[%c0, %c16] : <64x64xf16, reg, fragA> to <64x32xf16, reg, fragA>
  sluice.wgmma.fence
  sluice.wgmma %acc, %rows, %columns {sluice.any_tiles}
      : <64x64xf32, reg, acc>, <64x32xf16, smem, sw128>, <32x64xf16, smem, sw128>
  sluice.wgmma %acc, %held, %columns {sluice.any_tiles}
      : <64x64xf32, reg, acc>, <64x32xf16, reg, fragA>, <32x64xf16, smem, sw128>
  sluice.wgmma.commit
  sluice.wgmma.wait 0
  sluice.store %acc to %Y[%c0, %c0] : <64x64xf32, reg, acc>, <?x64xf32>
}

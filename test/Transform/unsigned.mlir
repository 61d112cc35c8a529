// RUN: not sluice check %s 2>&1 | FileCheck %s
// 5 <= n < 7 as an unsigned comparison; the machine program counts with signed numbers.
// CHECK: unsigned.mlir:{{[0-9]+}}:{{[0-9]+}}: 'arith.cmpi' takes its operands as unsigned, and one may be negative, -5; use the signed form, or assume what keeps it from there
sluice.kernel @k(%N: !sluice.tensor<?xi32> {sluice.name = "N"}, %Y: !sluice.tensor<?x32xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %n = sluice.dim %N, 0 : <?xi32>
  %i = sluice.grid %c1 : index
  %r = sluice.alloc "r" : !sluice.buffer<32x32xf32, smem, row>
  sluice.fill %r with 0.0 : <32x32xf32, smem, row>
  sluice.warp_sync
  %d = arith.subi %n, %c5 : index
  %in = arith.cmpi ult, %d, %c2 : index
  scf.if %in {
    sluice.store %r to %Y[%c0, %c0] : <32x32xf32, smem, row>, <?x32xf32>
  }
}

// RUN: not sluice check %s 2>&1 | FileCheck %s
// i - 2 < n as an unsigned comparison does not hold at 0; i < n + 2 would.
// CHECK: unsigned_sum.mlir:[[#@LINE+10]]:13: 'arith.cmpi' takes its operands as unsigned, and one may be negative, -2; use the signed form, or assume what keeps it from there
sluice.kernel @k(%N: !sluice.tensor<?xi32> {sluice.name = "N"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = sluice.dim %N, 0 : <?xi32>
  %cta = sluice.grid %c1 : index
  %e = scf.while (%i = %c0) : (index) -> (index) {
    %before = arith.subi %i, %c2 : index
    %more = arith.cmpi ult, %before, %n : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    sluice.bar.sync 0, 32
    %on = arith.addi %i, %c1 : index
    scf.yield %on : index
  }
}

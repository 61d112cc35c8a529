// RUN: not sluice check %s 2>&1 | FileCheck %s
// From 2147483000 on the sum is a negative number of 32 bits, and the loop never ends. As index it
// is a loop with bounds.
// CHECK: narrow_counter.mlir:[[#@LINE+16]]:11: 'arith.addi' may wrap around: 32 bits do not hold {{.*}}; compute it as index, or assume what keeps it small
// RUN: sed 's/: i32/: index/g; s/(i32)/(index)/g' %s > %t.index.mlir
// RUN: sluice check %t.index.mlir | FileCheck %s --check-prefix=INDEX
// INDEX: proven: every launch
sluice.kernel @k(%n: i32 {sluice.name = "n"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : i32
  %by = arith.constant 1000 : i32
  %c1 = arith.constant 1 : index
  %cta = sluice.grid %c1 : index
  %e = scf.while (%i = %c0) : (i32) -> (i32) {
    %more = arith.cmpi slt, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    sluice.bar.sync 0, 32
    %on = arith.addi %i, %by : i32
    scf.yield %on : i32
  }
}

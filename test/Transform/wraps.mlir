// RUN: not sluice check %s 2>&1 | FileCheck %s
// CHECK: wraps.mlir:{{[0-9]+}}:{{[0-9]+}}: 'arith.muli' may wrap around: 32 bits do not hold {{.*}}; compute it as index, or assume what keeps it small
sluice.kernel @k(%A: !sluice.tensor<?xi32> {sluice.name = "A"}, %a: i32 {sluice.name = "a"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = sluice.grid %c1 : index
  %q = arith.muli %a, %a : i32
  %t = arith.index_cast %q : i32 to index
  scf.for %j = %c0 to %t step %c1 {
    sluice.bar.sync 0, 32
  }
}

// RUN: not sluice check %s 2>&1 | FileCheck %s
// CHECK: truth.mlir:{{[0-9]+}}:{{[0-9]+}}: 'arith.{{extsi|index_cast}}' takes a truth value for a number, of which 1 is -1; use arith.extui, or arith.select between two numbers
sluice.kernel @k(%A: !sluice.tensor<?xi32> {sluice.name = "A"}, %a: i32 {sluice.name = "a"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = sluice.grid %c1 : index
  %n = sluice.dim %A, 0 : <?xi32>
  %p = arith.cmpi sgt, %n, %c1 : index
  %q = arith.extsi %p : i1 to i32
  %t = arith.index_cast %q : i32 to index
  scf.for %j = %c0 to %t step %c1 {
    sluice.bar.sync 0, 32
  }
}

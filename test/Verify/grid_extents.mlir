// The grid's extents are what a launch tells: arithmetic, or an integer of a tensor; not what a
// loop gives, nor a number of an agent.
// RUN: sluice check %s | FileCheck %s
// RUN: sed 's/%%i = sluice.grid %%n/%%i = sluice.grid %%halved/' %s > %t.loop.mlir
// RUN: not sluice check %t.loop.mlir 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: sed 's/%%i = sluice.grid %%n/%%i = sluice.grid %%rank/' %s > %t.rank.mlir
// RUN: not sluice check %t.rank.mlir 2>&1 | FileCheck %s --check-prefix=REFUSED
// CHECK: proven: every launch
// REFUSED: error: {{.*}}:[[#@LINE+14]]:8: an extent of the grid that a loop, a branch or an agent gives: no launch can tell it. Compute it by arithmetic on constants, extents and arguments
sluice.kernel @k(%L: !sluice.tensor<?xi32> {sluice.name = "L"},
                 %s: index {sluice.name = "s"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %length = sluice.scalar_load %L[%c0] : <?xi32>
  %n = arith.maxsi %length, %c1 : index
  %halved = scf.for %t = %c0 to %s step %c1 iter_args(%h = %n) -> index {
    %half = arith.divsi %h, %c2 : index
    scf.yield %half : index
  }
  %rank = sluice.cluster.rank
  %i = sluice.grid %n : index
  sluice.bar.sync 0, 32
}

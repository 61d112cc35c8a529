// A loop that may never end is not left out, whatever comes of it.
// RUN: not sluice check %s 2>&1 | FileCheck %s
// CHECK: endless.mlir:[[#@LINE+30]]:8: unsupported: a loop that does nothing but compute what nobody needs, and may never end; leave it out
// What it counts to is told by its bounds and its step.
// RUN: sed 's/to %%c1 step/to %%e step/' %s > %t.read.mlir
// RUN: not sluice check %t.read.mlir 2>&1 | FileCheck %s --check-prefix=NOTHING
// By a number it ends, or does not.
// RUN: sed 's/addi %%i, %%s/addi %%i, %%c1/' %s > %t.number.mlir
// RUN: sluice check %t.number.mlir | FileCheck %s --check-prefix=PROVEN
// RUN: sed 's/addi %%i, %%s/addi %%i, %%c0/' %s > %t.stays.mlir
// RUN: not sluice check %t.stays.mlir 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: sed 's/addi %%i, %%s/addi %%i, %%c2/; s/cmpi slt/cmpi ne/' %s > %t.passes.mlir
// RUN: not sluice check %t.passes.mlir 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: :8: unsupported: a loop that does nothing but compute what nobody needs, and may never end; leave it out
// A step that is computed may be 0, as one that is an argument.
// RUN: sed 's/^  scf.for/  %%less = arith.subi %%s, %%c1 : index\n  scf.for %%u = %%c0 to %%M step %%less {\n  }\n  scf.for/' %t.number.mlir > %t.step.mlir
// RUN: not sluice check %t.step.mlir 2>&1 | FileCheck %s --check-prefix=COMPUTED
// COMPUTED: :3: unsupported: a loop that does nothing but compute what nobody needs, and may never end; leave it out
// With something to do it is a loop with bounds, whose step each launch is held against.
// RUN: sed 's/^    %%on/    sluice.bar.sync 1, 32\n    %%on/' %s > %t.does.mlir
// RUN: sluice check %t.does.mlir | FileCheck %s --check-prefixes=PROVEN,STEP
// RUN: not sluice check %t.does.mlir --set s=0 2>&1 | FileCheck %s --check-prefix=ZERO
// PROVEN: proven: every launch
// STEP: assuming needed: a loop's step is at least 1
// ZERO: kernel k assumes "a loop's step is at least 1"; this launch has s = 0
sluice.kernel @k(%A: !sluice.tensor<?xf32> {sluice.name = "A"}, %s: index {sluice.name = "s"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %M = sluice.dim %A, 0 : <?xf32>
  %cta = sluice.grid %c1 : index
  %e = scf.while (%i = %c0) : (index) -> (index) {
    %more = arith.cmpi slt, %i, %M : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %on = arith.addi %i, %s : index
    scf.yield %on : index
  }
  scf.for %t = %c0 to %c1 step %c1 {
    sluice.bar.sync 0, 32
  }
}

// A loop's step that is an argument: a launch is held against 1 at least, and the verdict says so.
// `check` chooses a value for what --set does not give.
// RUN: sluice check %s 2>&1 | FileCheck %s
// RUN: sluice emit %s | FileCheck %s --check-prefix=CUDA
// RUN: not sluice check %s --set s=0 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not sluice check %s --this-launch 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not sluice run %s --device sim 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: sed 's/%%ctas = .*/%%ctas = arith.muli %%s, %%c1 : index/' %s > %t.ctas.mlir
// RUN: sluice check %t.ctas.mlir --set s=3 | FileCheck %s --check-prefix=CTAS
// RUN: sed 's/step %%s/step %%n/' %s > %t.data.mlir
// RUN: not sluice check %t.data.mlir 2>&1 | FileCheck %s --check-prefix=DATA
// CHECK: note: argument s has no value; beside the proof of every launch the one with s=1 is run
// CHECK: proven: every launch
// CHECK: assuming needed: a loop's step is at least 1 (steps.mlir:[[#@LINE+18]]:3, checked at launch)
// CUDA: assuming needed: a loop's step is at least 1
// ZERO: error: {{.*}}steps.mlir:[[#@LINE+16]]:3: kernel k assumes "a loop's step is at least 1"; this launch has s = 0
// VALUE: error: argument s has no value; give --set s=VALUE
// CTAS: proven: every launch
// CTAS-NOT: assuming needed
// DATA: error: {{.*}}: a loop's step that is not computed from constants, extents and arguments: no launch can be held against it
sluice.kernel @k(%A: !sluice.tensor<?x?xf16> {sluice.name = "A"},
                 %L: !sluice.tensor<?xi32> {sluice.name = "L"},
                 %s: index {sluice.name = "s"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %N = sluice.dim %A, 0 : <?x?xf16>
  %ctas = arith.addi %c0, %c1 : index
  %i = sluice.grid %ctas : index
  %one = sluice.scalar_load %L[%c0] : <?xi32>
  %n = sluice.uniform %one : index
  scf.for %t = %c0 to %N step %s {
    sluice.bar.sync 0, 32
  }
}

// Extents that neither the file nor --set gives are 512, or what the kernel's assumptions ask for.
// RUN: sluice check %s --set n=7 | FileCheck %s
// RUN: sluice check %s 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// RUN: sluice check %s --set A=96x1000 n=7 | FileCheck %s --check-prefix=GIVEN
// RUN: not sluice check %s --set A=100x1000 n=7 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: not sluice check %s --set A=96x10 n=7 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: sed 's/arith.muli %%M, %%c2/arith.muli %%M, %%M/; s/eq, %%twice, %%L/eq, %%twice, %%c3/' %s > %t.square.mlir
// RUN: not sluice check %t.square.mlir --set n=7 2>&1 | FileCheck %s --check-prefix=SQUARE
// CHECK: k on sm_90a (h100), A[576,1000] B[1152,512] n=7
// CHECK-NEXT: proven: every launch
// ARGUMENT: note: argument n has no value; beside the proof of every launch the one with n=6 is run
// ARGUMENT: k on sm_90a (h100), A[576,1000] B[1152,512] n=6
// GIVEN: k on sm_90a (h100), A[96,1000] B[192,512] n=7
// BROKEN: kernel k assumes "M is whole parts of 96"; this launch has extent 0 of A = 100
// SHORT: kernel k assumes "rows are long"; this launch has extent 1 of A = 10
// SQUARE: kernel k assumes "M is whole parts of 96"; this launch has extent 0 of A = 512
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"},
                 %B: !sluice.tensor<?x?xf32> {sluice.name = "B"}, %n: index {sluice.name = "n"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c96 = arith.constant 96 : index
  %c1000 = arith.constant 1000 : index
  %c5 = arith.constant 5 : index
  %M = sluice.dim %A, 0 : <?x?xf32>
  %K = sluice.dim %A, 1 : <?x?xf32>
  %L = sluice.dim %B, 0 : <?x?xf32>
  %rest = arith.remsi %M, %c96 : index
  %whole = arith.cmpi eq, %rest, %c0 : index
  sluice.assume %whole, "M is whole parts of 96"
  %long = arith.cmpi sge, %K, %c1000 : index
  sluice.assume %long, "rows are long"
  %twice = arith.muli %M, %c2 : index
  %double = arith.cmpi eq, %twice, %L : index
  sluice.assume %double, "B has twice the rows of A"
  %some = arith.cmpi sgt, %n, %c5 : index
  sluice.assume %some, "n > 5"
  sluice.warp_sync
}

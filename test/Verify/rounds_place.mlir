// A place that follows from how often a loop goes round is no number of a tensor, which might keep
// parts apart: all CTAs store the same tile here, and some two of them where their own numbers are in it.
// RUN: not sluice check %s --set X=64x64 Y=4096x64 | FileCheck %s
// RUN: sed 's/^  %%row = .*/  %%s = arith.addi %%n, %%i : index\n  %%q = arith.divsi %%s, %%c64 : index\n  %%row = arith.muli %%q, %%c64 : index/' %s > %t.some.mlir
// RUN: not sluice check %t.some.mlir --set X=64x64 Y=4096x64 | FileCheck %s
// CHECK: {{^}}violated: refused at X[
// CHECK: R27 (Global memory between CTAs): copy of warp 0 of CTA (0) at {{.*}} writes elements of Y that copy of warp 0 of CTA ({{[0-9]+}})
// CHECK-NOT: tiles-apart
// Of its own tile each is proven.
// RUN: sed 's/^  %%row = .*/  %%s = arith.muli %%n, %%g : index\n  %%q = arith.addi %%s, %%i : index\n  %%row = arith.muli %%q, %%c64 : index/' %s > %t.own.mlir
// RUN: sluice check %t.own.mlir --set X=64x64 Y=4096x64 | FileCheck %s --check-prefix=OWN
// OWN: {{^}}proven: every launch
// OWN: loops-end
// OWN-NOT: tiles-apart
sluice.kernel @k(%X: !sluice.tensor<?x64xf32> {sluice.name = "X"},
                 %Y: !sluice.tensor<?x64xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %X, 0 : <?x64xf32>
  %g = arith.ceildivsi %M, %c64 : index
  %i = sluice.grid %g : index
  %n = scf.while (%t = %c0) : (index) -> (index) {
    %tt = arith.muli %t, %t : index
    %go = arith.cmpi slt, %tt, %M : index
    scf.condition(%go) %t : index
  } do {
  ^bb0(%t: index):
    %next = arith.addi %t, %c1 : index
    scf.yield %next : index
  }
  %row = arith.muli %n, %c64 : index
  %r = sluice.alloc "r" : !sluice.buffer<64x64xf32, reg, acc>
  sluice.fill %r with 1.0 : <64x64xf32, reg, acc>
  sluice.store %r to %Y[%row, %c0] : <64x64xf32, reg, acc>, <?x64xf32>
}

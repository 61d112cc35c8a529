// RUN: sluice check %s --set X=64x32 Y=64x32 | FileCheck %s
// A kernel that may start before the one before has ended waits for its end, whatever there is to
// do: else it may end first, and the next kernel, which waits for it, takes both for ended.
// CHECK: {{^}}proven: every launch
// CHECK-NOT: kernel-before
//
// What is touched before it waits, and not marked as of the kernel before, that one leaves alone.
// RUN: sed 's/sluice.out, sluice.previous/sluice.out/; /griddepcontrol$/d; s/^  scf.for/  sluice.store %%x to %%Y[%%c0, %%c0] : <64x32xf32, reg, acc>, <?x32xf32>\n  sluice.bar.sync 0, 128\n  sluice.griddepcontrol\n&/' %s > %t.before.mlir
// RUN: sluice check %t.before.mlir | FileCheck %s --check-prefix=BEFORE
// BEFORE: {{^}}proven: every launch
// BEFORE: assuming kernel-before: kernels before, which may still run, do not write Y, nor read of it what this one writes
sluice.kernel @k(%X: !sluice.tensor<?x32xf32> {sluice.name = "X", sluice.previous},
                 %Y: !sluice.tensor<?x32xf32> {sluice.name = "Y", sluice.out, sluice.previous})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %X, 0 : <?x32xf32>
  %n = arith.ceildivsi %M, %c64 : index
  %i = sluice.grid %c1 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x32xf32, reg, acc>
  sluice.fill %x with 1.0 : <64x32xf32, reg, acc>
  sluice.griddepcontrol launch
  sluice.griddepcontrol
  scf.for %t = %c0 to %n step %c1 {
    %row = arith.muli %t, %c64 : index
    sluice.load %X[%row, %c0] to %x : <?x32xf32>, <64x32xf32, reg, acc>
    sluice.store %x to %Y[%row, %c0] : <64x32xf32, reg, acc>, <?x32xf32>
  }
}

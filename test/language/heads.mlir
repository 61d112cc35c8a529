// Rows of tiles along a dimension that is not the one before the last: tokens of one head of [S, H, d].
// RUN: sluice-opt %s | sluice-opt | FileCheck %s
// RUN: sluice check %s --set X=200x3x64 Y=200x3x64 | FileCheck %s --check-prefix=PROOF
// RUN: %python %S/Inputs/heads.py %t
// RUN: sluice run %s --in X=%t/X.npy --set Y=200x3x64 --expect Y=%t/Y.npy | FileCheck %s --check-prefix=RIGHT
// RUN: sed 's/, rows 0, align 16/, rows 0/' %s > %t.threads.mlir
// RUN: sluice run %t.threads.mlir --in X=%t/X.npy --set Y=200x3x64 --expect Y=%t/Y.npy | FileCheck %s --check-prefix=RIGHT
// RUN: sed 's/%h, %c0\] : <64x64xf16>, <?x?x64xf16/%c0, %c0] : <64x64xf16>, <?x?x64xf16/' %s > %t.bad.mlir
// RUN: not sluice check %t.bad.mlir --set X=200x3x64 Y=200x3x64 | FileCheck %s --check-prefix=RACE
// CHECK: !sluice.tensor<?x?x64xf16, rows 0, align 16>
// PROOF: proven: every launch
// RIGHT: within
// RACE: R27
sluice.kernel @scaled(%X: !sluice.tensor<?x?x64xf16, rows 0, align 16> {sluice.name = "X"},
                      %Y: !sluice.tensor<?x?x64xf16, rows 0, align 16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %S = sluice.dim %X, 0 : <?x?x64xf16, rows 0, align 16>
  %H = sluice.dim %X, 1 : <?x?x64xf16, rows 0, align 16>
  %blocks = arith.ceildivsi %S, %c64 : index
  %i, %h = sluice.grid %blocks, %H : index, index
  %row = arith.muli %i, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16>
  sluice.load %X[%row, %h, %c0] to %x : <?x?x64xf16, rows 0, align 16>, <64x64xf16>
  // Rows from the first one of this tile on, that many of all rows.
  %left = arith.subi %S, %row : index
  sluice.map ins(%x : !sluice.buffer<64x64xf16>) outs(%x : !sluice.buffer<64x64xf16>) coordinates {
  ^bb0(%v: f16, %r: index, %c: index):
    %two = arith.constant 2.0 : f16
    %twice = arith.mulf %v, %two : f16
    %at = arith.addi %r, %row : index
    %late = arith.cmpi sge, %at, %c64 : index
    %last = arith.addi %r, %c64 : index
    %early = arith.cmpi slt, %last, %left : index
    %both = arith.andi %late, %early : i1
    %y = arith.select %both, %twice, %v : f16
    sluice.yield %y : f16
  }
  sluice.store %x to %Y[%row, %h, %c0] : <64x64xf16>, <?x?x64xf16, rows 0, align 16>
}

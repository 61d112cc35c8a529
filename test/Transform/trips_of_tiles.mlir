// Tiles of a persistent kernel have as many steps as their row says: fewer from row to row, more, or
// those under a diagonal, one at least, two at most from their row on, or start at their row, or all
// by an argument.
// RUN: sluice check %s | FileCheck %s
// RUN: sed 's/subi %n, %i :/addi %n, %i :/' %s > %t.more.mlir
// RUN: sluice check %t.more.mlir | FileCheck %s
// RUN: sed 's/^  %h = arith.subi .*/  %i1 = arith.addi %i, %c1 : index\n  %i2 = arith.muli %i1, %c2 : index\n  %h = arith.minsi %n, %i2 : index/' %s > %t.under.mlir
// RUN: sluice check %t.under.mlir | FileCheck %s
// RUN: sed -e 's/%c0 to %h/%i to %n/' -e '/%h = /d' %s > %t.from.mlir
// RUN: sluice check %t.from.mlir | FileCheck %s
// RUN: sed 's/^  %h = arith.subi .*/  %left = arith.subi %n, %i : index\n  %h = arith.maxsi %left, %c1 : index/' %s > %t.some.mlir
// RUN: sluice check %t.some.mlir | FileCheck %s
// RUN: sed -e 's/^  %h = arith.subi .*/  %w = arith.muli %i, %c2 : index\n  %w2 = arith.addi %w, %c2 : index\n  %h = arith.minsi %n, %w2 : index/' -e 's/%c0 to %h/%w to %h/' %s > %t.window.mlir
// RUN: sluice check %t.window.mlir | FileCheck %s
// RUN: sed -e 's/sluice.out})/sluice.out}, %by: index {sluice.name = "by"})/' -e 's/%c0 to %h step %c1/%c0 to %n step %by/' -e '/%h = /d' %s > %t.step.mlir
// RUN: sluice check %t.step.mlir --set by=2 | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: sed 's/ {persistent}//' %t.from.mlir > %t.from_plain.mlir
// RUN: sluice run %t.from_plain.mlir --random 3 --set A=200x320 B=320x136 Y=200x136 --out Y=%t.from.npy
// RUN: sluice run %t.from.mlir --random 3 --set A=200x320 B=320x136 Y=200x136 --expect Y=%t.from.npy
// RUN: sed 's/ {persistent}//' %t.some.mlir > %t.some_plain.mlir
// RUN: sluice run %t.some_plain.mlir --random 3 --set A=200x320 B=320x136 Y=200x136 --out Y=%t.some.npy
// RUN: sluice run %t.some.mlir --random 3 --set A=200x320 B=320x136 Y=200x136 --expect Y=%t.some.npy
// RUN: sed 's/ {persistent}//' %t.window.mlir > %t.window_plain.mlir
// RUN: sluice run %t.window_plain.mlir --random 3 --set A=200x320 B=320x136 Y=200x136 --out Y=%t.window.npy
// RUN: sluice run %t.window.mlir --random 3 --set A=200x320 B=320x136 Y=200x136 --expect Y=%t.window.npy
// RUN: sed 's/ {persistent}//' %t.step.mlir > %t.step_plain.mlir
// RUN: sluice run %t.step_plain.mlir --random 3 --set A=200x320 B=320x136 Y=200x136 by=2 --out Y=%t.step.npy
// RUN: sluice run %t.step.mlir --random 3 --set A=200x320 B=320x136 Y=200x136 by=2 --expect Y=%t.step.npy
// RUN: sed 's/ {persistent}//' %s > %t.plain.mlir
// RUN: sluice run %t.plain.mlir --random 3 --set A=200x320 B=320x136 Y=200x136 --out Y=%t.npy
// RUN: sluice run %s --random 3 --set A=200x320 B=320x136 Y=200x136 --expect Y=%t.npy
sluice.kernel @k(%A: !sluice.tensor<?x?xbf16, align 16> {sluice.name = "A"},
    %B: !sluice.tensor<?x?xbf16, align 16> {sluice.name = "B"},
    %Y: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %d1 = sluice.dim %Y, 0 : <?x?xf32, align 16>
  %d2 = sluice.dim %Y, 1 : <?x?xf32, align 16>
  %d8 = sluice.dim %A, 1 : <?x?xbf16, align 16>
  %gm = arith.ceildivsi %d1, %c64 : index
  %gn = arith.ceildivsi %d2, %c64 : index
  %n = arith.ceildivsi %d8, %c64 : index
  %i, %j = sluice.grid %gm, %gn {persistent} : index, index
  %row = arith.muli %i, %c64 : index
  %col = arith.muli %j, %c64 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  sluice.fill %acc with 0.0 : <64x64xf32>
  %h = arith.subi %n, %i : index
  scf.for %t = %c0 to %h step %c1 {
    %k = arith.muli %t, %c64 : index
    %ta = sluice.alloc "ta" : !sluice.buffer<64x64xbf16>
    sluice.load %A[%row, %k] to %ta : <?x?xbf16, align 16>, <64x64xbf16>
    %tb = sluice.alloc "tb" : !sluice.buffer<64x64xbf16>
    sluice.load %B[%k, %col] to %tb : <?x?xbf16, align 16>, <64x64xbf16>
    sluice.mma %acc, %ta, %tb : <64x64xf32>, <64x64xbf16>, <64x64xbf16>
  } {sluice.stages = 3}
  sluice.store %acc to %Y[%row, %col] : <64x64xf32>, <?x?xf32, align 16>
}

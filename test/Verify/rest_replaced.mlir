// What a load leaves behind the end of X is replaced by a fill of a copy, which nobody reads before:
// nothing is assumed. A fill of something else, or later, is none.
// RUN: sluice check %s | FileCheck %s --implicit-check-not=rest-unused
// RUN: sed 's/cmpi slt, %%r, %%rest/cmpi slt, %%c, %%rest/' %s > %t.columns.mlir
// RUN: sluice check %t.columns.mlir | FileCheck %s --check-prefixes=CHECK,NAMED
// RUN: sed 's/subi %%M, %%row/subi %%M, %%c0/' %s > %t.elsewhere.mlir
// RUN: sluice check %t.elsewhere.mlir | FileCheck %s --check-prefixes=CHECK,NAMED
// RUN: sed 's/dim %%X, 0/dim %%Y, 0/' %s > %t.other.mlir
// RUN: sluice check %t.other.mlir | FileCheck %s --check-prefixes=CHECK,NAMED
// RUN: sed 's/ins(%%w /ins(%%x /' %s > %t.read.mlir
// RUN: sluice check %t.read.mlir | FileCheck %s --check-prefixes=CHECK,NAMED
// RUN: sed 's/%%row = arith.addi/%%row = arith.subi/' %s > %t.before.mlir
// RUN: sluice check %t.before.mlir | FileCheck %s --check-prefixes=CHECK,NAMED
// CHECK: {{^}}proven: every launch
// NAMED: assuming rest-unused: what the load at {{.*}}:[[#@LINE+19]]:5 leaves of x outside of X reaches no tensor
sluice.kernel @rows(%X: !sluice.tensor<?x64xf32> {sluice.name = "X"},
                    %Y: !sluice.tensor<?x64xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "ascend910b", phase = "barrier"} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %M = sluice.dim %X, 0 : <?x64xf32>
  %c64 = arith.constant 64 : index
  %n = arith.ceildivsi %M, %c64 : index
  %i = sluice.grid %n : index
  %tile = arith.muli %i, %c64 : index
  sluice.role "vector" core "aiv" {
    %x = sluice.alloc "x" : !sluice.buffer<32x64xf32, ub, row>
    %w = sluice.alloc "w" : !sluice.buffer<32x64xf32, ub, row>
    %y = sluice.alloc "y" : !sluice.buffer<32x64xf32, ub, row>
    %half = sluice.subblock
    %down = arith.muli %half, %c32 : index
    %row = arith.addi %tile, %down : index
    %rest = arith.subi %M, %row : index
    sluice.load %X[%row, %c0] to %x on MTE2 : <?x64xf32>, <32x64xf32, ub, row>
    sluice.set_flag MTE2 to V[%c0]
    sluice.wait_flag MTE2 to V[%c0]
    sluice.map ins(%x : !sluice.buffer<32x64xf32, ub, row>)
        outs(%w : !sluice.buffer<32x64xf32, ub, row>) on V {
    ^bb0(%v: f32):
      sluice.yield %v : f32
    }
    sluice.pipe_barrier V
    sluice.map ins(%w : !sluice.buffer<32x64xf32, ub, row>)
        outs(%w : !sluice.buffer<32x64xf32, ub, row>) coordinates on V {
    ^bb0(%v: f32, %r: index, %c: index):
      %zero = arith.constant 0.0 : f32
      %in = arith.cmpi slt, %r, %rest : index
      %z = arith.select %in, %v, %zero : f32
      sluice.yield %z : f32
    }
    sluice.pipe_barrier V
    sluice.map ins(%w : !sluice.buffer<32x64xf32, ub, row>)
        outs(%y : !sluice.buffer<32x64xf32, ub, row>) on V {
    ^bb0(%v: f32):
      %d = arith.addf %v, %v : f32
      sluice.yield %d : f32
    }
    sluice.set_flag V to MTE3[%c0]
    sluice.wait_flag V to MTE3[%c0]
    sluice.store %y to %Y[%row, %c0] on MTE3 : <32x64xf32, ub, row>, <?x64xf32>
  }
}

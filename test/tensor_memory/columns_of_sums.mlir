// Sums of a product's columns, every sixteenth: a thread has them all, in wgmma's layout (of every
// 8 columns the same) and where each has a row.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: sluice run %s --random 5 --set A=200x72 B=72x64 C=200x16 --chaos 5 --out C=%t.npy
// RUN: sed 's/sm_100a/sm_90a/' %s > %t.mlir
// RUN: sluice check %t.mlir | FileCheck %s
// RUN: sluice run %t.mlir --random 5 --set A=200x72 B=72x64 C=200x16 --expect C=%t.npy
// RUN: %if nvcc %{ sluice run %s --random 5 --set A=200x72 B=72x64 C=200x16 --device host | FileCheck %s --check-prefix=HOST %}
// RUN: %if nvcc %{ sluice run %t.mlir --random 5 --set A=200x72 B=72x64 C=200x16 --device host | FileCheck %s --check-prefix=HOST %}
// HOST: are the virtual machine's, bit by bit
// RUN: sluice emit %t.mlir | FileCheck %s --check-prefix=CODE
// CODE: fill(sums, 0.0f);
// CODE: sums.set([[I:i[0-9]*]] % 8, sums.get([[I]] % 8) + acc.get([[I]]));
// Four columns together, where a thread has the row.
// RUN: sed 's/axis 1 from/axis 1 together 4 from/' %s > %t.together.mlir
// RUN: sluice check %t.together.mlir | FileCheck %s
// RUN: %if nvcc %{ sluice run %t.together.mlir --random 5 --set A=200x72 B=72x64 C=200x16 --device host | FileCheck %s --check-prefix=HOST %}
// RUN: sluice emit %t.together.mlir | FileCheck %s --check-prefix=TOGETHER
// TOGETHER: sums.set([[I:i[0-9]*]] / 4 % 16, sums.get([[I]] / 4 % 16) + acc_held.get([[I]]));
// RUN: sed 's/128x16x/128x4x/g;s/x16xf32/x4xf32/g' %t.mlir > %t.four.mlir
// RUN: not sluice check %t.four.mlir 2>&1 | FileCheck %s --check-prefix=FOUR
// FOUR: unsupported: a fold into 4 columns, 1 together, of tiles in wgmma's layout, whose lanes have the same of every 8; take a multiple of that
sluice.kernel @columns(%A: !sluice.tensor<?x?xbf16, align 16> {sluice.name = "A"},
    %B: !sluice.tensor<?x64xbf16, align 16> {sluice.name = "B"},
    %C: !sluice.tensor<?x16xf32, align 16> {sluice.name = "C", sluice.out}) attributes {target = "sm_100a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %rows = sluice.dim %C, 0 : <?x16xf32, align 16>
  %depth = sluice.dim %A, 1 : <?x?xbf16, align 16>
  %tiles = arith.ceildivsi %rows, %c128 : index
  %steps = arith.ceildivsi %depth, %c64 : index
  %i = sluice.grid %tiles : index
  %row = arith.muli %i, %c128 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<128x64xf32>
  sluice.fill %acc with 0.0 : <128x64xf32>
  scf.for %t = %c0 to %steps step %c1 {
    %k = arith.muli %t, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<128x64xbf16>
    sluice.load %A[%row, %k] to %a : <?x?xbf16, align 16>, <128x64xbf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x64xbf16>
    sluice.load %B[%k, %c0] to %b : <?x64xbf16, align 16>, <64x64xbf16>
    sluice.mma %acc, %a, %b : <128x64xf32>, <128x64xbf16>, <64x64xbf16>
  } {sluice.name = "k", sluice.stages = 2 : i64}
  %sums = sluice.alloc "sums" : !sluice.buffer<128x16xf32>
  sluice.reduce ins(%acc : !sluice.buffer<128x64xf32>) outs(%sums : !sluice.buffer<128x16xf32>) axis 1 from [0.0] {
  ^bb0(%s: f32, %x: f32):
    %r = arith.addf %s, %x : f32
    sluice.yield %r : f32
  }
  sluice.store %sums to %C[%row, %c0] : <128x16xf32>, <?x16xf32, align 16>
}

// What would have no effect is refused by name.
// RUN: sed 's/sluice.load .*/sluice.fill %%x with 1.0 : <64x64xf32>/' %s > %t.filled.mlir
// RUN: not sluice check %t.filled.mlir 2>&1 | FileCheck %s --check-prefix=STAGES
// STAGES: error: {{.*}}.filled.mlir:[[#@LINE+26]]:3: asks for 3 stages, but hands on no tile that would have them: stages are of tiles that a loop itself loads; leave them out
// RUN: sed 's/sluice.stages = 3 : i64/sluice.slots = {smem = 2}/' %s > %t.slots.mlir
// RUN: not sluice check %t.slots.mlir 2>&1 | FileCheck %s --check-prefix=SLOTS
// SLOTS: error: {{.*}}: asks for 2 slots in smem, but hands on no tile there; leave them out
// RUN: sed 's/ {sluice.stages = 3.*}//' %s > %t.right.mlir
// RUN: sluice check %t.right.mlir | FileCheck %s --check-prefix=RIGHT
// RIGHT: proven: every launch
// RUN: sed 's/^  %%i = sluice.grid/  sluice.epoch\n&/' %t.right.mlir > %t.epoch.mlir
// RUN: sluice check %t.epoch.mlir | FileCheck %s --check-prefix=RIGHT
// RUN: sed 's/sluice.grid %%rows :/sluice.grid %%rows {persistent, sluice.dynamic} :/' %t.epoch.mlir > %t.drawn.mlir
// RUN: not sluice check %t.drawn.mlir 2>&1 | FileCheck %s --check-prefix=EPOCH
// EPOCH: error: {{.*}}: unsupported: an epoch beside sluice.turns or sluice.dynamic, of which not every role comes to it equally often; leave it out here
// RUN: sed 's/sluice.store .*//' %t.right.mlir > %t.output.mlir
// RUN: not sluice check %t.output.mlir 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: error: {{.*}}: output Y is never written
sluice.kernel @rows(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
                    %Y: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Y", sluice.out}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %X, 0 : <?x?xf32, align 16>
  %N = sluice.dim %X, 1 : <?x?xf32, align 16>
  %rows = arith.ceildivsi %M, %c64 : index
  %steps = arith.ceildivsi %N, %c64 : index
  %i = sluice.grid %rows : index
  %row = arith.muli %i, %c64 : index
  scf.for %t = %c0 to %steps step %c1 {
    %column = arith.muli %t, %c64 : index
    %x = sluice.alloc "x" : !sluice.buffer<64x64xf32>
    sluice.load %X[%row, %column] to %x : <?x?xf32, align 16>, <64x64xf32>
    %y = sluice.alloc "y" : !sluice.buffer<64x64xf32>
    sluice.map ins(%x : !sluice.buffer<64x64xf32>) outs(%y : !sluice.buffer<64x64xf32>) {
    ^bb0(%v: f32):
      %two = arith.addf %v, %v : f32
      sluice.yield %two : f32
    }
    sluice.store %y to %Y[%row, %column] : <64x64xf32>, <?x?xf32, align 16>
  } {sluice.stages = 3 : i64}
}

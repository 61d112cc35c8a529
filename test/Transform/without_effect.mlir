// What says something where nothing can come of it is refused by name, at its line.
// RUN: sluice check %s | FileCheck %s --check-prefix=GOOD
// GOOD: proven: every launch

// Boxes of a tile that does not wait as a whole: no room, no TMA.
// RUN: sed 's/sluice.grid %%gm, %%gn/& {persistent}/; s/stages = 4/stages = 7/; s/%%C\[%%row, %%col\]/& {sluice.paced}/' %s > %t.room.mlir
// RUN: not sluice check %t.room.mlir 2>&1 | FileCheck %s --check-prefix=ROOM --match-full-lines
// ROOM: error: {{.*}}room.mlir:[[#@LINE+101]]:3: sluice.paced: the whole tile of 32768 bytes waits for it, and there are 2048 beside the tiles in shared memory; use fewer stages, or leave it out
// RUN: sed 's/sluice.grid %%gm, %%gn/& {persistent}/; s/%%C\[%%row, %%col\]/& {sluice.paced}/' %s > %t.boxes.mlir
// RUN: sluice check %t.boxes.mlir | FileCheck %s --check-prefix=GOOD
// RUN: sed 's/<?x?xf16, align 32>/<?x?xf16>/g' %t.boxes.mlir > %t.tma.mlir
// RUN: not sluice check %t.tma.mlir 2>&1 | FileCheck %s --check-prefix=TMA --match-full-lines
// TMA: error: {{.*}}tma.mlir:[[#@LINE+96]]:3: sluice.paced: no role of its own stores this tile as a whole, from rows of a swizzle; leave it out

// The order of steps, turns and loads ahead.
// RUN: sed 's/sluice.stages = 4/sluice.alternate, &/' %s > %t.alternate.mlir
// RUN: not sluice check %t.alternate.mlir 2>&1 | FileCheck %s --check-prefix=ALTERNATE --match-full-lines
// ALTERNATE: error: {{.*}}alternate.mlir:[[#@LINE+77]]:3: sluice.alternate: a CTA takes one tile, whose steps have no other way to go; make the grid persistent, or leave it out
// RUN: sed 's/sluice.grid %%gm, %%gn/& {persistent}/' %t.alternate.mlir > %t.back.mlir
// RUN: sluice check %t.back.mlir | FileCheck %s --check-prefix=GOOD
// RUN: sed 's/sluice.stages = 4/sluice.turns = 2, &/' %s > %t.turns.mlir
// RUN: not sluice check %t.turns.mlir 2>&1 | FileCheck %s --check-prefix=TURNS --match-full-lines
// TURNS: error: {{.*}}turns.mlir:[[#@LINE+72]]:3: sluice.turns stands on a persistent grid, or on a loop over tiles with all in it that computes and stores one; leave it out here
// RUN: sed 's/sluice.grid %%gm, %%gn/& {sluice.load_ahead}/; /^ .*sluice.load %%/d; /^ .*sluice.mma/d; /^ .*sluice.stages/s/.*/  }/' %s > %t.ahead.mlir
// RUN: not sluice check %t.ahead.mlir 2>&1 | FileCheck %s --check-prefix=AHEAD --match-full-lines
// AHEAD: error: {{.*}}ahead.mlir:{{.*}}: sluice.load_ahead: no loop with stages loads tiles, so that there is no step to load ahead of; leave it out

// Notes of the passes, by hand.
// RUN: sed 's/to %%a :/to %%a {sluice.shared = 1 : i64, sluice.cluster = array<i64: 1, 2>} :/' %s > %t.shared.mlir
// RUN: not sluice check %t.shared.mlir 2>&1 | FileCheck %s --check-prefix=SHARED --match-full-lines
// SHARED: error: {{.*}}shared.mlir:[[#@LINE+67]]:5: sluice.shared = d beside sluice.cluster = array<i64: ...> says that the CTAs along extent d of the kernel's cluster share the load; this kernel's has 1 CTA
// RUN: sed 's/to %%a :/to %%a {sluice.cluster = array<i64: 1, 2>} :/' %s > %t.cluster.mlir
// RUN: not sluice check %t.cluster.mlir 2>&1 | FileCheck %s --check-prefix=SHARED1 --match-full-lines
// SHARED1: error: {{.*}}cluster.mlir:[[#@LINE+64]]:5: sluice.shared = d beside {{.*}}; this kernel's has 1 CTA
// RUN: sed 's/"acc" :/"acc" {sluice.resident} :/' %s > %t.resident.mlir
// RUN: not sluice check %t.resident.mlir 2>&1 | FileCheck %s --check-prefix=RESIDENT
// RESIDENT: sluice.resident is of the placed to pipeline phase; nothing reads it in phase tile, leave it out
// RUN: sed 's/sluice.stages = 4/sluice.pipelined, &/' %s > %t.pipelined.mlir
// RUN: not sluice check %t.pipelined.mlir 2>&1 | FileCheck %s --check-prefix=PIPELINED
// PIPELINED: sluice.pipelined is of the pipeline to allocated phase; nothing reads it in phase tile, leave it out
// RUN: sed 's/with 0.0/& {sluice.pipelined}/' %s > %t.fill.mlir
// RUN: not sluice check %t.fill.mlir 2>&1 | FileCheck %s --check-prefix=FILL
// FILL: 'sluice.fill' op sluice.pipelined stands on a loop
// RUN: sed 's/sluice.stages = 4/sluice.carries = ["x"], &/' %s > %t.carries.mlir
// RUN: not sluice check %t.carries.mlir 2>&1 | FileCheck %s --check-prefix=CARRIES
// CARRIES: sluice.carries names 1 value, and the loop carries 0
// RUN: sed 's/sluice.stages = 4/llvm.loop_annotation, &/' %s > %t.foreign.mlir
// RUN: not sluice check %t.foreign.mlir 2>&1 | FileCheck %s --check-prefix=FOREIGN
// FOREIGN: 'scf.for' op no attribute is called llvm.loop_annotation
// RUN: sed 's/scf.for/& unsigned/' %s > %t.unsigned.mlir
// RUN: not sluice check %t.unsigned.mlir 2>&1 | FileCheck %s --check-prefix=UNSIGNED
// UNSIGNED: 'scf.for' op loops compare signed numbers; leave `unsigned` out

// Slots of a memory that hands on no tile, one like several.
// RUN: sed 's/sluice.stages = 4/sluice.slots = {smem = 4, l0a = 1}/' %s > %t.slots.mlir
// RUN: not sluice check %t.slots.mlir 2>&1 | FileCheck %s --check-prefix=SLOTS
// SLOTS: asks for 1 slot in l0a, but hands on no tile there; leave them out
// RUN: sed 's/sluice.stages = 4/sluice.stages = 1/; /^ .*sluice.load %%/d; /^ .*sluice.mma/d' %s > %t.stage.mlir
// RUN: not sluice check %t.stage.mlir 2>&1 | FileCheck %s --check-prefix=STAGE
// STAGE: asks for 1 stage, but hands on no tile that would have them

// Who executes is said at the barrier level, of any operation.
// RUN: sed 's/with 0.0/& by one/' %s > %t.by.mlir
// RUN: not sluice check %t.by.mlir 2>&1 | FileCheck %s --check-prefix=BY
// BY: 'sluice.fill' op `async`, `by` and `on` are of the barrier level; lowering decides who moves a tile
// RUN: sed 's/<128x128xf16>) {/<128x128xf16>) on V {/' %s > %t.on.mlir
// RUN: not sluice check %t.on.mlir 2>&1 | FileCheck %s --check-prefix=ON
// ON: 'sluice.map' op `async`, `by` and `on` are of the barrier level; lowering decides who moves a tile
// Below it too each target has its own way to say it.
// RUN: sed 's/with 0.000000e+00/& on V/' %S/../tools/Inputs/ring.mlir > %t.pipe.mlir
// RUN: not sluice check %t.pipe.mlir 2>&1 | FileCheck %s --check-prefix=PIPE
// PIPE: 'sluice.fill' op `on` is of the Ascend targets; `by` says which threads

// RUN: sed 's/sluice.out/&, sluice.workspace/' %s > %t.use.mlir
// RUN: not sluice check %t.use.mlir 2>&1 | FileCheck %s --check-prefix=USE
// USE: 'sluice.kernel' op argument 2 is marked sluice.out and sluice.workspace; one of them it is
sluice.kernel @gemm(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
    %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
    %C: !sluice.tensor<?x?xf16, align 32> {sluice.name = "C", sluice.out}) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %N = sluice.dim %B, 1 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c128 : index
  %gn = arith.ceildivsi %N, %c128 : index
  %steps = arith.ceildivsi %K, %c64 : index
  %i, %j = sluice.grid %gm, %gn : index, index
  %row = arith.muli %i, %c128 : index
  %col = arith.muli %j, %c128 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<128x128xf32>
  sluice.fill %acc with 0.0 : <128x128xf32>
  scf.for %t = %c0 to %steps step %c1 {
    %k = arith.muli %t, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<128x64xf16>
    sluice.load %A[%row, %k] to %a : <?x?xf16, align 16>, <128x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x128xf16>
    sluice.load %B[%k, %col] to %b : <?x?xf16, align 16>, <64x128xf16>
    sluice.mma %acc, %a, %b : <128x128xf32>, <128x64xf16>, <64x128xf16>
  } {sluice.stages = 4, sluice.name = "k"}
  %c = sluice.alloc "c" : !sluice.buffer<128x128xf16>
  sluice.map ins(%acc : !sluice.buffer<128x128xf32>) outs(%c : !sluice.buffer<128x128xf16>) {
  ^bb0(%x: f32):
    %y = arith.truncf %x : f32 to f16
    sluice.yield %y : f16
  }
  sluice.store %c to %C[%row, %col] : <128x128xf16>, <?x?xf16, align 32>
}

// Each attribute has an effect where it stands, or is refused by name.
// RUN: sluice check %s | FileCheck %s --check-prefix=GOOD
// GOOD: proven: every launch
// RUN: sed 's/ {persistent}//' %s > %t.once.mlir
// RUN: not sluice check %t.once.mlir 2>&1 | FileCheck %s --check-prefix=ONCE
// ONCE: error: {{.*}}: sluice.paced: a store takes its time where, in a loop over tiles, a tile of 64 rows or a multiple is staged whole; leave it out
// RUN: sed 's/{sluice.paced}/{sluice.paced, sluice.staging = 2}/' %s > %t.parts.mlir
// RUN: not sluice check %t.parts.mlir 2>&1 | FileCheck %s --check-prefix=ONCE
// RUN: sed 's/ to %%x :/ to %%x {sluice.paced} :/; s/ {persistent}//; s/ {sluice.paced} : <64x64xf32>, <?x/ : <64x64xf32>, <?x/' %s > %t.load.mlir
// RUN: not sluice check %t.load.mlir 2>&1 | FileCheck %s --check-prefix=LOAD
// LOAD: error: {{.*}}: sluice.paced: a load takes its time where, in a loop over tiles, a map alone reads the tile and the result that replaces it is staged whole; leave it out
// RUN: sed 's/{sluice.paced}/{sluice.staging = 1}/; s/%%Y: !sluice.tensor<?x?xf32, align 16>/%%Y: !sluice.tensor<?x?xf32>/; s/<64x64xf32>, <?x?xf32, align 16>$/<64x64xf32>, <?x?xf32>/' %s > %t.tma.mlir
// RUN: not sluice check %t.tma.mlir 2>&1 | FileCheck %s --check-prefix=TMA
// TMA: error: {{.*}}: unsupported: asks for staging, and TMA cannot store this tile from shared memory; leave sluice.staging out
// RUN: sed 's/64x64xf32/256x256xf32/g; s/{sluice.paced}/{sluice.staging = 1}/' %s > %t.room.mlir
// RUN: not sluice check %t.room.mlir 2>&1 | FileCheck %s --check-prefix=ROOM
// ROOM: error: {{.*}}: R16: asks for staging of 262144 bytes, and there are 231424 beside the tiles in shared memory; use fewer stages, or leave sluice.staging out
// RUN: sed 's/sluice.name = "X"/&, sluice.workspace/' %s > %t.workspace.mlir
// RUN: not sluice check %t.workspace.mlir 2>&1 | FileCheck %s --check-prefix=WORKSPACE
// WORKSPACE: error: {{.*}}: workspace X is never written; a tensor that is read alone has no mark
// RUN: sed 's/^  sluice.store.*/  %%no = arith.constant false\n  scf.if %%no {\n&\n  }/; s/ {sluice.paced}//' %s > %t.never.mlir
// RUN: not sluice check %t.never.mlir 2>&1 | FileCheck %s --check-prefix=NEVER
// NEVER: error: {{.*}}: output Y is never written
// RUN: sed 's/{sluice.paced}/{sluice.agent = "store"}/' %s > %t.agent.mlir
// RUN: not sluice check %t.agent.mlir 2>&1 | FileCheck %s --check-prefix=AGENT
// AGENT: error: {{.*}}: sluice.agent is of the pipeline phase; nothing reads it in phase tile, leave it out
// RUN: sed 's/sluice.stages = 4/sluice.stages = 7/' %S/../tools/Inputs/ring.mlir > %t.stages.mlir
// RUN: not sluice check %t.stages.mlir 2>&1 | FileCheck %s --check-prefix=STAGES
// STAGES: error: {{.*}}: sluice.stages is of the tile to placed phase; nothing reads it in phase barrier, leave it out
// RUN: sed 's/ {sluice.paced}//' %s > %t.whole.mlir
// RUN: not sluice check %t.whole.mlir --target ascend910b 2>&1 | FileCheck %s --check-prefix=ASCEND
// ASCEND: error: {{.*}}: 'sluice.grid' op persistent is of the NVIDIA targets; every grid is dealt to the cores in turn
// RUN: sed 's/sluice.stages = 3 : i64/&, sluice.slots = {smem = 2}/' %S/ignored.mlir > %t.slots.mlir
// RUN: not sluice check %t.slots.mlir 2>&1 | FileCheck %s --check-prefix=SLOTS
// SLOTS: error: {{.*}}: 'scf.for' op sluice.slots beside sluice.stages; stages are slots of what the loop loads: name that memory among the slots
sluice.kernel @rows(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
    %Y: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Y", sluice.out}) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %X, 0 : <?x?xf32, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %i = sluice.grid %gm {persistent} : index
  %row = arith.muli %i, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf32>
  sluice.load %X[%row, %c0] to %x : <?x?xf32, align 16>, <64x64xf32>
  %y = sluice.alloc "y" : !sluice.buffer<64x64xf32>
  sluice.map ins(%x : !sluice.buffer<64x64xf32>) outs(%y : !sluice.buffer<64x64xf32>) {
  ^bb0(%v: f32):
    %w = arith.addf %v, %v : f32
    sluice.yield %w : f32
  }
  sluice.store %y to %Y[%row, %c0] {sluice.paced} : <64x64xf32>, <?x?xf32, align 16>
}

// Both CTAs of a pair bring parts, through global memory; a role of the leader adds them up. Its
// barrier counts both, and it gives a slot back to both; they leave when that has come.
// RUN: %python %S/Inputs/sums.py %t
// RUN: sluice check %s | FileCheck %s --check-prefix=PROOF
// RUN: sluice run %s --in X=%t/pair.npy --set P=128x64 Y=64x32 --expect Y=%t/both.npy
// RUN: sluice barriers %s | FileCheck %s --check-prefix=TABLE
// RUN: sluice emit %s | FileCheck %s --check-prefix=TEXT
// PROOF: {{^}}proven: every launch
// TABLE: full_parts 0 8 0 CTA rank 1 bring warps 0-3, bring warps 0-3 add warps 4-7
// TABLE: empty_parts 0 4 0 add warps 4-7 bring warps 0-3
// TABLE: {{^}}bring: warps 0-3, all CTAs
// TABLE: {{^}}add: warps 4-7, CTA rank 0
// TEXT: mbarrierArriveRemote<Scope::cluster>(full_parts[at.slot], 0);
// TEXT: mbarrierWait<Scope::cluster>(full_parts[at.slot], at.phase);
// TEXT: mbarrierArriveRemote<Scope::cluster>(empty_parts[at.slot], 0);
// TEXT-NEXT: mbarrierArriveRemote<Scope::cluster>(empty_parts[at.slot], 1);
// Read without a wait; given back without a word.
// RUN: sed '/sluice.wait %%parts/d' %s > %t.unasked.mlir
// RUN: not sluice check %t.unasked.mlir 2>&1 | FileCheck %s --check-prefix=UNASKED
// UNASKED: violated
// RUN: sed '/sluice.release %%parts/d' %s > %t.kept.mlir
// RUN: not sluice check %t.kept.mlir 2>&1 | FileCheck %s --check-prefix=KEPT
// KEPT: R9 (Progress): deadlock
// Who waits has barriers of its own CTA.
// RUN: sed 's/to ."add".*/to ["add"] {leader} : !sluice.pipeline<2>/' %s > %t.both.mlir
// RUN: not sluice check %t.both.mlir 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: error: {{.*}}: pipeline 'parts': its barriers are on the leader CTA, and role 'bring' waits on every CTA, each for its own; make the role a leader
// RUN: sed 's/"bring" warps 0 to 4/& leader/; s/to ."add".*/to ["add"] {leader} : !sluice.pipeline<2>/' %s > %t.leads.mlir
// RUN: sluice barriers %t.leads.mlir 2>/dev/null | FileCheck %s --check-prefix=LEADS
// LEADS: full_parts 0 4 0 bring warps 0-3 add warps 4-7
// What TMA loads comes to the own CTA (leader_tiles.mlir has what goes).
// RUN: sed 's/"sum" warps/& /; s/warps = 9}/warps = 9, cluster = array<i64: 2, 1, 1>}/; s/"sum" .*{/"sum" warps 0 to 4 leader {/; s/warps = 8}/warps = 8, cluster = array<i64: 2, 1, 1>}/' %S/first.mlir > %t.tiles.mlir
// RUN: not sluice check %t.tiles.mlir 2>&1 | FileCheck %s --check-prefix=TILES
// TILES: error: {{.*}}: fills pipeline 'xs', whose slots are of another CTA; sluice.copy does that, from registers or shared memory
// RUN: sed 's/, cluster = array<i64: 2, 1, 1>//; /cluster.rank/d; s/%%row = .*/%%row = arith.constant 0 : index/' %s > %t.alone.mlir
// RUN: not sluice check %t.alone.mlir 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: error: {{.*}}: role 'add' is of the leader CTA, but the kernel has no cluster
sluice.kernel @sum_of_pair(%X: !sluice.tensor<128x?xf32> {sluice.name = "X"},
                           %P: !sluice.tensor<128x64xf32> {sluice.name = "P", sluice.workspace},
                           %Y: !sluice.tensor<64x32xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "pipeline", warps = 8, cluster = array<i64: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %K = sluice.dim %X, 1 : <128x?xf32>
  %n = arith.ceildivsi %K, %c32 : index
  %i = sluice.grid %c2 : index
  %rank = sluice.cluster.rank
  %row = arith.muli %rank, %c64 : index
  %parts = sluice.pipeline "parts" from ["bring"] to ["add"] : !sluice.pipeline<2>
  %start = sluice.cursor : !sluice.cursor<2>
  sluice.role "bring" warps 0 to 4 {
    %h = sluice.alloc "h" : !sluice.buffer<64x32xf32, reg, acc>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
      %col = arith.muli %t, %c32 : index
      %slot = sluice.cursor.slot %at : <2>
      %left = arith.muli %slot, %c32 : index
      sluice.load %X[%row, %col] to %h : <128x?xf32>, <64x32xf32, reg, acc>
      sluice.acquire %parts[%at] : <2>
      sluice.store %h to %P[%row, %left] : <64x32xf32, reg, acc>, <128x64xf32>
      sluice.commit %parts[%at] : <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
  }
  sluice.role "add" warps 4 to 8 leader {
    %h = sluice.alloc "h" : !sluice.buffer<64x32xf32, reg, acc>
    %g = sluice.alloc "g" : !sluice.buffer<64x32xf32, reg, acc>
    %acc = sluice.alloc "acc" : !sluice.buffer<64x32xf32, reg, acc>
    sluice.fill %acc with 0.0 : <64x32xf32, reg, acc>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
      %slot = sluice.cursor.slot %at : <2>
      %left = arith.muli %slot, %c32 : index
      sluice.wait %parts[%at] : <2>
      sluice.load %P[%c0, %left] to %h : <128x64xf32>, <64x32xf32, reg, acc>
      sluice.load %P[%c64, %left] to %g : <128x64xf32>, <64x32xf32, reg, acc>
      sluice.release %parts[%at] : <2>
      sluice.map ins(%acc, %h, %g : !sluice.buffer<64x32xf32, reg, acc>,
              !sluice.buffer<64x32xf32, reg, acc>, !sluice.buffer<64x32xf32, reg, acc>)
          outs(%acc : !sluice.buffer<64x32xf32, reg, acc>) {
      ^bb0(%s: f32, %u: f32, %v: f32):
        %r = arith.addf %s, %u : f32
        %q = arith.addf %r, %v : f32
        sluice.yield %q : f32
      }
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
    sluice.store %acc to %Y[%c0, %c0] : <64x32xf32, reg, acc>, <64x32xf32>
  }
}

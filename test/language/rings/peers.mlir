// Partial sums go round a cluster of four: each CTA sends what it has of a block of columns to the
// next one, which adds its own part and sends that on; after three steps each has one block whole.
// Slots are the next CTA's, so are the bytes of their full barriers; who has taken a slot tells the
// CTA before.
// RUN: %python %S/Inputs/sums.py %t
// RUN: sluice check %s | FileCheck %s --check-prefix=PROOF
// RUN: sluice run %s --in X=%t/four.npy --set Y=64x160 --expect Y=%t/around.npy
// RUN: sluice run %s --in X=%t/four.npy --set Y=64x160 --expect Y=%t/around.npy --chaos 3000
// RUN: %if nvcc %{ sluice run %s --device host --in X=%t/four.npy --set Y=64x160 --expect Y=%t/around.npy %}
// RUN: sluice barriers %s | FileCheck %s --check-prefix=TABLE
// RUN: sluice emit %s --single-file -o %t.cu && FileCheck %s --check-prefix=TEXT < %t.cu
// RUN: %if nvcc %{ %nvcc -cubin %t.cu -o %t.cubin %}
// PROOF: {{^}}proven: every launch
// TABLE: full_sums 0 1 8192
// TABLE: empty_sums 0 4 0
// TEXT: mbarrierArriveExpectTxRemote(full_sums[
// TEXT: ToPeer
//
// The other way round, and with one slot, in which nobody waits for the next one to take.
// RUN: sed 's/peer = 1/peer = -1/; s/arith.subi %%rank, %%s/arith.addi %%rank, %%s/; s/arith.addi %%behind, %%c3/arith.addi %%behind, %%c1/; s/arith.addi %%rank, %%c1/arith.addi %%rank, %%c3/' %s > %t.back.mlir
// RUN: sluice check %t.back.mlir | FileCheck %s --check-prefix=PROOF
// RUN: sluice run %t.back.mlir --in X=%t/four.npy --set Y=64x160 --expect Y=%t/around.npy
// RUN: sed 's/slots 2>/slots 1>/; s/pipeline<2>/pipeline<1>/; s/cursor<2>/cursor<1>/; s/: <2>/: <1>/' %s > %t.one.mlir
// RUN: sluice check %t.one.mlir | FileCheck %s --check-prefix=PROOF
//
// A CTA that leaves is told of slots all the same; a slot that is read without a wait, and one that is not given back.
// RUN: sed '/sluice.tail/d' %s > %t.tail.mlir
// RUN: not sluice check %t.tail.mlir | FileCheck %s --check-prefix=GONE
// GONE: R10 (Nothing in flight at exit): {{.*}} Let that CTA wait for it (the producer's tail)
// RUN: sed '/sluice.wait/d' %s > %t.unasked.mlir
// RUN: not sluice check %t.unasked.mlir | FileCheck %s --check-prefix=UNASKED
// UNASKED: violated
// RUN: sed '/sluice.release/d' %s > %t.kept.mlir
// RUN: not sluice check %t.kept.mlir | FileCheck %s --check-prefix=KEPT
// KEPT: R9 (Progress): deadlock
// RUN: sed '/sluice.acquire/d' %s > %t.full.mlir
// RUN: not sluice check %t.full.mlir 2>&1 | FileCheck %s --check-prefix=UNACQUIRED
// UNACQUIRED: error: {{.*}}no acquire of a pipeline over its destination stands before it in its block; what goes to another CTA counts on the barrier of a pipeline
//
// The rank of the peer.
// RUN: sed 's/peer = 1/peer = 4/' %s > %t.own.mlir
// RUN: not sluice check %t.own.mlir 2>&1 | FileCheck %s --check-prefix=OWN
// OWN: peer = 4 in a cluster of 4 is the own CTA; leave it out, or name the distance to another one
// RUN: sed 's/, cluster = array<i64: 4, 1, 1>//; s/sluice.cluster.rank/arith.constant 0 : index/' %s > %t.alone.mlir
// RUN: not sluice check %t.alone.mlir 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: goes to peers, but the kernel has no cluster
// RUN: sed 's/peer = 1 : i64/peer = 1 : i64, leader/' %s > %t.both.mlir
// RUN: not sluice check %t.both.mlir 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: peer beside leader; a ring goes to peers, or its barriers are on the leader CTA
// RUN: sed 's/warps 0 to 4/warps 0 to 4 leader/' %s > %t.leads.mlir
// RUN: not sluice check %t.leads.mlir 2>&1 | FileCheck %s --check-prefix=LEADS
// LEADS: pipeline 'sums': goes from every CTA to its peer, and a role is of the leader CTA; leave `peer` or `leader` out
// RUN: sed 's/peer = 1 : i64/full = "none", peer = 1 : i64/' %s > %t.none.mlir
// RUN: not sluice check %t.none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: pipeline 'sums': a copy to another CTA of role 'add' fills it, whose bytes complete a full side; leave `full` out
// RUN: sed 's/sluice.copy %%acc to %%tile.*/sluice.fill %%tile with 0.0 : <64x32xf32, smem, row>/' %s > %t.fill.mlir
// RUN: not sluice check %t.fill.mlir 2>&1 | FileCheck %s --check-prefix=FILL
// FILL: fills pipeline 'sums', whose slots are of another CTA; sluice.copy does that, from registers or shared memory
sluice.kernel @ring_sum(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
                        %Y: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "pipeline", warps = 4, cluster = array<i64: 4, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %Y, 0 : <?x?xf32, align 16>
  %N = sluice.dim %X, 1 : <?x?xf32, align 16>
  %groups = arith.ceildivsi %M, %c64 : index
  %chunks = arith.ceildivsi %N, %c128 : index
  %ctas = arith.muli %groups, %c4 : index
  %i = sluice.grid %ctas : index
  %rank = sluice.cluster.rank
  %first = arith.subi %i, %rank : index
  %group = arith.divsi %first, %c4 : index
  %row = arith.muli %i, %c64 : index
  %there = arith.muli %group, %c64 : index
  %inbox = sluice.alloc "inbox" : !sluice.buffer<64x32xf32, smem, row, slots 2>
  %sums = sluice.pipeline "sums" over %inbox : !sluice.buffer<64x32xf32, smem, row, slots 2>
      from ["add"] to ["add"] {peer = 1 : i64} : !sluice.pipeline<2>
  sluice.role "add" warps 0 to 4 {
    %acc = sluice.alloc "acc" : !sluice.buffer<64x32xf32, reg, acc>
    %part = sluice.alloc "part" : !sluice.buffer<64x32xf32, reg, acc>
    %start = sluice.cursor : !sluice.cursor<2>
    %end = scf.for %t = %c0 to %chunks step %c1 iter_args(%o = %start) -> !sluice.cursor<2> {
      %chunk = arith.muli %t, %c128 : index
      %own = arith.muli %rank, %c32 : index
      %col = arith.addi %chunk, %own : index
      sluice.load %X[%row, %col] to %acc : <?x?xf32, align 16>, <64x32xf32, reg, acc>
      %after = scf.for %s = %c0 to %c3 step %c1 iter_args(%at = %o) -> !sluice.cursor<2> {
        %slot = sluice.cursor.slot %at : <2>
        %tile = sluice.slot %inbox[%slot] : <64x32xf32, smem, row, slots 2>
        sluice.acquire %sums[%at] : <2>
        sluice.copy %acc to %tile : <64x32xf32, reg, acc>, <64x32xf32, smem, row>
        sluice.commit %sums[%at] : <2>
        %behind = arith.subi %rank, %s : index
        %around = arith.addi %behind, %c3 : index
        %block = arith.remsi %around, %c4 : index
        %left = arith.muli %block, %c32 : index
        %from = arith.addi %chunk, %left : index
        sluice.load %X[%row, %from] to %part : <?x?xf32, align 16>, <64x32xf32, reg, acc>
        sluice.wait %sums[%at] : <2>
        sluice.copy %tile to %acc : <64x32xf32, smem, row>, <64x32xf32, reg, acc>
        sluice.release %sums[%at] : <2>
        sluice.map ins(%acc, %part : !sluice.buffer<64x32xf32, reg, acc>, !sluice.buffer<64x32xf32, reg, acc>)
            outs(%acc : !sluice.buffer<64x32xf32, reg, acc>) {
        ^bb0(%a: f32, %b: f32):
          %r = arith.addf %a, %b : f32
          sluice.yield %r : f32
        }
        %next = sluice.cursor.advance %at : <2>
        scf.yield %next : !sluice.cursor<2>
      }
      %on = arith.addi %rank, %c1 : index
      %mine = arith.remsi %on, %c4 : index
      %place = arith.muli %mine, %c32 : index
      %to = arith.addi %chunk, %place : index
      sluice.store %acc to %Y[%there, %to] : <64x32xf32, reg, acc>, <?x?xf32, align 16>
      scf.yield %after : !sluice.cursor<2>
    }
    sluice.tail %sums[%end] : <2>
  }
}

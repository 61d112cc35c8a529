// A butterfly: each CTA of a cluster of four adds what its partner has, then what the pair beside them
// has; after two steps all have the sum of the four. A partner's rank differs in one bit.
// RUN: %python %S/Inputs/sums.py %t
// RUN: sluice check %s | FileCheck %s --check-prefix=PROOF
// RUN: sluice run %s --in X=%t/four.npy --set Y=256x160 --expect Y=%t/everywhere.npy
// RUN: sluice run %s --in X=%t/four.npy --set Y=256x160 --expect Y=%t/everywhere.npy --chaos 3000
// RUN: %if nvcc %{ sluice run %s --device host --in X=%t/four.npy --set Y=256x160 --expect Y=%t/everywhere.npy %}
// RUN: sluice emit %s --single-file -o %t.cu && FileCheck %s --check-prefix=TEXT < %t.cu
// RUN: %if nvcc %{ %nvcc -cubin %t.cu -o %t.cubin %}
// PROOF: {{^}}proven: every launch
// TEXT: mbarrierArriveExpectTxRemote(full_near[
//
// In a cluster of 2 x 2 bits of the rank are those of the coordinates: the same said of each.
// RUN: sed 's/array<i64: 4, 1, 1>/array<i64: 2, 2, 1>/; s/%%i = sluice.grid %%ctas : index/%%i, %%j = sluice.grid %%wide, %%c2 : index, index/; s/partner = 1 : i64/along = 0 : i64, partner = 1 : i64/; s/partner = 2 : i64/along = 1 : i64, partner = 1 : i64/; s/%%here = arith.muli %%i, %%c1/%%below = arith.muli %%j, %%c2 : index\n  %%left = arith.remsi %%i, %%c2 : index\n  %%pairs = arith.subi %%i, %%left : index\n  %%four = arith.muli %%pairs, %%c2 : index\n  %%inside = arith.addi %%below, %%left : index\n  %%here = arith.addi %%four, %%inside/' %s > %t.square.mlir
// RUN: sluice check %t.square.mlir | FileCheck %s --check-prefix=PROOF
// RUN: sluice run %t.square.mlir --in X=%t/four.npy --set Y=256x160 --expect Y=%t/everywhere.npy --chaos 3000
// RUN: sluice emit %t.square.mlir --single-file -o %t.cu && FileCheck %s --check-prefix=SQUARE < %t.cu
// SQUARE: mbarrierArriveExpectTxRemote(full_far[
// Between two CTAs a distance along a coordinate is the same too.
// RUN: sed 's/along = 1 : i64, partner = 1/along = 1 : i64, peer = 1/' %t.square.mlir > %t.peer.mlir
// RUN: sluice check %t.peer.mlir | FileCheck %s --check-prefix=PROOF
// RUN: sluice run %t.peer.mlir --in X=%t/four.npy --set Y=256x160 --expect Y=%t/everywhere.npy
//
// A CTA that leaves is told of slots all the same; a slot that is read without a wait.
// RUN: sed '/sluice.tail %%far/d' %s > %t.tail.mlir
// RUN: not sluice check %t.tail.mlir | FileCheck %s --check-prefix=GONE
// GONE: R10 (Nothing in flight at exit): {{.*}} Let that CTA wait for it (the producer's tail)
// RUN: sed '/sluice.wait %%far/d' %s > %t.unasked.mlir
// RUN: not sluice check %t.unasked.mlir | FileCheck %s --check-prefix=UNASKED
// UNASKED: violated
//
// What is no partner, and no coordinate.
// RUN: sed 's/partner = 2 : i64/partner = 4 : i64/' %s > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=BITS
// BITS: error: {{.*}}partner = 4 among 4 CTAs: the one of number 0 has no other for its partner; take bits of the numbers below 4
// RUN: sed 's/array<i64: 4, 1, 1>/array<i64: 6, 1, 1>/' %s > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=SIX
// SIX: error: {{.*}}partner = 2 among 6 CTAs: the one of number 4 has no other for its partner; take bits of the numbers below 6
// RUN: sed 's/partner = 1 : i64/partner = 0 : i64/' %s > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=OWN
// OWN: error: {{.*}}partner = 0 among 4 CTAs: the one of number 0 has no other for its partner
// RUN: sed 's/partner = 1 : i64/along = 1 : i64, partner = 1 : i64/' %s > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=ALONG
// ALONG: error: {{.*}}along = 1: the cluster has one CTA there; name a coordinate along which it has more
// RUN: sed 's/{partner = 1 : i64}/{along = 0 : i64}/' %s > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: {{.*}}along says which CTAs are peers, and there are none; give `peer` or `partner` too
// RUN: sed 's/partner = 1 : i64/partner = 1 : i64, peer = 1 : i64/' %s > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: error: {{.*}}peer beside partner; a ring goes to one other CTA
// RUN: sed 's/partner = 1 : i64/leader, partner = 1 : i64/' %s > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=LEADER
// LEADER: error: {{.*}}partner beside leader; a ring goes to peers, or its barriers are on the leader CTA
// RUN: sed 's/warps 0 to 4/warps 0 to 4 leader/' %s > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=LEADS
// LEADS: pipeline 'near': goes from every CTA to its peer, and a role is of the leader CTA; leave `partner` or `leader` out
// RUN: sed 's/along = 1 : i64, partner = 1/along = 1 : i64, peer = 2/' %t.square.mlir > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=ROUND
// ROUND: error: {{.*}}peer = 2 in a cluster of 2 along this coordinate is the own CTA; leave it out, or name the distance to another one
sluice.kernel @butterfly(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
                         %Y: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "pipeline", warps = 4, cluster = array<i64: 4, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %M = sluice.dim %X, 0 : <?x?xf32, align 16>
  %N = sluice.dim %X, 1 : <?x?xf32, align 16>
  %groups = arith.ceildivsi %M, %c256 : index
  %chunks = arith.ceildivsi %N, %c32 : index
  %ctas = arith.muli %groups, %c4 : index
  %wide = arith.muli %groups, %c2 : index
  %i = sluice.grid %ctas : index
  %here = arith.muli %i, %c1 : index
  %row = arith.muli %here, %c64 : index
  %inbox = sluice.alloc "inbox" : !sluice.buffer<64x32xf32, smem, row, slots 2>
  %outbox = sluice.alloc "outbox" : !sluice.buffer<64x32xf32, smem, row, slots 2>
  %near = sluice.pipeline "near" over %inbox : !sluice.buffer<64x32xf32, smem, row, slots 2>
      from ["add"] to ["add"] {partner = 1 : i64} : !sluice.pipeline<2>
  %far = sluice.pipeline "far" over %outbox : !sluice.buffer<64x32xf32, smem, row, slots 2>
      from ["add"] to ["add"] {partner = 2 : i64} : !sluice.pipeline<2>
  sluice.role "add" warps 0 to 4 {
    %acc = sluice.alloc "acc" : !sluice.buffer<64x32xf32, reg, acc>
    %part = sluice.alloc "part" : !sluice.buffer<64x32xf32, reg, acc>
    %start = sluice.cursor : !sluice.cursor<2>
    %end = scf.for %t = %c0 to %chunks step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
      %col = arith.muli %t, %c32 : index
      %slot = sluice.cursor.slot %at : <2>
      sluice.load %X[%row, %col] to %acc : <?x?xf32, align 16>, <64x32xf32, reg, acc>
      %to = sluice.slot %inbox[%slot] : <64x32xf32, smem, row, slots 2>
      sluice.acquire %near[%at] : <2>
      sluice.copy %acc to %to : <64x32xf32, reg, acc>, <64x32xf32, smem, row>
      sluice.commit %near[%at] : <2>
      sluice.wait %near[%at] : <2>
      sluice.copy %to to %part : <64x32xf32, smem, row>, <64x32xf32, reg, acc>
      sluice.release %near[%at] : <2>
      sluice.map ins(%acc, %part : !sluice.buffer<64x32xf32, reg, acc>, !sluice.buffer<64x32xf32, reg, acc>)
          outs(%acc : !sluice.buffer<64x32xf32, reg, acc>) {
      ^bb0(%a: f32, %b: f32):
        %r = arith.addf %a, %b : f32
        sluice.yield %r : f32
      }
      %beyond = sluice.slot %outbox[%slot] : <64x32xf32, smem, row, slots 2>
      sluice.acquire %far[%at] : <2>
      sluice.copy %acc to %beyond : <64x32xf32, reg, acc>, <64x32xf32, smem, row>
      sluice.commit %far[%at] : <2>
      sluice.wait %far[%at] : <2>
      sluice.copy %beyond to %part : <64x32xf32, smem, row>, <64x32xf32, reg, acc>
      sluice.release %far[%at] : <2>
      sluice.map ins(%acc, %part : !sluice.buffer<64x32xf32, reg, acc>, !sluice.buffer<64x32xf32, reg, acc>)
          outs(%acc : !sluice.buffer<64x32xf32, reg, acc>) {
      ^bb0(%a: f32, %b: f32):
        %r = arith.addf %a, %b : f32
        sluice.yield %r : f32
      }
      sluice.store %acc to %Y[%row, %col] : <64x32xf32, reg, acc>, <?x?xf32, align 16>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
    sluice.tail %near[%end] : <2>
    sluice.tail %far[%end] : <2>
  }
}

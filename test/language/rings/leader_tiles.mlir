// Tiles from the leader of a pair to both CTAs, and from both to the leader: it brings weights, each
// CTA multiplies its rows with them, and the leader adds up what comes back.
// RUN: %python %S/Inputs/sums.py %t
// RUN: sluice check %s | FileCheck %s --check-prefix=PROOF
// RUN: sluice run %s --in X=%t/pair.npy W=%t/ones.npy --set Y=64x32 --expect Y=%t/both.npy
// RUN: sluice run %s --in X=%t/pair.npy W=%t/ones.npy --set Y=64x32 --expect Y=%t/both.npy --chaos 3000
// RUN: %if nvcc %{ sluice run %s --device host --in X=%t/pair.npy W=%t/ones.npy --set Y=64x32 --expect Y=%t/both.npy %}
// RUN: sluice barriers %s | FileCheck %s --check-prefix=TABLE
// RUN: sluice emit %s --single-file -o %t.cu
// RUN: %if nvcc %{ %nvcc -cubin %t.cu -o %t.cubin %}
// PROOF: {{^}}proven: every launch
// TABLE: full_weights 0 1 8192
// TABLE: empty_weights 0 8 0
// TABLE: full_parts 0 2 16384
// TABLE: empty_parts 0 4 0
// The leader has all parts only when the other CTA has given its weights back, but that one may
// leave before its parts are.
// RUN: sed '/sluice.tail %%weights/d' %s > %t.tail.mlir
// RUN: sluice check %t.tail.mlir | FileCheck %s --check-prefix=PROOF
// RUN: sed '/sluice.tail %%parts/d' %s > %t.tails.mlir
// RUN: not sluice check %t.tails.mlir | FileCheck %s --check-prefix=GONE
// GONE: R10
// Both CTAs write the same part.
// RUN: sed 's/%%part = sluice.subview %%tile.%%mine,/%%part = sluice.subview %%tile[%%c0,/' %s > %t.same.mlir
// RUN: not sluice check %t.same.mlir | FileCheck %s --check-prefix=SAME
// SAME: violated
// What TMA loads comes to the own CTA; shared memory is copied by one warp.
// RUN: sed 's/sluice.copy %%w to %%to .*/sluice.load %%W[%%c0, %%col] to %%to : <64x?xf32, align 16>, <64x32xf32, smem, row>/' %s > %t.tma.mlir
// RUN: not sluice check %t.tma.mlir 2>&1 | FileCheck %s --check-prefix=TMA
// TMA: fills pipeline 'weights', whose slots are of another CTA; sluice.copy does that, from registers or shared memory
sluice.kernel @sum_of_pair(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
                           %W: !sluice.tensor<64x?xf32, align 16> {sluice.name = "W"},
                           %Y: !sluice.tensor<?x32xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "pipeline", warps = 12, cluster = array<i64: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %Y, 0 : <?x32xf32>
  %K = sluice.dim %X, 1 : <?x?xf32, align 16>
  %n = arith.ceildivsi %K, %c32 : index
  %pairs = arith.ceildivsi %M, %c64 : index
  %ctas = arith.muli %pairs, %c2 : index
  %i = sluice.grid %ctas : index
  %rank = sluice.cluster.rank
  %row = arith.muli %i, %c64 : index
  %mine = arith.muli %rank, %c64 : index
  %pair = arith.divsi %i, %c2 : index
  %there = arith.muli %pair, %c64 : index
  %w_slots = sluice.alloc "w_slots" : !sluice.buffer<64x32xf32, smem, row, slots 2>
  %p_slots = sluice.alloc "p_slots" : !sluice.buffer<128x32xf32, smem, row, slots 2>
  %weights = sluice.pipeline "weights" over %w_slots : !sluice.buffer<64x32xf32, smem, row, slots 2>
      from ["bring"] to ["work"] : !sluice.pipeline<2>
  %parts = sluice.pipeline "parts" over %p_slots : !sluice.buffer<128x32xf32, smem, row, slots 2>
      from ["work"] to ["add"] : !sluice.pipeline<2>
  %start = sluice.cursor : !sluice.cursor<2>
  sluice.role "bring" warps 0 to 4 leader {
    %w = sluice.alloc "w" : !sluice.buffer<64x32xf32, reg, acc>
    %end = scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
      %col = arith.muli %t, %c32 : index
      %slot = sluice.cursor.slot %at : <2>
      %to = sluice.slot %w_slots[%slot] : <64x32xf32, smem, row, slots 2>
      sluice.load %W[%c0, %col] to %w : <64x?xf32, align 16>, <64x32xf32, reg, acc>
      sluice.acquire %weights[%at] : <2>
      sluice.copy %w to %to : <64x32xf32, reg, acc>, <64x32xf32, smem, row>
      sluice.commit %weights[%at] : <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
    sluice.tail %weights[%end] : <2>
  }
  sluice.role "work" warps 4 to 8 {
    %x = sluice.alloc "x" : !sluice.buffer<64x32xf32, reg, acc>
    %v = sluice.alloc "v" : !sluice.buffer<64x32xf32, reg, acc>
    %end = scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
      %col = arith.muli %t, %c32 : index
      %slot = sluice.cursor.slot %at : <2>
      %from = sluice.slot %w_slots[%slot] : <64x32xf32, smem, row, slots 2>
      %tile = sluice.slot %p_slots[%slot] : <128x32xf32, smem, row, slots 2>
      %part = sluice.subview %tile[%mine, %c0] : <128x32xf32, smem, row> to <64x32xf32, smem, row>
      sluice.load %X[%row, %col] to %x : <?x?xf32, align 16>, <64x32xf32, reg, acc>
      sluice.wait %weights[%at] : <2>
      sluice.copy %from to %v : <64x32xf32, smem, row>, <64x32xf32, reg, acc>
      sluice.release %weights[%at] : <2>
      sluice.map ins(%x, %v : !sluice.buffer<64x32xf32, reg, acc>, !sluice.buffer<64x32xf32, reg, acc>)
          outs(%x : !sluice.buffer<64x32xf32, reg, acc>) {
      ^bb0(%a: f32, %b: f32):
        %r = arith.mulf %a, %b : f32
        sluice.yield %r : f32
      }
      sluice.acquire %parts[%at] : <2>
      sluice.copy %x to %part : <64x32xf32, reg, acc>, <64x32xf32, smem, row>
      sluice.commit %parts[%at] : <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
    sluice.tail %parts[%end] : <2>
  }
  sluice.role "add" warps 8 to 12 leader {
    %h = sluice.alloc "h" : !sluice.buffer<64x32xf32, reg, acc>
    %g = sluice.alloc "g" : !sluice.buffer<64x32xf32, reg, acc>
    %acc = sluice.alloc "acc" : !sluice.buffer<64x32xf32, reg, acc>
    sluice.fill %acc with 0.0 : <64x32xf32, reg, acc>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
      %slot = sluice.cursor.slot %at : <2>
      %tile = sluice.slot %p_slots[%slot] : <128x32xf32, smem, row, slots 2>
      %own = sluice.subview %tile[%c0, %c0] : <128x32xf32, smem, row> to <64x32xf32, smem, row>
      %other = sluice.subview %tile[%c64, %c0] : <128x32xf32, smem, row> to <64x32xf32, smem, row>
      sluice.wait %parts[%at] : <2>
      sluice.copy %own to %h : <64x32xf32, smem, row>, <64x32xf32, reg, acc>
      sluice.copy %other to %g : <64x32xf32, smem, row>, <64x32xf32, reg, acc>
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
    sluice.store %acc to %Y[%there, %c0] : <64x32xf32, reg, acc>, <?x32xf32>
  }
}

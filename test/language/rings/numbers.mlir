// Numbers from the leader of a pair to both CTAs: it draws which rows both copy next, side by side.
// A number lies in the leader's own slot, which a signal fills, and is copied to that of the other
// CTA, which its bytes fill.
// RUN: sluice check %s --set X=1024x64 Y=1024x64 pairs=3 | FileCheck %s --check-prefix=PROOF
// RUN: %python %S/Inputs/sums.py %t
// RUN: sluice run %s --in X=%t/four.npy --set Y=256x160 pairs=2 --expect Y=%t/four.npy --chaos 3000
// RUN: sluice run %s --device host --in X=%t/four.npy --set Y=256x160 pairs=1 --expect Y=%t/four.npy
// RUN: sluice barriers %s --set X=1024x64 Y=1024x64 pairs=3 | FileCheck %s --check-prefix=TABLE
// RUN: sluice emit %s --set X=1024x64 Y=1024x64 pairs=3 --single-file -o %t.cu
// RUN: %if nvcc %{ %nvcc -cubin %t.cu -o %t.cubin %}
// PROOF: proven: every launch
// PROOF: assuming tiles-apart: parts of Y that numbers of tensors place do not overlap
// TABLE: full_items 0 1 0 draw warp 4
// TABLE: empty_items 0 8 0 CTA rank 1 copy warps 0-3, copy warps 0-3
// Left without a tail; read without a wait; not given back.
// RUN: sed '/sluice.tail/d' %s > %t.tail.mlir
// RUN: not sluice check %t.tail.mlir --set X=1024x64 Y=1024x64 pairs=3 | FileCheck %s --check-prefix=GONE
// GONE: R10
// RUN: sed '/sluice.wait/d' %s > %t.unasked.mlir
// RUN: not sluice check %t.unasked.mlir --set X=1024x64 Y=1024x64 pairs=3 | FileCheck %s --check-prefix=UNASKED
// UNASKED: violated
// RUN: sed '/sluice.release/d' %s > %t.kept.mlir
// RUN: not sluice check %t.kept.mlir --set X=1024x64 Y=1024x64 pairs=3 | FileCheck %s --check-prefix=KEPT
// KEPT: R9 (Progress): deadlock
// Elsewhere in the slot; by two warps; from every CTA.
// RUN: sed 's/to %%box.%%c0, %%c0. : <1x4xi32, smem, row>$/to %%box[%%c0, %%c1] : <1x4xi32, smem, row>/' %s > %t.second.mlir
// RUN: not sluice check %t.second.mlir 2>&1 | FileCheck %s --check-prefix=SECOND
// SECOND: fills pipeline 'items', whose slots are of another CTA; a number is the first element of a slot of 1x4 i32
// RUN: sed 's/warps 4 to 5/warps 4 to 6/; s/warps = 5/warps = 6/' %s > %t.two.mlir
// RUN: not sluice check %t.two.mlir 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: fills pipeline 'items', whose slots are of another CTA; a number is of a role of one warp
// RUN: sed 's/warps 4 to 5 leader/warps 4 to 5/; s/to ."copy"./& {peer = 1 : i64}/' %s > %t.peer.mlir
// RUN: not sluice check %t.peer.mlir 2>&1 | FileCheck %s --check-prefix=PEER
// PEER: fills pipeline 'items', whose slots are of another CTA; a number goes from the leader CTA to all, not to a peer
// In text of barriers: another number of the slot than the first is not followed; a copy that a fence is missing before.
// RUN: sluice check %s --set X=1024x64 Y=1024x64 pairs=3 --dump-after-each 2>&1 >/dev/null \
// RUN:   | %python %S/../../Transform/Inputs/unfenced.py > %t.fence.mlir
// RUN: not sluice check %t.fence.mlir --set X=1024x64 Y=1024x64 pairs=3 | FileCheck %s --check-prefix=FENCE
// FENCE: R23 
// RUN: sed 's/scalar_read %%box.%%c0, %%c0./scalar_read %%box[%%c0, %%c1]/' %s > %t.other.mlir
// RUN: not sluice check %t.other.mlir --set X=1024x64 Y=1024x64 pairs=3 | FileCheck %s --check-prefix=OTHER
// OTHER: takes a number that remote copy of draw warp 4 of CTA (0) at {{.*}} has brought
sluice.kernel @copy(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
                    %next: !sluice.tensor<1xi32> {sluice.name = "next", sluice.inout}, // starts at 0
                    %Y: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Y", sluice.out},
                    %pairs: index {sluice.name = "pairs"})
    attributes {target = "sm_90a", phase = "pipeline", warps = 5, cluster = array<i64: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %X, 0 : <?x?xf32, align 16>
  %N = sluice.dim %X, 1 : <?x?xf32, align 16>
  %total = arith.ceildivsi %M, %c128 : index
  %n = arith.ceildivsi %N, %c64 : index
  %ctas = arith.muli %pairs, %c2 : index
  %i = sluice.grid %ctas : index
  %rank = sluice.cluster.rank
  %number = sluice.alloc "number" : !sluice.buffer<1x4xi32, smem, row, slots 2>
  %items = sluice.pipeline "items" over %number : !sluice.buffer<1x4xi32, smem, row, slots 2>
      from ["draw"] to ["copy"] : !sluice.pipeline<2>
  %start = sluice.cursor : !sluice.cursor<2>
  sluice.role "copy" warps 0 to 4 {
    %x = sluice.alloc "x" : !sluice.buffer<64x64xf32, reg, acc>
    %stop:2 = scf.while (%at = %start) : (!sluice.cursor<2>) -> (index, !sluice.cursor<2>) {
      sluice.wait %items[%at] : <2>
      %slot = sluice.cursor.slot %at : <2>
      %box = sluice.slot %number[%slot] : <1x4xi32, smem, row, slots 2>
      %read = sluice.scalar_read %box[%c0, %c0] : <1x4xi32, smem, row>
      sluice.release %items[%at] : <2>
      %item = sluice.uniform %read : index
      %more = arith.cmpi slt, %item, %total : index
      %after = sluice.cursor.advance %at : <2>
      scf.condition(%more) %item, %after : index, !sluice.cursor<2>
    } do {
    ^bb0(%item: index, %at: !sluice.cursor<2>):
      %both = arith.muli %item, %c128 : index
      %own = arith.muli %rank, %c64 : index
      %row = arith.addi %both, %own : index
      scf.for %t = %c0 to %n step %c1 {
        %col = arith.muli %t, %c64 : index
        sluice.load %X[%row, %col] to %x : <?x?xf32, align 16>, <64x64xf32, reg, acc>
        sluice.store %x to %Y[%row, %col] : <64x64xf32, reg, acc>, <?x?xf32, align 16>
      }
      scf.yield %at : !sluice.cursor<2>
    }
  }
  sluice.role "draw" warps 4 to 5 leader {
    %end = scf.while (%at = %start) : (!sluice.cursor<2>) -> !sluice.cursor<2> {
      sluice.acquire %items[%at] : <2>
      %drawn = sluice.counter.add %next[%c0], %c1 scope gpu : <1xi32>
      %slot = sluice.cursor.slot %at : <2>
      %box = sluice.slot %number[%slot] : <1x4xi32, smem, row, slots 2>
      sluice.scalar_write %drawn to %box[%c0, %c0] : <1x4xi32, smem, row>
      sluice.commit %items[%at] : <2>
      %item = sluice.uniform %drawn : index
      %more = arith.cmpi slt, %item, %total : index
      %after = sluice.cursor.advance %at : <2>
      scf.condition(%more) %after : !sluice.cursor<2>
    } do {
    ^bb0(%at: !sluice.cursor<2>):
      scf.yield %at : !sluice.cursor<2>
    }
    sluice.tail %items[%end] : <2>
  }
}

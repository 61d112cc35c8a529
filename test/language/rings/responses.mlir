// A role of the leader asks for clusters that have not been launched, for both CTAs of its own: the
// responses go to the slots of every CTA, whose warps copy the rows of the cluster that was given,
// side by side. It reads them too, to know whether to ask again.
// RUN: sluice check %s --set X=1024x64 Y=1024x64 | FileCheck %s --check-prefix=PROOF
// RUN: sluice check %s --set X=1024x64 Y=1024x64 --strict | FileCheck %s --check-prefix=PROOF
// RUN: %python %S/../../corpus/launches/Inputs/arrays.py %t
// RUN: sluice run %s --in X=%t/rows.npy --set Y=51200x32 --expect Y=%t/rows.npy --chaos 3000
// RUN: sluice run %s --device host --random 1 --set X=1280x64 Y=1280x64 | FileCheck %s --check-prefix=HOST
// RUN: sluice barriers %s --set X=1024x64 Y=1024x64 | FileCheck %s --check-prefix=TABLE
// RUN: sluice emit %s --set X=1024x64 Y=1024x64 --single-file -o %t.cu
// RUN: %if nvcc %{ %nvcc100 -cubin %t.cu -o %t.cubin %}
// PROOF: proven: every launch
// PROOF: assuming launched-once: every cluster of the grid is launched, or given to one request
// HOST: values     all 81920 are the virtual machine's, bit by bit
// TABLE: full_items 0 1 16 ask warp 4
// TABLE: empty_items 0 9 0
// Left without a tail; read without a wait; not given back
// RUN: sed '/sluice.tail/d' %s > %t.tail.mlir
// RUN: not sluice check %t.tail.mlir --set X=1024x64 Y=1024x64 | FileCheck %s --check-prefix=GONE
// GONE: R10
// RUN: sed '/sluice.wait/d' %s > %t.unasked.mlir
// RUN: not sluice check %t.unasked.mlir --set X=1024x64 Y=1024x64 | FileCheck %s --check-prefix=UNASKED
// UNASKED: violated
// RUN: sed '/sluice.release/d' %s > %t.kept.mlir
// RUN: not sluice check %t.kept.mlir --set X=1024x64 Y=1024x64 | FileCheck %s --check-prefix=KEPT
// KEPT: R9 (Progress): deadlock
// Without a full side.
// RUN: sed 's/to ."copy", "ask"./& {full = "none"}/' %s > %t.none.mlir
// RUN: not sluice check %t.none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: pipeline 'items': a response to a request of role 'ask' fills it, whose bytes complete a full side; leave `full` out
// Where clusters are not asked for.
// RUN: sed 's/sm_100a/sm_90a/' %s > %t.hopper.mlir
// RUN: not sluice check %t.hopper.mlir 2>&1 | FileCheck %s --check-prefix=HOPPER
// HOPPER: cluster launch control begins with sm_100a; draw tiles from a counter (sluice.counter.add)
sluice.kernel @copy(%X: !sluice.tensor<?x?xf32> {sluice.name = "X"},
                    %Y: !sluice.tensor<?x?xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_100a", phase = "pipeline", warps = 5, cluster = array<i64: 2, 1, 1>,
                shared_bytes = 204800} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %M = sluice.dim %X, 0 : <?x?xf32>
  %N = sluice.dim %X, 1 : <?x?xf32>
  %pairs = arith.ceildivsi %M, %c256 : index
  %ctas = arith.muli %pairs, %c2 : index
  %n = arith.ceildivsi %N, %c32 : index
  %i = sluice.grid %ctas : index
  %rank = sluice.cluster.rank
  %own = arith.subi %i, %rank : index
  %response = sluice.alloc "response" : !sluice.buffer<1x4xi32, smem, row, slots 2>
  %items = sluice.pipeline "items" over %response : !sluice.buffer<1x4xi32, smem, row, slots 2>
      from ["ask"] to ["copy", "ask"] : !sluice.pipeline<2>
  %start = sluice.cursor : !sluice.cursor<2>
  sluice.role "copy" warps 0 to 4 {
    %x = sluice.alloc "x" : !sluice.buffer<128x32xf32, reg, row>
    %stop:2 = scf.while (%first = %own, %at = %start) : (index, !sluice.cursor<2>)
        -> (index, !sluice.cursor<2>) {
      %cta = arith.addi %first, %rank : index
      %row = arith.muli %cta, %c128 : index
      scf.for %t = %c0 to %n step %c1 {
        %col = arith.muli %t, %c32 : index
        sluice.load %X[%row, %col] to %x : <?x?xf32>, <128x32xf32, reg, row>
        sluice.store %x to %Y[%row, %col] : <128x32xf32, reg, row>, <?x?xf32>
      }
      sluice.wait %items[%at] : <2>
      %slot = sluice.cursor.slot %at : <2>
      %box = sluice.slot %response[%slot] : <1x4xi32, smem, row, slots 2>
      %read = sluice.clc.query %box : <1x4xi32, smem, row>
      sluice.release %items[%at] : <2>
      %next = sluice.uniform %read : index
      %more = arith.cmpi sge, %next, %c0 : index
      %after = sluice.cursor.advance %at : <2>
      scf.condition(%more) %next, %after : index, !sluice.cursor<2>
    } do {
    ^bb0(%first: index, %at: !sluice.cursor<2>):
      scf.yield %first, %at : index, !sluice.cursor<2>
    }
  }
  sluice.role "ask" warps 4 to 5 leader {
    %end = scf.while (%at = %start) : (!sluice.cursor<2>) -> !sluice.cursor<2> {
      sluice.acquire %items[%at] : <2>
      %slot = sluice.cursor.slot %at : <2>
      %box = sluice.slot %response[%slot] : <1x4xi32, smem, row, slots 2>
      sluice.clc.try_cancel %box : <1x4xi32, smem, row>
      sluice.commit %items[%at] : <2>
      sluice.wait %items[%at] : <2>
      %read = sluice.clc.query %box : <1x4xi32, smem, row>
      sluice.release %items[%at] : <2>
      %next = sluice.uniform %read : index
      %again = arith.cmpi sge, %next, %c0 : index
      %after = sluice.cursor.advance %at : <2>
      scf.condition(%again) %after : !sluice.cursor<2>
    } do {
    ^bb0(%at: !sluice.cursor<2>):
      scf.yield %at : !sluice.cursor<2>
    }
    sluice.tail %items[%end] : <2>
  }
}

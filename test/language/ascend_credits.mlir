// RUN: %python %S/Inputs/products.py %t
// RUN: sluice check %s | FileCheck %s --check-prefix=PROOF
// RUN: sluice run %s --in A=%t/A.npy --set C=200x192 --expect C=%t/A.npy | FileCheck %s --check-prefix=RIGHT
// RUN: sluice barriers %s | FileCheck %s --check-prefix=TABLE
// RUN: sed '/on MTE2 : <2> .. left/d' %s > %t/left.mlir
// RUN: not sluice check %t/left.mlir | FileCheck %s --check-prefix=LEFT
// RUN: sed 's/primed = 2/primed = 1/' %s > %t/one.mlir
// RUN: not sluice check %t/one.mlir | FileCheck %s --check-prefix=ONE
// RUN: sed 's/empty = "none"}/empty = "none", arrive = "warp"}/' %s > %t/arrive.mlir
// RUN: not sluice check %t/arrive.mlir 2>&1 | FileCheck %s --check-prefix=ARRIVE
// Without a name the pipe is that of the memories; it is of one core.
// RUN: sed -E 's/(sluice.(load|store) .*) on MTE[23] :/\1 :/' %s > %t/unnamed.mlir
// RUN: sluice check %t/unnamed.mlir | FileCheck %s --check-prefix=PROOF
// RUN: sed 's/core "aiv"/core "aic"/; s/aiv\.//g' %t/unnamed.mlir > %t/other.mlir
// RUN: not sluice check %t/other.mlir 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: unsupported: {{.*}}is done by pipe MTE2 of core 'aiv', and stands in a role of core 'aic'
// A copy through two slots of a vector core, where credits say which slots are free: a ring from
// who stores to who loads, of which both slots start full. Neither ring says that a slot is empty.
// PROOF: {{^}}proven: every launch
// RIGHT: within
// LEFT: R35
// ONE: R9 (Progress): deadlock
// ARRIVE: error: {{.*}}: pipeline 'tile': flags of Ascend cores have no 'arrive'; leave it out
// TABLE: name
// TABLE-NEXT: MTE2->MTE3 0 1 0 pipe MTE2 of aiv0 pipe MTE3 of aiv0
// TABLE-NEXT: MTE2->MTE3 1 1 0 pipe MTE2 of aiv0 pipe MTE3 of aiv0
// TABLE-NEXT: MTE3->MTE2 0 1 0 pipe MTE3 of aiv0 pipe MTE2 of aiv0
// TABLE-NEXT: MTE3->MTE2 1 1 0 pipe MTE3 of aiv0 pipe MTE2 of aiv0
sluice.kernel @copy(%A: !sluice.tensor<?x192xf16, align 16> {sluice.name = "A"},
                    %C: !sluice.tensor<?x192xf16, align 16> {sluice.name = "C", sluice.out})
    attributes {target = "ascend910b", phase = "pipeline"} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c192 = arith.constant 192 : index
  %x = sluice.alloc "x" : !sluice.buffer<32x64xf16, ub, row, slots 2>
  %tile = sluice.pipeline "tile" over %x : !sluice.buffer<32x64xf16, ub, row, slots 2>
      from ["aiv.MTE2"] to ["aiv.MTE3"] {empty = "none"} : !sluice.pipeline<2>
  %credit = sluice.pipeline "credit" from ["aiv.MTE3"] to ["aiv.MTE2"]
      {empty = "none", primed = 2} : !sluice.pipeline<2>
  %rows = sluice.dim %A, 0 : <?x192xf16, align 16>
  %blocks = arith.ceildivsi %rows, %c64 : index
  %i = sluice.grid %blocks : index
  %row = arith.muli %i, %c64 : index
  sluice.role "copy" core "aiv" {
    %half = sluice.subblock
    %down = arith.muli %half, %c32 : index
    %mine = arith.addi %row, %down : index
    %start = sluice.cursor : !sluice.cursor<2>
    %end = scf.for %k = %c0 to %c192 step %c64 iter_args(%at = %start) -> (!sluice.cursor<2>) {
      %slot = sluice.cursor.slot %at : <2>
      %xs = sluice.slot %x[%slot] : <32x64xf16, ub, row, slots 2>
      sluice.wait %credit[%at] on MTE2 : <2>
      sluice.load %A[%mine, %k] to %xs on MTE2 : <?x192xf16, align 16>, <32x64xf16, ub, row>
      sluice.commit %tile[%at] on MTE2 : <2>
      sluice.wait %tile[%at] on MTE3 : <2>
      sluice.store %xs to %C[%mine, %k] on MTE3 : <32x64xf16, ub, row>, <?x192xf16, align 16>
      sluice.commit %credit[%at] on MTE3 : <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
    %last = sluice.cursor.advance %end : <2>
    sluice.wait %credit[%end] on MTE2 : <2> // left
    sluice.wait %credit[%last] on MTE2 : <2> // left
  }
}

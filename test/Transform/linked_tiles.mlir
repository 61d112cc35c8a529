// A sum over tiles of which each says which comes next: every role follows the list for itself, and
// all come to its end at the same step, which is proven for every list that has one.
// RUN: sluice check %s | FileCheck %s --check-prefix=PROVEN
// PROVEN: {{^}}proven: every launch
// PROVEN: {{^}}assuming loops-end: the loop at {{.*}}linked_tiles.mlir:[[#@LINE+39]]:10, which goes on while a value holds, comes to an end within 2^31 - 2^20 rounds
// At this launch the list comes back to its first tile: all its numbers are 1.
// PROVEN: {{^}}note: at this launch load warp 4 of CTA (0,0) goes round, for ever or more often than is followed, the loop at {{.*}}linked_tiles.mlir:[[#@LINE+37]]:10
// RUN: not sluice check %s --this-launch | FileCheck %s --check-prefix=LAUNCH
// LAUNCH: {{^}}unsupported: this launch
// RUN: %python %S/../language/Inputs/products.py %t.d
// RUN: %python %S/Inputs/linked.py %t.next.npy
// RUN: sluice run %s --in A=%t.d/A.npy B=%t.d/B.npy next=%t.next.npy --set C=200x144 --chaos 300 --expect C=%t.d/AB.npy
// RUN: sluice run %s --device host --in A=%t.d/A.npy B=%t.d/B.npy next=%t.next.npy --set C=200x144 --expect C=%t.d/AB.npy
// RUN: %if nvcc %{ sluice emit %s --single-file -o %t.cu && %nvcc -cubin %t.cu -o %t.cubin %}
//
// Roles that ask for something else may take another number of steps.
// RUN: sluice-opt -sluice-to-placed -sluice-to-pipeline -sluice-to-barrier %s > %t.barrier.mlir
// RUN: sluice check %t.barrier.mlir | FileCheck %s --check-prefix=PROVEN2
// PROVEN2: {{^}}proven: every launch
// RUN: sed '/role "load"/,$ s/cmpi sge,/cmpi sgt,/' %t.barrier.mlir > %t.other.mlir
// RUN: not sluice check %t.other.mlir | FileCheck %s --check-prefix=OTHER
// OTHER: {{^}}violated: refused at
// OTHER: R9 (Progress): deadlock: mma warp 0
// RUN: sed '/role "load"/,$ s/scalar_load %%next\[%%arg1\]/scalar_load %%next[%%c0]/' %t.barrier.mlir > %t.place.mlir
// RUN: not sluice check %t.place.mlir | FileCheck %s --check-prefix=PLACE
// PLACE: {{^}}unsupported: no launch shows what may be wrong
// PLACE: with next[0] >= 0, next[next[0]] <= -1 it may break a rule
sluice.kernel @linked(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                      %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                      %next: !sluice.tensor<?xi32> {sluice.name = "next"},
                      %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a"} {
  %c64 = arith.constant 64 : index
  %c0 = arith.constant 0 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %N = sluice.dim %B, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %gn = arith.ceildivsi %N, %c64 : index
  %i, %j = sluice.grid %gm, %gn : index, index
  %row = arith.muli %i, %c64 : index
  %col = arith.muli %j, %c64 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  sluice.fill %acc with 0.0 : <64x64xf32>
  %end = scf.while (%n = %c0) : (index) -> (index) {
    %go = arith.cmpi sge, %n, %c0 : index
    scf.condition(%go) %n : index
  } do {
  ^bb0(%n: index):
    %k = arith.muli %n, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
    sluice.load %A[%row, %k] to %a : <?x?xf16, align 16>, <64x64xf16>
    sluice.load %B[%k, %col] to %b : <?x?xf16, align 16>, <64x64xf16>
    sluice.mma %acc, %a, %b : <64x64xf32>, <64x64xf16>, <64x64xf16>
    %n1 = sluice.scalar_load %next[%n] : <?xi32>
    scf.yield %n1 : index
  } attributes {sluice.stages = 3}
  sluice.store %acc to %C[%row, %col] : <64x64xf32>, <?x?xf32>
}

// A tile whose number is drawn from a counter: the role that computes draws it, and all that need
// the number take it out of a ring.
// RUN: sluice check %s | FileCheck %s --check-prefix=PROVEN
// PROVEN: {{^}}proven: every launch
// PROVEN: {{^}}assuming tiles-apart: parts of C that numbers of tensors place do not overlap
// RUN: sluice barriers %s --dump-after-each 2>&1 >/dev/null | FileCheck %s --check-prefix=DUMP
// DUMP-LABEL: after sluice-split-roles
// DUMP:       sluice.pipeline "drawn" over %drawn {{.*}} from ["mma"] to
// DUMP:       sluice.role "mma"
// DUMP:       %[[OLD:.*]] = sluice.counter.add
// DUMP:       sluice.scalar_write %[[OLD]]
// DUMP:       sluice.wait
// DUMP-NEXT:  %[[OWN:.*]] = sluice.scalar_read
// DUMP:       sluice.role "load"
// DUMP:       sluice.wait
// DUMP-NEXT:  %{{.*}} = sluice.scalar_read
// DUMP-LABEL: after
// RUN: %python %S/../language/Inputs/products.py %t.d
// RUN: sluice run %s --in A=%t.d/A.npy B=%t.d/B.npy --set C=200x144 --chaos 300 --expect C=%t.d/AB.npy
// RUN: sluice run %s --device host --in A=%t.d/A.npy B=%t.d/B.npy --set C=200x144 --expect C=%t.d/AB.npy
// RUN: %if nvcc %{ sluice emit %s --single-file -o %t.cu && %nvcc -cubin %t.cu -o %t.cubin %}
// In a loop over tiles the ring has two slots, and runs on.
// RUN: sed 's/, %%gn :/, %%gn {persistent} :/' %s > %t.persistent.mlir
// RUN: sluice check %t.persistent.mlir | FileCheck %s --check-prefix=PROVEN
// RUN: sluice run %t.persistent.mlir --in A=%t.d/A.npy B=%t.d/B.npy --set C=200x144 --chaos 300 --expect C=%t.d/AB.npy
sluice.kernel @drawn(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                     %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                     %next: !sluice.tensor<64xi32> {sluice.name = "next", sluice.inout},
                     %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %N = sluice.dim %B, 1 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %gn = arith.ceildivsi %N, %c64 : index
  %steps = arith.ceildivsi %K, %c64 : index
  %i, %j = sluice.grid %gm, %gn : index, index
  %drawn = sluice.counter.add %next[%j], %c1 scope gpu : <64xi32>
  %row = arith.muli %drawn, %c64 : index
  %col = arith.muli %j, %c64 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  sluice.fill %acc with 0.0 : <64x64xf32>
  scf.for %t = %c0 to %steps step %c1 {
    %k = arith.muli %t, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
    sluice.load %A[%row, %k] to %a : <?x?xf16, align 16>, <64x64xf16>
    sluice.load %B[%k, %col] to %b : <?x?xf16, align 16>, <64x64xf16>
    sluice.mma %acc, %a, %b : <64x64xf32>, <64x64xf16>, <64x64xf16>
  } {sluice.stages = 3}
  sluice.store %acc to %C[%row, %col] : <64x64xf32>, <?x?xf32>
}

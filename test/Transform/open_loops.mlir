// A loop with stages that goes on while a value holds which is found out on the way: every role asks.
// RUN: sluice check %s --this-launch --set A=200x192 B=192x64 C=200x64 | FileCheck %s --check-prefix=PROVEN
// PROVEN: proven: this launch: 3 iterations; all 4 CTAs
// All take equally many steps, whatever the extents are.
// RUN: sluice check %s | FileCheck %s --check-prefix=EVERY
// EVERY: {{^}}proven: every launch
// EVERY: assuming loops-end: the loop at {{.*}}open_loops.mlir:[[#@LINE+39]]:10, which goes on while a value holds, comes to an end within 2^31 - 2^20 rounds
// RUN: sluice run %s --random 1 --set A=200x192 B=192x64 C=200x64 --chaos 300 --out C=%t.npy
// RUN: sed 's/muli %%n, %%c2/addi %%n, %%c1/' %s > %t.counted.mlir
// RUN: sluice run %t.counted.mlir --random 1 --set A=200x192 B=192x64 C=200x64 --expect C=%t.npy | FileCheck %s --check-prefix=SAME
// SAME: error 0 of the largest value
// What only counts has bounds, and its stages too.
// RUN: sluice check %t.counted.mlir | FileCheck %s --check-prefix=COUNTED
// COUNTED: {{^}}proven: every launch
// RUN: sluice emit %s | FileCheck %s --check-prefix=CUDA
// CUDA:      for (;;) {
// CUDA:      if (carried) {
// CUDA-NEXT: mbarrierWait(full[at.slot], at.phase);
// RUN: %if nvcc %{ sluice emit %s --single-file -o %t.cu && %nvcc -cubin %t.cu -o %t.cubin %}
//
// RUN: sed 's/grid %%g :/grid %%g {sluice.load_ahead} :/' %s > %t.ahead.mlir
// RUN: not sluice check %t.ahead.mlir 2>&1 | FileCheck %s --check-prefix=AHEAD
// AHEAD: error: {{.*}}: unsupported: a loop that goes on while a value holds beside sluice.load_ahead: nobody knows how many steps there are to load; leave one out
// RUN: sed 's/grid %%g :/grid %%g {persistent, sluice.turns = 2} :/' %s > %t.turns.mlir
// RUN: not sluice check %t.turns.mlir 2>&1 | FileCheck %s --check-prefix=TURNS
// TURNS: error: {{.*}}: unsupported: a loop that goes on while a value holds beside sluice.turns, where each group skips as many slots as the other takes; leave one out
// RUN: sed 's/^    %%go = .*/&\n    sluice.fill %%acc with 0.0 : <64x64xf32>/' %s > %t.front.mlir
// RUN: not sluice check %t.front.mlir 2>&1 | FileCheck %s --check-prefix=FRONT
// FRONT: error: {{.*}}: unsupported: stands in front of the condition of a loop, which every role asks; move it behind the condition
sluice.kernel @doubled(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                     %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                     %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a"} {
  %c64 = arith.constant 64 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %steps = arith.ceildivsi %K, %c64 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %g = arith.ceildivsi %M, %c64 : index
  %i = sluice.grid %g : index
  %row = arith.muli %i, %c64 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  sluice.fill %acc with 0.0 : <64x64xf32>
  %end = scf.while (%n = %c1) : (index) -> (index) {
    %go = arith.cmpi slt, %n, %steps : index
    scf.condition(%go) %n : index
  } do {
  ^bb0(%n: index):
    %k = arith.muli %n, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
    sluice.load %A[%row, %k] to %a : <?x?xf16, align 16>, <64x64xf16>
    sluice.load %B[%k, %c0] to %b : <?x?xf16, align 16>, <64x64xf16>
    sluice.mma %acc, %a, %b : <64x64xf32>, <64x64xf16>, <64x64xf16>
    %n1 = arith.muli %n, %c2 : index
    scf.yield %n1 : index
  } attributes {sluice.stages = 3}
  sluice.store %acc to %C[%row, %c0] : <64x64xf32>, <?x?xf32>
}

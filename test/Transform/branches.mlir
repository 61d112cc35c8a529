// Products, loads and stores in branches of a loop over tiles. A ring goes on where its branch is taken alone: the branch
// hands its cursor on.
// RUN: sluice check %s | FileCheck %s
// CHECK: proven: every launch
// RUN: sluice emit %s | FileCheck %s --check-prefix=TEXT
// A truth value beside a number is one: C++ has no min of both.
// TEXT: { // mma
// TEXT: min(int({{.*}}), count)
// TEXT: Cursor<2> [[CHOSEN:chosen[0-9]*]];
// TEXT: if ({{.*}}) {
// TEXT: for (int
// TEXT: [[CHOSEN]] = at
// TEXT: } else {
// TEXT: [[CHOSEN]] = at
// Groups that take tiles in turn do not know which branches the other takes.
// RUN: sed 's/{persistent}/{persistent, sluice.turns = 2}/' %s > %t.turns.mlir
// RUN: not sluice check %t.turns.mlir 2>&1 | FileCheck %s --check-prefix=TURNS
// TURNS: error: {{.*}}turns.mlir:[[#@LINE+22]]:3: unsupported: tiles are computed in turns, and those that take this branch are not known ahead; leave out the turns (pingpong)
sluice.kernel @branches(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
    %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
    %C: !sluice.tensor<?x?xf32, align 16> {sluice.name = "C", sluice.out},
    %D: !sluice.tensor<?x?xf32, align 16> {sluice.name = "D", sluice.out}, %count: index {sluice.name = "count"}) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %steps = arith.ceildivsi %K, %c64 : index
  %i = sluice.grid %gm {persistent} : index
  %row = arith.muli %i, %c64 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  sluice.fill %acc with 1.0 : <64x64xf32>
  sluice.store %acc to %D[%row, %c0] : <64x64xf32>, <?x?xf32, align 16>
  %few = arith.cmpi slt, %count, %c2 : index
  %one = arith.index_castui %few : i1 to index
  %least = arith.minsi %one, %count : index
  %early = arith.cmpi slt, %i, %least : index
  scf.if %early {
    sluice.fill %acc with 0.0 : <64x64xf32>
    scf.for %t = %c0 to %steps step %c1 {
      %k = arith.muli %t, %c64 : index
      %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
      sluice.load %A[%row, %k] to %a : <?x?xf16, align 16>, <64x64xf16>
      %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
      sluice.load %B[%k, %c0] to %b : <?x?xf16, align 16>, <64x64xf16>
      sluice.mma %acc, %a, %b : <64x64xf32>, <64x64xf16>, <64x64xf16>
    } {sluice.stages = 2}
    sluice.store %acc to %C[%row, %c0] : <64x64xf32>, <?x?xf32, align 16>
  }
}

// The steps of all tiles in equal shares (stream-K): each CTA has a range of them. CTAs of one tile add up in turns of a
// counter, by way of a workspace; who has the last steps of a tile stores it, the others behind the tensor.
// RUN: sluice check %s --dump-after-each 2>%t >%t.verdict
// RUN: FileCheck %s < %t.verdict
// RUN: FileCheck %s --check-prefix=DUMP < %t
// CHECK: {{^}}proven: every launch
// CHECK: assuming co-resident: the CTAs that add to turn run at the same time
// CHECK: assuming stated: at most 300 tiles, as sluice.stream says
// DUMP-LABEL: after sluice-map-grid
// DUMP:       %turn: !sluice.tensor<300xi32, align 4> {sluice.name = "turn", sluice.workspace}, %part_acc: !sluice.tensor<19200x64xf32, align 4>
// DUMP:       sluice.counter.wait %turn[%[[TILE:.*]]], %{{.*}} scope gpu co_resident
// DUMP:       sluice.load %part_acc
// DUMP:       sluice.store %acc to %part_acc{{.*}} {sluice.staging = 0 : i64}
// DUMP:       sluice.counter.add %turn[%[[TILE]]]
// DUMP:       sluice.name = "below"
// DUMP-LABEL: after sluice-split-roles
// DUMP:       sluice.role "mma"
// DUMP:       sluice.bar.sync 1, 128
// DUMP-NEXT:  sluice.store %acc to %part_acc
// DUMP:       sluice.bar.sync 1, 128
// DUMP-NEXT:  sluice.counter.add
// DUMP:       sluice.role "load"
// DUMP-NOT:   sluice.counter
// DUMP-LABEL: after sluice-close-loops
//
// RUN: sed 's/sluice.stream = 300/sluice.turns = 2/' %s > %t.whole.mlir
// RUN: sluice run %t.whole.mlir --device sim --random 3 --set A=200x400 B=400x136 C=200x136 --out C=%t.npy
// RUN: sluice run %s --device sim --random 3 --set A=200x400 B=400x136 C=200x136 --expect C=%t.npy
//
// The workspaces are made for so many tiles.
// RUN: sed 's/, sluice.stream = 300/, sluice.stream = 2/' %s > %t.two.mlir
// RUN: not sluice run %t.two.mlir --device sim --random 3 --set A=200x400 B=400x136 C=200x136 2>&1 | FileCheck %s --check-prefix=MOST
// MOST: at most 2 tiles, as sluice.stream says
sluice.kernel @gemm(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                    %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                    %C: !sluice.tensor<?x?xf32, align 16> {sluice.name = "C", sluice.out})
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
  %i, %j = sluice.grid %gm, %gn {persistent, sluice.stream = 300} : index, index
  %row = arith.muli %i, %c64 : index
  %col = arith.muli %j, %c64 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  sluice.fill %acc with 0.0 : <64x64xf32>
  scf.for %t = %c0 to %steps step %c1 {
    %k = arith.muli %t, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
    sluice.load %A[%row, %k] to %a : <?x?xf16, align 16>, <64x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
    sluice.load %B[%k, %col] to %b : <?x?xf16, align 16>, <64x64xf16>
    sluice.mma %acc, %a, %b : <64x64xf32>, <64x64xf16>, <64x64xf16>
  } {sluice.stages = 4, sluice.name = "k"}
  sluice.store %acc to %C[%row, %col] : <64x64xf32>, <?x?xf32, align 16>
}

// Two roles multiply, each its rows, with the same tiles of B, which both release a step late. The
// warps of a role that is derived may be given too.
// RUN: sluice check %s --dump-after-each 2>%t >%t.verdict
// RUN: FileCheck %s < %t.verdict
// RUN: FileCheck %s --check-prefix=DUMP < %t
// CHECK: {{^}}proven: every launch
// DUMP: after sluice-load-ahead
// DUMP: sluice.pipeline "top" {{.*}} from ["load"] to ["upper"]
// DUMP: sluice.pipeline "bottom" {{.*}} from ["load"] to ["lower"]
// DUMP: sluice.pipeline "b" {{.*}} from ["load"] to ["upper", "lower"]
// RUN: sluice barriers %s | FileCheck %s --check-prefix=TABLE
// TABLE: empty_b 0 8 0 lower warps 0-3, upper warps 4-7 load warp 8{{$}}
// RUN: %python %S/../../language/Inputs/products.py %t.d
// RUN: sluice run %s --in A=%t.d/A.npy B=%t.d/B.npy --set C=200x144 --expect C=%t.d/AB.npy
// RUN: sluice run %s --in A=%t.d/A.npy B=%t.d/B.npy --set C=200x144 --expect C=%t.d/AB.npy --chaos 3000
// RUN: sluice emit %s | FileCheck %s --check-prefix=CUDA
// CUDA: mbarrierArrive(empty_b[before_b.slot]);
// CUDA: mbarrierArrive(empty_b[before_b.slot]);
// RUN: %if nvcc %{ sluice emit %s --single-file -o %t.cu && %nvcc -cubin %t.cu -o %t.cubin %}
// RUN: sed 's/%%gm, %%gn :/%%gm, %%gn {persistent} :/' %s > %t.tiles.mlir
// RUN: sluice check %t.tiles.mlir | FileCheck %s
// RUN: sluice run %t.tiles.mlir --in A=%t.d/A.npy B=%t.d/B.npy --set C=200x144 --expect C=%t.d/AB.npy
sluice.kernel @halves(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                      %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                      %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out})
    attributes {sluice.roles = {upper = 4, lower = 4, load = 2}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %N = sluice.dim %B, 1 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c128 : index
  %gn = arith.ceildivsi %N, %c64 : index
  %steps = arith.ceildivsi %K, %c64 : index
  %i, %j = sluice.grid %gm, %gn : index, index
  %row = arith.muli %i, %c128 : index
  %below = arith.addi %row, %c64 : index
  %col = arith.muli %j, %c64 : index
  %sum = sluice.alloc "sum" : !sluice.buffer<64x64xf32>
  %other = sluice.alloc "other" : !sluice.buffer<64x64xf32>
  sluice.fill %sum with 0.0 : <64x64xf32>
  sluice.fill %other with 0.0 : <64x64xf32>
  scf.for %t = %c0 to %steps step %c1 {
    %k = arith.muli %t, %c64 : index
    %top = sluice.alloc "top" : !sluice.buffer<64x64xf16>
    %bottom = sluice.alloc "bottom" : !sluice.buffer<64x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
    sluice.load %A[%row, %k] to %top : <?x?xf16, align 16>, <64x64xf16>
    sluice.load %A[%below, %k] to %bottom : <?x?xf16, align 16>, <64x64xf16>
    sluice.load %B[%k, %col] to %b : <?x?xf16, align 16>, <64x64xf16>
    sluice.mma %sum, %top, %b {sluice.in_role = "upper"} : <64x64xf32>, <64x64xf16>, <64x64xf16>
    sluice.mma %other, %bottom, %b {sluice.in_role = "lower"} : <64x64xf32>, <64x64xf16>, <64x64xf16>
  } {sluice.stages = 4, sluice.name = "k"}
  sluice.store %sum to %C[%row, %col] : <64x64xf32>, <?x?xf32>
  sluice.store %other to %C[%below, %col] : <64x64xf32>, <?x?xf32>
}

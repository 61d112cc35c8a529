// Tiles loaded by two roles, an operand that two roles read, an epilogue by a role of its own from
// what it gets through shared memory, stored by another one.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: sluice barriers %s | FileCheck %s --check-prefix=TABLE
// TABLE: full_acc_shared 0 4 0 mma warps 0-3 epilogue warps 4-7
// TABLE: full_a 0 1 8192 TMA of load_a warp 12, load_a warp 12 mma warps 0-3, sums warps 8-11
// TABLE: empty_a 0 8 0 mma warps 0-3, sums warps 8-11 load_a warp 12
// TABLE: full_b 0 1 16384 TMA of load_b warp 13, load_b warp 13 mma warps 0-3
// TABLE: empty_b 0 4 0 mma warps 0-3 load_b warp 13
// TABLE: full_c_staging 0 4 0 epilogue warps 4-7 out warp 14
// RUN: sluice explain %s | FileCheck %s --check-prefix=PLAN
// PLAN: epilogue: warps 4-7, all CTAs
// PLAN-NEXT: does     ld.shared, map, st.shared
// PLAN-NEXT: fills    c_staging
// PLAN-NEXT: takes    acc_shared
// PLAN: out: warp 14, all CTAs
// PLAN-NEXT: does     TMA store C
// RUN: %python %S/../../language/Inputs/products.py %t.d
// RUN: sluice run %s --in A=%t.d/A.npy B=%t.d/B.npy --set C=200x144 S=200x1 --expect C=%t.d/AB16.npy S=%t.d/sums.npy
// RUN: sluice run %s --in A=%t.d/A.npy B=%t.d/B.npy --set C=200x144 S=200x1 --expect C=%t.d/AB16.npy S=%t.d/sums.npy --chaos 3000
// RUN: %if nvcc %{ sluice emit %s --single-file -o %t.cu && %nvcc -cubin %t.cu -o %t.cubin %}
//
// In loops over tiles the epilogue runs under the next products, and the store under the next
// epilogue; several warps may ask for it; so may the role that computes it.
// RUN: sed 's/%%gm, %%gn :/%%gm, %%gn {persistent} :/' %s > %t.tiles.mlir
// RUN: sluice check %t.tiles.mlir | FileCheck %s
// RUN: sluice run %t.tiles.mlir --in A=%t.d/A.npy B=%t.d/B.npy --set C=200x144 S=200x1 --expect C=%t.d/AB16.npy S=%t.d/sums.npy
// RUN: sluice barriers %t.tiles.mlir | FileCheck %s --check-prefix=TILES
// TILES: full_acc_shared 0 4 0 mma warps 0-3 epilogue warps 4-7
// TILES: empty_acc_shared 0 4 0 epilogue warps 4-7 mma warps 0-3
// TILES: empty_c_staging 0 1 0 out warp 14 epilogue warps 4-7
// RUN: sed 's/out = 1/out = 4/' %t.tiles.mlir > %t.four.mlir
// RUN: sluice check %t.four.mlir | FileCheck %s
// RUN: sluice run %t.four.mlir --in A=%t.d/A.npy B=%t.d/B.npy --set C=200x144 S=200x1 --expect C=%t.d/AB16.npy S=%t.d/sums.npy --chaos 3000
// RUN: sed 's/, out = 1//; s/"out"/"epilogue"/' %t.tiles.mlir > %t.own.mlir
// RUN: sluice check %t.own.mlir | FileCheck %s
// RUN: sluice run %t.own.mlir --in A=%t.d/A.npy B=%t.d/B.npy --set C=200x144 S=200x1 --expect C=%t.d/AB16.npy S=%t.d/sums.npy --chaos 3000
// RUN: sed 's/, out = 1//; s/ {sluice.in_role = "out"}//' %t.tiles.mlir > %t.derived.mlir
// RUN: sluice check %t.derived.mlir | FileCheck %s
// RUN: sluice explain %t.derived.mlir | FileCheck %s --check-prefix=DERIVED
// DERIVED: store: warp 14, all CTAs
// DERIVED-NEXT: does     TMA store C
// RUN: sed 's/%%gm, %%gn :/%%gm, %%gn {cluster = array<i64: 2, 1>} :/' %s > %t.cluster.mlir
// RUN: sluice check %t.cluster.mlir | FileCheck %s
sluice.kernel @graph(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                     %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                     %C: !sluice.tensor<?x?xf16, align 16> {sluice.name = "C", sluice.out},
                     %S: !sluice.tensor<?x1xf32> {sluice.name = "S", sluice.out})
    attributes {sluice.roles = {load_a = 1, load_b = 1, sums = 4, epilogue = 4, out = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %N = sluice.dim %B, 1 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %gn = arith.ceildivsi %N, %c128 : index
  %steps = arith.ceildivsi %K, %c64 : index
  %i, %j = sluice.grid %gm, %gn : index, index
  %row = arith.muli %i, %c64 : index
  %col = arith.muli %j, %c128 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x128xf32>
  %sum = sluice.alloc "sum" : !sluice.buffer<64x1xf32>
  sluice.fill %acc with 0.0 : <64x128xf32>
  sluice.fill %sum with 0.0 : <64x1xf32>
  scf.for %t = %c0 to %steps step %c1 {
    %k = arith.muli %t, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x128xf16>
    %part = sluice.alloc "part" : !sluice.buffer<64x1xf32>
    sluice.load %A[%row, %k] to %a {sluice.in_role = "load_a"} : <?x?xf16, align 16>, <64x64xf16>
    sluice.load %B[%k, %col] to %b {sluice.in_role = "load_b"} : <?x?xf16, align 16>, <64x128xf16>
    sluice.reduce ins(%a : !sluice.buffer<64x64xf16>) outs(%part : !sluice.buffer<64x1xf32>) axis 1 from [0.0] attributes {sluice.in_role = "sums"} {
    ^bb0(%s: f32, %x: f16):
      %y = arith.extf %x : f16 to f32
      %n = arith.addf %s, %y : f32
      sluice.yield %n : f32
    }
    sluice.map ins(%sum, %part : !sluice.buffer<64x1xf32>, !sluice.buffer<64x1xf32>) outs(%sum : !sluice.buffer<64x1xf32>) attributes {sluice.in_role = "sums"} {
    ^bb0(%s: f32, %x: f32):
      %n = arith.addf %s, %x : f32
      sluice.yield %n : f32
    }
    sluice.mma %acc, %a, %b : <64x128xf32>, <64x64xf16>, <64x128xf16>
  } {sluice.stages = 4, sluice.name = "k"}
  %isFirst = arith.cmpi eq, %j, %c0 : index
  scf.if %isFirst {
    sluice.store %sum to %S[%row, %c0] : <64x1xf32>, <?x1xf32>
  }
  %c = sluice.alloc "c" : !sluice.buffer<64x128xf16>
  sluice.map ins(%acc : !sluice.buffer<64x128xf32>) outs(%c : !sluice.buffer<64x128xf16>) attributes {sluice.in_role = "epilogue"} {
  ^bb0(%x: f32):
    %y = arith.truncf %x : f32 to f16
    sluice.yield %y : f16
  }
  sluice.store %c to %C[%row, %col] {sluice.in_role = "out"} : <64x128xf16>, <?x?xf16, align 16>
}

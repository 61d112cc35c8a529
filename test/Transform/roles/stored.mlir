// A role stores what others compute: what TMA cannot, a vector and a tile of a tensor that starts
// anywhere, its threads store from where it waits in shared memory.
// RUN: sed 's/%%sum to %%S\[%%row, %%c0\]/& {sluice.in_role = "out"}/; s/C: !sluice.tensor<?x?xf16, align 16>/C: !sluice.tensor<?x?xf16>/; s/<64x128xf16>, <?x?xf16, align 16>$/<64x128xf16>, <?x?xf16>/' %S/graph.mlir > %t.mlir
// RUN: sluice check %t.mlir | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: sluice explain %t.mlir | FileCheck %s --check-prefix=PLAN
// PLAN: out: warp 14, all CTAs
// PLAN-NEXT: does     store S, store C
// PLAN-NEXT: takes    sum_staging, c_staging
// RUN: %python %S/../../language/Inputs/products.py %t.d
// RUN: sluice run %t.mlir --in A=%t.d/A.npy B=%t.d/B.npy --set C=200x144 S=200x1 --expect C=%t.d/AB16.npy S=%t.d/sums.npy
// RUN: sluice run %t.mlir --in A=%t.d/A.npy B=%t.d/B.npy --set C=200x144 S=200x1 --expect C=%t.d/AB16.npy S=%t.d/sums.npy --chaos 3000
// RUN: host-mode %t.mlir A=200x192 B=192x144 C=200x144 S=200x1
// RUN: %if nvcc %{ sluice emit %t.mlir --single-file -o %t.cu && %nvcc -cubin %t.cu -o %t.cubin %}
//
// Of a loop over tiles, by several warps: what waits is stored before it is written again.
// RUN: sed 's/%%gm, %%gn :/%%gm, %%gn {persistent} :/; s/out = 1/out = 4/' %t.mlir > %t.tiles.mlir
// RUN: sluice check %t.tiles.mlir | FileCheck %s
// RUN: sluice barriers %t.tiles.mlir | FileCheck %s --check-prefix=TABLE
// TABLE-DAG: full_sum_staging 0 4 0 sums warps 12-15 out warps 8-11
// TABLE-DAG: empty_sum_staging 0 4 0 out warps 8-11 sums warps 12-15
// TABLE-DAG: empty_c_staging 0 4 0 out warps 8-11 epilogue warps 4-7
// RUN: sluice run %t.tiles.mlir --in A=%t.d/A.npy B=%t.d/B.npy --set C=200x144 S=200x1 --expect C=%t.d/AB16.npy S=%t.d/sums.npy --chaos 3000
// RUN: sluice check %t.tiles.mlir --dump-after-each 2>%t.dump >%t.verdict
// RUN: %python %S/../Inputs/after.py sluice-split-roles < %t.dump > %t.roles.mlir
// RUN: sluice check %t.roles.mlir | FileCheck %s
// RUN: sed '/sluice.wait %%sum_staging/d' %t.roles.mlir > %t.early.mlir
// RUN: not sluice check %t.early.mlir | FileCheck %s --check-prefix=EARLY
// EARLY: R21 (Defined before read): copy of out warp 8 of CTA (0) at {{.*}} reads sum_staging
// RUN: sed '/sluice.release %%sum_staging/d' %t.roles.mlir > %t.kept.mlir
// RUN: not sluice check %t.kept.mlir | FileCheck %s --check-prefix=KEPT
// KEPT: R9 (Progress): deadlock

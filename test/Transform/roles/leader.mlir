// Sums of rows that the CTAs of a cluster have in common are of the first one alone: a role of the
// leader computes and stores them, from tiles that another role of the leader loads for it.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: sluice explain %s | FileCheck %s --check-prefix=PLAN
// PLAN: sums: warps 4-7, CTA rank 0
// PLAN: load_x: warp {{[0-9]+}}, CTA rank 0
// RUN: sluice check %s --dump-after-each 2>&1 >/dev/null | FileCheck %s --check-prefix=DUMP
// DUMP: after sluice-map-grid
// DUMP: sluice.load %A[{{.*}}] to %a {sluice.cluster
// DUMP: sluice.load %A[{{.*}}] to %x {sluice.in_role = "load_x"}
// DUMP: after sluice-split-roles
// DUMP: sluice.role "sums" warps 4 to 8 leader
// RUN: %python %S/../../language/Inputs/products.py %t.d
// RUN: sluice run %s --in A=%t.d/A.npy B=%t.d/B.npy --set C=200x144 S=200x1 --expect C=%t.d/AB.npy S=%t.d/sums.npy
// RUN: sluice run %s --in A=%t.d/A.npy B=%t.d/B.npy --set C=200x144 S=200x1 --expect C=%t.d/AB.npy S=%t.d/sums.npy --chaos 3000
// RUN: host-mode %s A=200x192 B=192x144 C=200x144 S=200x1
// RUN: %if nvcc %{ sluice emit %s --single-file -o %t.cu && %nvcc -cubin %t.cu -o %t.cubin %}
//
// By every CTA they would be stored twice; what goes from CTA to CTA is no tile; in no cluster is no
// leader.
// RUN: sed 's/sums = {warps = 4, leader}, load_x = {warps = 1, leader}/sums = 4, load_x = 1/' %s > %t.all.mlir
// RUN: not sluice check %t.all.mlir | FileCheck %s --check-prefix=ALL
// ALL: {{^}}violated:
// RUN: sed 's/load_x = {warps = 1, leader}/load_x = 1/' %s > %t.one.mlir
// RUN: not sluice check %t.one.mlir 2>&1 | FileCheck %s --check-prefix=ONE
// ONE: error: {{.*}}: unsupported: tile 'x' goes from role 'load_x' to role 'sums', of which one alone is of the leader CTA: what goes from role to role stays on its CTA; make both leaders, or none
// RUN: sed 's/ {cluster = array<i64: 1, 2>}//' %s > %t.no.mlir
// RUN: not sluice check %t.no.mlir 2>&1 | FileCheck %s --check-prefix=NO
// NO: error: {{.*}}: sluice.roles: role 'load_x' is of the leader CTA, but the grid has no cluster
sluice.kernel @sums_of_leader(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                              %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                              %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out},
                              %S: !sluice.tensor<?x1xf32> {sluice.name = "S", sluice.out})
    attributes {sluice.roles = {sums = {warps = 4, leader}, load_x = {warps = 1, leader}}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %steps = arith.ceildivsi %K, %c64 : index
  %i, %j = sluice.grid %gm, %c2 {cluster = array<i64: 1, 2>} : index, index
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
    %x = sluice.alloc "x" : !sluice.buffer<64x64xf16>
    %part = sluice.alloc "part" : !sluice.buffer<64x1xf32>
    sluice.load %A[%row, %k] to %a : <?x?xf16, align 16>, <64x64xf16>
    sluice.load %B[%k, %col] to %b : <?x?xf16, align 16>, <64x128xf16>
    sluice.load %A[%row, %k] to %x {sluice.in_role = "load_x"} : <?x?xf16, align 16>, <64x64xf16>
    sluice.reduce ins(%x : !sluice.buffer<64x64xf16>) outs(%part : !sluice.buffer<64x1xf32>) axis 1 from [0.0] attributes {sluice.in_role = "sums"} {
    ^bb0(%s: f32, %v: f16):
      %y = arith.extf %v : f16 to f32
      %n = arith.addf %s, %y : f32
      sluice.yield %n : f32
    }
    sluice.map ins(%sum, %part : !sluice.buffer<64x1xf32>, !sluice.buffer<64x1xf32>) outs(%sum : !sluice.buffer<64x1xf32>) attributes {sluice.in_role = "sums"} {
    ^bb0(%s: f32, %v: f32):
      %n = arith.addf %s, %v : f32
      sluice.yield %n : f32
    }
    sluice.mma %acc, %a, %b : <64x128xf32>, <64x64xf16>, <64x128xf16>
  } {sluice.stages = 3, sluice.name = "k"}
  sluice.store %sum to %S[%row, %c0] : <64x1xf32>, <?x1xf32>
  sluice.store %acc to %C[%row, %col] : <64x128xf32>, <?x?xf32>
}

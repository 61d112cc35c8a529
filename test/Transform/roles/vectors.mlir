// Two vectors of a number a row go from the role that folds rows to the one that computes with them,
// in one ring, as tiles do: 8 warps have one block of 64 rows each, 4 warps both.
// RUN: sluice check %s --dump-after-each 2>%t >%t.verdict
// RUN: FileCheck %s < %t.verdict
// RUN: FileCheck %s --check-prefix=DUMP < %t
// CHECK: {{^}}proven: every launch
// DUMP: after sluice-load-ahead
// DUMP: sluice.pipeline "most_shared_sum_shared" {{.*}} : !sluice.buffer<128x1xf32, smem, row, slots 2>, !sluice.buffer<128x1xf16, smem, row, slots 2> from ["fold"] to ["scale"] : !sluice.pipeline<2>
// RUN: sluice barriers %s | FileCheck %s --check-prefix=TABLE
// TABLE: full_most_shared_sum_shared 0 8 0 fold warps 0-7 scale warps 8-11
// TABLE: empty_most_shared_sum_shared 0 4 0 scale warps 8-11 fold warps 0-7
// RUN: sluice emit %s | FileCheck %s --check-prefix=CUDA
// CUDA: storeRowVectorShared<Most_sharedTile, 8>(most_shared[
// CUDA: mbarrierArrive(full_most_shared_sum_shared[
// CUDA: mbarrierWait(full_most_shared_sum_shared[
// CUDA: loadRowVectorShared<Most_sharedTile, 4>(most_shared_held,
// RUN: %if nvcc %{ sluice emit %s --single-file -o %t.cu && %nvcc -cubin %t.cu -o %t.cubin %}
//
// The numbers are those of one role.
// RUN: sed 's/ attributes {sluice.in_role = "[a-z]*"}//; s/ attributes {sluice.roles = .*} {/ {/' %s > %t.one.mlir
// RUN: sluice run %t.one.mlir --random 3 --set X=200x328 Y=200x328 --out Y=%t.npy
// RUN: sluice run %s --random 3 --set X=200x328 Y=200x328 --expect Y=%t.npy
// RUN: sluice run %s --random 3 --set X=200x328 Y=200x328 --expect Y=%t.npy --chaos 3000
// RUN: sluice run %s --random 3 --set X=200x328 Y=200x328 --device host
// RUN: host-mode %s X=200x328 Y=200x328
//
// Read before it is there; full again before it is empty.
// RUN: %python %S/../Inputs/after.py sluice-split-roles < %t > %t.roles.mlir
// RUN: sluice check %t.roles.mlir | FileCheck %s
// RUN: sed '/sluice.wait %%most_shared/d' %t.roles.mlir > %t.early.mlir
// RUN: not sluice check %t.early.mlir | FileCheck %s --check-prefix=EARLY
// EARLY: R22 (No race): copy of scale warp 8 of CTA (0) at {{.*}} reads most_shared[0] {{.*}} while copy of fold warp 0 of CTA (0) at {{.*}} may still write it
// RUN: sed '/sluice.acquire %%most_shared/d' %t.roles.mlir > %t.late.mlir
// RUN: not sluice check %t.late.mlir | FileCheck %s --check-prefix=LATE
// LATE: R4 (Phase order): arrive of fold warp 4 of CTA (0) at {{.*}} counts for phase 1 of full_most_shared_sum_shared[0]
sluice.kernel @scaled(%X: !sluice.tensor<?x?xf16, align 16> {sluice.name = "X"},
                      %Y: !sluice.tensor<?x?xf16, align 16> {sluice.name = "Y", sluice.out}) attributes {sluice.roles = {fold = 8, scale = 4}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %X, 0 : <?x?xf16, align 16>
  %N = sluice.dim %X, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c128 : index
  %steps = arith.ceildivsi %N, %c64 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c128 : index
  scf.for %t = %c0 to %steps step %c1 {
    %col = arith.muli %t, %c64 : index
    %x = sluice.alloc "x" : !sluice.buffer<128x64xf16>
    %most = sluice.alloc "most" : !sluice.buffer<128x1xf32>
    %sum = sluice.alloc "sum" : !sluice.buffer<128x1xf16>
    %y = sluice.alloc "y" : !sluice.buffer<128x64xf16>
    sluice.load %X[%row, %col] to %x : <?x?xf16, align 16>, <128x64xf16>
    sluice.reduce ins(%x : !sluice.buffer<128x64xf16>) outs(%most : !sluice.buffer<128x1xf32>) axis 1 from [-1.0e30] attributes {sluice.in_role = "fold"} {
    ^bb0(%s: f32, %v: f16):
      %f = arith.extf %v : f16 to f32
      %n = arith.maximumf %s, %f : f32
      sluice.yield %n : f32
    }
    sluice.reduce ins(%x : !sluice.buffer<128x64xf16>) outs(%sum : !sluice.buffer<128x1xf16>) axis 1 from [0.0] attributes {sluice.in_role = "fold"} {
    ^bb0(%s: f16, %v: f16):
      %n = arith.addf %s, %v : f16
      sluice.yield %n : f16
    }
    sluice.map ins(%x, %most, %sum : !sluice.buffer<128x64xf16>, !sluice.buffer<128x1xf32>, !sluice.buffer<128x1xf16>) outs(%y : !sluice.buffer<128x64xf16>) attributes {sluice.in_role = "scale"} {
    ^bb0(%v: f16, %m: f32, %s: f16):
      %f = arith.extf %v : f16 to f32
      %g = arith.extf %s : f16 to f32
      %d = arith.subf %f, %m : f32
      %p = arith.mulf %d, %g : f32
      %r = arith.truncf %p : f32 to f16
      sluice.yield %r : f16
    }
    sluice.store %y to %Y[%row, %col] : <128x64xf16>, <?x?xf16, align 16>
  } {sluice.stages = 3}
}

// Rows that are stored where they came from: lanes store for each other, so that a warp meets between.
// RUN: sluice check %s | FileCheck %s
// RUN: sed 's/xf32/xbf16/g; s/: f32/: bf16/' %s > %t.bf16.mlir
// RUN: sluice check %t.bf16.mlir | FileCheck %s
// RUN: sed 's/sluice.inout/sluice.out, sluice.in_place = "Y"/; s/@k(/@k(%%Y: !sluice.tensor<?x256xf32, align 16> {sluice.name = "Y"}, /; s/load %%X/load %%Y/' %s > %t.beside.mlir
// RUN: sluice check %t.beside.mlir | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: sluice run %s --random 1 --set X=37x256 --out X=%t.npy
// RUN: sluice run %s --device host --random 1 --set X=37x256 --expect X=%t.npy | FileCheck %s --check-prefix=HOST
// HOST: are the virtual machine's, bit by bit
// RUN: sluice emit %s | FileCheck %s --check-prefix=CUDA
// CUDA:      loadBlocked<
// CUDA:      warpSync();
// CUDA-NEXT: storeBlocked<
// RUN: %if nvcc %{ sluice emit %s --single-file -o %t.cu && %nvcc -cubin %t.cu -o %t.cubin %}
// Without it a lane may store what another one has yet to load.
// RUN: sluice-opt -sluice-to-placed -sluice-to-pipeline -sluice-to-barrier %s > %t.barrier.mlir
// RUN: sed '/sluice.warp_sync/d' %t.barrier.mlir > %t.early.mlir
// RUN: not sluice check %t.early.mlir | FileCheck %s --check-prefix=EARLY
// EARLY: {{^}}violated: refused at X[1,256]
// EARLY: R26 (Global memory in a CTA): {{.*}} Each lane did its own part of the first, another lane does that part of the second: put a warp sync between
sluice.kernel @k(%X: !sluice.tensor<?x256xf32, align 16> {sluice.name = "X", sluice.inout})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %M = sluice.dim %X, 0 : <?x256xf32, align 16>
  %g = arith.ceildivsi %M, %c4 : index
  %i = sluice.grid %g : index
  %row = arith.muli %i, %c4 : index
  %x = sluice.alloc "x" : !sluice.buffer<4x256xf32>
  sluice.load %X[%row, %c0] to %x : <?x256xf32, align 16>, <4x256xf32>
  sluice.map ins(%x : !sluice.buffer<4x256xf32>) outs(%x : !sluice.buffer<4x256xf32>) {
  ^bb0(%a: f32):
    %y = arith.addf %a, %a : f32
    sluice.yield %y : f32
  }
  sluice.store %x to %X[%row, %c0] : <4x256xf32>, <?x256xf32, align 16>
}

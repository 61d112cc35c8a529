// A slot that goes back in halves: one buffer through two rings, each over a half of its rows, and a
// role that releases the upper half before it takes the lower one.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: %python %S/../Inputs/products.py %t.d
// RUN: sluice run %s --in X=%t.d/A.npy --set Y=200x192 --expect Y=%t.d/A.npy --chaos 300
// RUN: sluice barriers %s | FileCheck %s --check-prefix=TABLE
// TABLE:      full_upper 0 1 8192 TMA of load warp 4, load warp 4 copy warps 0-3
// TABLE-NEXT: full_upper 1
// TABLE-NEXT: empty_upper 0 4 0 copy warps 0-3 load warp 4
// TABLE:      full_lower 0 1 8192 TMA of load warp 4, load warp 4 copy warps 0-3
// RUN: %if nvcc %{ sluice emit %s --single-file -o %t.cu && %nvcc -cubin %t.cu -o %t.cubin %}
//
// The lower half with the ring of the upper one: nobody has said that it has come.
// RUN: sed '/sluice.wait %%lower/d' %s > %t.early.mlir
// RUN: not sluice check %t.early.mlir | FileCheck %s --check-prefix=EARLY
// EARLY: R22
sluice.kernel @halves(%X: !sluice.tensor<?x?xf16, align 16> {sluice.name = "X"},
                      %Y: !sluice.tensor<?x?xf16, align 16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "pipeline", warps = 5} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %X, 0 : <?x?xf16, align 16>
  %n = arith.ceildivsi %M, %c128 : index
  %N = sluice.dim %X, 1 : <?x?xf16, align 16>
  %gn = arith.ceildivsi %N, %c64 : index
  %j = sluice.grid %gn : index
  %col = arith.muli %j, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<128x64xf16, smem, sw128, slots 2>
  %upper = sluice.pipeline "upper" over %x : !sluice.buffer<128x64xf16, smem, sw128, slots 2> from ["load"] to ["copy"] : !sluice.pipeline<2>
  %lower = sluice.pipeline "lower" over %x : !sluice.buffer<128x64xf16, smem, sw128, slots 2> from ["load"] to ["copy"] : !sluice.pipeline<2>
  %start = sluice.cursor : !sluice.cursor<2>
  sluice.role "load" warps 4 to 5 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
      %row = arith.muli %t, %c128 : index
      %below = arith.addi %row, %c64 : index
      %s = sluice.cursor.slot %at : <2>
      %tile = sluice.slot %x[%s] : <128x64xf16, smem, sw128, slots 2>
      %up = sluice.subview %tile[%c0, %c0] : <128x64xf16, smem, sw128> to <64x64xf16, smem, sw128>
      %low = sluice.subview %tile[%c64, %c0] : <128x64xf16, smem, sw128> to <64x64xf16, smem, sw128>
      sluice.acquire %upper[%at] : <2>
      sluice.load %X[%row, %col] to %up : <?x?xf16, align 16>, <64x64xf16, smem, sw128>
      sluice.commit %upper[%at] : <2>
      sluice.acquire %lower[%at] : <2>
      sluice.load %X[%below, %col] to %low : <?x?xf16, align 16>, <64x64xf16, smem, sw128>
      sluice.commit %lower[%at] : <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
  }
  sluice.role "copy" warps 0 to 4 {
    %h = sluice.alloc "h" : !sluice.buffer<64x64xf16, reg, acc>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
      %row = arith.muli %t, %c128 : index
      %below = arith.addi %row, %c64 : index
      %s = sluice.cursor.slot %at : <2>
      %tile = sluice.slot %x[%s] : <128x64xf16, smem, sw128, slots 2>
      %up = sluice.subview %tile[%c0, %c0] : <128x64xf16, smem, sw128> to <64x64xf16, smem, sw128>
      %low = sluice.subview %tile[%c64, %c0] : <128x64xf16, smem, sw128> to <64x64xf16, smem, sw128>
      sluice.wait %upper[%at] : <2>
      sluice.copy %up to %h : <64x64xf16, smem, sw128>, <64x64xf16, reg, acc>
      sluice.release %upper[%at] : <2>
      sluice.store %h to %Y[%row, %col] : <64x64xf16, reg, acc>, <?x?xf16, align 16>
      sluice.wait %lower[%at] : <2>
      sluice.copy %low to %h : <64x64xf16, smem, sw128>, <64x64xf16, reg, acc>
      sluice.release %lower[%at] : <2>
      sluice.store %h to %Y[%below, %col] : <64x64xf16, reg, acc>, <?x?xf16, align 16>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
  }
}

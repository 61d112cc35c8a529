// Two roles multiply, each half of the rows, and store what they staged: they read one ring, and meet
// at named barriers of their own. One role loads A, another B, into the same slots.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: %python %S/Inputs/products.py %t
// RUN: sluice run %s --in A=%t/A.npy B=%t/B.npy --set C=200x144 --expect C=%t/AB16.npy
// RUN: sluice barriers %s | FileCheck %s --check-prefix=TABLE
// TABLE: full 0 2 32768 TMA of columns warp 9, TMA of rows warp 8, columns warp 9, rows warp 8 bottom warps 4-7, top warps 0-3
// TABLE: empty 0 8 0 bottom warps 4-7, top warps 0-3 columns warp 9, rows warp 8
// TABLE: named 1 128 0 top warps 0-3
// TABLE: named 2 128 0 bottom warps 4-7
sluice.kernel @halves(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                      %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                      %C: !sluice.tensor<?x?xf16, align 16> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a", phase = "pipeline", warps = 12} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %N = sluice.dim %B, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c128 : index
  %gn = arith.ceildivsi %N, %c128 : index
  %i, %j = sluice.grid %gm, %gn : index, index
  %row = arith.muli %i, %c128 : index
  %col = arith.muli %j, %c128 : index
  %n = arith.ceildivsi %K, %c64 : index
  %a0 = sluice.alloc "a0" : !sluice.buffer<64x64xf16, smem, sw128, slots 3>
  %a1 = sluice.alloc "a1" : !sluice.buffer<64x64xf16, smem, sw128, slots 3>
  %b = sluice.alloc "b" : !sluice.buffer<64x128xf16, smem, sw128, slots 3>
  %c_top = sluice.alloc "c_top" : !sluice.buffer<64x128xf16, smem, sw128>
  %c_bottom = sluice.alloc "c_bottom" : !sluice.buffer<64x128xf16, smem, sw128>
  %ring = sluice.pipeline "ring" over %a0, %a1, %b : !sluice.buffer<64x64xf16, smem, sw128, slots 3>,
      !sluice.buffer<64x64xf16, smem, sw128, slots 3>, !sluice.buffer<64x128xf16, smem, sw128, slots 3>
      from ["rows", "columns"] to ["top", "bottom"] : !sluice.pipeline<3>
  %start = sluice.cursor : !sluice.cursor<3>
  sluice.role "top" warps 0 to 4 {
    %acc = sluice.alloc "acc_top" : !sluice.buffer<64x128xf32, reg, acc>
    %h = sluice.alloc "h_top" : !sluice.buffer<64x128xf16, reg, acc>
    %mine = arith.addi %row, %c0 : index
    sluice.fill %acc with 0.0 : <64x128xf32, reg, acc>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<3> {
      %slot = sluice.cursor.slot %at : <3>
      %ta = sluice.slot %a0[%slot] : <64x64xf16, smem, sw128, slots 3>
      %tb = sluice.slot %b[%slot] : <64x128xf16, smem, sw128, slots 3>
      sluice.wait %ring[%at] : <3>
      sluice.mma %acc, %ta, %tb : <64x128xf32, reg, acc>, <64x64xf16, smem, sw128>,
          <64x128xf16, smem, sw128>
      sluice.release %ring[%at] : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
    sluice.copy %acc to %h : <64x128xf32, reg, acc>, <64x128xf16, reg, acc>
    sluice.copy %h to %c_top : <64x128xf16, reg, acc>, <64x128xf16, smem, sw128>
    sluice.store %c_top to %C[%mine, %col] : <64x128xf16, smem, sw128>, <?x?xf16, align 16>
  }
  sluice.role "bottom" warps 4 to 8 {
    %acc = sluice.alloc "acc_bottom" : !sluice.buffer<64x128xf32, reg, acc>
    %h = sluice.alloc "h_bottom" : !sluice.buffer<64x128xf16, reg, acc>
    %mine = arith.addi %row, %c64 : index
    sluice.fill %acc with 0.0 : <64x128xf32, reg, acc>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<3> {
      %slot = sluice.cursor.slot %at : <3>
      %ta = sluice.slot %a1[%slot] : <64x64xf16, smem, sw128, slots 3>
      %tb = sluice.slot %b[%slot] : <64x128xf16, smem, sw128, slots 3>
      sluice.wait %ring[%at] : <3>
      sluice.mma %acc, %ta, %tb : <64x128xf32, reg, acc>, <64x64xf16, smem, sw128>,
          <64x128xf16, smem, sw128>
      sluice.release %ring[%at] : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
    sluice.copy %acc to %h : <64x128xf32, reg, acc>, <64x128xf16, reg, acc>
    sluice.copy %h to %c_bottom : <64x128xf16, reg, acc>, <64x128xf16, smem, sw128>
    sluice.store %c_bottom to %C[%mine, %col] : <64x128xf16, smem, sw128>, <?x?xf16, align 16>
  }
  sluice.role "rows" warps 8 to 9 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<3> {
      %k = arith.muli %t, %c64 : index
      %below = arith.addi %row, %c64 : index
      %slot = sluice.cursor.slot %at : <3>
      %t0 = sluice.slot %a0[%slot] : <64x64xf16, smem, sw128, slots 3>
      %t1 = sluice.slot %a1[%slot] : <64x64xf16, smem, sw128, slots 3>
      sluice.acquire %ring[%at] : <3>
      sluice.load %A[%row, %k] to %t0 : <?x?xf16, align 16>, <64x64xf16, smem, sw128>
      sluice.load %A[%below, %k] to %t1 : <?x?xf16, align 16>, <64x64xf16, smem, sw128>
      sluice.commit %ring[%at] : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
  }
  sluice.role "columns" warps 9 to 10 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<3> {
      %k = arith.muli %t, %c64 : index
      %slot = sluice.cursor.slot %at : <3>
      %tb = sluice.slot %b[%slot] : <64x128xf16, smem, sw128, slots 3>
      sluice.acquire %ring[%at] : <3>
      sluice.load %B[%k, %col] to %tb : <?x?xf16, align 16>, <64x128xf16, smem, sw128>
      sluice.commit %ring[%at] : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
  }
}

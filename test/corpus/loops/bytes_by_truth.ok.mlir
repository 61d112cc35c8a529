// RUN: sluice check %s | FileCheck %s
// Bytes are announced by a truth value: 4096 more where an integer of a tensor is large.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                 %L: !sluice.tensor<?xi32> {sluice.name = "L"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c2048 = arith.constant 2048 : index
  %c4096 = arith.constant 4096 : index
  %N = sluice.dim %A, 0 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, sw128, slots 2>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<2>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<2>
  sluice.mbarrier.init %full count 1 by one : <2>
  sluice.mbarrier.init %empty count 1 by one : <2>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  %start = sluice.cursor : !sluice.cursor<2>
  sluice.role "put" warps 0 to 1 {
    scf.for %t = %c0 to %N step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %other = arith.xori %phase, %c1 : index
      %tile = sluice.slot %x[%slot] : <64x64xf16, smem, sw128, slots 2>
      %top = sluice.subview %tile[%c0, %c0] : <64x64xf16, smem, sw128> to <32x64xf16, smem, sw128>
      %rest = sluice.subview %tile[%c32, %c0] : <64x64xf16, smem, sw128> to <32x64xf16, smem, sw128>
      sluice.mbarrier.wait %empty[%slot], %other : <2>
      %col = arith.muli %t, %c64 : index
      %number = sluice.scalar_load %L[%t] : <?xi32>
      %n = sluice.uniform %number : index
      %all = arith.cmpi sgt, %n, %c32 : index
      %one = arith.index_castui %all : i1 to index
      %more = arith.muli %one, %c4096 : index
      sluice.mbarrier.arrive_expect_tx %full[%slot] bytes 4096 plus %more by one : <2>
      sluice.tma.load %A[%c0, %col] to %top, %full[%slot] : <?x?xf16, align 16>, <32x64xf16, smem, sw128>, <2>
      scf.if %all {
        sluice.tma.load %A[%c32, %col] to %rest, %full[%slot] : <?x?xf16, align 16>, <32x64xf16, smem, sw128>, <2>
      }
      %on = sluice.cursor.advance %at : <2>
      scf.yield %on : !sluice.cursor<2>
    }
  }
  sluice.role "take" warps 1 to 2 {
    scf.for %t = %c0 to %N step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      sluice.mbarrier.wait %full[%slot], %phase : <2>
      sluice.mbarrier.arrive %empty[%slot] by one : <2>
      %on = sluice.cursor.advance %at : <2>
      scf.yield %on : !sluice.cursor<2>
    }
  }
}

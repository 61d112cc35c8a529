// A GEMM with its barriers in the text, for tests that break it with one edit: load warp, two
// warpgroups, a ring of four stages.
sluice.kernel @gemm(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"}, %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"}, %C: !sluice.tensor<?x?xf16> {sluice.name = "C", sluice.out}) attributes {phase = "barrier", target = "sm_90a", warps = 9 : i64} {
  %c128 = arith.constant 128 : index
  %c64 = arith.constant 64 : index
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %a = sluice.alloc "a" : !sluice.buffer<128x64xf16, smem, sw128, slots 4>
  %b = sluice.alloc "b" : !sluice.buffer<64x128xf16, smem, sw128, slots 4>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<4>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<4>
  %cursor = sluice.cursor : !sluice.cursor<4>
  %A.dim0 = sluice.dim %A, 0 : <?x?xf16, align 16>
  %B.dim1 = sluice.dim %B, 1 : <?x?xf16, align 16>
  %A.dim1 = sluice.dim %A, 1 : <?x?xf16, align 16>
  %0 = arith.ceildivsi %A.dim0, %c128 : index
  %1 = arith.ceildivsi %B.dim1, %c128 : index
  %2 = arith.ceildivsi %A.dim1, %c64 : index
  %i, %j = sluice.grid %0, %1 : index, index
  %3 = arith.muli %i, %c128 : index
  %4 = arith.muli %j, %c128 : index
  %5 = arith.cmpi sgt, %2, %c0 : index
  sluice.mbarrier.init %full count 1 by one : <4>
  sluice.mbarrier.init %empty count 8 by one : <4>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 288
  sluice.role "mma" warps 0 to 8 {
    %acc = sluice.alloc "acc" : !sluice.buffer<128x128xf32, reg, acc>
    %c = sluice.alloc "c" : !sluice.buffer<128x128xf16, reg, acc>
    sluice.fill %acc with 0.000000e+00 : <128x128xf32, reg, acc>
    %6:2 = scf.for %arg0 = %c0 to %2 step %c1 iter_args(%arg1 = %cursor, %arg2 = %cursor) -> (!sluice.cursor<4>, !sluice.cursor<4>) {
      %slot = sluice.cursor.slot %arg1 : <4>
      %a.slot = sluice.slot %a[%slot] : <128x64xf16, smem, sw128, slots 4>
      %b.slot = sluice.slot %b[%slot] : <64x128xf16, smem, sw128, slots 4>
      %phase = sluice.cursor.phase %arg1 : <4>
      sluice.mbarrier.wait %full[%slot], %phase : <4>
      sluice.wgmma.fence
      sluice.wgmma %acc, %a.slot, %b.slot : <128x128xf32, reg, acc>, <128x64xf16, smem, sw128>, <64x128xf16, smem, sw128>
      sluice.wgmma.commit
      sluice.wgmma.wait 1
      %7 = arith.cmpi sgt, %arg0, %c0 : index
      scf.if %7 {
        %slot_0 = sluice.cursor.slot %arg2 : <4>
        sluice.mbarrier.arrive %empty[%slot_0] by warp : <4>
      }
      %next = sluice.cursor.advance %arg1 : <4>
      scf.yield %next, %arg1 : !sluice.cursor<4>, !sluice.cursor<4>
    } {sluice.name = "k", sluice.pipelined, sluice.stages = 4 : i64}
    sluice.wgmma.wait 0
    scf.if %5 {
      %slot = sluice.cursor.slot %6#1 : <4>
      sluice.mbarrier.arrive %empty[%slot] by warp : <4>
    }
    sluice.map ins(%acc : !sluice.buffer<128x128xf32, reg, acc>) outs(%c : !sluice.buffer<128x128xf16, reg, acc>) {
    ^bb0(%acc_0: f32):
      %7 = arith.truncf %acc_0 : f32 to f16
      sluice.yield %7 : f16
    }
    sluice.store %c to %C[%3, %4] : <128x128xf16, reg, acc>, <?x?xf16>
  }
  sluice.role "load" warps 8 to 9 {
    %6 = scf.for %arg0 = %c0 to %2 step %c1 iter_args(%arg1 = %cursor) -> (!sluice.cursor<4>) {
      %slot = sluice.cursor.slot %arg1 : <4>
      %a.slot = sluice.slot %a[%slot] : <128x64xf16, smem, sw128, slots 4>
      %b.slot = sluice.slot %b[%slot] : <64x128xf16, smem, sw128, slots 4>
      %7 = arith.muli %arg0, %c64 : index
      %phase = sluice.cursor.phase %arg1 : <4>
      %8 = arith.xori %phase, %c1 : index
      sluice.mbarrier.wait %empty[%slot], %8 : <4>
      sluice.mbarrier.arrive_expect_tx %full[%slot] bytes 32768 by one : <4>
      sluice.tma.load %A[%3, %7] to %a.slot, %full[%slot] : <?x?xf16, align 16>, <128x64xf16, smem, sw128>, <4>
      sluice.tma.load %B[%7, %4] to %b.slot, %full[%slot] : <?x?xf16, align 16>, <64x128xf16, smem, sw128>, <4>
      %next = sluice.cursor.advance %arg1 : <4>
      scf.yield %next : !sluice.cursor<4>
    } {sluice.name = "k", sluice.pipelined, sluice.stages = 4 : i64}
  }
}

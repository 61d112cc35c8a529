// RUN: not sluice check %s | FileCheck %s
// The id is chosen by the number of the warp where the number of the group is meant: warp 0 meets
// nobody, and seven warps meet the four of the count. Expected: R11.
// CHECK: R11 {{.*}}named barrier 2
sluice.kernel @chosen(%A: !sluice.tensor<?x64xf16, align 16> {sluice.name = "A"},
                      %B: !sluice.tensor<64x?xf16, align 16> {sluice.name = "B"},
                      %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 9} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %A, 0 : <?x64xf16, align 16>
  %N = sluice.dim %B, 1 : <64x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c128 : index
  %n = arith.ceildivsi %N, %c64 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c128 : index
  %a = sluice.alloc "a" : !sluice.buffer<128x64xf16, smem, sw128>
  %b = sluice.alloc "b" : !sluice.buffer<64x64xf16, smem, sw128, slots 2>
  %full_a = sluice.mbarrier.alloc "full_a" : !sluice.mbarrier<1>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<2>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<2>
  sluice.mbarrier.init %full_a count 1 by one : <1>
  sluice.mbarrier.init %full count 1 by one : <2>
  sluice.mbarrier.init %empty count 2 by one : <2> // one lane of each group
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 288
  %start = sluice.cursor : !sluice.cursor<2>

  sluice.role "math" warps 0 to 8 {
    %acc = sluice.alloc "acc" : !sluice.buffer<128x64xf32, reg, acc>
    %warp = sluice.warp
    %upper = arith.cmpi slt, %warp, %c1 : index
    %group = arith.select %upper, %c1, %c2 : index
    sluice.mbarrier.wait %full_a[%c0], %c0 : <1>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> (!sluice.cursor<2>) {
      %col = arith.muli %t, %c64 : index
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %at_b = sluice.slot %b[%slot] : <64x64xf16, smem, sw128, slots 2>
      sluice.mbarrier.wait %full[%slot], %phase : <2>
      sluice.fill %acc with 0.0 : <128x64xf32, reg, acc>
      sluice.wgmma.fence
      sluice.wgmma %acc, %a, %at_b : <128x64xf32, reg, acc>, <128x64xf16, smem, sw128>,
          <64x64xf16, smem, sw128>
      sluice.wgmma.commit
      sluice.wgmma.wait 0 // of this warp
      sluice.bar.sync %group, 128
      sluice.mbarrier.arrive %empty[%slot] by warpgroup : <2>
      sluice.store %acc to %C[%row, %col] : <128x64xf32, reg, acc>, <?x?xf32>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    } {sluice.pipelined}
  }
  sluice.role "load" warps 8 to 9 {
    sluice.mbarrier.arrive_expect_tx %full_a[%c0] bytes 16384 by one : <1>
    sluice.tma.load %A[%row, %c0] to %a, %full_a[%c0]
        : <?x64xf16, align 16>, <128x64xf16, smem, sw128>, <1>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> (!sluice.cursor<2>) {
      %col = arith.muli %t, %c64 : index
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %free = arith.xori %phase, %c1 : index
      %to = sluice.slot %b[%slot] : <64x64xf16, smem, sw128, slots 2>
      sluice.mbarrier.wait %empty[%slot], %free by one : <2>
      sluice.mbarrier.arrive_expect_tx %full[%slot] bytes 8192 by one : <2>
      sluice.tma.load %B[%c0, %col] to %to, %full[%slot]
          : <64x?xf16, align 16>, <64x64xf16, smem, sw128>, <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    } {sluice.pipelined}
  }
}

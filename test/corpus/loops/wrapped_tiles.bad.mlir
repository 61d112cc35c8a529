// RUN: not sluice check %s --set A=128x256 B=256x128 C=128x128 | FileCheck %s
// From tile 64 on A is loaded from its start again, and B is not.
// Expected: R28.
// CHECK: R28 (
sluice.kernel @gemm(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                    %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                    %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 9} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %N = sluice.dim %B, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c128 : index
  %gn = arith.ceildivsi %N, %c128 : index
  %n = arith.ceildivsi %K, %c64 : index
  %some = arith.cmpi sgt, %n, %c0 : index
  %i, %j = sluice.grid %gm, %gn : index, index
  %row = arith.muli %i, %c128 : index
  %col = arith.muli %j, %c128 : index
  %a = sluice.alloc "a" : !sluice.buffer<128x64xf16, smem, sw128, slots 4>
  %b = sluice.alloc "b" : !sluice.buffer<64x128xf16, smem, sw128, slots 4>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<4>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<4>
  sluice.mbarrier.init %full count 1 by one : <4>
  sluice.mbarrier.init %empty count 8 by one : <4> // one lane of each math warp
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 288
  %start = sluice.cursor : !sluice.cursor<4>

  sluice.role "math" warps 0 to 8 {
    %acc = sluice.alloc "acc" : !sluice.buffer<128x128xf32, reg, acc>
    sluice.fill %acc with 0.0 : <128x128xf32, reg, acc>
    %end, %held = scf.for %t = %c0 to %n step %c1 iter_args(%at = %start, %late = %start)
        -> (!sluice.cursor<4>, !sluice.cursor<4>) {
      %slot = sluice.cursor.slot %at : <4>
      %phase = sluice.cursor.phase %at : <4>
      %at_a = sluice.slot %a[%slot] : <128x64xf16, smem, sw128, slots 4>
      %at_b = sluice.slot %b[%slot] : <64x128xf16, smem, sw128, slots 4>
      sluice.mbarrier.wait %full[%slot], %phase : <4>
      sluice.wgmma.fence
      sluice.wgmma %acc, %at_a, %at_b : <128x128xf32, reg, acc>, <128x64xf16, smem, sw128>,
          <64x128xf16, smem, sw128>
      sluice.wgmma.commit
      sluice.wgmma.wait 1 // the product of the step before has ended
      %second = arith.cmpi sgt, %t, %c0 : index
      scf.if %second {
        %back = sluice.cursor.slot %late : <4>
        sluice.mbarrier.arrive %empty[%back] by warp : <4>
      }
      %next = sluice.cursor.advance %at : <4>
      scf.yield %next, %at : !sluice.cursor<4>, !sluice.cursor<4>
    } {sluice.pipelined}
    sluice.wgmma.wait 0
    scf.if %some {
      %back = sluice.cursor.slot %held : <4>
      sluice.mbarrier.arrive %empty[%back] by warp : <4>
    }
    sluice.store %acc to %C[%row, %col] : <128x128xf32, reg, acc>, <?x?xf32>
  }

  sluice.role "load" warps 8 to 9 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> (!sluice.cursor<4>) {
      %k = arith.muli %t, %c64 : index
      %tq = arith.remsi %t, %c64 : index
      %kq = arith.muli %tq, %c64 : index
      %slot = sluice.cursor.slot %at : <4>
      %phase = sluice.cursor.phase %at : <4>
      %free = arith.xori %phase, %c1 : index // the first round passes at once
      %at_a = sluice.slot %a[%slot] : <128x64xf16, smem, sw128, slots 4>
      %at_b = sluice.slot %b[%slot] : <64x128xf16, smem, sw128, slots 4>
      sluice.mbarrier.wait %empty[%slot], %free by one : <4>
      sluice.mbarrier.arrive_expect_tx %full[%slot] bytes 32768 by one : <4>
      sluice.tma.load %A[%row, %kq] to %at_a, %full[%slot]
          : <?x?xf16, align 16>, <128x64xf16, smem, sw128>, <4>
      sluice.tma.load %B[%k, %col] to %at_b, %full[%slot]
          : <?x?xf16, align 16>, <64x128xf16, smem, sw128>, <4>
      %next = sluice.cursor.advance %at : <4>
      scf.yield %next : !sluice.cursor<4>
    } {sluice.pipelined}
  }
}

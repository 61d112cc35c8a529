// RUN: sluice check %s | FileCheck %s
// tilelang #2613. A barrier of both warpgroups ends every step.
// CHECK: {{^}}proven
sluice.kernel @two_groups(%A: !sluice.tensor<?x64xf16, align 16> {sluice.name = "A"},
                          %B: !sluice.tensor<?x64xf16, align 16> {sluice.name = "B"},
                          %C: !sluice.tensor<?x64xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 9} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %rows = sluice.dim %A, 0 : <?x64xf16, align 16>
  %n = arith.ceildivsi %rows, %c64 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16, smem, sw128, slots 2>
  %b = sluice.alloc "b" : !sluice.buffer<64x64xf16, smem, sw128>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<2>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<2>
  sluice.mbarrier.init %full count 1 by one : <2>
  sluice.mbarrier.init %empty count 8 by one : <2>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 288
  %start = sluice.cursor : !sluice.cursor<2>
  sluice.role "load" warps 8 to 9 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %free = arith.xori %phase, %c1 : index
      %row = arith.muli %t, %c64 : index
      %at_a = sluice.slot %a[%slot] : <64x64xf16, smem, sw128, slots 2>
      sluice.mbarrier.wait %empty[%slot], %free : <2>
      sluice.mbarrier.arrive_expect_tx %full[%slot] bytes 8192 by one : <2>
      sluice.tma.load %A[%row, %c0] to %at_a, %full[%slot]
          : <?x64xf16, align 16>, <64x64xf16, smem, sw128>, <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
  }
  sluice.role "group0" warps 4 to 8 {
    %acc0 = sluice.alloc "acc0" : !sluice.buffer<64x64xf32, reg, acc>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %row = arith.muli %t, %c64 : index
      %at_a = sluice.slot %a[%slot] : <64x64xf16, smem, sw128, slots 2>
      sluice.load %B[%row, %c0] to %b
          : <?x64xf16, align 16>, <64x64xf16, smem, sw128> // not pipelined
      sluice.fence proxy_async
      sluice.bar.sync 1, 256
      sluice.mbarrier.wait %full[%slot], %phase : <2>
      sluice.fill %acc0 with 0.0 : <64x64xf32, reg, acc>
      sluice.wgmma.fence
      sluice.wgmma %acc0, %at_a, %b
          : <64x64xf32, reg, acc>, <64x64xf16, smem, sw128>, <64x64xf16, smem, sw128>
      sluice.wgmma.commit
      sluice.wgmma.wait 0
      sluice.mbarrier.arrive %empty[%slot] by warp : <2>
      sluice.bar.sync 1, 256 // b may be filled again
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    } {sluice.name = "t", sluice.pipelined}
  }
  sluice.role "group1" warps 0 to 4 {
    %acc1 = sluice.alloc "acc1" : !sluice.buffer<64x64xf32, reg, acc>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %row = arith.muli %t, %c64 : index
      %at_a = sluice.slot %a[%slot] : <64x64xf16, smem, sw128, slots 2>
      sluice.bar.sync 1, 256
      sluice.mbarrier.wait %full[%slot], %phase : <2>
      sluice.fill %acc1 with 0.0 : <64x64xf32, reg, acc>
      sluice.wgmma.fence
      sluice.wgmma %acc1, %at_a, %b
          : <64x64xf32, reg, acc>, <64x64xf16, smem, sw128>, <64x64xf16, smem, sw128>
      sluice.wgmma.commit
      sluice.wgmma.wait 0
      sluice.mbarrier.arrive %empty[%slot] by warp : <2>
      sluice.bar.sync 1, 256 // b may be filled again
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
  }
}

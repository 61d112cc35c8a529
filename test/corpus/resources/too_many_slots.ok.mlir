// RUN: sluice check %s 2>&1 | FileCheck %s
// CUTLASS, StageCountAuto: how many slots fit (no thread). Seven slots fit beside their barriers.
// CHECK: {{^}}proven
sluice.kernel @deep(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                    %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                    %C: !sluice.tensor<?x128xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 12} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %n = arith.ceildivsi %K, %c64 : index
  %a = sluice.alloc "a" : !sluice.buffer<128x64xf16, smem, sw128, slots 7>
  %b = sluice.alloc "b" : !sluice.buffer<64x128xf16, smem, sw128, slots 7>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<7>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<7>
  sluice.mbarrier.init %full count 1 by one : <7>
  sluice.mbarrier.init %empty count 8 by one : <7>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 384
  %start = sluice.cursor : !sluice.cursor<7>
  sluice.role "load" warps 0 to 4 registers 24 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<7> {
      %slot = sluice.cursor.slot %at : <7>
      %phase = sluice.cursor.phase %at : <7>
      %free = arith.xori %phase, %c1 : index
      %k = arith.muli %t, %c64 : index
      %at_a = sluice.slot %a[%slot] : <128x64xf16, smem, sw128, slots 7>
      %at_b = sluice.slot %b[%slot] : <64x128xf16, smem, sw128, slots 7>
      sluice.mbarrier.wait %empty[%slot], %free by one : <7>
      sluice.mbarrier.arrive_expect_tx %full[%slot] bytes 32768 by one : <7>
      sluice.tma.load %A[%c0, %k] to %at_a, %full[%slot]
          : <?x?xf16, align 16>, <128x64xf16, smem, sw128>, <7>
      sluice.tma.load %B[%k, %c0] to %at_b, %full[%slot]
          : <?x?xf16, align 16>, <64x128xf16, smem, sw128>, <7>
      %next = sluice.cursor.advance %at : <7>
      scf.yield %next : !sluice.cursor<7>
    }
  }
  sluice.role "mma" warps 4 to 12 registers 240 {
    %acc = sluice.alloc "acc" : !sluice.buffer<128x128xf32, reg, acc>
    sluice.fill %acc with 0.0 : <128x128xf32, reg, acc>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<7> {
      %slot = sluice.cursor.slot %at : <7>
      %phase = sluice.cursor.phase %at : <7>
      %at_a = sluice.slot %a[%slot] : <128x64xf16, smem, sw128, slots 7>
      %at_b = sluice.slot %b[%slot] : <64x128xf16, smem, sw128, slots 7>
      sluice.mbarrier.wait %full[%slot], %phase : <7>
      sluice.wgmma.fence
      sluice.wgmma %acc, %at_a, %at_b
          : <128x128xf32, reg, acc>, <128x64xf16, smem, sw128>, <64x128xf16, smem, sw128>
      sluice.wgmma.commit
      sluice.wgmma.wait 0
      sluice.mbarrier.arrive %empty[%slot] by warp : <7>
      %next = sluice.cursor.advance %at : <7>
      scf.yield %next : !sluice.cursor<7>
    } {sluice.name = "t", sluice.pipelined}
    sluice.store %acc to %C[%c0, %c0] : <128x128xf32, reg, acc>, <?x128xf32>
  }
}

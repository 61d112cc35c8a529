// RUN: sluice check %s | FileCheck %s
// CUTLASS consumer_try_wait and producer_try_acquire. At the end of a step either role asks for the
// slot of the next one, and waits there only where the answer was no.
// CHECK: {{^}}proven
sluice.kernel @asked(%A: !sluice.tensor<64x?xf16, align 16> {sluice.name = "A"},
                     %B: !sluice.tensor<?x64xf16, align 16> {sluice.name = "B"},
                     %C: !sluice.tensor<64x64xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 5} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %K = sluice.dim %A, 1 : <64x?xf16, align 16>
  %n = arith.ceildivsi %K, %c64 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16, smem, sw128, slots 3>
  %b = sluice.alloc "b" : !sluice.buffer<64x64xf16, smem, sw128, slots 3>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<3>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<3>
  sluice.mbarrier.init %full count 1 by one : <3>
  sluice.mbarrier.init %empty count 4 by one : <3>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 160
  %start = sluice.cursor : !sluice.cursor<3>
  sluice.role "load" warps 4 to 5 {
    %first = sluice.mbarrier.test %empty[%c0], %c1 by one : <3>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start, %room = %first)
        -> (!sluice.cursor<3>, !sluice.token) {
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      %free = arith.xori %phase, %c1 : index
      %k = arith.muli %t, %c64 : index
      %at_a = sluice.slot %a[%slot] : <64x64xf16, smem, sw128, slots 3>
      %at_b = sluice.slot %b[%slot] : <64x64xf16, smem, sw128, slots 3>
      sluice.mbarrier.wait %empty[%slot], %free token %room by one : <3>
      sluice.mbarrier.arrive_expect_tx %full[%slot] bytes 16384 by one : <3>
      sluice.tma.load %A[%c0, %k] to %at_a, %full[%slot]
          : <64x?xf16, align 16>, <64x64xf16, smem, sw128>, <3>
      sluice.tma.load %B[%k, %c0] to %at_b, %full[%slot]
          : <?x64xf16, align 16>, <64x64xf16, smem, sw128>, <3>
      %next = sluice.cursor.advance %at : <3>
      %next_slot = sluice.cursor.slot %next : <3>
      %next_phase = sluice.cursor.phase %next : <3>
      %next_free = arith.xori %next_phase, %c1 : index
      %asked = sluice.mbarrier.test %empty[%next_slot], %next_free by one : <3>
      scf.yield %next, %asked : !sluice.cursor<3>, !sluice.token
    }
  }
  sluice.role "mma" warps 0 to 4 {
    %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32, reg, acc>
    sluice.fill %acc with 0.0 : <64x64xf32, reg, acc>
    %first = sluice.mbarrier.test %full[%c0], %c0 : <3>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start, %ready = %first)
        -> (!sluice.cursor<3>, !sluice.token) {
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      %at_a = sluice.slot %a[%slot] : <64x64xf16, smem, sw128, slots 3>
      %at_b = sluice.slot %b[%slot] : <64x64xf16, smem, sw128, slots 3>
      sluice.mbarrier.wait %full[%slot], %phase token %ready : <3>
      sluice.wgmma.fence
      sluice.wgmma %acc, %at_a, %at_b
          : <64x64xf32, reg, acc>, <64x64xf16, smem, sw128>, <64x64xf16, smem, sw128>
      sluice.wgmma.commit
      sluice.wgmma.wait 0
      sluice.mbarrier.arrive %empty[%slot] by warp : <3>
      %next = sluice.cursor.advance %at : <3>
      %next_slot = sluice.cursor.slot %next : <3>
      %next_phase = sluice.cursor.phase %next : <3>
      %asked = sluice.mbarrier.test %full[%next_slot], %next_phase : <3>
      scf.yield %next, %asked : !sluice.cursor<3>, !sluice.token
    } {sluice.name = "t", sluice.pipelined}
    sluice.store %acc to %C[%c0, %c0] : <64x64xf32, reg, acc>, <64x64xf32>
  }
}

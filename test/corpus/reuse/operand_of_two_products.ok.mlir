// RUN: sluice check %s | FileCheck %s
// triton #8554. A tile that takes part in two products lives one step longer: three slots.
// CHECK: {{^}}proven
sluice.kernel @twice(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                     %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                     %C: !sluice.tensor<?x64xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %n = arith.ceildivsi %K, %c64 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16, smem, sw128, slots 3>
  %b = sluice.alloc "b" : !sluice.buffer<64x64xf16, smem, sw128>
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32, reg, acc>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<3>
  sluice.mbarrier.init %full count 1 by one : <3>
  sluice.fence mbarrier_init by one
  sluice.fill %b with 1.0 : <64x64xf16, smem, sw128>
  sluice.fence proxy_async
  sluice.bar.sync 0, 128
  sluice.fill %acc with 0.0 : <64x64xf32, reg, acc>
  %start = sluice.cursor : !sluice.cursor<3>
  scf.for %t = %c0 to %n step %c1 iter_args(%at = %start, %old = %start)
      -> (!sluice.cursor<3>, !sluice.cursor<3>) {
    %slot = sluice.cursor.slot %at : <3>
    %phase = sluice.cursor.phase %at : <3>
    %before = sluice.cursor.slot %old : <3>
    %k = arith.muli %t, %c64 : index
    %now = sluice.slot %a[%slot] : <64x64xf16, smem, sw128, slots 3>
    %then = sluice.slot %a[%before] : <64x64xf16, smem, sw128, slots 3>
    %later = arith.cmpi sgt, %t, %c0 : index
    sluice.mbarrier.arrive_expect_tx %full[%slot] bytes 8192 by one : <3>
    sluice.tma.load %A[%c0, %k] to %now, %full[%slot]
        : <?x?xf16, align 16>, <64x64xf16, smem, sw128>, <3>
    sluice.mbarrier.wait %full[%slot], %phase : <3>
    sluice.wgmma.fence
    sluice.wgmma %acc, %now, %b
        : <64x64xf32, reg, acc>, <64x64xf16, smem, sw128>, <64x64xf16, smem, sw128>
    scf.if %later { // the tile before takes part a second time
      sluice.wgmma %acc, %then, %b
          : <64x64xf32, reg, acc>, <64x64xf16, smem, sw128>, <64x64xf16, smem, sw128>
    }
    sluice.wgmma.commit
    sluice.wgmma.wait 1
    sluice.bar.sync 0, 128
    %next = sluice.cursor.advance %at : <3>
    scf.yield %next, %at : !sluice.cursor<3>, !sluice.cursor<3>
  } {sluice.name = "t", sluice.pipelined}
  sluice.wgmma.wait 0
  sluice.store %acc to %C[%c0, %c0] : <64x64xf32, reg, acc>, <?x64xf32>
}

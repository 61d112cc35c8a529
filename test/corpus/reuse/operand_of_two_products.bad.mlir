// RUN: not sluice check %s | FileCheck %s
// triton #8554. A tile takes part in two products, one step apart, with one group in flight; two
// slots suit a tile of one product, and the next load overwrites it.
// Expected: R22.
// CHECK: R22 {{.*}}TMA load of warp 0 {{.*}} writes a[{{.*}} while wgmma of warp {{.*}} may still
// CHECK-SAME: read
sluice.kernel @twice(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                     %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                     %C: !sluice.tensor<?x64xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %n = arith.ceildivsi %K, %c64 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16, smem, sw128, slots 2>
  %b = sluice.alloc "b" : !sluice.buffer<64x64xf16, smem, sw128>
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32, reg, acc>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<2>
  sluice.mbarrier.init %full count 1 by one : <2>
  sluice.fence mbarrier_init by one
  sluice.fill %b with 1.0 : <64x64xf16, smem, sw128>
  sluice.fence proxy_async
  sluice.bar.sync 0, 128
  sluice.fill %acc with 0.0 : <64x64xf32, reg, acc>
  %start = sluice.cursor : !sluice.cursor<2>
  scf.for %t = %c0 to %n step %c1 iter_args(%at = %start, %old = %start)
      -> (!sluice.cursor<2>, !sluice.cursor<2>) {
    %slot = sluice.cursor.slot %at : <2>
    %phase = sluice.cursor.phase %at : <2>
    %before = sluice.cursor.slot %old : <2>
    %k = arith.muli %t, %c64 : index
    %now = sluice.slot %a[%slot] : <64x64xf16, smem, sw128, slots 2>
    %then = sluice.slot %a[%before] : <64x64xf16, smem, sw128, slots 2>
    %later = arith.cmpi sgt, %t, %c0 : index
    sluice.mbarrier.arrive_expect_tx %full[%slot] bytes 8192 by one : <2>
    sluice.tma.load %A[%c0, %k] to %now, %full[%slot]
        : <?x?xf16, align 16>, <64x64xf16, smem, sw128>, <2>
    sluice.mbarrier.wait %full[%slot], %phase : <2>
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
    %next = sluice.cursor.advance %at : <2>
    scf.yield %next, %at : !sluice.cursor<2>, !sluice.cursor<2>
  } {sluice.name = "t", sluice.pipelined}
  sluice.wgmma.wait 0
  sluice.store %acc to %C[%c0, %c0] : <64x64xf32, reg, acc>, <?x64xf32>
}

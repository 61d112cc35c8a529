// RUN: not sluice check %s | FileCheck %s
// The role's barrier counts two warps, four execute it (quack #146): the first two pass before
// the others have written. Expected: R21.
// CHECK: R21 (
// CHECK-SAME: TMA store of math warp 0 {{.*}} reads out {{.*}}, which nothing has written
sluice.kernel @tile_out(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                        %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                        %C: !sluice.tensor<?x?xf16, align 16> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 5} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %N = sluice.dim %B, 1 : <?x?xf16, align 16>
  %n = arith.ceildivsi %M, %c64 : index
  %gn = arith.ceildivsi %N, %c64 : index
  %j = sluice.grid %gn : index
  %col = arith.muli %j, %c64 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16, smem, sw128, slots 2>
  %b = sluice.alloc "b" : !sluice.buffer<64x64xf16, smem, sw128>
  %out = sluice.alloc "out" : !sluice.buffer<64x64xf16, smem, sw128>
  %b_full = sluice.mbarrier.alloc "b_full" : !sluice.mbarrier<1>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<2>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<2>
  sluice.mbarrier.init %b_full count 1 by one : <1>
  sluice.mbarrier.init %full count 1 by one : <2>
  sluice.mbarrier.init %empty count 1 by one : <2>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 160
  %start = sluice.cursor : !sluice.cursor<2>

  sluice.role "math" warps 0 to 4 {
    %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32, reg, acc>
    %half = sluice.alloc "half" : !sluice.buffer<64x64xf16, reg, acc>
    sluice.mbarrier.wait %b_full[%c0], %c0 : <1>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> (!sluice.cursor<2>) {
      %row = arith.muli %t, %c64 : index
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %here = sluice.slot %a[%slot] : <64x64xf16, smem, sw128, slots 2>
      sluice.fill %acc with 0.0 : <64x64xf32, reg, acc>
      sluice.mbarrier.wait %full[%slot], %phase : <2>
      sluice.wgmma.fence
      sluice.wgmma %acc, %here, %b : <64x64xf32, reg, acc>, <64x64xf16, smem, sw128>,
          <64x64xf16, smem, sw128>
      sluice.wgmma.commit
      sluice.wgmma.wait 0
      sluice.bulk.wait 0 read by one // the store before has read `out`
      sluice.bar.sync 1, 64 // all products and that store have ended
      sluice.mbarrier.arrive %empty[%slot] by one : <2>
      sluice.map ins(%acc : !sluice.buffer<64x64xf32, reg, acc>)
          outs(%half : !sluice.buffer<64x64xf16, reg, acc>) {
      ^bb0(%x: f32):
        %y = arith.truncf %x : f32 to f16
        sluice.yield %y : f16
      }
      sluice.copy %half to %out : <64x64xf16, reg, acc>, <64x64xf16, smem, sw128>
      sluice.fence proxy_async
      sluice.bar.sync 1, 64
      sluice.tma.store %out to %C[%row, %col] : <64x64xf16, smem, sw128>, <?x?xf16, align 16>
      sluice.bulk.commit by one
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    } {sluice.pipelined}
    sluice.bulk.wait 0 read by one
  }

  sluice.role "load" warps 4 to 5 {
    sluice.mbarrier.arrive_expect_tx %b_full[%c0] bytes 8192 by one : <1>
    sluice.tma.load %B[%c0, %col] to %b, %b_full[%c0]
        : <?x?xf16, align 16>, <64x64xf16, smem, sw128>, <1>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> (!sluice.cursor<2>) {
      %row = arith.muli %t, %c64 : index
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %free = arith.xori %phase, %c1 : index
      %to = sluice.slot %a[%slot] : <64x64xf16, smem, sw128, slots 2>
      sluice.mbarrier.wait %empty[%slot], %free by one : <2>
      sluice.mbarrier.arrive_expect_tx %full[%slot] bytes 8192 by one : <2>
      sluice.tma.load %A[%row, %c0] to %to, %full[%slot]
          : <?x?xf16, align 16>, <64x64xf16, smem, sw128>, <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    } {sluice.pipelined}
  }
}

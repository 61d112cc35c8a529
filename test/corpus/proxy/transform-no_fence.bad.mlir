// RUN: not sluice check %s | FileCheck %s
// CUTLASS, operand transform. No fence.proxy.async: the tensor core need not see the converted
// operand (sglang #39124: 86 of 100 runs wrong). Expected: R23.
// CHECK: R23 (
// CHECK-SAME: wgmma of math warp {{[0-9]+}} {{.*}} reads a[0] {{.*}} that copy of convert warp {{[0-3]}} {{.*}} wrote through the generic proxy, and no fence.proxy.async lies between
sluice.kernel @scaled_gemm(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"},
                           %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                           %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 12} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %A, 0 : <?x?xf32>
  %K = sluice.dim %A, 1 : <?x?xf32>
  %N = sluice.dim %B, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %gn = arith.ceildivsi %N, %c64 : index
  %n = arith.ceildivsi %K, %c64 : index
  %i, %j = sluice.grid %gm, %gn : index, index
  %row = arith.muli %i, %c64 : index
  %col = arith.muli %j, %c64 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16, smem, sw128, slots 3>
  %b = sluice.alloc "b" : !sluice.buffer<64x64xf16, smem, sw128, slots 3>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<3>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<3>
  sluice.mbarrier.init %full count 5 by one : <3> // four warps that convert A, one that loads B
  sluice.mbarrier.init %empty count 4 by one : <3>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 384
  %start = sluice.cursor : !sluice.cursor<3>

  sluice.role "convert" warps 0 to 4 {
    %x = sluice.alloc "x" : !sluice.buffer<64x64xf32, reg, blocked>
    %h = sluice.alloc "h" : !sluice.buffer<64x64xf16, reg, blocked>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> (!sluice.cursor<3>) {
      %k = arith.muli %t, %c64 : index
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      %free = arith.xori %phase, %c1 : index
      %to = sluice.slot %a[%slot] : <64x64xf16, smem, sw128, slots 3>
      sluice.load %A[%row, %k] to %x : <?x?xf32>, <64x64xf32, reg, blocked>
      sluice.map ins(%x : !sluice.buffer<64x64xf32, reg, blocked>)
          outs(%h : !sluice.buffer<64x64xf16, reg, blocked>) {
      ^bb0(%v: f32):
        %w = arith.truncf %v : f32 to f16
        sluice.yield %w : f16
      }
      sluice.mbarrier.wait %empty[%slot], %free : <3>
      sluice.copy %h to %to : <64x64xf16, reg, blocked>, <64x64xf16, smem, sw128>
      sluice.warp_sync
      sluice.mbarrier.arrive %full[%slot] by warp : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    } {sluice.pipelined}
  }
  sluice.role "load" warps 4 to 8 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> (!sluice.cursor<3>) {
      %k = arith.muli %t, %c64 : index
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      %free = arith.xori %phase, %c1 : index
      %to = sluice.slot %b[%slot] : <64x64xf16, smem, sw128, slots 3>
      sluice.mbarrier.wait %empty[%slot], %free by one : <3>
      sluice.mbarrier.arrive_expect_tx %full[%slot] bytes 8192 by one : <3>
      sluice.tma.load %B[%k, %col] to %to, %full[%slot]
          : <?x?xf16, align 16>, <64x64xf16, smem, sw128>, <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    } {sluice.pipelined}
  }
  sluice.role "math" warps 8 to 12 {
    %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32, reg, acc>
    sluice.fill %acc with 0.0 : <64x64xf32, reg, acc>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> (!sluice.cursor<3>) {
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      %at_a = sluice.slot %a[%slot] : <64x64xf16, smem, sw128, slots 3>
      %at_b = sluice.slot %b[%slot] : <64x64xf16, smem, sw128, slots 3>
      sluice.mbarrier.wait %full[%slot], %phase : <3>
      sluice.wgmma.fence
      sluice.wgmma %acc, %at_a, %at_b : <64x64xf32, reg, acc>, <64x64xf16, smem, sw128>,
          <64x64xf16, smem, sw128>
      sluice.wgmma.commit
      sluice.wgmma.wait 0
      sluice.mbarrier.arrive %empty[%slot] by warp : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    } {sluice.pipelined}
    sluice.store %acc to %C[%row, %col] : <64x64xf32, reg, acc>, <?x?xf32>
  }
}

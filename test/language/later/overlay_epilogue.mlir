// RUN: sluice-opt %s | sluice-opt -sluice-verify-phase | FileCheck %s
// RUN: sluice check %s | FileCheck %s --check-prefix=PROOF
// A GEMM in the allocated phase whose staging buffer lies on the ring: `c` and `a` both at 0. The
// overlay is sound because the consumers pass `bar.sync 1` after their last wgmma has ended, and no
// load is in flight: the last full phases were all waited for.
// PROOF: {{^}}proven
// CHECK: %a = sluice.alloc "a" at 0 : !sluice.buffer<128x64xf16, smem, sw128, slots 4>
// CHECK: %c = sluice.alloc "c" at 0 : !sluice.buffer<128x128xf16, smem, sw128>
sluice.kernel @gemm(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                    %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                    %C: !sluice.tensor<?x?xf16, align 16> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a", phase = "allocated", warps = 12, shared_bytes = 131136} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %N = sluice.dim %B, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c128 : index
  %gn = arith.ceildivsi %N, %c128 : index
  %i, %j = sluice.grid %gm, %gn : index, index
  %row = arith.muli %i, %c128 : index
  %col = arith.muli %j, %c128 : index
  %n = arith.ceildivsi %K, %c64 : index
  %a = sluice.alloc "a" at 0 : !sluice.buffer<128x64xf16, smem, sw128, slots 4>
  %b = sluice.alloc "b" at 65536 : !sluice.buffer<64x128xf16, smem, sw128, slots 4>
  %c = sluice.alloc "c" at 0 : !sluice.buffer<128x128xf16, smem, sw128>
  %full = sluice.mbarrier.alloc "full" at 131072 : !sluice.mbarrier<4>
  %empty = sluice.mbarrier.alloc "empty" at 131104 : !sluice.mbarrier<4>
  sluice.mbarrier.init %full count 1 by one : <4>
  sluice.mbarrier.init %empty count 8 by one : <4>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 384
  %start = sluice.cursor : !sluice.cursor<4>

  sluice.role "load" warps 8 to 12 registers 40 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<4> {
      %k = arith.muli %t, %c64 : index
      %slot = sluice.cursor.slot %at : <4>
      %phase = sluice.cursor.phase %at : <4>
      %free = arith.xori %phase, %c1 : index
      %at_a = sluice.slot %a[%slot] : <128x64xf16, smem, sw128, slots 4>
      %at_b = sluice.slot %b[%slot] : <64x128xf16, smem, sw128, slots 4>
      sluice.mbarrier.wait %empty[%slot], %free by one : <4>
      sluice.mbarrier.arrive_expect_tx %full[%slot] bytes 32768 by one : <4>
      sluice.tma.load %A[%row, %k] to %at_a, %full[%slot]
          : <?x?xf16, align 16>, <128x64xf16, smem, sw128>, <4>
      sluice.tma.load %B[%k, %col] to %at_b, %full[%slot]
          : <?x?xf16, align 16>, <64x128xf16, smem, sw128>, <4>
      %next = sluice.cursor.advance %at : <4>
      scf.yield %next : !sluice.cursor<4>
    }
  }

  sluice.role "math" warps 0 to 8 registers 232 {
    %acc = sluice.alloc "acc" : !sluice.buffer<128x128xf32, reg, acc>
    %acc16 = sluice.alloc "acc16" : !sluice.buffer<128x128xf16, reg, acc>
    sluice.fill %acc with 0.0 : <128x128xf32, reg, acc>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<4> {
      %slot = sluice.cursor.slot %at : <4>
      %phase = sluice.cursor.phase %at : <4>
      %at_a = sluice.slot %a[%slot] : <128x64xf16, smem, sw128, slots 4>
      %at_b = sluice.slot %b[%slot] : <64x128xf16, smem, sw128, slots 4>
      sluice.mbarrier.wait %full[%slot], %phase : <4>
      sluice.wgmma.fence
      sluice.wgmma %acc, %at_a, %at_b : <128x128xf32, reg, acc>, <128x64xf16, smem, sw128>,
          <64x128xf16, smem, sw128>
      sluice.wgmma.commit
      sluice.wgmma.wait 0
      sluice.mbarrier.arrive %empty[%slot] by warp : <4>
      %next = sluice.cursor.advance %at : <4>
      scf.yield %next : !sluice.cursor<4>
    } {sluice.name = "k", sluice.pipelined}
    sluice.map ins(%acc : !sluice.buffer<128x128xf32, reg, acc>)
        outs(%acc16 : !sluice.buffer<128x128xf16, reg, acc>) {
    ^bb0(%x: f32):
      %h = arith.truncf %x : f32 to f16
      sluice.yield %h : f16
    }
    sluice.bar.sync 1, 256 // both warpgroups are through with the ring
    sluice.copy %acc16 to %c : <128x128xf16, reg, acc>, <128x128xf16, smem, sw128>
    sluice.fence proxy_async
    sluice.bar.sync 1, 256
    sluice.tma.store %c to %C[%row, %col] : <128x128xf16, smem, sw128>, <?x?xf16, align 16>
    sluice.bulk.commit by one
    sluice.bulk.wait 0 read by one
  }
}

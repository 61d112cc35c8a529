// RUN: not sluice check %s | FileCheck %s
// tilelang #2634 (the sparse path), sglang #39124 (the same before a tcgen05 product). Full tiles
// come through one path, which fences; the ragged last tile is written by another, which does not,
// and wgmma reads both.
// Expected: R23.
// CHECK: R23 {{.*}}wgmma of warp {{.*}} reads a {{.*}} through the generic proxy, and no
// CHECK-SAME: fence.proxy.async lies between
sluice.kernel @ragged(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                      %B: !sluice.tensor<?x64xf16, align 16> {sluice.name = "B"},
                      %C: !sluice.tensor<?x64xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %n = arith.ceildivsi %K, %c64 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16, smem, sw128>
  %b = sluice.alloc "b" : !sluice.buffer<64x64xf16, smem, sw128>
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32, reg, acc>
  %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
  sluice.fill %acc with 0.0 : <64x64xf32, reg, acc>
  scf.for %t = %c0 to %n step %c1 {
    %k = arith.muli %t, %c64 : index
    %end = arith.addi %k, %c64 : index
    %whole = arith.cmpi sle, %end, %K : index
    sluice.load %B[%k, %c0] to %b : <?x64xf16, align 16>, <64x64xf16, smem, sw128>
    scf.if %whole {
      sluice.load %A[%c0, %k] to %a : <?x?xf16, align 16>, <64x64xf16, smem, sw128>
      sluice.fence proxy_async
    } else {
      sluice.fence proxy_async // for b
      sluice.load %A[%c0, %k] to %v : <?x?xf16, align 16>, <64x64xf16, reg, blocked>
      sluice.copy %v to %a : <64x64xf16, reg, blocked>, <64x64xf16, smem, sw128>
    }
    sluice.bar.sync 0, 128
    sluice.wgmma.fence
    sluice.wgmma %acc, %a, %b
        : <64x64xf32, reg, acc>, <64x64xf16, smem, sw128>, <64x64xf16, smem, sw128>
    sluice.wgmma.commit
    sluice.wgmma.wait 0
    sluice.bar.sync 0, 128
  } {sluice.name = "t", sluice.pipelined}
  sluice.store %acc to %C[%c0, %c0] : <64x64xf32, reg, acc>, <?x64xf32>
}

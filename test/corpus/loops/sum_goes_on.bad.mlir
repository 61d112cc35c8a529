// RUN: not sluice check %s --set L=1 M=1 A=64x512 B=512x64 C=64x64 | FileCheck %s
// A sum goes on in the next round of the loop around, and its first steps were further apart.
// Expected: R28.
// CHECK: R28 (
sluice.kernel @k(%L: !sluice.tensor<?xi32> {sluice.name = "L"}, %M: !sluice.tensor<?xi32> {sluice.name = "M"},
                          %A: !sluice.tensor<64x?xf16, align 16> {sluice.name = "A"},
                          %B: !sluice.tensor<?x64xf16, align 16> {sluice.name = "B"},
                          %C: !sluice.tensor<?x64xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %c64 = arith.constant 64 : index
  %n = sluice.dim %L, 0 : <?xi32>
  %mm = sluice.dim %M, 0 : <?xi32>
  %i = sluice.grid %c1 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16, smem, sw128>
  %b = sluice.alloc "b" : !sluice.buffer<64x64xf16, smem, sw128>
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32, reg, acc>
  sluice.fill %acc with 0.0 : <64x64xf32, reg, acc>
  scf.for %o = %c0 to %n step %c1 {
    %mq = sluice.scalar_load %M[%o] : <?xi32>
    %mv = sluice.uniform %mq : index
    %mp = arith.cmpi sgt, %mv, %c0 : index
    scf.if %mp {
      sluice.bar.sync 0, 128
    }
    %l = sluice.scalar_load %L[%o] : <?xi32>
    %v = sluice.uniform %l : index
    %p = arith.cmpi sgt, %v, %c5 : index
    %first = arith.cmpi eq, %o, %c0 : index
    %shift = arith.andi %p, %first : i1
    %o2 = arith.muli %o, %c2 : index
    scf.for %u = %c0 to %c2 step %c1 {
      %k = arith.addi %o2, %u : index
      %ka = arith.muli %k, %c64 : index
      %k1 = arith.addi %k, %c1 : index
      %kb = arith.muli %k1, %c64 : index
      %kx = scf.if %shift -> (index) {
        sluice.bar.sync 0, 128
        scf.yield %kb : index
      } else {
        sluice.warp_sync
        scf.yield %ka : index
      }
      sluice.bar.sync 0, 128
      sluice.load %A[%c0, %ka] to %a : <64x?xf16, align 16>, <64x64xf16, smem, sw128>
      sluice.load %B[%kx, %c0] to %b : <?x64xf16, align 16>, <64x64xf16, smem, sw128>
      sluice.fence proxy_async
      sluice.bar.sync 0, 128
      sluice.wgmma.fence
      sluice.wgmma %acc, %a, %b
          : <64x64xf32, reg, acc>, <64x64xf16, smem, sw128>, <64x64xf16, smem, sw128>
      sluice.wgmma.commit
      sluice.wgmma.wait 0
    }
    sluice.bar.sync 0, 128
  }
  sluice.store %acc to %C[%c0, %c0] : <64x64xf32, reg, acc>, <?x64xf32>
}

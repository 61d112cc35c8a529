// RUN: not sluice check %s --set L=2 M=64 A=64x512 B=512x64 | FileCheck %s
// The second step of a sum takes a tile of A from a multiple of an extent: of the first round of a
// short loop or, where an integer of a tensor says so, of the second. B's is from the first.
// Expected: R28.
// CHECK: R28 (
sluice.kernel @k(%L: !sluice.tensor<?xi32> {sluice.name = "L"},
                 %M: !sluice.tensor<?xi32> {sluice.name = "M"},
                 %A: !sluice.tensor<64x?xf16, align 16> {sluice.name = "A"},
                 %B: !sluice.tensor<?x64xf16, align 16> {sluice.name = "B"},
                 %C: !sluice.tensor<64x64xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %n = sluice.dim %L, 0 : <?xi32>
  %m = sluice.dim %M, 0 : <?xi32>
  %cta = sluice.grid %c1 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16, smem, sw128, slots 2>
  %b = sluice.alloc "b" : !sluice.buffer<64x64xf16, smem, sw128, slots 2>
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32, reg, acc>
  %a0 = sluice.slot %a[%c0] : <64x64xf16, smem, sw128, slots 2>
  %a1 = sluice.slot %a[%c1] : <64x64xf16, smem, sw128, slots 2>
  %b0 = sluice.slot %b[%c0] : <64x64xf16, smem, sw128, slots 2>
  %b1 = sluice.slot %b[%c1] : <64x64xf16, smem, sw128, slots 2>
  sluice.fill %acc with 0.0 : <64x64xf32, reg, acc>
  scf.for %o = %c0 to %n step %c1 {
    %l = sluice.scalar_load %L[%o] : <?xi32>
    %v = sluice.uniform %l : index
    %p = arith.cmpi sgt, %v, %c1 : index
    scf.if %p {
      sluice.bar.sync 0, 128
    }
    %later = arith.cmpi sgt, %o, %c0 : index
    scf.if %later {
      sluice.fill %acc with 0.0 : <64x64xf32, reg, acc>
      scf.for %s = %c0 to %c2 step %c1 {
        %as = sluice.slot %a[%s] : <64x64xf16, smem, sw128, slots 2>
        %bs = sluice.slot %b[%s] : <64x64xf16, smem, sw128, slots 2>
        sluice.wgmma.fence
        sluice.wgmma %acc, %as, %bs
            : <64x64xf32, reg, acc>, <64x64xf16, smem, sw128>, <64x64xf16, smem, sw128>
        sluice.wgmma.commit
        sluice.wgmma.wait 0
      }
      sluice.bar.sync 0, 128
    }
    scf.for %u = %c1 to %c3 step %c1 {
      %k = arith.muli %u, %m : index
      %k2 = arith.addi %k, %c64 : index
      %first = arith.cmpi eq, %u, %c1 : index
      %again = arith.ori %first, %p : i1
      scf.if %first {
        sluice.load %A[%c0, %k] to %a0 : <64x?xf16, align 16>, <64x64xf16, smem, sw128>
        sluice.load %B[%k, %c0] to %b0 : <?x64xf16, align 16>, <64x64xf16, smem, sw128>
        sluice.load %B[%k2, %c0] to %b1 : <?x64xf16, align 16>, <64x64xf16, smem, sw128>
      }
      scf.if %again {
        sluice.warp_sync
        sluice.load %A[%c0, %k2] to %a1 : <64x?xf16, align 16>, <64x64xf16, smem, sw128>
      }
    }
    sluice.fence proxy_async
    sluice.bar.sync 0, 128
  }
  sluice.store %acc to %C[%c0, %c0] : <64x64xf32, reg, acc>, <64x64xf32>
}

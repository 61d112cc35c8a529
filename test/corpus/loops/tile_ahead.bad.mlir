// RUN: not sluice check %s --set L=1 A=64x512 B=512x64 | FileCheck %s
// The second step of a sum takes a tile that lies ahead of the newest one: the next tile until the
// 38th iteration, one further on from then on.
// Expected: R28.
// CHECK: R28 (
sluice.kernel @k(%L: !sluice.tensor<?xi32> {sluice.name = "L"},
                 %A: !sluice.tensor<64x?xf16, align 16> {sluice.name = "A"},
                 %B: !sluice.tensor<?x64xf16, align 16> {sluice.name = "B"},
                 %C: !sluice.tensor<64x64xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c34 = arith.constant 34 : index
  %c64 = arith.constant 64 : index
  %n = sluice.dim %L, 0 : <?xi32>
  %cta = sluice.grid %c1 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16, smem, sw128, slots 2>
  %b = sluice.alloc "b" : !sluice.buffer<64x64xf16, smem, sw128>
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32, reg, acc>
  %a0 = sluice.slot %a[%c0] : <64x64xf16, smem, sw128, slots 2>
  %a1 = sluice.slot %a[%c1] : <64x64xf16, smem, sw128, slots 2>
  scf.for %o = %c0 to %n step %c1 {
    %o2 = arith.addi %o, %c2 : index
    %h = arith.divsi %o2, %c4 : index
    %kh = arith.muli %h, %c64 : index
    sluice.load %A[%c0, %kh] to %a1 : <64x?xf16, align 16>, <64x64xf16, smem, sw128>
    %l = sluice.scalar_load %L[%o] : <?xi32>
    %v = sluice.uniform %l : index
    %p = arith.cmpi sgt, %v, %c5 : index
    %q = arith.cmpi sge, %o, %c34 : index
    scf.if %p {
     scf.if %q {
      sluice.fill %acc with 0.0 : <64x64xf32, reg, acc>
      scf.for %u = %c0 to %c2 step %c1 {
        %t = arith.addi %u, %c8 : index
        %k = arith.muli %t, %c64 : index
        %first = arith.cmpi eq, %u, %c0 : index
        scf.if %first {
          sluice.load %A[%c0, %k] to %a0 : <64x?xf16, align 16>, <64x64xf16, smem, sw128>
        }
        sluice.load %B[%k, %c0] to %b : <?x64xf16, align 16>, <64x64xf16, smem, sw128>
        sluice.fence proxy_async
        sluice.bar.sync 0, 128
        %at = sluice.slot %a[%u] : <64x64xf16, smem, sw128, slots 2>
        sluice.wgmma.fence
        sluice.wgmma %acc, %at, %b
            : <64x64xf32, reg, acc>, <64x64xf16, smem, sw128>, <64x64xf16, smem, sw128>
        sluice.wgmma.commit
        sluice.wgmma.wait 0
        sluice.bar.sync 0, 128
      }
      sluice.store %acc to %C[%c0, %c0] : <64x64xf32, reg, acc>, <64x64xf32>
     }
    }
    sluice.bar.sync 0, 128
  }
}

// RUN: not sluice check %s --set L=1x200 A=64x512 B=512x64 | FileCheck %s
// B's place is carried along, and goes one tile further in iteration M.
// Expected: R28.
// CHECK: R28 (
sluice.kernel @k(%L: !sluice.tensor<?x?xi32> {sluice.name = "L"},
                          %A: !sluice.tensor<64x?xf16, align 16> {sluice.name = "A"},
                          %B: !sluice.tensor<?x64xf16, align 16> {sluice.name = "B"},
                          %C: !sluice.tensor<64x64xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %n = sluice.dim %L, 0 : <?x?xi32>
  %m = sluice.dim %L, 1 : <?x?xi32>
  %i = sluice.grid %c1 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16, smem, sw128>
  %b = sluice.alloc "b" : !sluice.buffer<64x64xf16, smem, sw128>
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32, reg, acc>
  sluice.fill %acc with 0.0 : <64x64xf32, reg, acc>
  %e = scf.for %o = %c0 to %n step %c1 iter_args(%kb = %c0) -> (index) {
    %p = arith.cmpi eq, %o, %m : index
    %ka = arith.muli %o, %c64 : index
      sluice.load %A[%c0, %ka] to %a : <64x?xf16, align 16>, <64x64xf16, smem, sw128>
      sluice.load %B[%kb, %c0] to %b : <?x64xf16, align 16>, <64x64xf16, smem, sw128>
      sluice.fence proxy_async
      sluice.bar.sync 0, 128
      sluice.wgmma.fence
      sluice.wgmma %acc, %a, %b
          : <64x64xf32, reg, acc>, <64x64xf16, smem, sw128>, <64x64xf16, smem, sw128>
      sluice.wgmma.commit
      sluice.wgmma.wait 0
      sluice.bar.sync 0, 128
    %d = scf.if %p -> (index) {
       sluice.bar.sync 0, 128
       scf.yield %c128 : index
    } else {
       sluice.warp_sync
       scf.yield %c64 : index
    }
    %kn = arith.addi %kb, %d : index
    scf.yield %kn : index
  }
  sluice.bar.sync 0, 128
  sluice.store %acc to %C[%c0, %c0] : <64x64xf32, reg, acc>, <64x64xf32>
}

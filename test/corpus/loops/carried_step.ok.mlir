// RUN: sluice check %s --set A=64x512 B=512x64 | FileCheck %s
// B's place is carried along and grows by a tile in each iteration: no assumption about tiles.
// CHECK: {{^}}proven: every launch
// CHECK-NOT: tiles-in-step
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
  %i = sluice.grid %c1 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16, smem, sw128>
  %b = sluice.alloc "b" : !sluice.buffer<64x64xf16, smem, sw128>
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32, reg, acc>
  sluice.fill %acc with 0.0 : <64x64xf32, reg, acc>
  %e = scf.for %o = %c0 to %n step %c1 iter_args(%kb = %c0) -> (index) {
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
    %d = arith.addi %c64, %c0 : index
    %kn = arith.addi %kb, %d : index
    scf.yield %kn : index
  }
  sluice.bar.sync 0, 128
  sluice.store %acc to %C[%c0, %c0] : <64x64xf32, reg, acc>, <64x64xf32>
}

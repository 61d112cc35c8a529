// RUN: sluice check %s --set A=64x512 B=512x64 | FileCheck %s
// One loop over tiles and their steps along K: that remainders by an unknown go up between the
// beginnings of sums, no normal form tells.
// CHECK: {{^}}proven: every launch
// CHECK: assuming tiles-in-step: tiles that wgmma at {{.*}} takes belong together in every launch (R28)
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
  %K = sluice.dim %A, 1 : <64x?xf16, align 16>
  %nk = arith.ceildivsi %K, %c64 : index
  %all = arith.muli %n, %nk : index
  %i = sluice.grid %c1 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16, smem, sw128>
  %b = sluice.alloc "b" : !sluice.buffer<64x64xf16, smem, sw128>
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32, reg, acc>
  sluice.fill %acc with 0.0 : <64x64xf32, reg, acc>
  scf.for %o = %c0 to %all step %c1 {
    %k = arith.remsi %o, %nk : index
    %z = arith.cmpi eq, %k, %c0 : index
    scf.if %z {
      sluice.fill %acc with 0.0 : <64x64xf32, reg, acc>
    }
    %ka = arith.muli %k, %c64 : index
      sluice.load %A[%c0, %ka] to %a : <64x?xf16, align 16>, <64x64xf16, smem, sw128>
      sluice.load %B[%ka, %c0] to %b : <?x64xf16, align 16>, <64x64xf16, smem, sw128>
      sluice.fence proxy_async
      sluice.bar.sync 0, 128
      sluice.wgmma.fence
      sluice.wgmma %acc, %a, %b
          : <64x64xf32, reg, acc>, <64x64xf16, smem, sw128>, <64x64xf16, smem, sw128>
      sluice.wgmma.commit
      sluice.wgmma.wait 0
      sluice.bar.sync 0, 128
  }
  sluice.bar.sync 0, 128
  sluice.store %acc to %C[%c0, %c0] : <64x64xf32, reg, acc>, <64x64xf32>
}

// RUN: sluice check %s | FileCheck %s
// A branch changes the sum in place, which goes on: its steps keep their distance either way.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%L: !sluice.tensor<?x?xi32> {sluice.name = "L"},
                 %A: !sluice.tensor<64x?xf16, align 16> {sluice.name = "A"},
                 %B: !sluice.tensor<?x64xf16, align 16> {sluice.name = "B"},
                 %C: !sluice.tensor<64x64xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %n = sluice.dim %L, 0 : <?x?xi32>
  %m = sluice.dim %L, 1 : <?x?xi32>
  %i = sluice.grid %c1 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16, smem, sw128>
  %b = sluice.alloc "b" : !sluice.buffer<64x64xf16, smem, sw128>
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32, reg, acc>
  sluice.fill %acc with 0.0 : <64x64xf32, reg, acc>
  scf.for %t = %c0 to %n step %c1 iter_args(%kb = %c0) -> (index) {
    %ka = arith.muli %t, %c64 : index
    sluice.load %A[%c0, %ka] to %a : <64x?xf16, align 16>, <64x64xf16, smem, sw128>
    sluice.load %B[%kb, %c0] to %b : <?x64xf16, align 16>, <64x64xf16, smem, sw128>
    sluice.fence proxy_async
    sluice.bar.sync 0, 128
    %doubled = arith.cmpi sgt, %m, %c3 : index
    scf.if %doubled {
      sluice.map ins(%acc : !sluice.buffer<64x64xf32, reg, acc>)
          outs(%acc : !sluice.buffer<64x64xf32, reg, acc>) {
      ^bb0(%x: f32):
        %y = arith.addf %x, %x : f32
        sluice.yield %y : f32
      }
    }
    sluice.wgmma.fence
    sluice.wgmma %acc, %a, %b
        : <64x64xf32, reg, acc>, <64x64xf16, smem, sw128>, <64x64xf16, smem, sw128>
    sluice.wgmma.commit
    sluice.wgmma.wait 0
    sluice.bar.sync 0, 128
    %next = arith.addi %kb, %c64 : index
    scf.yield %next : index
  }
  sluice.store %acc to %C[%c0, %c0] : <64x64xf32, reg, acc>, <64x64xf32>
}

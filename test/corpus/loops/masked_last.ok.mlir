// RUN: sluice check %s | FileCheck %s
// The last tile alone is masked, in place, with what is left of K: whether it is steers nothing, and
// nobody has to follow it. The product has ended before.
// CHECK: {{^}}proven: every launch
sluice.kernel @product(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                       %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
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
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 128
  sluice.fill %acc with 0.0 : <64x64xf32, reg, acc>
  %start = sluice.cursor : !sluice.cursor<1>
  scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<1> {
    %slot = sluice.cursor.slot %at : <1>
    %phase = sluice.cursor.phase %at : <1>
    %k = arith.muli %t, %c64 : index
    %left = arith.subi %K, %k : index
    %partial = arith.cmpi slt, %left, %c64 : index
    sluice.mbarrier.arrive_expect_tx %full[%slot] bytes 16384 by one : <1>
    sluice.tma.load %A[%c0, %k] to %a, %full[%slot]
        : <?x?xf16, align 16>, <64x64xf16, smem, sw128>, <1>
    sluice.tma.load %B[%k, %c0] to %b, %full[%slot]
        : <?x?xf16, align 16>, <64x64xf16, smem, sw128>, <1>
    sluice.mbarrier.wait %full[%slot], %phase : <1>
    sluice.wgmma.fence
    sluice.wgmma %acc, %a, %b
        : <64x64xf32, reg, acc>, <64x64xf16, smem, sw128>, <64x64xf16, smem, sw128>
    sluice.wgmma.commit
    sluice.wgmma.wait 0
    scf.if %partial {
      sluice.map ins(%acc : !sluice.buffer<64x64xf32, reg, acc>)
          outs(%acc : !sluice.buffer<64x64xf32, reg, acc>) coordinates {
      ^bb0(%x: f32, %r: index, %c: index):
        %zero = arith.constant 0.0 : f32
        %inside = arith.cmpi slt, %c, %left : index
        %y = arith.select %inside, %x, %zero : f32
        sluice.yield %y : f32
      }
    }
    sluice.bar.sync 0, 128
    %next = sluice.cursor.advance %at : <1>
    scf.yield %next : !sluice.cursor<1>
  } {sluice.name = "t", sluice.pipelined}
  sluice.store %acc to %C[%c0, %c0] : <64x64xf32, reg, acc>, <?x64xf32>
}

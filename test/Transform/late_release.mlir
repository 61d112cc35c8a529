// A product runs on into the next iteration only if all that it reads lies in slots that are released late. Here `a` is
// summed as well, first, and its ring goes back at once: the product ends in its iteration, and the ring of `b` is early too.
// RUN: sluice check %s --set A=128x256 B=256x64 C=128x64 S=128x1 --dump-after-each 2>&1 | FileCheck %s
// RUN: sed 's/stages = 3/stages = 1/' %s > %t.one.mlir
// RUN: sluice run %s --set A=128x256 B=256x64 C=128x64 S=128x1 --random 3 --device sim --out C=%t.c.npy S=%t.s.npy
// RUN: sluice run %t.one.mlir --set A=128x256 B=256x64 C=128x64 S=128x1 --random 3 --device sim --out C=%t.c1.npy S=%t.s1.npy
// RUN: cmp %t.c.npy %t.c1.npy
// RUN: cmp %t.s.npy %t.s1.npy

// CHECK-LABEL: after sluice-load-ahead
// CHECK:       sluice.pipeline "a" over
// CHECK:       sluice.pipeline "b" over
// CHECK:       sluice.reduce
// CHECK:       sluice.wgmma.commit
// CHECK-NEXT:  sluice.wgmma.wait 0
// CHECK-NEXT:  sluice.release
// CHECK-NEXT:  sluice.release
// One lane hands a slot back that all have read.
// CHECK-LABEL: after sluice-lower-to-mbarriers
// CHECK:       sluice.wgmma.wait 0
// CHECK-NEXT:  sluice.cursor.slot
// CHECK:       sluice.warp_sync
// CHECK-NEXT:  %slot{{.*}} = sluice.cursor.slot
// CHECK-NEXT:  sluice.mbarrier.arrive %empty_a
// CHECK:       proven: every launch

sluice.kernel @sums(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                    %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                    %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out},
                    %S: !sluice.tensor<?x1xf32> {sluice.name = "S", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c64 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  sluice.fill %acc with 0.0 : <64x64xf32>
  %sum = sluice.alloc "sum" : !sluice.buffer<64x1xf32>
  sluice.fill %sum with 0.0 : <64x1xf32>
  scf.for %k = %c0 to %K step %c64 {
    %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
    sluice.load %A[%row, %k] to %a : <?x?xf16, align 16>, <64x64xf16>
    %part = sluice.alloc "part" : !sluice.buffer<64x1xf32>
    sluice.reduce ins(%a : !sluice.buffer<64x64xf16>) outs(%part : !sluice.buffer<64x1xf32>) axis 1 from [0.0] {
    ^bb0(%s: f32, %x: f16):
      %w = arith.extf %x : f16 to f32
      %y = arith.addf %s, %w : f32
      sluice.yield %y : f32
    }
    sluice.map ins(%sum, %part : !sluice.buffer<64x1xf32>, !sluice.buffer<64x1xf32>) outs(%sum : !sluice.buffer<64x1xf32>) {
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %y : f32
      sluice.yield %z : f32
    }
    %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
    sluice.load %B[%k, %c0] to %b : <?x?xf16, align 16>, <64x64xf16>
    sluice.mma %acc, %a, %b : <64x64xf32>, <64x64xf16>, <64x64xf16>
  } {sluice.stages = 3, sluice.name = "k"}
  sluice.store %acc to %C[%row, %c0] : <64x64xf32>, <?x?xf32>
  sluice.store %sum to %S[%row, %c0] : <64x1xf32>, <?x1xf32>
}

// A product is waited for where its result is needed. Here two are issued before the first is, and
// the sums of the first run beside the second; what both read is released behind the second.
// RUN: sluice check %s --set A=128x256 B=256x64 C=256x64 S=128x1 T=128x1 --dump-after-each 2>&1 | FileCheck %s
// RUN: sluice run %s --set A=128x256 B=256x64 C=256x64 S=128x1 T=128x1 --random 3 --device sim --out S=%t.s.npy T=%t.t.npy
// RUN: sed 's/sluice.stages = 2/sluice.stages = 1/' %s > %t.one.mlir
// RUN: sluice run %t.one.mlir --set A=128x256 B=256x64 C=256x64 S=128x1 T=128x1 --random 3 --device sim --out S=%t.s1.npy T=%t.t1.npy
// RUN: cmp %t.s.npy %t.s1.npy
// RUN: cmp %t.t.npy %t.t1.npy
// CHECK-LABEL: after sluice-load-ahead
// CHECK:       sluice.wgmma %p,
// CHECK-NEXT:  sluice.wgmma.commit
// CHECK-NOT:   sluice.wgmma.wait
// CHECK:       sluice.wgmma %r,
// CHECK-NEXT:  sluice.wgmma.commit
// CHECK-NOT:   sluice.release
// CHECK:       sluice.wgmma.wait 1
// CHECK-NOT:   sluice.wgmma.wait
// CHECK:       sluice.reduce ins(%p
// CHECK:       sluice.wgmma.wait 0
// CHECK:       sluice.release
// CHECK:       sluice.reduce ins(%r
// CHECK:       proven: every launch
sluice.kernel @two(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                   %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                   %C: !sluice.tensor<?x?xf16, align 16> {sluice.name = "C"},
                   %S: !sluice.tensor<?x1xf32> {sluice.name = "S", sluice.out},
                   %T: !sluice.tensor<?x1xf32> {sluice.name = "T", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c64 : index
  %s = sluice.alloc "s" : !sluice.buffer<64x1xf32>
  %t = sluice.alloc "t" : !sluice.buffer<64x1xf32>
  sluice.fill %s with 0.0 : <64x1xf32>
  sluice.fill %t with 0.0 : <64x1xf32>
  %n = arith.ceildivsi %K, %c64 : index
  scf.for %k = %c0 to %n step %c1 {
    %at = arith.muli %k, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
    %c = sluice.alloc "c" : !sluice.buffer<64x64xf16>
    %p = sluice.alloc "p" : !sluice.buffer<64x64xf32>
    %r = sluice.alloc "r" : !sluice.buffer<64x64xf32>
    %ps = sluice.alloc "ps" : !sluice.buffer<64x1xf32>
    %rs = sluice.alloc "rs" : !sluice.buffer<64x1xf32>
    sluice.load %A[%row, %at] to %a : <?x?xf16, align 16>, <64x64xf16>
    sluice.load %B[%at, %c0] to %b : <?x?xf16, align 16>, <64x64xf16>
    sluice.load %C[%at, %c0] to %c : <?x?xf16, align 16>, <64x64xf16>
    sluice.fill %p with 0.0 : <64x64xf32>
    sluice.fill %r with 0.0 : <64x64xf32>
    sluice.mma %p, %a, %b : <64x64xf32>, <64x64xf16>, <64x64xf16>
    sluice.mma %r, %a, %c : <64x64xf32>, <64x64xf16>, <64x64xf16>
    sluice.reduce ins(%p : !sluice.buffer<64x64xf32>) outs(%ps : !sluice.buffer<64x1xf32>)
        axis 1 from [0.0] {
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %y : f32
      sluice.yield %z : f32
    }
    sluice.reduce ins(%r : !sluice.buffer<64x64xf32>) outs(%rs : !sluice.buffer<64x1xf32>)
        axis 1 from [0.0] {
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %y : f32
      sluice.yield %z : f32
    }
    sluice.map ins(%s, %ps : !sluice.buffer<64x1xf32>, !sluice.buffer<64x1xf32>)
        outs(%s : !sluice.buffer<64x1xf32>) {
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %y : f32
      sluice.yield %z : f32
    }
    sluice.map ins(%t, %rs : !sluice.buffer<64x1xf32>, !sluice.buffer<64x1xf32>)
        outs(%t : !sluice.buffer<64x1xf32>) {
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %y : f32
      sluice.yield %z : f32
    }
  } {sluice.stages = 2, sluice.name = "k"}
  sluice.store %s to %S[%row, %c0] : <64x1xf32>, <?x1xf32>
  sluice.store %t to %T[%row, %c0] : <64x1xf32>, <?x1xf32>
}

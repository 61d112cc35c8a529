// TMA fills the ring of K, four warps that of V: the three that issue no load of K do not wait for its slots, where
// they would miss a phase (R5).
// RUN: sluice check %s | FileCheck %s
// CHECK: proven: every launch
// RUN: sluice barriers %s --set K=300x64 V=300x64 Q=64x64 Y=64x64 | FileCheck %s --check-prefix=TABLE
// TABLE: empty_k 0 {{.*}} load warp 4{{$}}
// TABLE: empty_v 0 {{.*}} load warps 4-7{{$}}
sluice.kernel @two_rings(%Q: !sluice.tensor<?x?xf16, align 16> {sluice.name = "Q"},
                         %K: !sluice.tensor<?x?xf16, align 16> {sluice.name = "K"},
                         %V: !sluice.tensor<?x?xf16> {sluice.name = "V"},
                         %Y: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %q = sluice.alloc "q" : !sluice.buffer<64x64xf16>
  sluice.load %Q[%c0, %c0] to %q : <?x?xf16, align 16>, <64x64xf16>
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  sluice.fill %acc with 0.0 : <64x64xf32>
  %keys = sluice.dim %K, 0 : <?x?xf16, align 16>
  %steps = arith.ceildivsi %keys, %c64 : index
  scf.for %t = %c0 to %steps step %c1 {
    %at = arith.muli %t, %c64 : index
    %k = sluice.alloc "k" : !sluice.buffer<64x64xf16>
    sluice.load %K[%at, %c0] to %k : <?x?xf16, align 16>, <64x64xf16>
    %kt = sluice.transpose %k : <64x64xf16>
    %s = sluice.alloc "s" : !sluice.buffer<64x64xf32>
    sluice.fill %s with 0.0 : <64x64xf32>
    sluice.mma %s, %q, %kt : <64x64xf32>, <64x64xf16>, <64x64xf16, minor 0>
    %p = sluice.alloc "p" : !sluice.buffer<64x64xf16>
    sluice.map ins(%s : !sluice.buffer<64x64xf32>) outs(%p : !sluice.buffer<64x64xf16>) {
    ^bb0(%x: f32):
      %y = arith.truncf %x : f32 to f16
      sluice.yield %y : f16
    }
    %v = sluice.alloc "v" : !sluice.buffer<64x64xf16>
    sluice.load %V[%at, %c0] to %v : <?x?xf16>, <64x64xf16>
    sluice.mma %acc, %p, %v : <64x64xf32>, <64x64xf16>, <64x64xf16>
  } {sluice.stages = 4, sluice.name = "block"}
  sluice.store %acc to %Y[%c0, %c0] : <64x64xf32>, <?x?xf32, align 16>
}

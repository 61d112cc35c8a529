// An extent of 0 along which lines are contiguous: no stride is a multiple of 16 bytes, and no map has one of the tensor.
// RUN: sluice run %s --device sim --set A=0x5 Y=5x8 --random 1 --out Y=%t.npy
// RUN: %python -c "import sys; d = open(sys.argv[1], 'rb').read(); print(any(d[-160:]))" %t.npy | FileCheck %s
// CHECK: False
sluice.kernel @empty(%A: !sluice.tensor<?x?xf16, minor 0, align 16> {sluice.name = "A"},
                     %Y: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
  sluice.load %A[%c0, %c0] to %a : <?x?xf16, minor 0, align 16>, <64x64xf16>
  %t = sluice.transpose %a : <64x64xf16>
  %b = sluice.alloc "b" : !sluice.buffer<64x8xf16>
  sluice.load %A[%c0, %c0] to %b : <?x?xf16, minor 0, align 16>, <64x8xf16>
  %acc = sluice.alloc "acc" : !sluice.buffer<64x8xf32>
  sluice.fill %acc with 0.0 : <64x8xf32>
  sluice.mma %acc, %t, %b : <64x8xf32>, <64x64xf16, minor 0>, <64x8xf16>
  sluice.store %acc to %Y[%c0, %c0] : <64x8xf32>, <?x?xf32, align 16>
}

// A constant of a body that equals one of the kernel: both become one value before bodies are read.
// RUN: sluice check %s | FileCheck %s
// RUN: sluice run %s --device sim --set X=64x64 Y=64x64 --random 1 --out Y=%t.npy
// RUN: %python -c "import sys; d = open(sys.argv[1], 'rb').read(); import array; a = array.array('f', d[-4 * 64 * 64:]); print(a[0:3].tolist())" %t.npy | FileCheck %s --check-prefix=ROW
// CHECK: proven: every launch
// ROW: [0.0, 1.0, 0.0]
sluice.kernel @second(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
                      %Y: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Y", sluice.out}) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %i = sluice.grid %c1 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf32>
  sluice.load %X[%c0, %c0] to %x : <?x?xf32, align 16>, <64x64xf32>
  %y = sluice.alloc "y" : !sluice.buffer<64x64xf32>
  sluice.map ins(%x : !sluice.buffer<64x64xf32>) outs(%y : !sluice.buffer<64x64xf32>) coordinates {
  ^bb0(%v: f32, %row: index, %column: index):
    %second = arith.constant 1 : index
    %is = arith.cmpi eq, %column, %second : index
    %one = arith.constant 1.0 : f32
    %zero = arith.constant 0.0 : f32
    %mark = arith.select %is, %one, %zero : f32
    sluice.yield %mark : f32
  }
  sluice.store %y to %Y[%c0, %c0] : <64x64xf32>, <?x?xf32, align 16>
}

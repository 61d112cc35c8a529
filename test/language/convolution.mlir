// A convolution along rows as one sum over its taps: each multiplies the same columns of X, a row
// further down, by the next rows of W. To R28 that looks like an operand that stays behind.
// RUN: sluice check %s | FileCheck %s
// RUN: sed 's/ {sluice.any_tiles}//' %s > %t.mlir
// RUN: not sluice check %t.mlir | FileCheck %s --check-prefix=PLAIN
// RUN: sluice run %s --random 3 --set X=130x64 W=192x64 Y=128x64
// CHECK: proven: every launch
// CHECK: assuming any-tiles: the product at {{.*}} multiplies the tiles that its author means
// PLAIN: R28
// PLAIN-SAME: if these are meant, mark the product {sluice.any_tiles}
sluice.kernel @taps(%X: !sluice.tensor<?x64xf16, align 16> {sluice.name = "X"},
                    %W: !sluice.tensor<192x64xf16, align 16> {sluice.name = "W"},
                    %Y: !sluice.tensor<?x64xf32, align 16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %Y, 0 : <?x64xf32, align 16>
  %tiles = arith.ceildivsi %M, %c128 : index
  %i = sluice.grid %tiles : index
  %row = arith.muli %i, %c128 : index
  %sum = sluice.alloc "sum" : !sluice.buffer<128x64xf32>
  sluice.fill %sum with 0.0 : <128x64xf32>
  scf.for %tap = %c0 to %c3 step %c1 {
    %at = arith.addi %row, %tap : index
    %x = sluice.alloc "x" : !sluice.buffer<128x64xf16>
    sluice.load %X[%at, %c0] to %x : <?x64xf16, align 16>, <128x64xf16>
    %k = arith.muli %tap, %c64 : index
    %w = sluice.alloc "w" : !sluice.buffer<64x64xf16>
    sluice.load %W[%k, %c0] to %w : <192x64xf16, align 16>, <64x64xf16>
    sluice.mma %sum, %x, %w {sluice.any_tiles} : <128x64xf32>, <128x64xf16>, <64x64xf16>
  } {sluice.name = "tap", sluice.stages = 2}
  sluice.store %sum to %Y[%row, %c0] : <128x64xf32>, <?x64xf32, align 16>
}

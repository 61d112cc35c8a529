// RUN: sluice check %s | FileCheck %s
// Ascend 950, tiles go from core to core without global memory: vector cores copy halves of X to
// L1 (flag 0), and the cube core deals sums out to both UBs (flag 1). A sum that is there says that
// X has been read, the next X that is there that the sum has been stored.
// CHECK: {{^}}proven
sluice.kernel @times(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"},
                     %W: !sluice.tensor<64x64xf16> {sluice.name = "W"},
                     %O: !sluice.tensor<?x64xf32> {sluice.name = "O", sluice.out})
    attributes {target = "ascend950", phase = "barrier"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %no = arith.constant false
  %rows = sluice.dim %X, 0 : <?x64xf16>
  %n = arith.divsi %rows, %c64 : index // whole tiles: what UB has beyond X is unknown
  %i = sluice.grid %c1 : index
  %x_l1 = sluice.alloc "x_l1" : !sluice.buffer<64x64xf16, l1, zN>
  %y = sluice.alloc "y" : !sluice.buffer<32x64xf32, ub, row>

  sluice.role "cube" core "aic" {
    %w = sluice.alloc "w" : !sluice.buffer<64x64xf16, l1, zN>
    %l0a = sluice.alloc "l0a" : !sluice.buffer<64x64xf16, l0a, zN>
    %l0b = sluice.alloc "l0b" : !sluice.buffer<64x64xf16, l0b, nZ>
    %l0c = sluice.alloc "l0c" : !sluice.buffer<64x64xf32, l0c, zN>
    sluice.load %W[%c0, %c0] to %w on MTE2 : <64x64xf16>, <64x64xf16, l1, zN>
    sluice.set_flag MTE2 to MTE1[%c0]
    sluice.wait_flag MTE2 to MTE1[%c0]
    sluice.copy %w to %l0b on MTE1 : <64x64xf16, l1, zN>, <64x64xf16, l0b, nZ>
    sluice.set_flag M to MTE1[%c0]
    sluice.set_flag FIX to M[%c0]
    scf.for %t = %c0 to %n step %c1 {
      sluice.cross.wait on MTE1[%c0]
      sluice.wait_flag M to MTE1[%c0]
      sluice.copy %x_l1 to %l0a on MTE1 : <64x64xf16, l1, zN>, <64x64xf16, l0a, zN>
      sluice.set_flag MTE1 to M[%c0]
      sluice.wait_flag MTE1 to M[%c0]
      sluice.wait_flag FIX to M[%c0]
      sluice.mmad %l0c, %l0a, %l0b accumulate %no : <64x64xf32, l0c, zN>,
          <64x64xf16, l0a, zN>, <64x64xf16, l0b, nZ>
      sluice.set_flag M to MTE1[%c0]
      sluice.set_flag M to FIX[%c0]
      sluice.wait_flag M to FIX[%c0]
      sluice.copy %l0c to %y on FIX : <64x64xf32, l0c, zN>, <32x64xf32, ub, row>
      sluice.cross.set mode 2 on FIX[%c1]
      sluice.set_flag FIX to M[%c0]
    } {sluice.pipelined}
    sluice.wait_flag M to MTE1[%c0]
    sluice.wait_flag FIX to M[%c0]
  }

  sluice.role "vector" core "aiv" {
    %x = sluice.alloc "x" : !sluice.buffer<32x64xf16, ub, row>
    %half = sluice.subblock
    %mine = arith.muli %half, %c32 : index
    %own = sluice.subview %x_l1[%mine, %c0] : <64x64xf16, l1, zN> to <32x64xf16, l1, zN>
    sluice.set_flag MTE3 to MTE2[%c0]
    scf.for %t = %c0 to %n step %c1 {
      %first = arith.muli %t, %c64 : index
      %at = arith.addi %first, %mine : index
      sluice.wait_flag MTE3 to MTE2[%c0]
      sluice.load %X[%at, %c0] to %x on MTE2 : <?x64xf16>, <32x64xf16, ub, row>
      sluice.set_flag MTE2 to MTE3[%c0]
      sluice.wait_flag MTE2 to MTE3[%c0]
      sluice.copy %x to %own on MTE3 : <32x64xf16, ub, row>, <32x64xf16, l1, zN>
      sluice.set_flag MTE3 to MTE2[%c0]
      sluice.cross.set mode 2 on MTE3[%c0]
      sluice.cross.wait on MTE3[%c1]
      sluice.store %y to %O[%at, %c0] on MTE3 : <32x64xf32, ub, row>, <?x64xf32>
    } {sluice.pipelined}
    sluice.wait_flag MTE3 to MTE2[%c0]
  }
}

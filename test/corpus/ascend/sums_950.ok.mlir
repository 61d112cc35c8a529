// RUN: sluice check %s | FileCheck %s
// Ascend 950, L0C to UB: of each tile of scores both vector cores get half of the rows, one slot
// (flag 0: there, flag 1: stored, by both).
// CHECK: {{^}}proven
sluice.kernel @scores(%Q: !sluice.tensor<64x64xf16> {sluice.name = "Q"},
                      %K: !sluice.tensor<?x64xf16> {sluice.name = "K"},
                      %O: !sluice.tensor<?x64xf32> {sluice.name = "O", sluice.out})
    attributes {target = "ascend950", phase = "barrier"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %no = arith.constant false
  %keys = sluice.dim %K, 0 : <?x64xf16>
  %n = arith.ceildivsi %keys, %c64 : index
  %i = sluice.grid %c1 : index
  %x = sluice.alloc "x" : !sluice.buffer<32x64xf32, ub, row>

  sluice.role "cube" core "aic" {
    %q = sluice.alloc "q_l1" : !sluice.buffer<64x64xf16, l1, zN>
    %k = sluice.alloc "k_l1" : !sluice.buffer<64x64xf16, l1, zN>
    %l0a = sluice.alloc "l0a" : !sluice.buffer<64x64xf16, l0a, zN>
    %l0b = sluice.alloc "l0b" : !sluice.buffer<64x64xf16, l0b, nZ>
    %l0c = sluice.alloc "l0c" : !sluice.buffer<64x64xf32, l0c, zN>
    %k_t = sluice.transpose %k : <64x64xf16, l1, zN>
    sluice.load %Q[%c0, %c0] to %q on MTE2 : <64x64xf16>, <64x64xf16, l1, zN>
    sluice.set_flag MTE2 to MTE1[%c1]
    sluice.wait_flag MTE2 to MTE1[%c1]
    sluice.copy %q to %l0a on MTE1 : <64x64xf16, l1, zN>, <64x64xf16, l0a, zN>
    sluice.set_flag MTE1 to MTE2[%c0]
    sluice.set_flag M to MTE1[%c0]
    sluice.set_flag FIX to M[%c0]
    scf.for %t = %c0 to %n step %c1 {
      %key = arith.muli %t, %c64 : index
      sluice.wait_flag MTE1 to MTE2[%c0]
      sluice.load %K[%key, %c0] to %k on MTE2 : <?x64xf16>, <64x64xf16, l1, zN>
      sluice.set_flag MTE2 to MTE1[%c0]
      sluice.wait_flag MTE2 to MTE1[%c0]
      sluice.wait_flag M to MTE1[%c0]
      sluice.copy %k_t to %l0b on MTE1 : <64x64xf16, l1, zN, minor 0>, <64x64xf16, l0b, nZ>
      sluice.set_flag MTE1 to MTE2[%c0]
      sluice.set_flag MTE1 to M[%c0]
      sluice.wait_flag MTE1 to M[%c0]
      sluice.wait_flag FIX to M[%c0]
      sluice.mmad %l0c, %l0a, %l0b accumulate %no : <64x64xf32, l0c, zN>,
          <64x64xf16, l0a, zN>, <64x64xf16, l0b, nZ>
      sluice.set_flag M to MTE1[%c0]
      sluice.set_flag M to FIX[%c0]
      sluice.wait_flag M to FIX[%c0]
      sluice.cross.wait on FIX[%c1]
      sluice.copy %l0c to %x on FIX : <64x64xf32, l0c, zN>, <32x64xf32, ub, row>
      sluice.cross.set mode 2 on FIX[%c0]
      sluice.set_flag FIX to M[%c0]
    } {sluice.pipelined}
    sluice.cross.wait on FIX[%c1]
    sluice.wait_flag MTE1 to MTE2[%c0]
    sluice.wait_flag M to MTE1[%c0]
    sluice.wait_flag FIX to M[%c0]
  }

  sluice.role "vector" core "aiv" {
    %half = sluice.subblock
    %mine = arith.muli %half, %c32 : index
    sluice.cross.set mode 2 on MTE3[%c1]
    scf.for %t = %c0 to %n step %c1 {
      %key = arith.muli %t, %c64 : index
      %at = arith.addi %key, %mine : index
      sluice.cross.wait on MTE3[%c0]
      sluice.store %x to %O[%at, %c0] on MTE3 : <32x64xf32, ub, row>, <?x64xf32>
      sluice.cross.set mode 2 on MTE3[%c1]
    } {sluice.pipelined}
  }
}

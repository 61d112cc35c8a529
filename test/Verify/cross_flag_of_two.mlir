// RUN: not sluice check %s | FileCheck %s
// Which of two sets a wait takes would depend on the schedule.
// CHECK: unsupported: this launch
// CHECK: cross-core flag 0 may come from the cube core and from the other vector core, and which of the two a wait takes depends on the schedule. Give each a flag of its own
sluice.kernel @scores(%Q: !sluice.tensor<?x64xf16> {sluice.name = "Q"},
                      %K: !sluice.tensor<128x64xf16> {sluice.name = "K"},
                      %W: !sluice.tensor<128x64xf32> {sluice.name = "W", sluice.inout},
                      %O: !sluice.tensor<?x64xf32> {sluice.name = "O", sluice.out})
    attributes {target = "ascend910b", phase = "barrier"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %no = arith.constant false
  %keys = sluice.dim %K, 0 : <128x64xf16>
  %n = arith.ceildivsi %keys, %c64 : index
  %i = sluice.grid %c1 : index
  %last = arith.minsi %n, %c2 : index

  sluice.role "cube" core "aic" {
    %q = sluice.alloc "q_l1" : !sluice.buffer<64x64xf16, l1, zN>
    %k = sluice.alloc "k_l1" : !sluice.buffer<64x64xf16, l1, zN>
    %l0a = sluice.alloc "l0a" : !sluice.buffer<64x64xf16, l0a, zZ>
    %l0b = sluice.alloc "l0b" : !sluice.buffer<64x64xf16, l0b, nZ>
    %l0c = sluice.alloc "l0c" : !sluice.buffer<64x64xf32, l0c, zN>
    %k_t = sluice.transpose %k : <64x64xf16, l1, zN>
    sluice.load %Q[%c0, %c0] to %q on MTE2 : <?x64xf16>, <64x64xf16, l1, zN>
    sluice.set_flag MTE2 to MTE1[%c1]
    sluice.wait_flag MTE2 to MTE1[%c1]
    sluice.copy %q to %l0a on MTE1 : <64x64xf16, l1, zN>, <64x64xf16, l0a, zZ>
    sluice.set_flag MTE1 to MTE2[%c0]
    sluice.set_flag M to MTE1[%c0]
    sluice.set_flag FIX to M[%c0]
    scf.for %t = %c0 to %n step %c1 {
      %key = arith.muli %t, %c64 : index
      %slot = arith.remsi %t, %c2 : index
      %at = arith.muli %slot, %c64 : index
      %reused = arith.cmpi sge, %t, %c2 : index
      sluice.wait_flag MTE1 to MTE2[%c0]
      sluice.load %K[%key, %c0] to %k on MTE2 : <128x64xf16>, <64x64xf16, l1, zN>
      sluice.set_flag MTE2 to MTE1[%c0]
      sluice.wait_flag MTE2 to MTE1[%c0]
      sluice.wait_flag M to MTE1[%c0]
      sluice.copy %k_t to %l0b on MTE1 : <64x64xf16, l1, zN, minor 0>, <64x64xf16, l0b, nZ>
      sluice.set_flag MTE1 to MTE2[%c0]
      sluice.set_flag MTE1 to M[%c0]
      sluice.wait_flag MTE1 to M[%c0]
      sluice.wait_flag FIX to M[%c0]
      sluice.mmad %l0c, %l0a, %l0b accumulate %no : <64x64xf32, l0c, zN>,
          <64x64xf16, l0a, zZ>, <64x64xf16, l0b, nZ>
      sluice.set_flag M to MTE1[%c0]
      sluice.set_flag M to FIX[%c0]
      sluice.wait_flag M to FIX[%c0]
      scf.if %reused { // both vector cores have read the tile before the last
        sluice.cross.wait on FIX[%c1]
      }
      sluice.store %l0c to %W[%at, %c0] on FIX : <64x64xf32, l0c, zN>, <128x64xf32>
      sluice.cross.set mode 2 on FIX[%c0]
      sluice.set_flag FIX to M[%c0]
    } {sluice.pipelined}
    scf.for %t = %c0 to %last step %c1 { // the tiles that nobody overwrites
      sluice.cross.wait on FIX[%c1]
    }
    sluice.wait_flag MTE1 to MTE2[%c0]
    sluice.wait_flag M to MTE1[%c0]
    sluice.wait_flag FIX to M[%c0]
  }

  sluice.role "vector" core "aiv" {
    %x = sluice.alloc "x" : !sluice.buffer<32x64xf32, ub, row>
    %half = sluice.subblock
    %mine = arith.muli %half, %c32 : index
    %second = arith.cmpi eq, %half, %c1 : index
    %first = arith.cmpi eq, %half, %c0 : index
    scf.if %second {
      sluice.cross.set mode 1 on MTE3[%c0]
    }
    sluice.set_flag MTE3 to MTE2[%c0]
    scf.for %t = %c0 to %n step %c1 {
      %slot = arith.remsi %t, %c2 : index
      %down = arith.muli %slot, %c64 : index
      %at = arith.addi %down, %mine : index
      %key = arith.muli %t, %c64 : index
      %to = arith.addi %key, %mine : index
      sluice.wait_flag MTE3 to MTE2[%c0]
      sluice.cross.wait on MTE2[%c0]
      sluice.load %W[%at, %c0] to %x on MTE2 : <128x64xf32>, <32x64xf32, ub, row>
      sluice.cross.set mode 2 on MTE2[%c1]
      sluice.set_flag MTE2 to MTE3[%c0]
      sluice.wait_flag MTE2 to MTE3[%c0]
      sluice.store %x to %O[%to, %c0] on MTE3 : <32x64xf32, ub, row>, <?x64xf32>
      sluice.set_flag MTE3 to MTE2[%c0]
    } {sluice.pipelined}
    scf.if %first {
      sluice.cross.wait on MTE2[%c0]
    }
    sluice.wait_flag MTE3 to MTE2[%c0]
  }
}

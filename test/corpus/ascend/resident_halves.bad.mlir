// RUN: not sluice check %s | FileCheck %s
// tilelang-ascend #1237. The same with three slots of L0A, and the copies limited to the first
// three steps: from the fourth step on a slot holds the other half of Q. No race and no deadlock:
// the wrong half is multiplied in every schedule. Expected: R28.
// CHECK: R28 (
// CHECK-SAME: mmad of pipe M of aic {{.*}} multiplies columns of Q from 0 by rows of K from 128; {{.*}}one operand is a stale or a wrong slot
sluice.kernel @qk(%Q: !sluice.tensor<?x256xf16> {sluice.name = "Q"},
                  %K: !sluice.tensor<?x256xf16> {sluice.name = "K"},
                  %S: !sluice.tensor<?x?xf32> {sluice.name = "S", sluice.out})
    attributes {target = "ascend910b", phase = "barrier"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %slots = arith.constant 3 : index
  %resident = arith.constant 3 : index
  %rows = sluice.dim %Q, 0 : <?x256xf16>
  %keys = sluice.dim %K, 0 : <?x256xf16>
  %blocks = arith.ceildivsi %rows, %c64 : index
  %n = arith.ceildivsi %keys, %c64 : index
  %steps = arith.muli %n, %c2 : index // two halves of the depth of 256
  %i = sluice.grid %blocks : index
  %row = arith.muli %i, %c64 : index

  sluice.role "cube" core "aic" {
    %q = sluice.alloc "q_l1" : !sluice.buffer<64x256xf16, l1, zN>
    %k = sluice.alloc "k_l1" : !sluice.buffer<64x128xf16, l1, zN>
    %l0a = sluice.alloc "l0a" : !sluice.buffer<64x128xf16, l0a, zZ, slots 3>
    %l0b = sluice.alloc "l0b" : !sluice.buffer<128x64xf16, l0b, nZ, slots 3>
    %l0c = sluice.alloc "l0c" : !sluice.buffer<64x64xf32, l0c, zN>
    sluice.load %Q[%row, %c0] to %q on MTE2 : <?x256xf16>, <64x256xf16, l1, zN>
    sluice.pipe_barrier ALL
    sluice.set_flag MTE1 to MTE2[%c0]
    sluice.set_flag FIX to M[%c0]
    scf.for %s = %c0 to %slots step %c1 {
      sluice.set_flag M to MTE1[%s]
    }
    scf.for %t = %c0 to %steps step %c1 {
      %side = arith.remsi %t, %slots : index
      %half = arith.remsi %t, %c2 : index
      %tile = arith.divsi %t, %c2 : index
      %key = arith.muli %tile, %c64 : index
      %depth = arith.muli %half, %c128 : index
      %second = arith.cmpi ne, %half, %c0 : index
      %first_half = arith.cmpi eq, %half, %c0 : index
      %fill = arith.cmpi slt, %t, %resident : index
      %a = sluice.slot %l0a[%side] : <64x128xf16, l0a, zZ, slots 3>
      %b = sluice.slot %l0b[%side] : <128x64xf16, l0b, nZ, slots 3>
      %q_half = sluice.subview %q[%c0, %depth] : <64x256xf16, l1, zN> to <64x128xf16, l1, zN>
      %k_t = sluice.transpose %k : <64x128xf16, l1, zN>
      sluice.wait_flag MTE1 to MTE2[%c0]
      sluice.load %K[%key, %depth] to %k on MTE2 : <?x256xf16>, <64x128xf16, l1, zN>
      sluice.set_flag MTE2 to MTE1[%c0]
      sluice.wait_flag MTE2 to MTE1[%c0]
      sluice.wait_flag M to MTE1[%side]
      scf.if %fill { // a half of Q stays in each slot
        sluice.copy %q_half to %a on MTE1 : <64x128xf16, l1, zN>, <64x128xf16, l0a, zZ>
      }
      sluice.copy %k_t to %b on MTE1 : <128x64xf16, l1, zN, minor 0>, <128x64xf16, l0b, nZ>
      sluice.set_flag MTE1 to MTE2[%c0]
      sluice.set_flag MTE1 to M[%side]
      sluice.wait_flag MTE1 to M[%side]
      scf.if %first_half {
        sluice.wait_flag FIX to M[%c0]
      }
      sluice.mmad %l0c, %a, %b accumulate %second : <64x64xf32, l0c, zN>,
          <64x128xf16, l0a, zZ>, <128x64xf16, l0b, nZ>
      sluice.set_flag M to MTE1[%side]
      scf.if %second {
        sluice.set_flag M to FIX[%c0]
        sluice.wait_flag M to FIX[%c0]
        sluice.store %l0c to %S[%row, %key] on FIX : <64x64xf32, l0c, zN>, <?x?xf32>
        sluice.set_flag FIX to M[%c0]
      }
    } {sluice.pipelined}
    sluice.wait_flag MTE1 to MTE2[%c0]
    sluice.wait_flag FIX to M[%c0]
    scf.for %s = %c0 to %slots step %c1 {
      sluice.wait_flag M to MTE1[%s]
    }
  }
}

// RUN: sluice check %s | FileCheck %s
// Ascend C, unitFlag (asc-devkit, mmad_unitflag): sums fill their place in L0C, and FIX stores each
// 512 bytes of them as soon as the last product of a tile has summed them up. The first products of
// the next tile follow it. No flag lies between M and FIX.
// CHECK: {{^}}proven
sluice.kernel @scores(%Q: !sluice.tensor<64x256xf16> {sluice.name = "Q"},
                      %K: !sluice.tensor<256x256xf16> {sluice.name = "K"},
                      %S: !sluice.tensor<64x256xf32> {sluice.name = "S", sluice.out})
    attributes {target = "ascend910b", phase = "barrier"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %i = sluice.grid %c1 : index

  sluice.role "cube" core "aic" {
    %q = sluice.alloc "q_l1" : !sluice.buffer<64x256xf16, l1, zN>
    %k = sluice.alloc "k_l1" : !sluice.buffer<64x256xf16, l1, zN>
    %l0a = sluice.alloc "l0a" : !sluice.buffer<64x128xf16, l0a, zZ, slots 2>
    %l0b = sluice.alloc "l0b" : !sluice.buffer<128x64xf16, l0b, nZ, slots 2>
    %l0c = sluice.alloc "l0c" : !sluice.buffer<64x64xf32, l0c, zN>
    sluice.load %Q[%c0, %c0] to %q on MTE2 : <64x256xf16>, <64x256xf16, l1, zN>
    sluice.set_flag MTE2 to MTE1[%c1]
    sluice.wait_flag MTE2 to MTE1[%c1]
    sluice.set_flag MTE1 to MTE2[%c0]
    sluice.set_flag M to MTE1[%c0]
    sluice.set_flag M to MTE1[%c1]
    scf.for %t = %c0 to %c4 step %c1 {
      %key = arith.muli %t, %c64 : index
      sluice.wait_flag MTE1 to MTE2[%c0]
      sluice.load %K[%key, %c0] to %k on MTE2 : <256x256xf16>, <64x256xf16, l1, zN>
      sluice.set_flag MTE2 to MTE1[%c0]
      sluice.wait_flag MTE2 to MTE1[%c0]
      scf.for %half = %c0 to %c2 step %c1 {
        %depth = arith.muli %half, %c128 : index
        %second = arith.cmpi eq, %half, %c1 : index
        %a = sluice.slot %l0a[%half] : <64x128xf16, l0a, zZ, slots 2>
        %b = sluice.slot %l0b[%half] : <128x64xf16, l0b, nZ, slots 2>
        %q_half = sluice.subview %q[%c0, %depth] : <64x256xf16, l1, zN> to <64x128xf16, l1, zN>
        %k_half = sluice.subview %k[%c0, %depth] : <64x256xf16, l1, zN> to <64x128xf16, l1, zN>
        %k_t = sluice.transpose %k_half : <64x128xf16, l1, zN>
        sluice.wait_flag M to MTE1[%half]
        sluice.copy %q_half to %a on MTE1 : <64x128xf16, l1, zN>, <64x128xf16, l0a, zZ>
        sluice.copy %k_t to %b on MTE1 : <128x64xf16, l1, zN, minor 0>, <128x64xf16, l0b, nZ>
        sluice.set_flag MTE1 to M[%half]
        sluice.wait_flag MTE1 to M[%half]
        scf.if %second {
          sluice.mmad %l0c, %a, %b accumulate %second units 3 : <64x64xf32, l0c, zN>,
              <64x128xf16, l0a, zZ>, <128x64xf16, l0b, nZ>
        } else {
          sluice.mmad %l0c, %a, %b accumulate %second units 2 : <64x64xf32, l0c, zN>,
              <64x128xf16, l0a, zZ>, <128x64xf16, l0b, nZ>
        }
        sluice.set_flag M to MTE1[%half]
      }
      sluice.set_flag MTE1 to MTE2[%c0]
      sluice.store %l0c to %S[%c0, %key] on FIX units : <64x64xf32, l0c, zN>, <64x256xf32>
    } {sluice.pipelined}
    sluice.wait_flag MTE1 to MTE2[%c0]
    sluice.wait_flag M to MTE1[%c0]
    sluice.wait_flag M to MTE1[%c1]
  }
}

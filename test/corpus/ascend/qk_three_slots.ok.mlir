// RUN: sluice check %s | FileCheck %s
// tilelang-ascend #1237. Three slots on tiles of 64 x 128: Q is copied in the first three steps,
// once into every slot.
// CHECK: {{^}}proven
sluice.kernel @qk(%Q: !sluice.tensor<?x128xf16> {sluice.name = "Q"},
                  %K: !sluice.tensor<?x128xf16> {sluice.name = "K"},
                  %S: !sluice.tensor<?x?xf16> {sluice.name = "S", sluice.out})
    attributes {target = "ascend910b", phase = "barrier"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %slots = arith.constant 3 : index
  %resident = arith.constant 3 : index
  %block = arith.constant 64 : index
  %step = arith.constant 64 : index
  %k_flag = arith.constant 0 : index
  %ab_flag = arith.constant 1 : index
  %acc_flag = arith.constant 3 : index
  %no = arith.constant false
  %rows = sluice.dim %Q, 0 : <?x128xf16>
  %keys = sluice.dim %K, 0 : <?x128xf16>
  %blocks = arith.ceildivsi %rows, %block : index
  %n = arith.ceildivsi %keys, %step : index
  %i = sluice.grid %blocks : index
  %row = arith.muli %i, %block : index

  sluice.role "cube" core "aic" {
    %q = sluice.alloc "q_l1" : !sluice.buffer<64x128xf16, l1, zN>
    %k = sluice.alloc "k_l1" : !sluice.buffer<64x128xf16, l1, zN>
    %l0a = sluice.alloc "l0a" : !sluice.buffer<64x128xf16, l0a, zZ, slots 3>
    %l0b = sluice.alloc "l0b" : !sluice.buffer<128x64xf16, l0b, nZ, slots 3>
    %l0c = sluice.alloc "l0c" : !sluice.buffer<64x64xf32, l0c, zN, slots 3>
    sluice.load %Q[%row, %c0] to %q on MTE2 : <?x128xf16>, <64x128xf16, l1, zN>
    sluice.pipe_barrier ALL

    // Credits: the L1 tile of K, both L0 slots and both L0C slots are free.
    sluice.set_flag MTE1 to MTE2[%k_flag]
    scf.for %s = %c0 to %slots step %c1 {
      %ab = arith.addi %s, %ab_flag : index
      %acc = arith.addi %s, %acc_flag : index
      sluice.set_flag M to MTE1[%ab]
      sluice.set_flag FIX to M[%acc]
    }

    scf.for %t = %c0 to %n step %c1 {
      %side = arith.remsi %t, %slots : index
      %ab = arith.addi %side, %ab_flag : index
      %acc = arith.addi %side, %acc_flag : index
      %first = arith.cmpi slt, %t, %resident : index
      %key = arith.muli %t, %step : index
      %l0a_side = sluice.slot %l0a[%side] : <64x128xf16, l0a, zZ, slots 3>
      %l0b_side = sluice.slot %l0b[%side] : <128x64xf16, l0b, nZ, slots 3>
      %l0c_side = sluice.slot %l0c[%side] : <64x64xf32, l0c, zN, slots 3>
      %k_t = sluice.transpose %k : <64x128xf16, l1, zN>
      sluice.wait_flag MTE1 to MTE2[%k_flag]
      sluice.load %K[%key, %c0] to %k on MTE2 : <?x128xf16>, <64x128xf16, l1, zN>
      sluice.set_flag MTE2 to MTE1[%k_flag]

      sluice.wait_flag MTE2 to MTE1[%k_flag]
      sluice.wait_flag M to MTE1[%ab]
      scf.if %first {
        sluice.copy %q to %l0a_side on MTE1 : <64x128xf16, l1, zN>, <64x128xf16, l0a, zZ>
      }
      sluice.copy %k_t to %l0b_side on MTE1
          : <128x64xf16, l1, zN, minor 0>, <128x64xf16, l0b, nZ>
      sluice.set_flag MTE1 to MTE2[%k_flag]
      sluice.set_flag MTE1 to M[%ab]

      sluice.wait_flag MTE1 to M[%ab]
      sluice.wait_flag FIX to M[%acc]
      sluice.mmad %l0c_side, %l0a_side, %l0b_side accumulate %no
          : <64x64xf32, l0c, zN>, <64x128xf16, l0a, zZ>, <128x64xf16, l0b, nZ>
      sluice.set_flag M to MTE1[%ab]
      sluice.set_flag M to FIX[%acc]

      sluice.wait_flag M to FIX[%acc]
      sluice.store %l0c_side to %S[%row, %key] on FIX : <64x64xf32, l0c, zN>, <?x?xf16>
      sluice.set_flag FIX to M[%acc]
    } {sluice.pipelined}

    // The credits are taken back: no flag stays set.
    sluice.wait_flag MTE1 to MTE2[%k_flag]
    scf.for %s = %c0 to %slots step %c1 {
      %ab = arith.addi %s, %ab_flag : index
      %acc = arith.addi %s, %acc_flag : index
      sluice.wait_flag M to MTE1[%ab]
      sluice.wait_flag FIX to M[%acc]
    }
  }
}

// RUN: sluice check %s | FileCheck %s
// Ascend C, LoadDataWithTranspose: C = A^T B of s8, both with contiguous rows, so that both are
// turned on their way to L0, by squares of 32 x 32: two fractals below each other in L1.
// CHECK: {{^}}proven
sluice.kernel @turned_bytes(%A: !sluice.tensor<?x64xi8> {sluice.name = "A"},
                      %B: !sluice.tensor<?x32xi8> {sluice.name = "B"},
                      %C: !sluice.tensor<64x32xi32> {sluice.name = "C", sluice.out})
    attributes {target = "ascend910b", phase = "barrier"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %depth = sluice.dim %A, 0 : <?x64xi8>
  %some = arith.ceildivsi %depth, %c64 : index
  %n = arith.maxsi %some, %c1 : index // a step of zeros where there is none
  %i = sluice.grid %c1 : index

  sluice.role "cube" core "aic" {
    %a = sluice.alloc "a" : !sluice.buffer<64x64xi8, l1, zN>
    %b = sluice.alloc "b" : !sluice.buffer<64x32xi8, l1, zN>
    %l0a = sluice.alloc "l0a" : !sluice.buffer<64x32xi8, l0a, zZ>
    %l0b = sluice.alloc "l0b" : !sluice.buffer<32x32xi8, l0b, nZ>
    %l0c = sluice.alloc "l0c" : !sluice.buffer<64x32xi32, l0c, zN>
    sluice.set_flag MTE1 to MTE2[%c0]
    sluice.set_flag M to MTE1[%c0]
    scf.for %t = %c0 to %n step %c1 {
      %row = arith.muli %t, %c64 : index
      sluice.wait_flag MTE1 to MTE2[%c0]
      sluice.load %A[%row, %c0] to %a on MTE2 : <?x64xi8>, <64x64xi8, l1, zN>
      sluice.load %B[%row, %c0] to %b on MTE2 : <?x32xi8>, <64x32xi8, l1, zN>
      sluice.set_flag MTE2 to MTE1[%c0]
      sluice.wait_flag MTE2 to MTE1[%c0]
      scf.for %k = %c0 to %c64 step %c32 {
        %second = arith.cmpi ne, %k, %c0 : index
        %later = arith.cmpi ne, %t, %c0 : index
        %adds = arith.ori %second, %later : i1
        %rows = sluice.subview %a[%k, %c0] : <64x64xi8, l1, zN> to <32x64xi8, l1, zN>
        %a_t = sluice.transpose %rows : <32x64xi8, l1, zN>
        %part = sluice.subview %b[%k, %c0] : <64x32xi8, l1, zN> to <32x32xi8, l1, zN>
        sluice.wait_flag M to MTE1[%c0]
        sluice.copy %a_t to %l0a on MTE1 : <64x32xi8, l1, zN, minor 0>, <64x32xi8, l0a, zZ>
        sluice.copy %part to %l0b on MTE1 : <32x32xi8, l1, zN>, <32x32xi8, l0b, nZ>
        sluice.set_flag MTE1 to M[%c0]
        sluice.wait_flag MTE1 to M[%c0]
        sluice.mmad %l0c, %l0a, %l0b accumulate %adds : <64x32xi32, l0c, zN>,
            <64x32xi8, l0a, zZ>, <32x32xi8, l0b, nZ>
        sluice.pipe_barrier M // 8 fractals: the next product could overtake the sum
        sluice.set_flag M to MTE1[%c0]
      }
      sluice.set_flag MTE1 to MTE2[%c0]
    } {sluice.pipelined}
    sluice.wait_flag MTE1 to MTE2[%c0]
    sluice.wait_flag M to MTE1[%c0]
    sluice.set_flag M to FIX[%c0]
    sluice.wait_flag M to FIX[%c0]
    sluice.store %l0c to %C[%c0, %c0] on FIX : <64x32xi32, l0c, zN>, <64x32xi32>
  }
}

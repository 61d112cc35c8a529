// C = A B in the structure of CATLASS's ping-pong block (block_mmad_pingpong.hpp, tiles of
// 128 x 256 x 256 in L1 and 128 x 256 x 64 in L0): two slots of A and of B in L1, each with a flag
// of its own, halves of L0A and L0B, one tile of sums. Between MTE1 and M CATLASS has one event id
// for both halves; it is set a second time before M has waited, which no rule of flags allows.
// RUN: sluice check %s | FileCheck %s --check-prefix=PROOF
// RUN: %python %S/../../language/Inputs/products.py %t
// RUN: sluice run %s --in A=%t/A.npy B=%t/B.npy --set C=200x144 --expect C=%t/AB16.npy | FileCheck %s --check-prefix=RIGHT
// RUN: sed 's/M\[%%half\]/M[%%c0]/' %s > %t/one.mlir
// RUN: not sluice check %t/one.mlir | FileCheck %s --check-prefix=ONE
// The structure that the lowering derives, planned, takes no longer.
// RUN: sluice trace %s --set A=4096x4096 B=4096x4096 C=4096x4096 | FileCheck %s --check-prefix=TIME
// RUN: sluice trace gemm --target ascend910b --set M=4096 N=4096 K=4096 | FileCheck %s --check-prefix=OURS
// PROOF: {{^}}proven: every launch
// RIGHT: within
// ONE: R32
// TIME: cycles {{ *}}942,089
// OURS: cycles {{ *}}942,089
sluice.kernel @gemm(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                    %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                    %C: !sluice.tensor<?x?xf16, align 16> {sluice.name = "C", sluice.out})
    attributes {target = "ascend910b", phase = "barrier"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c24 = arith.constant 24 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %rows = sluice.dim %C, 0 : <?x?xf16, align 16>
  %cols = sluice.dim %C, 1 : <?x?xf16, align 16>
  %depth = sluice.dim %A, 1 : <?x?xf16, align 16>
  %down = arith.ceildivsi %rows, %c128 : index
  %across = arith.ceildivsi %cols, %c256 : index
  %some = arith.ceildivsi %depth, %c256 : index
  %steps = arith.maxsi %some, %c1 : index
  %tiles = arith.muli %down, %across : index
  %cores = arith.minsi %tiles, %c24 : index
  %core = sluice.grid %cores : index
  sluice.role "cube" core "aic" {
    %a = sluice.alloc "a" : !sluice.buffer<128x256xf16, l1, zN, slots 2>
    %b = sluice.alloc "b" : !sluice.buffer<256x256xf16, l1, zN, slots 2>
    %l0a = sluice.alloc "l0a" : !sluice.buffer<128x64xf16, l0a, zZ, slots 2>
    %l0b = sluice.alloc "l0b" : !sluice.buffer<64x256xf16, l0b, nZ, slots 2>
    %sum = sluice.alloc "sum" : !sluice.buffer<128x256xf32, l0c, zN>

    // All slots are free: A has ids 0 and 1, B 2 and 3.
    scf.for %id = %c0 to %c4 step %c1 {
      sluice.set_flag MTE1 to MTE2[%id]
      sluice.set_flag M to MTE1[%id]
    }
    sluice.set_flag FIX to M[%c0]
    %start = sluice.cursor : !sluice.cursor<2>
    %end = scf.for %tile = %core to %tiles step %cores iter_args(%first = %start) -> (!sluice.cursor<2>) {
      %i = arith.divsi %tile, %across : index
      %j = arith.remsi %tile, %across : index
      %row = arith.muli %i, %c128 : index
      %col = arith.muli %j, %c256 : index
      sluice.wait_flag FIX to M[%c0]
      %last = scf.for %k = %c0 to %steps step %c1 iter_args(%at = %first) -> (!sluice.cursor<2>) {
        %slot = sluice.cursor.slot %at : <2>
        %of_b = arith.addi %slot, %c2 : index
        %a_slot = sluice.slot %a[%slot] : <128x256xf16, l1, zN, slots 2>
        %b_slot = sluice.slot %b[%slot] : <256x256xf16, l1, zN, slots 2>
        %from = arith.muli %k, %c256 : index
        sluice.wait_flag MTE1 to MTE2[%slot]
        sluice.load %A[%row, %from] to %a_slot on MTE2 : <?x?xf16, align 16>, <128x256xf16, l1, zN>
        sluice.set_flag MTE2 to MTE1[%slot]
        sluice.wait_flag MTE1 to MTE2[%of_b]
        sluice.load %B[%from, %col] to %b_slot on MTE2 : <?x?xf16, align 16>, <256x256xf16, l1, zN>
        sluice.set_flag MTE2 to MTE1[%of_b]
        sluice.wait_flag MTE2 to MTE1[%slot]
        sluice.wait_flag MTE2 to MTE1[%of_b]
        scf.for %kk = %c0 to %c4 step %c1 {
          %half = arith.remsi %kk, %c2 : index
          %half_of_b = arith.addi %half, %c2 : index
          %part = arith.muli %kk, %c64 : index
          %step_behind = arith.cmpi ne, %k, %c0 : index
          %part_behind = arith.cmpi ne, %kk, %c0 : index
          %later = arith.ori %step_behind, %part_behind : i1
          %a_half = sluice.slot %l0a[%half] : <128x64xf16, l0a, zZ, slots 2>
          %b_half = sluice.slot %l0b[%half] : <64x256xf16, l0b, nZ, slots 2>
          %a_part = sluice.subview %a_slot[%c0, %part] : <128x256xf16, l1, zN> to <128x64xf16, l1, zN>
          %b_part = sluice.subview %b_slot[%part, %c0] : <256x256xf16, l1, zN> to <64x256xf16, l1, zN>
          sluice.wait_flag M to MTE1[%half]
          sluice.copy %a_part to %a_half on MTE1 : <128x64xf16, l1, zN>, <128x64xf16, l0a, zZ>
          sluice.wait_flag M to MTE1[%half_of_b]
          sluice.copy %b_part to %b_half on MTE1 : <64x256xf16, l1, zN>, <64x256xf16, l0b, nZ>
          sluice.set_flag MTE1 to M[%half]
          sluice.wait_flag MTE1 to M[%half]
          sluice.mmad %sum, %a_half, %b_half accumulate %later
              : <128x256xf32, l0c, zN>, <128x64xf16, l0a, zZ>, <64x256xf16, l0b, nZ>
          sluice.set_flag M to MTE1[%half]
          sluice.set_flag M to MTE1[%half_of_b]
        }
        sluice.set_flag MTE1 to MTE2[%slot]
        sluice.set_flag MTE1 to MTE2[%of_b]
        %next = sluice.cursor.advance %at : <2>
        scf.yield %next : !sluice.cursor<2>
      } {sluice.pipelined}
      sluice.set_flag M to FIX[%c0]
      sluice.wait_flag M to FIX[%c0]
      sluice.store %sum to %C[%row, %col] on FIX : <128x256xf32, l0c, zN>, <?x?xf16, align 16>
      sluice.set_flag FIX to M[%c0]
      scf.yield %last : !sluice.cursor<2>
    }
    sluice.wait_flag FIX to M[%c0]
    scf.for %id = %c0 to %c4 step %c1 {
      sluice.wait_flag MTE1 to MTE2[%id]
      sluice.wait_flag M to MTE1[%id]
    }
  }
}

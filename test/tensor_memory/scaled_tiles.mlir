// C = A B of 8-bit floats with factors (MXFP8) from tiles: the product takes the factors of its tiles.
// Where they lie, and what brings them there, is derived; it needs no assumption on the order of
// copies, and that factors are of the step of their tiles is proven (R28).
// RUN: sluice check %s --strict | FileCheck %s
// CHECK: {{^}}proven: every launch
// CHECK-NOT: {{factors-in-step|copies-in-order}}
// RUN: %python %S/Inputs/scaled.py %t.in 200 160 912
// RUN: sluice run %s --in A=%t.in/A.npy B=%t.in/B.npy SA=%t.in/SA.npy SB=%t.in/SB.npy --set C=200x160 --chaos 10 --expect C=%t.in/C.npy
// RUN: %if nvcc %{ sluice run %s --in A=%t.in/A.npy B=%t.in/B.npy SA=%t.in/SA.npy SB=%t.in/SB.npy --set C=200x160 --device host --expect C=%t.in/C.npy | FileCheck %s --check-prefix=HOST %}
// HOST: are the virtual machine's, bit by bit
// RUN: sluice emit %s | FileCheck %s --check-prefix=CODE
// The slots of factors in tensor memory are the ring's: a fence in front of the copies, none for who loads.
// CODE: mbarrierWait(full[
// CODE-NEXT: fenceTmemAfter();
// CODE-NEXT: if (electLane()) {
// CODE-NEXT: tmemCopyScales(tmem + 4 * at_a_b_sa_sb.slot + 128, sa[at_a_b_sa_sb.slot]
// CODE: tmemCopyScales(tmem + 4 * at_a_b_sa_sb.slot + 140, sb[at_a_b_sa_sb.slot]
// CODE-NOT: tmemWaitStores
// CODE: tcgen05MmaScaled<128, 128>(
// CODE: tcgen05Commit(empty[
// CODE: mbarrierWait(empty[at_a_b_sa_sb.slot], at_a_b_sa_sb.phase ^ 1);
// CODE-NEXT: if (electLane()) {
// CODE-NEXT: mbarrierArriveExpectTx(full[at_a_b_sa_sb.slot], 33792);
// Factors of another step.
// RUN: sed 's/load %%SB\[%%j, %%k32/load %%SB[%%j, %%k/' %s > %t.step.mlir
// RUN: not sluice check %t.step.mlir | FileCheck %s --check-prefix=STEP
// STEP: R28 (Operands belong together): tcgen05.mma of mma warp 4 of CTA (0,0) at {{.*}} multiplies columns of B from 128 with lines of SB from 128, the factors of columns from 512; in earlier steps of the same sum the two were 0 apart: the factors are of a stale or a wrong slot. Producer and consumer of both must count the same slots
// Steps that two CTAs share begin at unknown numbers, of tiles and factors alike.
// RUN: sed 's/sluice.stages = 3/&, sluice.split = 2/' %s > %t.split.mlir
// RUN: sluice check %t.split.mlir --strict | FileCheck %s
// RUN: sed 's/sluice.stages = 3/&, sluice.split = 2/' %t.step.mlir > %t.split_step.mlir
// RUN: not sluice check %t.split_step.mlir | FileCheck %s --check-prefix=STEP
// What no instruction takes, and what is not lowered.
// RUN: sed 's/sm_100a"/sm_90a"/' %s > %t.hopper.mlir
// RUN: not sluice check %t.hopper.mlir 2>&1 | FileCheck %s --check-prefix=HOPPER
// RUN: sed 's/sm_100a"/ascend910b"/' %s > %t.ascend.mlir
// RUN: not sluice check %t.ascend.mlir 2>&1 | FileCheck %s --check-prefix=HOPPER
// HOPPER: :[[#]]:5: unsupported: block-scaled products begin with sm_100a; multiply by the factors in an element function, or leave `scales` out
// RUN: sed 's/f8E4M3FN/bf16/g' %s > %t.type.mlir
// RUN: not sluice check %t.type.mlir 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: 'sluice.mma' op no factors of f8E8M0FNU scale blocks of bf16; f8E4M3FN, f8E5M2, f6E2M3FN, f6E3M2FN and f4E2M1FN have those of f8E8M0FNU
// RUN: sed '/"a"\|%%acc\|load %%A/s/128x128/64x128/; /sluice.mma/s/128x128xf8E4M3FN/64x128xf8E4M3FN/' %s > %t.rows.mlir
// RUN: not sluice check %t.rows.mlir 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS: :[[#]]:5: unsupported: tile has 64 rows; block-scaled products of 128 and 256 rows are lowered
// RUN: sed 's/128x128xf8E4M3FN/128x256xf8E4M3FN/g; s/128x256xf8E4M3FN, minor 0/256x128xf8E4M3FN, minor 0/' %s > %t.deep.mlir
// RUN: not sluice check %t.deep.mlir 2>&1 | FileCheck %s --check-prefix=DEEP
// DEEP: 'sluice.mma' op the factors of a are a tile of 64x16xf8E8M0FNU, 32 rows of 16 bytes for each 128 rows and four blocks along K
// RUN: sed 's/32x16xf8E8M0FNU/64x16xf8E8M0FNU/g' %s > %t.shape.mlir
// RUN: not sluice check %t.shape.mlir 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: 'sluice.mma' op the factors of a are a tile of 32x16xf8E8M0FNU, 32 rows of 16 bytes for each 128 rows
// RUN: sed 's/^    sluice.mma.*/    sluice.store %%sa to %%SC[%%c0, %%k32] : <32x16xf8E8M0FNU>, <?x?xf8E8M0FNU>\n&/; s/^ *%%C: /%%SC: !sluice.tensor<?x?xf8E8M0FNU> {sluice.name = "SC", sluice.out},\n&/' %s > %t.stored.mlir
// RUN: not sluice check %t.stored.mlir 2>&1 | FileCheck %s --check-prefix=STORED
// STORED: :[[#]]:5: unsupported: uses tile 'sa' of factors, which is loaded for products alone
sluice.kernel @scaled(%A: !sluice.tensor<?x?xf8E4M3FN, align 16> {sluice.name = "A"},
                      %B: !sluice.tensor<?x?xf8E4M3FN, align 16> {sluice.name = "B"}, // [N, K]
                      %SA: !sluice.tensor<?x?x16xf8E8M0FNU, align 16> {sluice.name = "SA"},
                      %SB: !sluice.tensor<?x?x16xf8E8M0FNU, align 16> {sluice.name = "SB"},
                      %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_100a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %A, 0 : <?x?xf8E4M3FN, align 16>
  %N = sluice.dim %B, 0 : <?x?xf8E4M3FN, align 16>
  %K = sluice.dim %A, 1 : <?x?xf8E4M3FN, align 16>
  %gm = arith.ceildivsi %M, %c128 : index
  %gn = arith.ceildivsi %N, %c128 : index
  %steps = arith.ceildivsi %K, %c128 : index
  %i, %j = sluice.grid %gm, %gn : index, index
  %row = arith.muli %i, %c128 : index
  %col = arith.muli %j, %c128 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<128x128xf32>
  sluice.fill %acc with 0.0 : <128x128xf32>
  scf.for %t = %c0 to %steps step %c1 {
    %k = arith.muli %t, %c128 : index
    %k32 = arith.muli %t, %c32 : index
    %a = sluice.alloc "a" : !sluice.buffer<128x128xf8E4M3FN>
    sluice.load %A[%row, %k] to %a : <?x?xf8E4M3FN, align 16>, <128x128xf8E4M3FN>
    %b = sluice.alloc "b" : !sluice.buffer<128x128xf8E4M3FN>
    sluice.load %B[%col, %k] to %b : <?x?xf8E4M3FN, align 16>, <128x128xf8E4M3FN>
    %sa = sluice.alloc "sa" : !sluice.buffer<32x16xf8E8M0FNU>
    sluice.load %SA[%i, %k32, %c0] to %sa : <?x?x16xf8E8M0FNU, align 16>, <32x16xf8E8M0FNU>
    %sb = sluice.alloc "sb" : !sluice.buffer<32x16xf8E8M0FNU>
    sluice.load %SB[%j, %k32, %c0] to %sb : <?x?x16xf8E8M0FNU, align 16>, <32x16xf8E8M0FNU>
    %bt = sluice.transpose %b : <128x128xf8E4M3FN>
    sluice.mma %acc, %a, %bt scales %sa, %sb : <128x128xf32>, <128x128xf8E4M3FN>,
        <128x128xf8E4M3FN, minor 0>, !sluice.buffer<32x16xf8E8M0FNU>, !sluice.buffer<32x16xf8E8M0FNU>
  } {sluice.name = "k", sluice.stages = 3 : i64}
  sluice.store %acc to %C[%row, %col] : <128x128xf32>, <?x?xf32>
}

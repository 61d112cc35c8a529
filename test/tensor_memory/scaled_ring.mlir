// C = A B of 8-bit floats with factors (MXFP8), by roles and a ring: the factors come by TMA with the
// tiles that they scale, and what they are copied to in tensor memory is of the same slots. No copy
// comes to factors that a product may still read: it needs no assumption on the order of copies.
// RUN: sluice check %s --strict | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: sluice barriers %s | FileCheck %s --check-prefix=TABLE
// TABLE: full 0 1 33792 TMA of load warp 4, load warp 4 mma warp 5
// TABLE: empty 0 1 0 mma warp 5 load warp 4
// RUN: %python %S/Inputs/scaled.py %t.in 200 160 912
// RUN: sluice run %s --in A=%t.in/A.npy B=%t.in/B.npy SA=%t.in/SA.npy SB=%t.in/SB.npy --set C=200x160 --chaos 10 --expect C=%t.in/C.npy
// RUN: %if nvcc %{ sluice run %s --in A=%t.in/A.npy B=%t.in/B.npy SA=%t.in/SA.npy SB=%t.in/SB.npy --set C=200x160 --device host --expect C=%t.in/C.npy | FileCheck %s --check-prefix=HOST %}
// HOST: are the virtual machine's, bit by bit
// RUN: sluice emit %s -o %t.one/
// RUN: %if nvcc %{ %nvcc100 -cubin -I %t.one -o %t.cubin %t.one/scaled.cu %}
// RUN: sluice mutate %s --set A=128x304 B=100x304 SA=1x96x16 SB=1x96x16 C=128x100 --sample 60 --random 3 | FileCheck %s --check-prefix=MUTANTS
// MUTANTS: mutants, {{[1-9][0-9]*}} refused, {{.*}} 0 DISAGREEMENT
// A role of its own copies them: a ring brings them there, and another one hands them on, by commits
// on either side.
// RUN: sed -f %S/Inputs/factors_apart.sed %s > %t.apart.mlir
// RUN: sluice check %t.apart.mlir --strict | FileCheck %s
// RUN: sluice barriers %t.apart.mlir | FileCheck %s --check-prefix=APART
// APART: empty_factors 0 1 0 copy warp 6 load warp 4
// APART: full_copied 0 1 0 copy warp 6 mma warp 5
// APART: empty_copied 0 1 0 mma warp 5 copy warp 6
// RUN: sluice run %t.apart.mlir --in A=%t.in/A.npy B=%t.in/B.npy SA=%t.in/SA.npy SB=%t.in/SB.npy --set C=200x160 --chaos 10 --expect C=%t.in/C.npy
// RUN: sluice mutate %t.apart.mlir --set A=128x304 B=100x304 SA=1x96x16 SB=1x96x16 C=128x100 --sample 60 --random 3 | FileCheck %s --check-prefix=MUTANTS
// By a pair of CTAs: one thread copies in both, which nobody has to say.
// RUN: sed -f %S/Inputs/pair_of_ring.sed %s > %t.pair.mlir
// RUN: sluice check %t.pair.mlir --strict | FileCheck %s
// RUN: sluice barriers %t.pair.mlir | FileCheck %s --check-prefix=OFPAIR
// OFPAIR: full 0 2 51200 CTA rank 1 TMA of load warp 4, CTA rank 1 load warp 4, TMA of load warp 4, load warp 4 mma warp 5
// RUN: %python %S/Inputs/scaled.py %t.in 300 160 912
// RUN: sluice run %t.pair.mlir --in A=%t.in/A.npy B=%t.in/B.npy SA=%t.in/SA.npy SB=%t.in/SB.npy --set C=300x160 --chaos 10 --expect C=%t.in/C.npy
// RUN: sluice emit %t.pair.mlir | FileCheck %s --check-prefix=TEXT
// TEXT: tmemCopyScales<2>(
// TEXT: tcgen05MmaScaled<128, 128, ue8m0, 2>(
// Slots in tensor memory that are of no ring: no fence lies in front of the copies to them.
// RUN: sed 's/, %%ta, %%tb$//; s/^\( *!sluice.buffer<32x16.*slots 3>\),$/\1/; /^ *!sluice.buffer<128x16xf8E8M0FNU, tmem, row, slots 3>, /d' %s > %t.none.mlir
// RUN: not sluice check %t.none.mlir --strict | FileCheck %s --check-prefix=NONE
// NONE: R44 (Fences of tensor memory): tcgen05.cp of mma warp 5 of CTA (0,0) at {{.*}} overwrites ta[0]
sluice.kernel @scaled(%A: !sluice.tensor<?x?xf8E4M3FN, align 16> {sluice.name = "A"},
                      %B: !sluice.tensor<?x?xf8E4M3FN, align 16> {sluice.name = "B"}, // [N, K]
                      %SA: !sluice.tensor<?x?x16xf8E8M0FNU, align 16> {sluice.name = "SA"},
                      %SB: !sluice.tensor<?x?x16xf8E8M0FNU, align 16> {sluice.name = "SB"},
                      %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_100a", phase = "pipeline"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %A, 0 : <?x?xf8E4M3FN, align 16>
  %N = sluice.dim %B, 0 : <?x?xf8E4M3FN, align 16>
  %K = sluice.dim %A, 1 : <?x?xf8E4M3FN, align 16>
  %gm = arith.ceildivsi %M, %c128 : index
  %gn = arith.ceildivsi %N, %c128 : index
  %some = arith.ceildivsi %K, %c128 : index
  %steps = arith.maxsi %some, %c1 : index // where K is 0, tiles of zeros
  %i, %j = sluice.grid %gm, %gn : index, index
  %row = arith.muli %i, %c128 : index
  %col = arith.muli %j, %c128 : index
  %a = sluice.alloc "a" : !sluice.buffer<128x128xf8E4M3FN, smem, sw128, slots 3>
  %b = sluice.alloc "b" : !sluice.buffer<128x128xf8E4M3FN, smem, sw128, slots 3>
  %sa = sluice.alloc "sa" : !sluice.buffer<32x16xf8E8M0FNU, smem, row, slots 3>
  %sb = sluice.alloc "sb" : !sluice.buffer<32x16xf8E8M0FNU, smem, row, slots 3>
  %d = sluice.alloc "d" : !sluice.buffer<128x128xf32, tmem, row>
  %ta = sluice.alloc "ta" : !sluice.buffer<128x16xf8E8M0FNU, tmem, row, slots 3>
  %tb = sluice.alloc "tb" : !sluice.buffer<128x16xf8E8M0FNU, tmem, row, slots 3>
  %tiles = sluice.pipeline "tiles" over %a, %b, %sa, %sb, %ta, %tb
      : !sluice.buffer<128x128xf8E4M3FN, smem, sw128, slots 3>, !sluice.buffer<128x128xf8E4M3FN, smem, sw128, slots 3>,
        !sluice.buffer<32x16xf8E8M0FNU, smem, row, slots 3>, !sluice.buffer<32x16xf8E8M0FNU, smem, row, slots 3>,
        !sluice.buffer<128x16xf8E8M0FNU, tmem, row, slots 3>, !sluice.buffer<128x16xf8E8M0FNU, tmem, row, slots 3>
      from ["load"] to ["mma"] : !sluice.pipeline<3>
  %sums = sluice.pipeline "sums" over %d : !sluice.buffer<128x128xf32, tmem, row>
      from ["mma"] to ["epilogue"] {empty = "none"} : !sluice.pipeline<1>
  %ring = sluice.cursor : !sluice.cursor<3>
  %one = sluice.cursor : !sluice.cursor<1>

  sluice.role "load" warps 4 to 5 {
    %end = scf.for %t = %c0 to %steps step %c1 iter_args(%at = %ring) -> !sluice.cursor<3> {
      %k = arith.muli %t, %c128 : index
      %k32 = arith.muli %t, %c32 : index
      %slot = sluice.cursor.slot %at : <3>
      %as = sluice.slot %a[%slot] : <128x128xf8E4M3FN, smem, sw128, slots 3>
      %bs = sluice.slot %b[%slot] : <128x128xf8E4M3FN, smem, sw128, slots 3>
      %sas = sluice.slot %sa[%slot] : <32x16xf8E8M0FNU, smem, row, slots 3>
      %sbs = sluice.slot %sb[%slot] : <32x16xf8E8M0FNU, smem, row, slots 3>
      sluice.acquire %tiles[%at] : <3>
      sluice.load %A[%row, %k] to %as
          : <?x?xf8E4M3FN, align 16>, <128x128xf8E4M3FN, smem, sw128>
      sluice.load %B[%col, %k] to %bs
          : <?x?xf8E4M3FN, align 16>, <128x128xf8E4M3FN, smem, sw128>
      sluice.load %SA[%i, %k32, %c0] to %sas
          : <?x?x16xf8E8M0FNU, align 16>, <32x16xf8E8M0FNU, smem, row>
      sluice.load %SB[%j, %k32, %c0] to %sbs
          : <?x?x16xf8E8M0FNU, align 16>, <32x16xf8E8M0FNU, smem, row>
      sluice.commit %tiles[%at] : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
    sluice.tail %tiles[%end] : <3>
  }

  sluice.role "mma" warps 5 to 6 {
    scf.for %t = %c0 to %steps step %c1 iter_args(%at = %ring) -> !sluice.cursor<3> {
      %slot = sluice.cursor.slot %at : <3>
      %as = sluice.slot %a[%slot] : <128x128xf8E4M3FN, smem, sw128, slots 3>
      %bs = sluice.slot %b[%slot] : <128x128xf8E4M3FN, smem, sw128, slots 3>
      %sas = sluice.slot %sa[%slot] : <32x16xf8E8M0FNU, smem, row, slots 3>
      %sbs = sluice.slot %sb[%slot] : <32x16xf8E8M0FNU, smem, row, slots 3>
      %tas = sluice.slot %ta[%slot] : <128x16xf8E8M0FNU, tmem, row, slots 3>
      %tbs = sluice.slot %tb[%slot] : <128x16xf8E8M0FNU, tmem, row, slots 3>
      %bt = sluice.transpose %bs : <128x128xf8E4M3FN, smem, sw128>
      %more = arith.cmpi ne, %t, %c0 : index
      sluice.wait %tiles[%at] : <3>
      sluice.copy %sas to %tas : <32x16xf8E8M0FNU, smem, row>, <128x16xf8E8M0FNU, tmem, row>
      sluice.copy %sbs to %tbs : <32x16xf8E8M0FNU, smem, row>, <128x16xf8E8M0FNU, tmem, row>
      sluice.tcgen05.mma %d, %as, %bt scales %tas, %tbs accumulate %more
          : <128x128xf32, tmem, row>, <128x128xf8E4M3FN, smem, sw128>,
            <128x128xf8E4M3FN, smem, sw128, minor 0>,
            !sluice.buffer<128x16xf8E8M0FNU, tmem, row>,
            !sluice.buffer<128x16xf8E8M0FNU, tmem, row>
      sluice.release %tiles[%at] : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
    sluice.commit %sums[%one] : <1>
  }

  sluice.role "epilogue" warps 0 to 4 {
    %x = sluice.alloc "x" : !sluice.buffer<128x128xf32, reg, row>
    sluice.wait %sums[%one] : <1>
    sluice.copy %d to %x : <128x128xf32, tmem, row>, <128x128xf32, reg, row>
    sluice.store %x to %C[%row, %col] : <128x128xf32, reg, row>, <?x?xf32>
  }
}

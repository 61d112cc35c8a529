// C = A B of 8-bit floats whose blocks of 32 along K have a factor each (MXFP8): the factors of a
// tile, 512 bytes as they lie in memory, come by TMA, go to tensor memory by tcgen05.cp, and the
// products of the same thread read them there.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven
// CHECK: copies-in-order: copies of one thread to tensor memory (tcgen05.cp) come after the products and copies before them that use the same columns (--strict goes without)
// RUN: %python %S/Inputs/scaled.py %t.in 200 160 288
// RUN: sluice run %s --in A=%t.in/A.npy B=%t.in/B.npy SA=%t.in/SA.npy SB=%t.in/SB.npy --set C=200x160 --chaos 5 --expect C=%t.in/C.npy
// RUN: %if nvcc %{ sluice run %s --in A=%t.in/A.npy B=%t.in/B.npy SA=%t.in/SA.npy SB=%t.in/SB.npy --set C=200x160 --device host --expect C=%t.in/C.npy | FileCheck %s --check-prefix=HOST %}
// HOST: are the virtual machine's, bit by bit
// RUN: sluice emit %s -o %t.one/
// RUN: FileCheck %s --check-prefix=CODE < %t.one/scaled.cu
// CODE: tmemCopyScales(tmem + 128,
// CODE: tmemCopyScales(tmem + 132,
// CODE: tcgen05MmaScaled<128, 128>(tmem, kMajor(a, at.slot), kMajor(b, at.slot), tmem + 128, tmem
// CODE-NEXT: + 132, more);
// RUN: %if nvcc %{ %nvcc100 -cubin -I %t.one -o %t.cubin %t.one/scaled.cu %}
//
sluice.kernel @scaled(%A: !sluice.tensor<?x?xf8E4M3FN, align 16> {sluice.name = "A"},
                      %B: !sluice.tensor<?x?xf8E4M3FN, align 16> {sluice.name = "B"}, // [N, K]
                      %SA: !sluice.tensor<?x?x16xf8E8M0FNU, align 16> {sluice.name = "SA"},
                      %SB: !sluice.tensor<?x?x16xf8E8M0FNU, align 16> {sluice.name = "SB"},
                      %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_100a", phase = "barrier", warps = 6} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
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
  %address = sluice.alloc "address" : !sluice.buffer<1x1xi32, smem, row>
  %d = sluice.alloc "d" at 0 : !sluice.buffer<128x128xf32, tmem, row>
  %ta = sluice.alloc "ta" at 512 : !sluice.buffer<128x16xf8E8M0FNU, tmem, row>
  %tb = sluice.alloc "tb" at 528 : !sluice.buffer<128x16xf8E8M0FNU, tmem, row>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<3>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<3>
  %done = sluice.mbarrier.alloc "done" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 1 by one : <3>
  sluice.mbarrier.init %empty count 1 by one : <3>
  sluice.mbarrier.init %done count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.role "allocate" warps 5 to 6 {
    sluice.tmem.alloc 256 to %address : !sluice.buffer<1x1xi32, smem, row>
    sluice.tmem.relinquish
  }
  sluice.bar.sync 0, 192
  sluice.tmem.address %address : <1x1xi32, smem, row>
  %ring = sluice.cursor : !sluice.cursor<3>

  sluice.role "load" warps 4 to 5 {
    %end = scf.for %t = %c0 to %steps step %c1 iter_args(%at = %ring) -> !sluice.cursor<3> {
      %k = arith.muli %t, %c128 : index
      %k32 = arith.muli %t, %c32 : index
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      %free = arith.xori %phase, %c1 : index
      sluice.mbarrier.wait %empty[%slot], %free : <3>
      sluice.mbarrier.arrive_expect_tx %full[%slot] bytes 33792 by one : <3>
      %as = sluice.slot %a[%slot] : <128x128xf8E4M3FN, smem, sw128, slots 3>
      %bs = sluice.slot %b[%slot] : <128x128xf8E4M3FN, smem, sw128, slots 3>
      %sas = sluice.slot %sa[%slot] : <32x16xf8E8M0FNU, smem, row, slots 3>
      %sbs = sluice.slot %sb[%slot] : <32x16xf8E8M0FNU, smem, row, slots 3>
      sluice.tma.load %A[%row, %k] to %as, %full[%slot]
          : <?x?xf8E4M3FN, align 16>, <128x128xf8E4M3FN, smem, sw128>, <3>
      sluice.tma.load %B[%col, %k] to %bs, %full[%slot]
          : <?x?xf8E4M3FN, align 16>, <128x128xf8E4M3FN, smem, sw128>, <3>
      sluice.tma.load %SA[%i, %k32, %c0] to %sas, %full[%slot]
          : <?x?x16xf8E8M0FNU, align 16>, <32x16xf8E8M0FNU, smem, row>, <3>
      sluice.tma.load %SB[%j, %k32, %c0] to %sbs, %full[%slot]
          : <?x?x16xf8E8M0FNU, align 16>, <32x16xf8E8M0FNU, smem, row>, <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
    // The tail: no commit may come to a barrier of a CTA that is gone.
    %last = scf.for %t = %c0 to %c3 step %c1 iter_args(%at = %end) -> !sluice.cursor<3> {
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      %free = arith.xori %phase, %c1 : index
      sluice.mbarrier.wait %empty[%slot], %free : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
  }

  sluice.role "mma" warps 5 to 6 {
    scf.for %t = %c0 to %steps step %c1 iter_args(%at = %ring) -> !sluice.cursor<3> {
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      sluice.mbarrier.wait %full[%slot], %phase : <3>
      %as = sluice.slot %a[%slot] : <128x128xf8E4M3FN, smem, sw128, slots 3>
      %bs = sluice.slot %b[%slot] : <128x128xf8E4M3FN, smem, sw128, slots 3>
      %sas = sluice.slot %sa[%slot] : <32x16xf8E8M0FNU, smem, row, slots 3>
      %sbs = sluice.slot %sb[%slot] : <32x16xf8E8M0FNU, smem, row, slots 3>
      %bt = sluice.transpose %bs : <128x128xf8E4M3FN, smem, sw128>
      %more = arith.cmpi ne, %t, %c0 : index
      sluice.copy %sas to %ta : <32x16xf8E8M0FNU, smem, row>, <128x16xf8E8M0FNU, tmem, row>
      sluice.copy %sbs to %tb : <32x16xf8E8M0FNU, smem, row>, <128x16xf8E8M0FNU, tmem, row>
      sluice.tcgen05.mma %d, %as, %bt scales %ta, %tb accumulate %more
          : <128x128xf32, tmem, row>, <128x128xf8E4M3FN, smem, sw128>,
            <128x128xf8E4M3FN, smem, sw128, minor 0>,
            !sluice.buffer<128x16xf8E8M0FNU, tmem, row>,
            !sluice.buffer<128x16xf8E8M0FNU, tmem, row>
      sluice.tcgen05.commit %empty[%slot] : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
    sluice.tcgen05.commit %done[%c0] : <1>
  }

  sluice.role "epilogue" warps 0 to 4 {
    %x = sluice.alloc "x" : !sluice.buffer<128x128xf32, reg, row>
    sluice.mbarrier.wait %done[%c0], %c0 : <1>
    sluice.fence tcgen05_after
    sluice.copy %d to %x : <128x128xf32, tmem, row>, <128x128xf32, reg, row>
    sluice.tcgen05.wait
    sluice.fence tcgen05_before
    sluice.store %x to %C[%row, %col] : <128x128xf32, reg, row>, <?x?xf32>
  }
  sluice.bar.sync 0, 192
  sluice.fence tcgen05_after
  sluice.role "free" warps 5 to 6 {
    sluice.tmem.dealloc 256
  }
}

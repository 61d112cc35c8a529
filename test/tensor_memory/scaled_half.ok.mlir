// A pair of CTAs with 64 rows of A in each, and factors: lanes 0 to 63 have the first half of the
// columns of D and the factors of these columns of B, lanes 64 to 127 the second and theirs
// (factors-by-halves), as tcgen05.cp of 64 rows brings them.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// CHECK: assuming factors-by-halves: of a pair with 64 rows in each CTA, lanes 0 to 63 hold the factors of the first half of the columns of B, lanes 64 to 127 those of the second (--strict goes without)
// RUN: %python %S/Inputs/scaled.py %t.in 128 128 400 64
// RUN: sluice run %s --in A=%t.in/A.npy B=%t.in/B.npy SA=%t.in/SA.npy SB=%t.in/SB.npy --set C=256x64 --chaos 10 --expect C=%t.in/C.npy | FileCheck %s --check-prefix=RAN
// RAN: factors-by-halves
// RUN: %if nvcc %{ sluice run %s --in A=%t.in/A.npy B=%t.in/B.npy SA=%t.in/SA.npy SB=%t.in/SB.npy --set C=256x64 --device host --expect C=%t.in/C.npy | FileCheck %s --check-prefix=HOST %}
// HOST: are the virtual machine's, bit by bit
// RUN: sluice emit %s -o %t.one/
// RUN: FileCheck %s --check-prefix=CODE < %t.one/scaled.cu
// CODE: tmemCopyNeighbours<2>(
// CODE: tcgen05MmaScaled<128, 128, ue8m0, 2, 128>(
// RUN: %if nvcc %{ %nvcc100 -cubin -I %t.one -o %t.cubin %t.one/scaled.cu %}
//
sluice.kernel @scaled(%A: !sluice.tensor<?x?xf8E4M3FN, align 16> {sluice.name = "A"},
                      %B: !sluice.tensor<?x?xf8E4M3FN, align 16> {sluice.name = "B"}, // [N, K]
                      %SA: !sluice.tensor<?x?x16xf8E8M0FNU, align 16> {sluice.name = "SA"},
                      %SB: !sluice.tensor<?x?x16xf8E8M0FNU, align 16> {sluice.name = "SB"},
                      %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_100a", phase = "barrier", warps = 6,
                cluster = array<i64: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %M = sluice.dim %A, 0 : <?x?xf8E4M3FN, align 16>
  %N = sluice.dim %B, 0 : <?x?xf8E4M3FN, align 16>
  %K = sluice.dim %A, 1 : <?x?xf8E4M3FN, align 16>
  %halves = arith.ceildivsi %M, %c128 : index
  %gm = arith.muli %halves, %c2 : index
  %gn = arith.ceildivsi %N, %c128 : index
  %some = arith.ceildivsi %K, %c128 : index
  %steps = arith.maxsi %some, %c1 : index // where K is 0, tiles of zeros
  %i, %j = sluice.grid %gm, %gn : index, index
  %rank = sluice.cluster.rank
  %leads = arith.cmpi eq, %rank, %c0 : index
  %row = arith.muli %i, %c64 : index
  %lanes = arith.muli %i, %c128 : index
  %col = arith.muli %j, %c128 : index
  %left = arith.muli %j, %c2 : index
  %right = arith.addi %left, %c1 : index
  %half = arith.muli %rank, %c64 : index
  %from = arith.addi %col, %half : index
  %a = sluice.alloc "a" : !sluice.buffer<64x128xf8E4M3FN, smem, sw128, slots 3>
  %b = sluice.alloc "b" : !sluice.buffer<64x128xf8E4M3FN, smem, sw128, slots 3>
  %sa = sluice.alloc "sa" : !sluice.buffer<32x16xf8E8M0FNU, smem, row, slots 3>
  %sb = sluice.alloc "sb" : !sluice.buffer<64x16xf8E8M0FNU, smem, row, slots 3>
  %address = sluice.alloc "address" : !sluice.buffer<1x1xi32, smem, row>
  %d = sluice.alloc "d" at 0 : !sluice.buffer<128x64xf32, tmem, row>
  %ta = sluice.alloc "ta" at 256 : !sluice.buffer<128x16xf8E8M0FNU, tmem, row, slots 3>
  %tb = sluice.alloc "tb" at 304 : !sluice.buffer<128x16xf8E8M0FNU, tmem, row, slots 3>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<3>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<3>
  %done = sluice.mbarrier.alloc "done" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 2 by one : <3>
  sluice.mbarrier.init %empty count 1 by one : <3>
  sluice.mbarrier.init %done count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.role "allocate" warps 5 to 6 {
    sluice.tmem.alloc 128 to %address ctas 2 : !sluice.buffer<1x1xi32, smem, row>
    sluice.tmem.relinquish ctas 2
  }
  sluice.cluster.arrive
  sluice.cluster.wait
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
      sluice.mbarrier.arrive_expect_tx %full[%slot] rank %c0 bytes 17920 by one : <3>
      %as = sluice.slot %a[%slot] : <64x128xf8E4M3FN, smem, sw128, slots 3>
      %bs = sluice.slot %b[%slot] : <64x128xf8E4M3FN, smem, sw128, slots 3>
      %sas = sluice.slot %sa[%slot] : <32x16xf8E8M0FNU, smem, row, slots 3>
      %sbs = sluice.slot %sb[%slot] : <64x16xf8E8M0FNU, smem, row, slots 3>
      %sbl = sluice.subview %sbs[%c0, %c0] : <64x16xf8E8M0FNU, smem, row> to <32x16xf8E8M0FNU, smem, row>
      %sbr = sluice.subview %sbs[%c32, %c0] : <64x16xf8E8M0FNU, smem, row> to <32x16xf8E8M0FNU, smem, row>
      sluice.tma.load %A[%row, %k] to %as, %full[%slot] rank %c0
          : <?x?xf8E4M3FN, align 16>, <64x128xf8E4M3FN, smem, sw128>, <3>
      sluice.tma.load %B[%from, %k] to %bs, %full[%slot] rank %c0
          : <?x?xf8E4M3FN, align 16>, <64x128xf8E4M3FN, smem, sw128>, <3>
      sluice.tma.load %SA[%i, %k32, %c0] to %sas, %full[%slot] rank %c0
          : <?x?x16xf8E8M0FNU, align 16>, <32x16xf8E8M0FNU, smem, row>, <3>
      sluice.tma.load %SB[%left, %k32, %c0] to %sbl, %full[%slot] rank %c0
          : <?x?x16xf8E8M0FNU, align 16>, <32x16xf8E8M0FNU, smem, row>, <3>
      sluice.tma.load %SB[%right, %k32, %c0] to %sbr, %full[%slot] rank %c0
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
    scf.if %leads {
      scf.for %t = %c0 to %steps step %c1 iter_args(%at = %ring) -> !sluice.cursor<3> {
        %slot = sluice.cursor.slot %at : <3>
        %phase = sluice.cursor.phase %at : <3>
        sluice.mbarrier.wait %full[%slot], %phase : <3>
        sluice.fence tcgen05_after
        %as = sluice.slot %a[%slot] : <64x128xf8E4M3FN, smem, sw128, slots 3>
        %bs = sluice.slot %b[%slot] : <64x128xf8E4M3FN, smem, sw128, slots 3>
        %sas = sluice.slot %sa[%slot] : <32x16xf8E8M0FNU, smem, row, slots 3>
        %sbs = sluice.slot %sb[%slot] : <64x16xf8E8M0FNU, smem, row, slots 3>
        %tas = sluice.slot %ta[%slot] : <128x16xf8E8M0FNU, tmem, row, slots 3>
        %tbs = sluice.slot %tb[%slot] : <128x16xf8E8M0FNU, tmem, row, slots 3>
        %bt = sluice.transpose %bs : <64x128xf8E4M3FN, smem, sw128>
        %more = arith.cmpi ne, %t, %c0 : index
        sluice.copy %sas to %tas ctas 2 : <32x16xf8E8M0FNU, smem, row>, <128x16xf8E8M0FNU, tmem, row>
        sluice.copy %sbs to %tbs ctas 2 {sluice.neighbours}
            : <64x16xf8E8M0FNU, smem, row>, <128x16xf8E8M0FNU, tmem, row>
        sluice.tcgen05.mma %d, %as, %bt scales %tas, %tbs accumulate %more ctas 2
            : <128x64xf32, tmem, row>, <64x128xf8E4M3FN, smem, sw128>,
              <128x64xf8E4M3FN, smem, sw128, minor 0>,
              !sluice.buffer<128x16xf8E8M0FNU, tmem, row>,
              !sluice.buffer<128x16xf8E8M0FNU, tmem, row>
        sluice.tcgen05.commit %empty[%slot] multicast 3 ctas 2 : <3>
        %next = sluice.cursor.advance %at : <3>
        scf.yield %next : !sluice.cursor<3>
      }
      sluice.tcgen05.commit %done[%c0] multicast 3 ctas 2 : <1>
    }
  }

  sluice.role "epilogue" warps 0 to 4 {
    %x = sluice.alloc "x" : !sluice.buffer<128x64xf32, reg, row>
    sluice.mbarrier.wait %done[%c0], %c0 : <1>
    sluice.fence tcgen05_after
    sluice.copy %d to %x : <128x64xf32, tmem, row>, <128x64xf32, reg, row>
    sluice.tcgen05.wait
    sluice.fence tcgen05_before
    sluice.store %x to %C[%lanes, %col] : <128x64xf32, reg, row>, <?x?xf32>
  }
  sluice.cluster.arrive
  sluice.cluster.wait
  sluice.fence tcgen05_after
  sluice.role "free" warps 5 to 6 {
    sluice.tmem.dealloc 128 ctas 2
  }
}

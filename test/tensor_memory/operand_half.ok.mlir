// A of a pair of CTAs, 64 rows in each, in tensor memory: tcgen05.cp of 64 rows brings each to lane r
// and to lane 64 + r, beside the halves of the columns of D (operand-by-halves).
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// CHECK: assuming operand-by-halves: of a pair with 64 rows in each CTA, A in tensor memory is read from lanes 0 to 63 for the first half of the columns of B, from lanes 64 to 127 for the second (--strict goes without)
// RUN: not sluice check %s --strict | FileCheck %s --check-prefix=STRICT
// STRICT-NOT: operand-by-halves
// STRICT: same-columns
// RUN: %python %S/Inputs/operand_half.py %t.in 80
// RUN: sluice run %s --in A=%t.in/A.npy B=%t.in/B.npy --set C=256x64 --chaos 10 --expect C=%t.in/C.npy
// RUN: %if nvcc %{ sluice run %s --in A=%t.in/A.npy B=%t.in/B.npy --set C=256x64 --device host --expect C=%t.in/C.npy | FileCheck %s --check-prefix=HOST %}
// HOST: are the virtual machine's, bit by bit
// RUN: sluice emit %s -o %t.one/
// RUN: FileCheck %s --check-prefix=CODE < %t.one/operand_half.cu
// CODE: tmemCopyTwice<2>(tmem + 64, left[at.slot] + LeftTile::offset(0, 0));
// CODE: tcgen05Mma<128, 16, 128, 2>(tmem, tmemOperand<bf16>(tmem + 64), kMajor(b, at.slot), more);
// RUN: %if nvcc %{ %nvcc100 -cubin -I %t.one -o %t.cubin %t.one/operand_half.cu %}
// RUN: sluice mutate %s --set A=128x64 B=128x64 C=256x64 --sample 40 --random 3 | FileCheck %s --check-prefix=MUTANTS
// MUTANTS: mutants, {{[1-9][0-9]*}} refused, {{.*}} 0 DISAGREEMENT
// Lanes that hold others for the second half of the columns give others.
// RUN: sed '/copy %%r to/s/ctas 2/ctas 2 {sluice.neighbours}/' %s > %t.1.mlir
// RUN: not sluice run %t.1.mlir --in A=%t.in/A.npy B=%t.in/B.npy --set C=256x64 --expect C=%t.in/C.npy | FileCheck %s --check-prefix=OTHERS
// OTHERS: of the largest value (above 1e-05)
// 64 rows alone lie beside no halves of D.
// RUN: sed 's/"ta" at 256 : !sluice.buffer<128x/"ta" at 256 : !sluice.buffer<64x/; s/<128x16xbf16, tmem/<64x16xbf16, tmem/; s/<128x8xbf16, tmem/<64x8xbf16, tmem/' %s > %t.2.mlir
// RUN: not sluice check %t.2.mlir 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: for a pair of CTAs b holds half of the columns: expected 32, found 64
//
sluice.kernel @operand_half(%A: !sluice.tensor<?x?xbf16, align 16> {sluice.name = "A"},
                            %B: !sluice.tensor<?x?xbf16, align 16> {sluice.name = "B"}, // [N, K]
                            %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_100a", phase = "barrier", warps = 6,
                cluster = array<i64: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %A, 0 : <?x?xbf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xbf16, align 16>
  %halves = arith.ceildivsi %M, %c128 : index
  %gm = arith.muli %halves, %c2 : index
  %some = arith.ceildivsi %K, %c16 : index
  %steps = arith.maxsi %some, %c1 : index // where K is 0, tiles of zeros
  %i = sluice.grid %gm : index
  %rank = sluice.cluster.rank
  %leads = arith.cmpi eq, %rank, %c0 : index
  %row = arith.muli %i, %c64 : index
  %lanes = arith.muli %i, %c128 : index
  %half = arith.muli %rank, %c64 : index
  %left = sluice.alloc "left" : !sluice.buffer<64x8xbf16, smem, row, slots 2>
  %right = sluice.alloc "right" : !sluice.buffer<64x8xbf16, smem, row, slots 2>
  %b = sluice.alloc "b" : !sluice.buffer<64x16xbf16, smem, sw32, slots 2>
  %room = sluice.alloc "room" : !sluice.buffer<256x128xf32, smem, row> // for one CTA an SM
  %address = sluice.alloc "address" : !sluice.buffer<1x1xi32, smem, row>
  %d = sluice.alloc "d" at 0 : !sluice.buffer<128x64xf32, tmem, row>
  %ta = sluice.alloc "ta" at 256 : !sluice.buffer<128x16xbf16, tmem, row>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<2>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<2>
  %done = sluice.mbarrier.alloc "done" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 2 by one : <2>
  sluice.mbarrier.init %empty count 1 by one : <2>
  sluice.mbarrier.init %done count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.role "allocate" warps 5 to 6 {
    sluice.tmem.alloc 128 to %address ctas 2 : !sluice.buffer<1x1xi32, smem, row>
    sluice.tmem.relinquish ctas 2
  }
  sluice.cluster.arrive
  sluice.cluster.wait
  sluice.tmem.address %address : <1x1xi32, smem, row>
  %ring = sluice.cursor : !sluice.cursor<2>

  sluice.role "load" warps 4 to 5 {
    %end = scf.for %t = %c0 to %steps step %c1 iter_args(%at = %ring) -> !sluice.cursor<2> {
      %k = arith.muli %t, %c16 : index
      %k8 = arith.addi %k, %c8 : index
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %free = arith.xori %phase, %c1 : index
      sluice.mbarrier.wait %empty[%slot], %free : <2>
      sluice.mbarrier.arrive_expect_tx %full[%slot] rank %c0 bytes 4096 by one : <2>
      %l = sluice.slot %left[%slot] : <64x8xbf16, smem, row, slots 2>
      %r = sluice.slot %right[%slot] : <64x8xbf16, smem, row, slots 2>
      %bs = sluice.slot %b[%slot] : <64x16xbf16, smem, sw32, slots 2>
      sluice.tma.load %A[%row, %k] to %l, %full[%slot] rank %c0
          : <?x?xbf16, align 16>, <64x8xbf16, smem, row>, <2>
      sluice.tma.load %A[%row, %k8] to %r, %full[%slot] rank %c0
          : <?x?xbf16, align 16>, <64x8xbf16, smem, row>, <2>
      sluice.tma.load %B[%half, %k] to %bs, %full[%slot] rank %c0
          : <?x?xbf16, align 16>, <64x16xbf16, smem, sw32>, <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
    %last = scf.for %t = %c0 to %c2 step %c1 iter_args(%at = %end) -> !sluice.cursor<2> {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %free = arith.xori %phase, %c1 : index
      sluice.mbarrier.wait %empty[%slot], %free : <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
  }

  sluice.role "mma" warps 5 to 6 {
    scf.if %leads {
      scf.for %t = %c0 to %steps step %c1 iter_args(%at = %ring) -> !sluice.cursor<2> {
        %slot = sluice.cursor.slot %at : <2>
        %phase = sluice.cursor.phase %at : <2>
        sluice.mbarrier.wait %full[%slot], %phase : <2>
        sluice.fence tcgen05_after
        %l = sluice.slot %left[%slot] : <64x8xbf16, smem, row, slots 2>
        %r = sluice.slot %right[%slot] : <64x8xbf16, smem, row, slots 2>
        %bs = sluice.slot %b[%slot] : <64x16xbf16, smem, sw32, slots 2>
        %bt = sluice.transpose %bs : <64x16xbf16, smem, sw32>
        %tl = sluice.subview %ta[%c0, %c0] : <128x16xbf16, tmem, row> to <128x8xbf16, tmem, row>
        %tr = sluice.subview %ta[%c0, %c8] : <128x16xbf16, tmem, row> to <128x8xbf16, tmem, row>
        sluice.copy %l to %tl ctas 2 : <64x8xbf16, smem, row>, <128x8xbf16, tmem, row>
        sluice.copy %r to %tr ctas 2 : <64x8xbf16, smem, row>, <128x8xbf16, tmem, row>
        %more = arith.cmpi ne, %t, %c0 : index
        sluice.tcgen05.mma %d, %ta, %bt accumulate %more ctas 2
            : <128x64xf32, tmem, row>, <128x16xbf16, tmem, row>, <16x64xbf16, smem, sw32, minor 0>
        sluice.tcgen05.commit %empty[%slot] multicast 3 ctas 2 : <2>
        %next = sluice.cursor.advance %at : <2>
        scf.yield %next : !sluice.cursor<2>
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
    sluice.store %x to %C[%lanes, %c0] : <128x64xf32, reg, row>, <?x?xf32>
  }
  sluice.cluster.arrive
  sluice.cluster.wait
  sluice.fence tcgen05_after
  sluice.role "free" warps 5 to 6 {
    sluice.tmem.dealloc 128 ctas 2
  }
}

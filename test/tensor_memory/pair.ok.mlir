// RUN: sluice check %s | FileCheck %s
// RUN: sluice run %s --random 1 --set A=300x200 B=200x256 C=300x256 --chaos 20 --out C=%t.npy
// RUN: sluice emit %s | FileCheck %s --check-prefix=CODE
// CODE: tmemAlloc<128, 2>(
// CODE: tmemRelinquish<2>();
// CODE: tmaLoadOfPair<
// CODE-SAME: addressInCluster(full[
// CODE: tcgen05Mma<128, 64, 256, 2>(
// CODE: tcgen05CommitMulticast<2>(empty[{{.*}}], 3);
// CODE: tmemDealloc<128, 2>(
// A pair of CTAs: each loads its rows of A and half of the columns of B, for the barrier of the one
// of the even rank, whose thread multiplies for both. A commit arrives at the barriers of both.
// CHECK: {{^}}proven
sluice.kernel @gemm(%A: !sluice.tensor<?x?xbf16, align 16> {sluice.name = "A"},
                    %B: !sluice.tensor<?x?xbf16, align 16> {sluice.name = "B"},
                    %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_100a", phase = "barrier", warps = 6,
                cluster = array<i64: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %M = sluice.dim %A, 0 : <?x?xbf16, align 16>
  %N = sluice.dim %B, 1 : <?x?xbf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xbf16, align 16>
  %halves = arith.ceildivsi %M, %c256 : index
  %gm = arith.muli %halves, %c2 : index
  %gn = arith.ceildivsi %N, %c128 : index
  %some = arith.ceildivsi %K, %c64 : index
  %steps = arith.maxsi %some, %c1 : index // where K is 0, tiles of zeros
  %i, %j = sluice.grid %gm, %gn : index, index
  %row = arith.muli %i, %c128 : index
  %col = arith.muli %j, %c128 : index
  %rank = sluice.cluster.rank
  %leads = arith.cmpi eq, %rank, %c0 : index
  %part = arith.muli %rank, %c64 : index
  %from = arith.addi %col, %part : index
  %a = sluice.alloc "a" : !sluice.buffer<128x64xbf16, smem, sw128, slots 3>
  %b = sluice.alloc "b" : !sluice.buffer<64x64xbf16, smem, sw128, slots 3>
  %address = sluice.alloc "address" : !sluice.buffer<1x1xi32, smem, row>
  %d = sluice.alloc "d" at 0 : !sluice.buffer<128x128xf32, tmem, row>
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
      %k = arith.muli %t, %c64 : index
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      %free = arith.xori %phase, %c1 : index
      sluice.mbarrier.wait %empty[%slot], %free : <3>
      sluice.mbarrier.arrive_expect_tx %full[%slot] rank %c0 bytes 24576 by one : <3>
      %as = sluice.slot %a[%slot] : <128x64xbf16, smem, sw128, slots 3>
      %bs = sluice.slot %b[%slot] : <64x64xbf16, smem, sw128, slots 3>
      sluice.tma.load %A[%row, %k] to %as, %full[%slot] rank %c0
          : <?x?xbf16, align 16>, <128x64xbf16, smem, sw128>, <3>
      sluice.tma.load %B[%k, %from] to %bs, %full[%slot] rank %c0
          : <?x?xbf16, align 16>, <64x64xbf16, smem, sw128>, <3>
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
        %as = sluice.slot %a[%slot] : <128x64xbf16, smem, sw128, slots 3>
        %bs = sluice.slot %b[%slot] : <64x64xbf16, smem, sw128, slots 3>
        %more = arith.cmpi ne, %t, %c0 : index
        sluice.tcgen05.mma %d, %as, %bs accumulate %more ctas 2
            : <128x128xf32, tmem, row>, <128x64xbf16, smem, sw128>, <64x64xbf16, smem, sw128>
        sluice.tcgen05.commit %empty[%slot] multicast 3 ctas 2 : <3>
        %next = sluice.cursor.advance %at : <3>
        scf.yield %next : !sluice.cursor<3>
      }
      sluice.tcgen05.commit %done[%c0] multicast 3 ctas 2 : <1>
    }
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
  sluice.cluster.arrive
  sluice.cluster.wait
  sluice.fence tcgen05_after
  sluice.role "free" warps 5 to 6 {
    sluice.tmem.dealloc 128 ctas 2
  }
}

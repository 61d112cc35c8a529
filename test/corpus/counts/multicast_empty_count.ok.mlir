// RUN: sluice check %s | FileCheck %s
// triton #10196 (there products of a CTA pair). The count is that of both CTAs.
// CHECK: {{^}}proven
sluice.kernel @shared_b(%X: !sluice.tensor<?x64xf16, align 16> {sluice.name = "X"},
                        %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 5, cluster = array<i64: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16, align 16>
  %n = arith.ceildivsi %rows, %c64 : index
  %cta = sluice.grid %c2 : index
  %rank = sluice.cluster.rank
  %peer = arith.subi %c1, %rank : index
  %first = arith.muli %rank, %c32 : index // row of the half that this CTA loads for both
  %whole = arith.muli %n, %c64 : index
  %part = arith.muli %rank, %whole : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, sw128, slots 2>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<2>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<2>
  sluice.mbarrier.init %full count 1 by one : <2>
  sluice.mbarrier.init %empty count 8 by one : <2>
  sluice.fence mbarrier_init by one
  sluice.cluster.arrive
  sluice.cluster.wait
  %start = sluice.cursor : !sluice.cursor<2>
  sluice.role "load" warps 4 to 5 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %free = arith.xori %phase, %c1 : index
      %row = arith.muli %t, %c64 : index
      %mine = arith.addi %row, %first : index
      %xt = sluice.slot %x[%slot] : <64x64xf16, smem, sw128, slots 2>
      %half = sluice.subview %xt[%first, %c0] : <64x64xf16, smem, sw128> to <32x64xf16, smem, sw128>
      sluice.mbarrier.wait %empty[%slot], %free : <2> // both CTAs have freed the slot
      sluice.mbarrier.arrive_expect_tx %full[%slot] bytes 8192 by one : <2>
      sluice.tma.load %X[%mine, %c0] to %half, %full[%slot] multicast 3
          : <?x64xf16, align 16>, <32x64xf16, smem, sw128>, <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
  }
  sluice.role "use" warps 0 to 4 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %row = arith.muli %t, %c64 : index
      %out = arith.addi %row, %part : index
      %xt = sluice.slot %x[%slot] : <64x64xf16, smem, sw128, slots 2>
      sluice.mbarrier.wait %full[%slot], %phase : <2>
      sluice.store %xt to %Y[%out, %c0] : <64x64xf16, smem, sw128>, <?x64xf16>
      sluice.warp_sync
      sluice.mbarrier.arrive %empty[%slot] by warp : <2>
      sluice.mbarrier.arrive %empty[%slot] rank %peer by warp : <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    } {sluice.name = "t", sluice.pipelined}
  }
  sluice.cluster.arrive
  sluice.cluster.wait
}

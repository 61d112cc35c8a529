// RUN: sluice check %s | FileCheck %s
// tilelang #2567. A copy by threads is signalled by the warps that make it.
// CHECK: {{^}}proven
sluice.kernel @odd_rows(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"},
                        %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 8} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16>
  %n = arith.ceildivsi %rows, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, row, slots 2>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<2>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<2>
  sluice.mbarrier.init %full count 4 by one : <2>
  sluice.mbarrier.init %empty count 4 by one : <2>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 256
  %start = sluice.cursor : !sluice.cursor<2>
  sluice.role "load" warps 4 to 8 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %free = arith.xori %phase, %c1 : index
      %row = arith.muli %t, %c64 : index
      %xt = sluice.slot %x[%slot] : <64x64xf16, smem, row, slots 2>
      sluice.mbarrier.wait %empty[%slot], %free : <2>
      sluice.load %X[%row, %c0] to %xt : <?x64xf16>, <64x64xf16, smem, row>
      sluice.warp_sync
      sluice.mbarrier.arrive %full[%slot] by warp : <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
  }
  sluice.role "use" warps 0 to 4 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %row = arith.muli %t, %c64 : index
      %xt = sluice.slot %x[%slot] : <64x64xf16, smem, row, slots 2>
      sluice.mbarrier.wait %full[%slot], %phase : <2>
      sluice.store %xt to %Y[%row, %c0] : <64x64xf16, smem, row>, <?x64xf16>
      sluice.warp_sync
      sluice.mbarrier.arrive %empty[%slot] by warp : <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    } {sluice.name = "t", sluice.pipelined}
  }
}

// RUN: sluice check %s | FileCheck %s
// One loop over tiles and their steps: both are told from its variable.
// CHECK: {{^}}proven: every launch
sluice.kernel @flat(%X: !sluice.tensor<?x?xf16, align 16> {sluice.name = "X"},
                         %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 5} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x?xf16, align 16>
  %cols = sluice.dim %X, 1 : <?x?xf16, align 16>
  %tiles = arith.ceildivsi %rows, %c64 : index
  %n = arith.ceildivsi %cols, %c64 : index
  %all = arith.muli %tiles, %n : index
  %last = arith.subi %n, %c1 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, sw128, slots 3>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<3>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<3>
  sluice.mbarrier.init %full count 1 by one : <3>
  sluice.mbarrier.init %empty count 4 by one : <3>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 160
  %start = sluice.cursor : !sluice.cursor<3>
  sluice.role "load" warps 4 to 5 {
    scf.for %it = %c0 to %all step %c1 iter_args(%at = %start) -> !sluice.cursor<3> {
      %tile = arith.divsi %it, %n : index
      %k = arith.remsi %it, %n : index
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      %free = arith.xori %phase, %c1 : index
      %row = arith.muli %tile, %c64 : index
      %col = arith.muli %k, %c64 : index
      %xt = sluice.slot %x[%slot] : <64x64xf16, smem, sw128, slots 3>
      sluice.mbarrier.wait %empty[%slot], %free : <3>
      sluice.mbarrier.arrive_expect_tx %full[%slot] bytes 8192 by one : <3>
      sluice.tma.load %X[%row, %col] to %xt, %full[%slot]
          : <?x?xf16, align 16>, <64x64xf16, smem, sw128>, <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
  }
  sluice.role "copy" warps 0 to 4 {
    scf.for %it = %c0 to %all step %c1 iter_args(%at = %start) -> !sluice.cursor<3> {
      %tile = arith.divsi %it, %n : index
      %k = arith.remsi %it, %n : index
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      %row = arith.muli %tile, %c64 : index
      %xt = sluice.slot %x[%slot] : <64x64xf16, smem, sw128, slots 3>
      sluice.mbarrier.wait %full[%slot], %phase : <3>
      %isl = arith.cmpi eq, %k, %last : index
      scf.if %isl {
        sluice.store %xt to %Y[%row, %c0] : <64x64xf16, smem, sw128>, <?x64xf16>
      }
      sluice.warp_sync
      sluice.mbarrier.arrive %empty[%slot] by warp : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    } {sluice.name = "t", sluice.pipelined}
  }
}

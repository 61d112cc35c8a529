// One warp fills the slots of a ring by text of its own, four warps store them.
sluice.kernel @ramp(%Y: !sluice.tensor<?x?xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 5} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %Y, 0 : <?x?xf32>
  %N = sluice.dim %Y, 1 : <?x?xf32>
  %gm = arith.ceildivsi %M, %c64 : index
  %n = arith.ceildivsi %N, %c64 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf32, smem, row, slots 2>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<2>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<2>
  sluice.mbarrier.init %full count 1 by one : <2>
  sluice.mbarrier.init %empty count 4 by one : <2>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 160
  %start = sluice.cursor : !sluice.cursor<2>
  sluice.role "math" warps 0 to 4 {
    %r = sluice.alloc "r" : !sluice.buffer<64x64xf32, reg, acc>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> (!sluice.cursor<2>) {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %from = sluice.slot %x[%slot] : <64x64xf32, smem, row, slots 2>
      %col = arith.muli %t, %c64 : index
      sluice.mbarrier.wait %full[%slot], %phase : <2>
      sluice.copy %from to %r : <64x64xf32, smem, row>, <64x64xf32, reg, acc>
      sluice.warp_sync
      sluice.mbarrier.arrive %empty[%slot] by warp : <2>
      sluice.store %r to %Y[%row, %col] : <64x64xf32, reg, acc>, <?x?xf32>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
  }
  sluice.role "make" warps 4 to 5 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> (!sluice.cursor<2>) {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %flipped = arith.xori %phase, %c1 : index
      %to = sluice.slot %x[%slot] : <64x64xf32, smem, row, slots 2>
      sluice.mbarrier.wait %empty[%slot], %flipped : <2>
      sluice.raw {sm_90a = "for (int e = laneOfWarp(); e < 64 * 64; e += 32)\n  asm volatile(\"st.shared.f32 [%0], %1;\" ::\"r\"($=tile + 4 * e), \"f\"(float($step)) : \"memory\");"}
          outs(%to : !sluice.buffer<64x64xf32, smem, row>) with(%t) named ["tile", "step"]
      sluice.warp_sync
      sluice.mbarrier.arrive %full[%slot] by warp : <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    } {sluice.pipelined}
  }
}

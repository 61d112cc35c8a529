// RUN: sluice check %s | FileCheck %s
// Triton ConSan, python/test/gluon/test_consan.py, test_ws_async_copy_commits. Two roles stream
// through two slots of their own; a named barrier of the role follows every wait_group.
// CHECK: {{^}}proven
sluice.kernel @two_streams(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"},
                           %Z: !sluice.tensor<?x64xf16> {sluice.name = "Z"},
                           %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out},
                           %V: !sluice.tensor<?x64xf16> {sluice.name = "V", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 8} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16>
  %n = arith.ceildivsi %rows, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, row, slots 2>
  %z = sluice.alloc "z" : !sluice.buffer<64x64xf16, smem, row, slots 2>
  %start = sluice.cursor : !sluice.cursor<2>
  sluice.role "left" warps 0 to 4 {
    %v_left = sluice.alloc "v_left" : !sluice.buffer<64x64xf16, reg, blocked>
    %first_left = sluice.slot %x[%c0] : <64x64xf16, smem, row, slots 2>
    sluice.load %X[%c0, %c0] to %first_left async : <?x64xf16>, <64x64xf16, smem, row>
    sluice.cp_async.commit
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
      %phase = sluice.cursor.phase %at : <2>
      %slot = sluice.cursor.slot %at : <2>
      %ahead = sluice.cursor.advance %at : <2>
      %other = sluice.cursor.slot %ahead : <2>
      %row = arith.muli %t, %c64 : index
      %below = arith.addi %row, %c64 : index
      %next_tile = sluice.slot %x[%other] : <64x64xf16, smem, row, slots 2>
      sluice.load %X[%below, %c0] to %next_tile async : <?x64xf16>, <64x64xf16, smem, row>
      sluice.cp_async.commit
      sluice.cp_async.wait 1
      sluice.bar.sync 1, 128
      %tile = sluice.slot %x[%slot] : <64x64xf16, smem, row, slots 2>
      sluice.copy %tile to %v_left : <64x64xf16, smem, row>, <64x64xf16, reg, blocked>
      sluice.bar.sync 1, 128
      sluice.store %v_left to %Y[%row, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
      scf.yield %ahead : !sluice.cursor<2>
    } {sluice.name = "t", sluice.pipelined}
    sluice.cp_async.wait 0
  }
  sluice.role "right" warps 4 to 8 {
    %v_right = sluice.alloc "v_right" : !sluice.buffer<64x64xf16, reg, blocked>
    %first_right = sluice.slot %z[%c0] : <64x64xf16, smem, row, slots 2>
    sluice.load %Z[%c0, %c0] to %first_right async : <?x64xf16>, <64x64xf16, smem, row>
    sluice.cp_async.commit
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
      %phase = sluice.cursor.phase %at : <2>
      %slot = sluice.cursor.slot %at : <2>
      %ahead = sluice.cursor.advance %at : <2>
      %other = sluice.cursor.slot %ahead : <2>
      %row = arith.muli %t, %c64 : index
      %below = arith.addi %row, %c64 : index
      %next_tile = sluice.slot %z[%other] : <64x64xf16, smem, row, slots 2>
      sluice.load %Z[%below, %c0] to %next_tile async : <?x64xf16>, <64x64xf16, smem, row>
      sluice.cp_async.commit
      sluice.cp_async.wait 1
      sluice.bar.sync 2, 128
      %tile = sluice.slot %z[%slot] : <64x64xf16, smem, row, slots 2>
      sluice.copy %tile to %v_right : <64x64xf16, smem, row>, <64x64xf16, reg, blocked>
      sluice.bar.sync 2, 128
      sluice.store %v_right to %V[%row, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
      scf.yield %ahead : !sluice.cursor<2>
    } {sluice.name = "t", sluice.pipelined}
    sluice.cp_async.wait 0
  }
}

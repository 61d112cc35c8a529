// RUN: not sluice check %s | FileCheck %s
// One lane of each warp arrives: the others' elements need not be there.
// Expected: R22.
// CHECK: R22 {{.*}}copy of warp {{.*}} reads x {{.*}} while copy of warp {{.*}} may still write it
sluice.kernel @turn(%X: !sluice.tensor<?x64xf32> {sluice.name = "X"},
                    %Y: !sluice.tensor<?x64xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf32>
  %n = arith.ceildivsi %rows, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf32, smem, row>
  %v = sluice.alloc "v" : !sluice.buffer<64x64xf32, reg, acc>
  %all = sluice.mbarrier.alloc "all" : !sluice.mbarrier<1>
  sluice.mbarrier.init %all count 4 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 128
  %start = sluice.cursor : !sluice.cursor<1>
  scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<1> {
    %slot = sluice.cursor.slot %at : <1>
    %phase = sluice.cursor.phase %at : <1>
    %row = arith.muli %t, %c64 : index
    sluice.load %X[%row, %c0] to %v : <?x64xf32>, <64x64xf32, reg, acc>
    sluice.copy %v to %x : <64x64xf32, reg, acc>, <64x64xf32, smem, row>
    sluice.mbarrier.arrive %all[%slot] by warp : <1>
    sluice.mbarrier.wait %all[%slot], %phase : <1>
    sluice.store %x to %Y[%row, %c0] : <64x64xf32, smem, row>, <?x64xf32>
    sluice.bar.sync 0, 128
    %next = sluice.cursor.advance %at : <1>
    scf.yield %next : !sluice.cursor<1>
  } {sluice.name = "t", sluice.pipelined}
}

// RUN: sluice check %s | FileCheck %s
// Triton ConSan, python/test/gluon/test_consan.py, test_deadlock_underarrival. The count is the
// number of arriving warps.
// CHECK: {{^}}proven
sluice.kernel @count(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"},
                     %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 5} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16>
  %n = arith.ceildivsi %rows, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, row>
  %done = sluice.mbarrier.alloc "done" : !sluice.mbarrier<1>
  sluice.mbarrier.init %done count 4 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 160
  sluice.role "work" warps 0 to 4 {
    sluice.fill %x with 0.0 : <64x64xf16, smem, row>
    sluice.warp_sync // other lanes write the same bytes below
    scf.for %t = %c0 to %n step %c1 {
      %row = arith.muli %t, %c64 : index
      sluice.load %X[%row, %c0] to %x : <?x64xf16>, <64x64xf16, smem, row>
    } {sluice.name = "t", sluice.pipelined}
    sluice.warp_sync
    sluice.mbarrier.arrive %done[%c0] by warp : <1>
  }
  sluice.role "out" warps 4 to 5 {
    sluice.mbarrier.wait %done[%c0], %c0 : <1>
    sluice.store %x to %Y[%c0, %c0] : <64x64xf16, smem, row>, <?x64xf16>
  }
}

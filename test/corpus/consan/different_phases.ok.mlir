// RUN: sluice check %s | FileCheck %s
// Triton ConSan, python/test/gluon/test_consan.py, test_deadlock_different_phases (there a control
// only). Two roles wait for different phases of one barrier: nobody is blocked for ever.
// CHECK: {{^}}proven
sluice.kernel @phases(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"},
                      %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 8} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, row>
  %done = sluice.mbarrier.alloc "done" : !sluice.mbarrier<1>
  sluice.mbarrier.init %done count 4 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.fill %x with 0.0 : <64x64xf16, smem, row>
  sluice.mbarrier.arrive %done[%c0] count 4 by one : <1> // phase 0: the tile is cleared
  sluice.bar.sync 0, 256
  sluice.role "first" warps 4 to 8 {
    sluice.mbarrier.wait %done[%c0], %c0 : <1>
    sluice.load %X[%c0, %c0] to %x : <?x64xf16>, <64x64xf16, smem, row>
    sluice.warp_sync
    sluice.mbarrier.arrive %done[%c0] by warp : <1>
  }
  sluice.role "second" warps 0 to 4 {
    sluice.mbarrier.wait %done[%c0], %c1 : <1>
    sluice.store %x to %Y[%c0, %c0] : <64x64xf16, smem, row>, <?x64xf16>
  }
}

// RUN: not sluice check %s | FileCheck %s
// As above, at the start of the next life (no thread). One warp ends the life of the barrier,
// another begins the next with another count, and nothing orders the two.
// Expected: R3.
// CHECK: R3 {{.*}}done
sluice.kernel @two_lives(%X: !sluice.tensor<?x64xf16, align 16> {sluice.name = "X"},
                         %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
  %done = sluice.mbarrier.alloc "done" : !sluice.mbarrier<1>
  sluice.mbarrier.init %done count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 128
  sluice.load %X[%c0, %c0] to %v : <?x64xf16, align 16>, <64x64xf16, reg, blocked>
  sluice.role "first" warps 0 to 1 {
    sluice.mbarrier.arrive %done[%c0] by one : <1>
  }
  sluice.mbarrier.wait %done[%c0], %c0 : <1>
  sluice.bar.sync 0, 128
  sluice.role "end" warps 0 to 1 {
    sluice.mbarrier.inval %done by one : <1>
  }
  sluice.role "begin" warps 1 to 2 {
    sluice.mbarrier.init %done count 4 by one : <1>
  }
  sluice.bar.sync 0, 128
  sluice.mbarrier.arrive %done[%c0] by warp : <1>
  sluice.mbarrier.wait %done[%c0], %c0 : <1>
  sluice.store %v to %Y[%c0, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
}

// RUN: not sluice check %s | FileCheck %s
// A warp waits in front of its role for what another role signals: it gives its registers back when
// that role has taken them.
// Expected: R19.
// CHECK: R19 {{.*}}wait at {{.*}} may wait for a role, in front of roles that take registers
sluice.kernel @two_steps(%X: !sluice.tensor<64x64xf32> {sluice.name = "X"},
                         %Y: !sluice.tensor<64x64xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 12} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = sluice.grid %c1 : index
  %there = sluice.mbarrier.alloc "there" : !sluice.mbarrier<1>
  sluice.mbarrier.init %there count 1 by one : <1>
  sluice.bar.sync 0, 384
  sluice.mbarrier.wait %there[%c0], %c0 by one : <1>
  sluice.role "compute" warps 4 to 8 registers 240 {
    %x = sluice.alloc "x" : !sluice.buffer<64x64xf32, reg, acc>
    sluice.load %X[%c0, %c0] to %x : <64x64xf32>, <64x64xf32, reg, acc>
    sluice.store %x to %Y[%c0, %c0] : <64x64xf32, reg, acc>, <64x64xf32>
    sluice.mbarrier.arrive %there[%c0] by one : <1>
  }
  sluice.role "few" warps 0 to 4 registers 24 {
    sluice.warp_sync
  }
  sluice.role "others" warps 8 to 12 registers 240 {
    sluice.warp_sync
  }
}

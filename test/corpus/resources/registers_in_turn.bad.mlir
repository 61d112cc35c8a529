// RUN: not sluice check %s | FileCheck %s
// The roles of the second round ask for what the CTA has, those of the first for more: nobody comes
// to the second.
// Expected: R19.
// CHECK: R19 {{.*}}role compute at {{.*}} changes its registers but role later of the same warpgroup does not ask for as many
sluice.kernel @two_steps(%X: !sluice.tensor<64x64xf32> {sluice.name = "X"},
                         %Y: !sluice.tensor<64x64xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 12} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = sluice.grid %c1 : index
  sluice.role "compute" warps 4 to 8 registers 240 {
    %x = sluice.alloc "x" : !sluice.buffer<64x64xf32, reg, acc>
    sluice.load %X[%c0, %c0] to %x : <64x64xf32>, <64x64xf32, reg, acc>
    sluice.store %x to %Y[%c0, %c0] : <64x64xf32, reg, acc>, <64x64xf32>
  }
  sluice.role "others" warps 8 to 12 registers 240 {
    sluice.warp_sync
  }
  sluice.role "few" warps 0 to 4 registers 240 {
    sluice.warp_sync
  }
  sluice.role "later" warps 4 to 8 registers 24 {
    sluice.warp_sync
  }
  sluice.role "last" warps 8 to 12 registers 240 {
    sluice.warp_sync
  }
}

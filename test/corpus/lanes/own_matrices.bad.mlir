// RUN: not sluice check %s | FileCheck %s
// Elements of two bytes are stored by stmatrix: a lane stores what others hold.
// Expected: R22.
// CHECK: R22 {{.*}}copy of warp 0 {{.*}} reads x {{.*}} while copy of warp 0 {{.*}} may still write it
sluice.kernel @own(%X: !sluice.tensor<?x64xf32> {sluice.name = "X"},
                    %Y: !sluice.tensor<?x64xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf32>
  %n = arith.ceildivsi %rows, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, row>
  %v = sluice.alloc "v" : !sluice.buffer<64x64xf32, reg, acc>
  sluice.fill %v with 0.0 : <64x64xf32, reg, acc>
  scf.for %t = %c0 to %n step %c1 {
    %row = arith.muli %t, %c64 : index
    sluice.copy %v to %x : <64x64xf32, reg, acc>, <64x64xf16, smem, row>
    sluice.copy %x to %v : <64x64xf16, smem, row>, <64x64xf32, reg, acc>
    sluice.store %v to %Y[%row, %c0] : <64x64xf32, reg, acc>, <?x64xf32>
  } {sluice.name = "t", sluice.pipelined}
}

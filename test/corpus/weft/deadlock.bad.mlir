// RUN: not sluice check %s | FileCheck %s
// Weft (2015), examples, negative test `deadlock`. Warp 0 waits on barrier 0 and then signals 1,
// warp 1 waits on barrier 1 and then signals 0: a circle.
// Expected: R9.
// CHECK: R9 {{.*}}named barrier {{[34]}}
sluice.kernel @circle(%X: !sluice.tensor<?x64xf32> {sluice.name = "X"},
                      %Y: !sluice.tensor<?x64xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %rows = sluice.dim %X, 0 : <?x64xf32>
  %n = arith.ceildivsi %rows, %c16 : index
  %x = sluice.alloc "x" : !sluice.buffer<16x64xf32, smem, row>
  sluice.role "first" warps 0 to 1 {
    %v = sluice.alloc "v" : !sluice.buffer<16x64xf32, reg, blocked>
    scf.for %t = %c0 to %n step %c1 {
      %row = arith.muli %t, %c16 : index
      sluice.bar.sync 3, 64
      sluice.copy %x to %v : <16x64xf32, smem, row>, <16x64xf32, reg, blocked>
      sluice.bar.arrive 4, 64
      sluice.store %v to %Y[%row, %c0] : <16x64xf32, reg, blocked>, <?x64xf32>
    } {sluice.name = "t", sluice.pipelined}
  }
  sluice.role "second" warps 1 to 2 {
    scf.for %t = %c0 to %n step %c1 {
      %row = arith.muli %t, %c16 : index
      sluice.bar.sync 4, 64
      sluice.load %X[%row, %c0] to %x : <?x64xf32>, <16x64xf32, smem, row>
      sluice.bar.arrive 3, 64
    }
  }
}

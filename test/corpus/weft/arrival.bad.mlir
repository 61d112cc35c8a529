// RUN: not sluice check %s | FileCheck %s
// Weft (2015), examples, negative test `arrival`. Two warps signal a named barrier that nobody
// waits on: at the end it is left with 64 of its 96 threads.
// Expected: 14}} (or R21: a warp that runs first finds bytes that nothing has written).
// CHECK: R{{11|14}} {{.*}}named barrier 1
sluice.kernel @signal(%X: !sluice.tensor<?x64xf32> {sluice.name = "X"},
                      %Y: !sluice.tensor<?x64xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 3} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %rows = sluice.dim %X, 0 : <?x64xf32>
  %n = arith.ceildivsi %rows, %c16 : index
  %x = sluice.alloc "x" : !sluice.buffer<16x64xf32, smem, row>
  sluice.role "load" warps 0 to 2 {
    sluice.fill %x with 0.0 : <16x64xf32, smem, row>
    sluice.warp_sync // other lanes write the same bytes below
    scf.for %t = %c0 to %n step %c1 {
      %row = arith.muli %t, %c16 : index
      sluice.load %X[%row, %c0] to %x : <?x64xf32>, <16x64xf32, smem, row>
    } {sluice.name = "t", sluice.pipelined}
    sluice.bar.arrive 1, 96
  }
  sluice.role "read" warps 2 to 3 {
  }
}

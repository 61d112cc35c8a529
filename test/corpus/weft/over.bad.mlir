// RUN: not sluice check %s | FileCheck %s
// Weft (2015), examples, negative test `over`. Three warps use a named barrier of 64 threads.
// Expected: R11.
// CHECK: R11 {{.*}}named barrier 1 is not ordered after
sluice.kernel @three(%X: !sluice.tensor<?x64xf32> {sluice.name = "X"},
                     %Y: !sluice.tensor<?x64xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 3} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %rows = sluice.dim %X, 0 : <?x64xf32>
  %n = arith.ceildivsi %rows, %c16 : index
  %x = sluice.alloc "x" : !sluice.buffer<16x64xf32, smem, row>
  sluice.role "read" warps 0 to 3 {
    %v = sluice.alloc "v" : !sluice.buffer<16x64xf32, reg, blocked>
    sluice.fill %x with 0.0 : <16x64xf32, smem, row>
    sluice.warp_sync // other lanes write the same bytes below
    scf.for %t = %c0 to %n step %c1 {
      %row = arith.muli %t, %c16 : index
      sluice.load %X[%row, %c0] to %x : <?x64xf32>, <16x64xf32, smem, row>
      sluice.bar.sync 1, 64
      sluice.copy %x to %v : <16x64xf32, smem, row>, <16x64xf32, reg, blocked>
      sluice.store %v to %Y[%row, %c0] : <16x64xf32, reg, blocked>, <?x64xf32>
      sluice.bar.sync 1, 64
    } {sluice.name = "t", sluice.pipelined}
  }
}

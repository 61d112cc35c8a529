// RUN: not sluice check %s | FileCheck %s
// quack #146. A named barrier counts two loading warps; in gather mode five warps execute it.
// Expected: R11.
// CHECK: R11 {{.*}}bar.sync of gather warp {{.*}} on named barrier 1 is not ordered after
sluice.kernel @gather(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"},
                      %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 9} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16>
  %n = arith.ceildivsi %rows, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, row>
  sluice.role "gather" warps 4 to 9 { // one warp for indices, four for rows
    sluice.fill %x with 0.0 : <64x64xf16, smem, row>
    scf.for %t = %c0 to %n step %c1 {
      %row = arith.muli %t, %c64 : index
      sluice.bar.sync 1, 64 // as if two warps loaded
      sluice.load %X[%row, %c0] to %x : <?x64xf16>, <64x64xf16, smem, row>
      sluice.bar.arrive 2, 288
      sluice.bar.sync 3, 288
    }
  }
  sluice.role "use" warps 0 to 4 {
    %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
    scf.for %t = %c0 to %n step %c1 {
      %row = arith.muli %t, %c64 : index
      sluice.bar.sync 2, 288
      sluice.copy %x to %v : <64x64xf16, smem, row>, <64x64xf16, reg, blocked>
      sluice.bar.arrive 3, 288
      sluice.store %v to %Y[%row, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
    } {sluice.name = "t", sluice.pipelined}
  }
}

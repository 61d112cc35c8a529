// RUN: not sluice check %s | FileCheck %s
// flashinfer #4533. Two roles take the same named barrier for themselves; their warps mix in its
// phases.
// Expected: R11.
// CHECK: R11 {{.*}}named barrier 1 is not ordered after
sluice.kernel @two_roles(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"},
                         %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out},
                         %V: !sluice.tensor<?x64xf16> {sluice.name = "V", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 8} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16>
  %n = arith.ceildivsi %rows, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, row>
  %z = sluice.alloc "z" : !sluice.buffer<64x64xf16, smem, row>
  sluice.role "left" warps 0 to 4 {
    %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
    scf.for %t = %c0 to %n step %c1 {
      %row = arith.muli %t, %c64 : index
      sluice.load %X[%row, %c0] to %x : <?x64xf16>, <64x64xf16, smem, row>
      sluice.bar.sync 1, 128
      sluice.copy %x to %v : <64x64xf16, smem, row>, <64x64xf16, reg, blocked>
      sluice.bar.sync 1, 128
      sluice.store %v to %Y[%row, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
    } {sluice.name = "t", sluice.pipelined}
  }
  sluice.role "right" warps 4 to 8 {
    %w = sluice.alloc "w" : !sluice.buffer<64x64xf16, reg, blocked>
    scf.for %t = %c0 to %n step %c1 {
      %row = arith.muli %t, %c64 : index
      sluice.load %X[%row, %c0] to %z : <?x64xf16>, <64x64xf16, smem, row>
      sluice.bar.sync 1, 128
      sluice.copy %z to %w : <64x64xf16, smem, row>, <64x64xf16, reg, blocked>
      sluice.bar.sync 1, 128
      sluice.store %w to %V[%row, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
    }
  }
}

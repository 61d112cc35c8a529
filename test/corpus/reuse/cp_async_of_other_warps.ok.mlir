// RUN: sluice check %s | FileCheck %s
// ninfer-3090 #43. A block barrier follows wait_group.
// CHECK: {{^}}proven
sluice.kernel @transpose(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"},
                         %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16>
  %n = arith.ceildivsi %rows, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, row>
  %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
  scf.for %t = %c0 to %n step %c1 {
    %row = arith.muli %t, %c64 : index
    sluice.load %X[%row, %c0] to %x async : <?x64xf16>, <64x64xf16, smem, row>
    sluice.cp_async.commit
    sluice.cp_async.wait 0
    sluice.bar.sync 0, 128
    %columns = sluice.transpose %x : <64x64xf16, smem, row>
    sluice.copy %columns to %v : <64x64xf16, smem, row, minor 0>, <64x64xf16, reg, blocked>
    sluice.bar.sync 0, 128
    sluice.store %v to %Y[%row, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
  } {sluice.name = "t", sluice.pipelined}
}

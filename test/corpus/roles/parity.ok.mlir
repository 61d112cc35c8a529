// RUN: sluice check %s | FileCheck %s
// CudaDMA (Bauer, Cook and Khailany, SC 2011): two buffers, a pair of named barriers for each,
// chosen by the parity of the iteration: 1 + parity says that the buffer is full, 3 + parity that
// it is empty.
// CHECK: {{^}}proven: every launch
sluice.kernel @double_buffer(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"},
                             %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 8} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16>
  %n = arith.ceildivsi %rows, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, row, slots 2>
  sluice.role "produce" warps 0 to 4 {
    scf.for %t = %c0 to %n step %c1 {
      %row = arith.muli %t, %c64 : index
      %slot = arith.remsi %t, %c2 : index
      %full = arith.addi %slot, %c1 : index
      %empty = arith.addi %slot, %c3 : index
      %to = sluice.slot %x[%slot] : <64x64xf16, smem, row, slots 2>
      sluice.bar.sync %empty, 256
      sluice.load %X[%row, %c0] to %to : <?x64xf16>, <64x64xf16, smem, row>
      sluice.bar.arrive %full, 256
    } {sluice.name = "t", sluice.pipelined}
    sluice.bar.sync 3, 256
    sluice.bar.sync 4, 256
  }
  sluice.role "consume" warps 4 to 8 {
    %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, acc>
    sluice.bar.arrive 3, 256
    sluice.bar.arrive 4, 256
    scf.for %t = %c0 to %n step %c1 {
      %row = arith.muli %t, %c64 : index
      %slot = arith.remsi %t, %c2 : index
      %full = arith.addi %slot, %c1 : index
      %empty = arith.addi %slot, %c3 : index
      %from = sluice.slot %x[%slot] : <64x64xf16, smem, row, slots 2>
      sluice.bar.sync %full, 256
      sluice.copy %from to %v : <64x64xf16, smem, row>, <64x64xf16, reg, acc>
      sluice.bar.arrive %empty, 256
      sluice.store %v to %Y[%row, %c0] : <64x64xf16, reg, acc>, <?x64xf16>
    }
  }
}

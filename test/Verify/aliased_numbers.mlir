// A number that is written to one buffer and read from another, in the same bytes: normal forms have
// of it what readers of the buffer that it was written to need. In round 40 somebody waits for ever.
// RUN: not sluice check %s | FileCheck %s
// CHECK: unsupported: this launch
// CHECK: scalar read of warp 0 of CTA (0) at {{.*}} takes a number that scalar write of warp 0 of CTA (0) at {{.*}} has brought; the proof follows numbers that sluice.scalar_write has written to the same buffer
// RUN: sed 's/scalar_read %%two/scalar_read %%one/' %s > %t.mlir
// RUN: not sluice check %t.mlir | FileCheck %s --check-prefix=ONE
// ONE: violated: refused at X[41,
sluice.kernel @k(%X: !sluice.tensor<?x?xf32> {sluice.name = "X"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %forty = arith.constant 40 : index
  %n = sluice.dim %X, 0 : <?x?xf32>
  %i = sluice.grid %c1 : index
  %b = sluice.mbarrier.alloc "b" at 1024 : !sluice.mbarrier<1>
  %one = sluice.alloc "one" at 0 : !sluice.buffer<1x4xi32, smem, row>
  %two = sluice.alloc "two" at 0 : !sluice.buffer<1x4xi32, smem, row>
  sluice.mbarrier.init %b count 1 by one : <1>
  sluice.scalar_write %c0 to %one[%c0, %c0] : <1x4xi32, smem, row>
  sluice.warp_sync
  scf.for %t = %c0 to %n step %c1 {
    sluice.scalar_write %t to %one[%c0, %c0] : <1x4xi32, smem, row>
    sluice.warp_sync
  }
  %x = sluice.scalar_read %two[%c0, %c0] : <1x4xi32, smem, row>
  %u = sluice.uniform %x : index
  %is = arith.cmpi eq, %u, %forty : index
  scf.if %is {
    sluice.mbarrier.wait %b[%c0], %c0 : <1>
  }
}

// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// Prefetch ring over (n / 2) * 2 steps.
sluice.kernel @k(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
                 %Y: !sluice.tensor<?x?xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %M = sluice.dim %X, 0 : <?x?xf32, align 16>
  %K = sluice.dim %X, 1 : <?x?xf32, align 16>
  %gm = arith.ceildivsi %M, %c32 : index
  %n = arith.ceildivsi %K, %c32 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c32 : index
  %h = arith.divsi %n, %c2 : index
  %m = arith.muli %h, %c2 : index
  %x = sluice.alloc "x" : !sluice.buffer<32x32xf32, smem, row, slots 2>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<2>
  sluice.mbarrier.init %full count 1 by one : <2>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 32
  %start = sluice.cursor : !sluice.cursor<2>
  %ahead = arith.minsi %m, %c2 : index
  scf.for %t = %c0 to %ahead step %c1 iter_args(%w = %start) -> (!sluice.cursor<2>) {
    %col = arith.muli %t, %c32 : index
    %s = sluice.cursor.slot %w : <2>
    %p = sluice.cursor.phase %w : <2>
    %to = sluice.slot %x[%s] : <32x32xf32, smem, row, slots 2>
    sluice.mbarrier.arrive_expect_tx %full[%s] bytes 4096 by one : <2>
    sluice.tma.load %X[%row, %col] to %to, %full[%s] : <?x?xf32, align 16>, <32x32xf32, smem, row>, <2>
    %nx = sluice.cursor.advance %w : <2>
    scf.yield %nx : !sluice.cursor<2>
  }
  %e = scf.for %t = %c0 to %m step %c1 iter_args(%r = %start) -> (!sluice.cursor<2>) {
    %col = arith.muli %t, %c32 : index
    %s = sluice.cursor.slot %r : <2>
    %p = sluice.cursor.phase %r : <2>
    %here = sluice.slot %x[%s] : <32x32xf32, smem, row, slots 2>
    sluice.mbarrier.wait %full[%s], %p : <2>
    sluice.store %here to %Y[%row, %col] : <32x32xf32, smem, row>, <?x?xf32>
    sluice.warp_sync
    %tn = arith.addi %t, %c2 : index
    %more = arith.cmpi slt, %tn, %m : index
    scf.if %more {
      %coln = arith.muli %tn, %c32 : index
      sluice.mbarrier.arrive_expect_tx %full[%s] bytes 4096 by one : <2>
      sluice.tma.load %X[%row, %coln] to %here, %full[%s] : <?x?xf32, align 16>, <32x32xf32, smem, row>, <2>
    }
    %nx = sluice.cursor.advance %r : <2>
    scf.yield %nx : !sluice.cursor<2>
  }
}

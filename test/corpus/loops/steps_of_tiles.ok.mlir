// RUN: sluice check %s --set X=0x0 Y=0x0 | FileCheck %s
// Slot and phase from the number of the step: rounds of the CTA times steps of a tile and the step.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%X: !sluice.tensor<?x?xf16, align 16> {sluice.name = "X"},
                 %Y: !sluice.tensor<?x?xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 5} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %c132 = arith.constant 132 : index
  %rows = sluice.dim %X, 0 : <?x?xf16, align 16>
  %cols = sluice.dim %X, 1 : <?x?xf16, align 16>
  %tiles = arith.ceildivsi %rows, %c64 : index
  %n = arith.ceildivsi %cols, %c64 : index
  %g = arith.minsi %tiles, %c132 : index
  %cta = sluice.grid %g : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, sw128, slots 3>
  %xfull = sluice.mbarrier.alloc "xfull" : !sluice.mbarrier<3>
  %xempty = sluice.mbarrier.alloc "xempty" : !sluice.mbarrier<3>
  sluice.mbarrier.init %xfull count 1 by one : <3>
  sluice.mbarrier.init %xempty count 4 by one : <3>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 160
  sluice.role "load" warps 4 to 5 {
    scf.for %i = %cta to %tiles step %g {
    %row = arith.muli %i, %c64 : index
    %q0 = arith.subi %i, %cta : index
    %q = arith.divsi %q0, %g : index
    %b = arith.muli %q, %n : index
    scf.for %t = %c0 to %n step %c1 {
      %col = arith.muli %t, %c64 : index
      %u = arith.addi %b, %t : index
      %s = arith.remsi %u, %c3 : index
      %d = arith.divsi %u, %c3 : index
      %f0 = arith.andi %d, %c1 : index
      %f = arith.xori %f0, %c1 : index
      %xt = sluice.slot %x[%s] : <64x64xf16, smem, sw128, slots 3>
      sluice.mbarrier.wait %xempty[%s], %f : <3>
      sluice.mbarrier.arrive_expect_tx %xfull[%s] bytes 8192 by one : <3>
      sluice.tma.load %X[%row, %col] to %xt, %xfull[%s]
          : <?x?xf16, align 16>, <64x64xf16, smem, sw128>, <3>

    }
    }
  }
  sluice.role "copy" warps 0 to 4 {
    scf.for %i = %cta to %tiles step %g {
    %row = arith.muli %i, %c64 : index
    %q0 = arith.subi %i, %cta : index
    %q = arith.divsi %q0, %g : index
    %b = arith.muli %q, %n : index
    scf.for %t = %c0 to %n step %c1 {
      %col = arith.muli %t, %c64 : index
      %u = arith.addi %b, %t : index
      %s = arith.remsi %u, %c3 : index
      %d = arith.divsi %u, %c3 : index
      %f0 = arith.andi %d, %c1 : index
      %f = arith.xori %f0, %c0 : index
      %xt = sluice.slot %x[%s] : <64x64xf16, smem, sw128, slots 3>
      sluice.mbarrier.wait %xfull[%s], %f : <3>
      sluice.store %xt to %Y[%row, %col] : <64x64xf16, smem, sw128>, <?x?xf16>
      sluice.fence proxy_async
      sluice.warp_sync
      sluice.mbarrier.arrive %xempty[%s] by warp : <3>

    }
    }
  }
}

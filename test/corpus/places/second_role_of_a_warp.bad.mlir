// RUN: not sluice check %s | FileCheck %s
// A warp has two roles with a loop each; what the second writes another warp reads, in no order.
// CHECK: {{^}}violated
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"},
                 %Y: !sluice.tensor<?x?xf32> {sluice.name = "Y", sluice.inout})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %N = sluice.dim %A, 1 : <?x?xf32>
  %n = arith.ceildivsi %N, %c32 : index
  %cta = sluice.grid %c1 : index
  %xf = sluice.mbarrier.alloc "xf" : !sluice.mbarrier<2>
  sluice.mbarrier.init %xf count 1 by one : <2>
  %xe = sluice.mbarrier.alloc "xe" : !sluice.mbarrier<2>
  sluice.mbarrier.init %xe count 1 by one : <2>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  %start2 = sluice.cursor : !sluice.cursor<2>
  sluice.role "r0" warps 0 to 1 {
    %r0 = sluice.alloc "r0" : !sluice.buffer<32x32xf32, reg, blocked>
    sluice.fill %r0 with 1.0 : <32x32xf32, reg, blocked>
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %af4 = scf.for %i2 = %k0 to %n step %k1 iter_args(%at3 = %start2) -> (!sluice.cursor<2>) {
      %s5 = sluice.cursor.slot %at3 : <2>
      %ph6 = sluice.cursor.phase %at3 : <2>
      %f7 = arith.xori %ph6, %c1 : index
      sluice.mbarrier.wait %xe[%s5], %f7 : <2>
      sluice.mbarrier.arrive %xf[%s5] by warp : <2>
      %n8 = sluice.cursor.advance %at3 : <2>
      scf.yield %n8 : !sluice.cursor<2>
    }
  }
  sluice.role "r1" warps 1 to 2 {
    %r1 = sluice.alloc "r1" : !sluice.buffer<32x32xf32, reg, blocked>
    sluice.fill %r1 with 1.0 : <32x32xf32, reg, blocked>
    %k9 = arith.constant 0 : index
    %k10 = arith.constant 1 : index
    %af13 = scf.for %i11 = %k9 to %n step %k10 iter_args(%at12 = %start2) -> (!sluice.cursor<2>) {
      %s14 = sluice.cursor.slot %at12 : <2>
      %ph15 = sluice.cursor.phase %at12 : <2>
      sluice.mbarrier.wait %xf[%s14], %ph15 : <2>
      sluice.mbarrier.arrive %xe[%s14] by warp : <2>
      %n16 = sluice.cursor.advance %at12 : <2>
      %v17 = arith.muli %i11, %c32 : index
      sluice.load %Y[%c0, %v17] to %r1 : <?x?xf32>, <32x32xf32, reg, blocked>
      scf.yield %n16 : !sluice.cursor<2>
    }
  }
  sluice.role "r0b" warps 0 to 1 {
    %r0b = sluice.alloc "r9" : !sluice.buffer<32x32xf32, reg, blocked>
    sluice.fill %r0b with 1.0 : <32x32xf32, reg, blocked>
    %Zk0 = arith.constant 0 : index
    %Zk1 = arith.constant 1 : index
    scf.for %Zi2 = %Zk0 to %n step %Zk1 {
      %c24 = arith.constant 24 : index
      %late = arith.cmpi sgt, %Zi2, %c24 : index
      scf.if %late {
        %Zv3 = arith.muli %Zi2, %c32 : index
        sluice.store %r0b to %Y[%c0, %Zv3] : <32x32xf32, reg, blocked>, <?x?xf32>
      }
    }
  }
}

// RUN: not sluice check %s | FileCheck %s
// Rows that are read when the loop that filled them has ended; a late tile of a row waits for what
// nobody signals.
// CHECK: {{^}}violated
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %M = sluice.dim %A, 0 : <?x?xf32>
  %m = arith.ceildivsi %M, %c32 : index
  %N = sluice.dim %A, 1 : <?x?xf32>
  %n = arith.ceildivsi %N, %c32 : index
  %cta = sluice.grid %c1 : index
  %zf = sluice.mbarrier.alloc "zf" : !sluice.mbarrier<2>
  sluice.mbarrier.init %zf count 1 by one : <2>
  %ze = sluice.mbarrier.alloc "ze" : !sluice.mbarrier<2>
  sluice.mbarrier.init %ze count 1 by one : <2>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  %start2 = sluice.cursor : !sluice.cursor<2>
  sluice.role "r0" warps 0 to 1 {
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %af4 = scf.for %i2 = %k0 to %m step %k1 iter_args(%at3 = %start2) -> (!sluice.cursor<2>) {
      %k5 = arith.constant 0 : index
      %k6 = arith.constant 1 : index
      scf.for %i7 = %k5 to %n step %k6 {
        sluice.warp_sync
      }
      %s8 = sluice.cursor.slot %at3 : <2>
      %ph9 = sluice.cursor.phase %at3 : <2>
      %f10 = arith.xori %ph9, %c1 : index
      sluice.mbarrier.wait %ze[%s8], %f10 : <2>
      sluice.mbarrier.arrive %zf[%s8] by warp : <2>
      %n11 = sluice.cursor.advance %at3 : <2>
      scf.yield %n11 : !sluice.cursor<2>
    }
  }
  sluice.role "r1" warps 1 to 2 {
    %k12 = arith.constant 0 : index
    %k13 = arith.constant 1 : index
    %af16 = scf.for %i14 = %k12 to %m step %k13 iter_args(%at15 = %start2) -> (!sluice.cursor<2>) {
      %s17 = sluice.cursor.slot %at15 : <2>
      %ph18 = sluice.cursor.phase %at15 : <2>
      sluice.mbarrier.wait %zf[%s17], %ph18 : <2>
      sluice.mbarrier.arrive %ze[%s17] by warp : <2>
      %n19 = sluice.cursor.advance %at15 : <2>
      %k20 = arith.constant 0 : index
      %k21 = arith.constant 1 : index
      %af24 = scf.for %i22 = %k20 to %n step %k21 iter_args(%at23 = %n19) -> (!sluice.cursor<2>) {
        %k25 = arith.constant 1 : index
        %v26 = arith.addi %i22, %k25 : index
        %k27 = arith.constant 7 : index
        %v28 = arith.remsi %v26, %k27 : index
        %k29 = arith.constant 0 : index
        %v30 = arith.cmpi eq, %v28, %k29 : index
        %af31 = scf.if %v30 -> (!sluice.cursor<2>) {
          %s32 = sluice.cursor.slot %at23 : <2>
          %ph33 = sluice.cursor.phase %at23 : <2>
          sluice.mbarrier.wait %zf[%s32], %ph33 : <2>
          sluice.mbarrier.arrive %ze[%s32] by warp : <2>
          %n34 = sluice.cursor.advance %at23 : <2>
          scf.yield %n34 : !sluice.cursor<2>
        } else {
          scf.yield %at23 : !sluice.cursor<2>
        }
        scf.yield %af31 : !sluice.cursor<2>
      }
      scf.yield %af24 : !sluice.cursor<2>
    }
  }
}

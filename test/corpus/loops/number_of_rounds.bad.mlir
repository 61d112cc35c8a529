// RUN: not sluice check %s --set L=8 | FileCheck %s
// One of two numbers is handed on and bounds a loop.
// Expected: R9.
// CHECK: R9 (
sluice.kernel @k(%L: !sluice.tensor<?xi32> {sluice.name = "L"}, %M: !sluice.tensor<?xi32> {sluice.name = "M"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %n = sluice.dim %L, 0 : <?xi32>
  %i = sluice.grid %c1 : index
  %w = sluice.warp
  %number = sluice.alloc "number" : !sluice.buffer<1x4xi32, smem, row>
  %bar = sluice.mbarrier.alloc "bar" : !sluice.mbarrier<1>
  sluice.mbarrier.init %bar count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.scalar_write %c3 to %number[%c0, %c0] : <1x4xi32, smem, row>
  sluice.bar.sync 0, 32
  scf.for %t = %c0 to %n step %c1 {
    %m = sluice.scalar_load %M[%t] : <?xi32>
    %mv = sluice.uniform %m : index
    %mp = arith.cmpi sgt, %mv, %c0 : index
    scf.if %mp {
      sluice.bar.sync 0, 32
    }
    %read = sluice.scalar_read %number[%c0, %c0] : <1x4xi32, smem, row>
    sluice.bar.sync 0, 32
    %r = sluice.uniform %read : index
    scf.for %u = %c0 to %r step %c1 {
      %late = arith.cmpi eq, %u, %c5 : index
      scf.if %late {
        sluice.mbarrier.wait %bar[%c0], %c0 : <1>
      }
    }
    %l = sluice.scalar_load %L[%t] : <?xi32>
    %v = sluice.uniform %l : index
    %p = arith.cmpi sgt, %v, %c5 : index
    %y = scf.if %p -> (index) {
      sluice.bar.sync 0, 32
      %a = arith.addi %w, %c7 : index
      scf.yield %a : index
    } else {
      sluice.bar.sync 0, 32
      %a = arith.addi %w, %c3 : index
      scf.yield %a : index
    }
    sluice.scalar_write %y to %number[%c0, %c0] : <1x4xi32, smem, row>
    sluice.bar.sync 0, 32
  }
}

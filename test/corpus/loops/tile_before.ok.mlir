// RUN: sluice check %s | FileCheck %s
// At tile 21 a role asks about the integer of tile 20, and does so only where it is positive: the other
// way, into a barrier that nobody meets, no launch takes.
// CHECK: proven: every launch
sluice.kernel @k(%L: !sluice.tensor<?xi32> {sluice.name = "L"}, %M: !sluice.tensor<?xi32> {sluice.name = "M"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %c21 = arith.constant 21 : index
  %n = sluice.dim %L, 0 : <?xi32>
  %m = sluice.dim %M, 0 : <?xi32>
  %g = sluice.grid %c1 : index
  sluice.role "a" warps 0 to 1 {
    sluice.bar.sync 1, 64
    scf.for %t = %c0 to %m step %c1 {
      sluice.warp_sync
    }
  }
  sluice.role "b" warps 1 to 2 {
    %warp = sluice.warp
    %e:3 = scf.for %t = %c0 to %n step %c1 iter_args(%d = %c0, %s = %c0, %before = %c0) -> (index, index, index) {
      %on = arith.cmpi eq, %s, %c1 : index
      scf.if %on {
        %l = sluice.scalar_load %L[%before] : <?xi32>
        %length = sluice.uniform %l : index
        %more = arith.cmpi sgt, %length, %c0 : index
        scf.if %more {
          sluice.warp_sync
        } else {
          sluice.bar.sync 2, 64
        }
      }
      %first = arith.cmpi eq, %d, %c20 : index
      %d1 = arith.addi %d, %c1 : index
      %dn = arith.minsi %d1, %c21 : index
      %sn = scf.if %first -> (index) {
        %l = sluice.scalar_load %L[%t] : <?xi32>
        %length = sluice.uniform %l : index
        %more = arith.cmpi sgt, %length, %c0 : index
        %y = scf.if %more -> (index) {
          sluice.warp_sync
          %x = arith.addi %warp, %c1 : index
          scf.yield %x : index
        } else {
          sluice.warp_sync
          %x = arith.addi %warp, %c0 : index
          scf.yield %x : index
        }
        scf.yield %y : index
      } else {
        sluice.warp_sync
        scf.yield %c0 : index
      }
      sluice.warp_sync
      scf.yield %dn, %sn, %t : index, index, index
    }
    sluice.bar.sync 1, 64
  }
}

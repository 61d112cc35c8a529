// RUN: not sluice check %s --set L=1x1 K=1x1 | FileCheck %s
// One role takes the row of the inner loop for that of the outer one, where an integer of the tile
// before says so, and asks there whether the other meets it.
// Expected: R9.
// CHECK: R9 (
sluice.kernel @k(%L: !sluice.tensor<?x?xi32> {sluice.name = "L"}, %K: !sluice.tensor<?x?xi32> {sluice.name = "K"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = sluice.dim %K, 0 : <?x?xi32>
  %m = sluice.dim %K, 1 : <?x?xi32>
  %g = sluice.grid %c1 : index
  sluice.role "a" warps 0 to 1 {
    %warp = sluice.warp
    scf.for %i = %c0 to %n step %c1 {
      %e = scf.for %j = %c0 to %m step %c1 iter_args(%w = %c0) -> (index) {
        %late = arith.cmpi eq, %w, %c1 : index
        %v = scf.if %late -> (index) {
          sluice.warp_sync
          %x = arith.addi %warp, %j : index
          scf.yield %x : index
        } else {
          sluice.warp_sync
          %x = arith.addi %warp, %i : index
          scf.yield %x : index
        }
        sluice.bar.sync 2, 64
        %k = sluice.scalar_load %K[%i, %j] : <?x?xi32>
        %some = sluice.uniform %k : index
        %more = arith.cmpi sgt, %some, %c0 : index
        %next = scf.if %more -> (index) {
          sluice.warp_sync
          %x = arith.addi %warp, %c1 : index
          scf.yield %x : index
        } else {
          sluice.warp_sync
          %x = arith.addi %warp, %c0 : index
          scf.yield %x : index
        }
        %l = sluice.scalar_load %L[%v, %j] : <?x?xi32>
        %length = sluice.uniform %l : index
        %meet = arith.cmpi sgt, %length, %c0 : index
        scf.if %meet {
          sluice.bar.sync 1, 64
        }
        scf.yield %next : index
      }
    }
  }
  sluice.role "b" warps 1 to 2 {
    %warp = sluice.warp
    scf.for %i = %c0 to %n step %c1 {
      %e = scf.for %j = %c0 to %m step %c1 iter_args(%w = %c0) -> (index) {
        sluice.bar.sync 2, 64
        %k = sluice.scalar_load %K[%i, %j] : <?x?xi32>
        %some = sluice.uniform %k : index
        %more = arith.cmpi sgt, %some, %c0 : index
        %next = scf.if %more -> (index) {
          sluice.warp_sync
          %x = arith.addi %warp, %c1 : index
          scf.yield %x : index
        } else {
          sluice.warp_sync
          %x = arith.addi %warp, %c0 : index
          scf.yield %x : index
        }
        %l = sluice.scalar_load %L[%i, %j] : <?x?xi32>
        %length = sluice.uniform %l : index
        %meet = arith.cmpi sgt, %length, %c0 : index
        scf.if %meet {
          sluice.bar.sync 1, 64
        }
        scf.yield %next : index
      }
    }
  }
}

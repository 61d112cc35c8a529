// RUN: not sluice check %s --set L=1 K=1 Y=64x32 | FileCheck %s
// A role stores the first rows of a tile or others, as an integer of the tile before says; another
// reads the first, and nothing orders the two.
// Expected: R26.
// CHECK: R26 (
sluice.kernel @k(%L: !sluice.tensor<?xi32> {sluice.name = "L"}, %K: !sluice.tensor<?xi32> {sluice.name = "K"},
                 %Y: !sluice.tensor<?x32xf32> {sluice.name = "Y", sluice.inout})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %n = sluice.dim %L, 0 : <?xi32>
  %g = sluice.grid %c1 : index
  sluice.role "a" warps 0 to 1 {
    %warp = sluice.warp
    %r = sluice.alloc "r" : !sluice.buffer<8x32xf32, reg, blocked>
    sluice.fill %r with 1.0 : <8x32xf32, reg, blocked>
    %e = scf.for %t = %c0 to %n step %c1 iter_args(%w = %c0) -> (index) {
      %base = arith.muli %t, %c32 : index
      %late = arith.cmpi eq, %w, %c1 : index
      %f = arith.select %late, %c0, %c16 : index
      %row = arith.addi %base, %f : index
      sluice.store %r to %Y[%row, %c0] : <8x32xf32, reg, blocked>, <?x32xf32>
      %k = sluice.scalar_load %K[%t] : <?xi32>
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
      %l = sluice.scalar_load %L[%t] : <?xi32>
      %length = sluice.uniform %l : index
      %wait = arith.cmpi sgt, %length, %c0 : index
      scf.if %wait {
        sluice.bar.sync 1, 32
      }
      scf.yield %next : index
    }
  }
  sluice.role "b" warps 1 to 2 {
    %u = sluice.alloc "u" : !sluice.buffer<8x32xf32, reg, blocked>
    scf.for %t = %c0 to %n step %c1 {
      %base = arith.muli %t, %c32 : index
      %l = sluice.scalar_load %L[%t] : <?xi32>
      %length = sluice.uniform %l : index
      %wait = arith.cmpi sgt, %length, %c0 : index
      scf.if %wait {
        sluice.bar.sync 2, 32
      }
      sluice.load %Y[%base, %c0] to %u : <?x32xf32>, <8x32xf32, reg, blocked>
    }
  }
}

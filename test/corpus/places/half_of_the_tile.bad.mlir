// RUN: not sluice check %s --set L=1 K=1 Y=64x32 | FileCheck %s
// A role stores one half of a tile or the other, in a loop over both, as an integer of the tile
// before says; another reads the first, and nothing orders the two.
// Expected: R26.
// CHECK: R26 (
sluice.kernel @k(%L: !sluice.tensor<?xi32> {sluice.name = "L"}, %K: !sluice.tensor<?xi32> {sluice.name = "K"}, %Y: !sluice.tensor<?x32xf32> {sluice.name = "Y", sluice.inout})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %n = sluice.dim %L, 0 : <?xi32>
  %two = arith.constant 2 : index
  %g = sluice.grid %c1 : index
  sluice.role "a" warps 0 to 1 {
    %warp = sluice.warp
    %r = sluice.alloc "r" : !sluice.buffer<16x32xf32, reg, blocked>
    sluice.fill %r with 1.0 : <16x32xf32, reg, blocked>
    %e = scf.for %t = %c0 to %n step %c1 iter_args(%w = %c1) -> (index) {
      sluice.bar.sync 3, 64
      %base = arith.muli %t, %c32 : index
      scf.for %u = %c0 to %two step %c1 {
        %z = arith.cmpi eq, %u, %c0 : index
        %o = arith.cmpi eq, %u, %c1 : index
        %late = arith.cmpi eq, %w, %c0 : index
        %now = arith.select %late, %z, %o : i1
        scf.if %now {
          %f = arith.muli %u, %c16 : index
          %row = arith.addi %base, %f : index
          sluice.store %r to %Y[%row, %c0] : <16x32xf32, reg, blocked>, <?x32xf32>
        }
      }
      %kl = sluice.scalar_load %K[%t] : <?xi32>
      %ku = sluice.uniform %kl : index
      %k = arith.cmpi sgt, %ku, %c0 : index
      %next = scf.if %k -> (index) {
        sluice.warp_sync
        %x = arith.addi %warp, %c0 : index
        scf.yield %x : index
      } else {
        sluice.warp_sync
        %x = arith.addi %warp, %c1 : index
        scf.yield %x : index
      }
      %ll = sluice.scalar_load %L[%t] : <?xi32>
      %lu = sluice.uniform %ll : index
      %l = arith.cmpi sgt, %lu, %c0 : index
      scf.if %l {
        sluice.bar.sync 1, 32
      }
      scf.yield %next : index
    }
  }
  sluice.role "b" warps 1 to 2 {
    %u = sluice.alloc "u" : !sluice.buffer<16x32xf32, reg, blocked>
    scf.for %t = %c0 to %n step %c1 {
      sluice.bar.sync 3, 64
      %base = arith.muli %t, %c32 : index
      %ll = sluice.scalar_load %L[%t] : <?xi32>
      %lu = sluice.uniform %ll : index
      %l = arith.cmpi sgt, %lu, %c0 : index
      scf.if %l {
        sluice.bar.sync 2, 32
      }
      scf.for %v = %c0 to %two step %c1 {
      %f = arith.muli %v, %c16 : index
      %row = arith.addi %base, %f : index
      %isz = arith.cmpi eq, %v, %c0 : index
      scf.if %isz {
      sluice.load %Y[%row, %c0] to %u : <?x32xf32>, <16x32xf32, reg, blocked>
      }
      }
    }
  }
}

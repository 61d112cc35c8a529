// RUN: not sluice check %s | FileCheck %s
// The second warp fills slot 2 whenever it stands at slot 3 of a ring of its own. In the twelfth step
// the first one stands there too.
// Expected: R22.
// CHECK: R22 {{.*}}fill of first warp 0 {{.*}} writes x[2] {{.*}} while fill of second warp 1
sluice.kernel @steps(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16>
  %n = arith.ceildivsi %rows, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, row, slots 3>
  %three = sluice.cursor : !sluice.cursor<3>
  %four = sluice.cursor : !sluice.cursor<4>
  sluice.role "first" warps 0 to 1 {
    %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %three) -> !sluice.cursor<3> {
      %slot = sluice.cursor.slot %at : <3>
      %tile = sluice.slot %x[%slot] : <64x64xf16, smem, row, slots 3>
      sluice.fill %tile with 0.0 : <64x64xf16, smem, row>
      sluice.bar.sync 1, 64
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
  }
  sluice.role "second" warps 1 to 2 {
    %w = sluice.alloc "w" : !sluice.buffer<64x64xf16, reg, blocked>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %four) -> !sluice.cursor<4> {
      %slot = sluice.cursor.slot %at : <4>
      %last = arith.cmpi eq, %slot, %c3 : index
      scf.if %last {
        %tile = sluice.slot %x[%c2] : <64x64xf16, smem, row, slots 3>
        sluice.fill %tile with 0.0 : <64x64xf16, smem, row>
      }
      sluice.bar.sync 1, 64
      %next = sluice.cursor.advance %at : <4>
      scf.yield %next : !sluice.cursor<4>
    }
  }
}

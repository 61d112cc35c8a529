// RUN: not sluice check %s --set Y=64x32 | FileCheck %s
// CTA i stores tile (16 i - 8) / 16 + 1: the first two are the same one, as quotients are rounded
// towards zero.
// Expected: R27.
// CHECK: R27 (
sluice.kernel @k(%Y: !sluice.tensor<?x32xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c8 = arith.constant 8 : index
  %rows = sluice.dim %Y, 0 : <?x32xf32>
  %m = arith.ceildivsi %rows, %c64 : index
  %i = sluice.grid %m : index
  %r = sluice.alloc "r" : !sluice.buffer<64x32xf32, reg, blocked>
  sluice.fill %r with 1.0 : <64x32xf32, reg, blocked>
  %x = arith.muli %i, %c16 : index
  %y = arith.subi %x, %c8 : index
  %q = arith.divsi %y, %c16 : index
  %p = arith.addi %q, %c1 : index
  %row = arith.muli %p, %c64 : index
  sluice.store %r to %Y[%row, %c0] : <64x32xf32, reg, blocked>, <?x32xf32>
}

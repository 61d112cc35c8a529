// RUN: not sluice check %s --set splits=1 turn=8 | FileCheck %s
// The last CTA alone waits, and for its turn.
// CHECK: R27 (
sluice.kernel @turns(%T: !sluice.tensor<64x32xf32> {sluice.name = "T", sluice.inout},
                     %turn: !sluice.tensor<?xi32> {sluice.name = "turn", sluice.inout},
                     %splits: index {sluice.name = "splits"})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = sluice.grid %splits : index
  %t = sluice.alloc "t" : !sluice.buffer<64x32xf32, reg, acc>
  %last = arith.subi %splits, %c1 : index
  %is_last = arith.cmpi eq, %x, %last : index
  scf.if %is_last {
    sluice.counter.wait %turn[%c0], %x scope gpu co_resident : <?xi32>
  }
  sluice.load %T[%c0, %c0] to %t : <64x32xf32>, <64x32xf32, reg, acc>
  sluice.store %t to %T[%c0, %c0] : <64x32xf32, reg, acc>, <64x32xf32>
  sluice.bar.sync 0, 128
  %step = arith.constant 1 : index
  %seen = sluice.counter.add %turn[%c0], %step scope gpu : <?xi32>
}

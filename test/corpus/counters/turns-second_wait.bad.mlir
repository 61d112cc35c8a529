// RUN: not sluice check %s --set splits=3 turn=8 | FileCheck %s
// A warp looks for the turn when it may have been given away and set back.
// CHECK: R38 (
sluice.kernel @turns(%T: !sluice.tensor<64x32xf32> {sluice.name = "T", sluice.inout},
                     %turn: !sluice.tensor<?xi32> {sluice.name = "turn", sluice.inout},
                     %splits: index {sluice.name = "splits"})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = sluice.grid %splits : index
  %t = sluice.alloc "t" : !sluice.buffer<64x32xf32, reg, acc>
  sluice.role "first" warps 0 to 1 {
    sluice.counter.wait %turn[%c0], %x scope gpu co_resident : <?xi32>
  }
  %last = arith.subi %splits, %c1 : index
  %back = arith.subi %c0, %last : index
  %is_last = arith.cmpi eq, %x, %last : index
  %step = arith.select %is_last, %back, %c1 : index
  %seen = sluice.counter.add %turn[%c0], %step scope gpu : <?xi32>
  sluice.role "late" warps 3 to 4 {
    sluice.counter.wait %turn[%c0], %x scope gpu co_resident : <?xi32>
  }
}

// RUN: not sluice check %s --set n=1 | FileCheck %s
// One warp waits for all at the first counter and then counts in at the second, another the other way round.
// CHECK: R9 (
sluice.kernel @k(%first: !sluice.tensor<1xi32> {sluice.name = "first", sluice.inout},
                 %second: !sluice.tensor<1xi32> {sluice.name = "second", sluice.inout},
                 %n: index {sluice.name = "n"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = sluice.grid %n : index
  sluice.role "one" warps 0 to 1 {
    sluice.counter.wait %first[%c0], %n scope gpu co_resident : <1xi32>
    %b = sluice.counter.add %second[%c0], %c1 scope gpu : <1xi32>
  }
  sluice.role "other" warps 1 to 2 {
    sluice.counter.wait %second[%c0], %n scope gpu co_resident : <1xi32>
    %a = sluice.counter.add %first[%c0], %c1 scope gpu : <1xi32>
  }
}

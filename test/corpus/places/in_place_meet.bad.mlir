// RUN: not sluice check %s --set X=64x32 Y=64x32 | FileCheck %s
// Each CTA stores in the place of its tile; when all have, each reads what the next one had.
// CHECK: {{^}}violated
// CHECK: R26 {{.*}} reads elements of X in whose place
sluice.kernel @k(%X: !sluice.tensor<?x32xf32> {sluice.name = "X"},
                 %Y: !sluice.tensor<?x32xf32> {sluice.name = "Y", sluice.out, sluice.in_place = "X"},
                 %met: !sluice.tensor<1xi32> {sluice.name = "met", sluice.inout})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %X, 0 : <?x32xf32>
  %n = arith.ceildivsi %M, %c64 : index
  %i = sluice.grid %n : index
  %row = arith.muli %i, %c64 : index
  %next = arith.addi %row, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x32xf32, reg, acc>
  sluice.load %X[%row, %c0] to %x : <?x32xf32>, <64x32xf32, reg, acc>
  sluice.store %x to %Y[%row, %c0] : <64x32xf32, reg, acc>, <?x32xf32>
  sluice.bar.sync 0, 128
  %seen = sluice.counter.add %met[%c0], %c1 scope gpu : <1xi32>
  sluice.counter.wait %met[%c0], %n scope gpu co_resident : <1xi32>
  sluice.bar.sync 0, 128
  sluice.load %X[%next, %c0] to %x : <?x32xf32>, <64x32xf32, reg, acc>
}

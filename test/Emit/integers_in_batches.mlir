// RUN: sluice check %s | FileCheck %s
// CHECK: proven: every launch
// A matrix of integers behind others: in host mode it is told by where it starts (test/unit/Emit/HostModeTests.cpp).
sluice.kernel @integers_in_batches(%X: !sluice.tensor<?x?x?xi32> {sluice.name = "X"},
    %Y: !sluice.tensor<?x?x?xi32> {sluice.name = "Y", sluice.out}) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %n = sluice.dim %Y, 0 : <?x?x?xi32>
  %i = sluice.grid %n : index
  %x = sluice.alloc "x" : !sluice.buffer<64x8xi32>
  sluice.load %X[%i, %c0, %c0] to %x : <?x?x?xi32>, <64x8xi32>
  sluice.store %x to %Y[%i, %c0, %c0] : <64x8xi32>, <?x?x?xi32>
}

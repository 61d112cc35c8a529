// A tile that two pipes of a vector core read: V doubles it, MTE3 stores it as it is. A flag is of two
// pipes, so that the slot is full for each by a flag of its own. The tile is all of its tensor: of
// others MTE3 would store what V has completed with zeros.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: %python %S/../Inputs/products.py %t.d
// RUN: sluice run %s --in X=%t.d/A.npy --expect Y=%t.d/doubled.npy Z=%t.d/A.npy --chaos 300
// RUN: sluice barriers %s | FileCheck %s --check-prefix=TABLE
// TABLE-DAG: MTE2->V
// TABLE-DAG: MTE2->MTE3
sluice.kernel @readers(%X: !sluice.tensor<200x192xf16> {sluice.name = "X"},
                       %Y: !sluice.tensor<200x192xf16> {sluice.name = "Y", sluice.out},
                       %Z: !sluice.tensor<200x192xf16> {sluice.name = "Z", sluice.out})
    attributes {target = "ascend910b"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = sluice.grid %c1 : index
  %x = sluice.alloc "x" : !sluice.buffer<200x192xf16>
  %y = sluice.alloc "y" : !sluice.buffer<200x192xf16>
  sluice.load %X[%c0, %c0] to %x : <200x192xf16>, <200x192xf16>
  sluice.map ins(%x : !sluice.buffer<200x192xf16>) outs(%y : !sluice.buffer<200x192xf16>) {
  ^bb0(%e: f16):
    %d = arith.addf %e, %e : f16
    sluice.yield %d : f16
  }
  sluice.store %x to %Z[%c0, %c0] : <200x192xf16>, <200x192xf16>
  sluice.store %y to %Y[%c0, %c0] : <200x192xf16>, <200x192xf16>
}

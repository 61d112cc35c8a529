// A tile that two pipes of a vector core read: V doubles it, MTE3 stores it as it is. A flag is of two
// pipes, so that the slot is full for each by a flag of its own, and empty when both have said so.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: %python %S/../Inputs/products.py %t.d
// RUN: sluice run %s --in X=%t.d/A.npy --set Y=200x192 Z=200x192 --expect Y=%t.d/doubled.npy Z=%t.d/A.npy --chaos 300
// RUN: sluice barriers %s | FileCheck %s --check-prefix=TABLE
// TABLE-DAG: MTE2->V
// TABLE-DAG: MTE2->MTE3
// TABLE-DAG: V->MTE2
// TABLE-DAG: MTE3->MTE2
sluice.kernel @readers(%X: !sluice.tensor<?x?xf16> {sluice.name = "X"},
                       %Y: !sluice.tensor<?x?xf16> {sluice.name = "Y", sluice.out},
                       %Z: !sluice.tensor<?x?xf16> {sluice.name = "Z", sluice.out})
    attributes {target = "ascend910b"} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %X, 0 : <?x?xf16>
  %N = sluice.dim %X, 1 : <?x?xf16>
  %gm = arith.ceildivsi %M, %c64 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c64 : index
  scf.for %col = %c0 to %N step %c64 {
    %x = sluice.alloc "x" : !sluice.buffer<64x64xf16>
    %y = sluice.alloc "y" : !sluice.buffer<64x64xf16>
    sluice.load %X[%row, %col] to %x : <?x?xf16>, <64x64xf16>
    sluice.map ins(%x : !sluice.buffer<64x64xf16>) outs(%y : !sluice.buffer<64x64xf16>) {
    ^bb0(%e: f16):
      %d = arith.addf %e, %e : f16
      sluice.yield %d : f16
    }
    sluice.store %x to %Z[%row, %col] : <64x64xf16>, <?x?xf16>
    sluice.store %y to %Y[%row, %col] : <64x64xf16>, <?x?xf16>
  }
}

// A slot that two pipes of a vector core fill, MTE2 one tile and V the other, and MTE3 stores both: it
// is full when both have said so, and each is told that it is empty.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: %python %S/../Inputs/products.py %t.d
// RUN: sluice run %s --in X=%t.d/A.npy --set Y=200x192 Z=200x192 --expect Y=%t.d/A.npy --out Z=%t.z.npy --chaos 300
// RUN: %python -c "import npy; print(set(npy.read('%t.z.npy')[2]))" | FileCheck %s --check-prefix=FILLED
// FILLED: {2.0}
// RUN: sed '/sluice.commit .*on V/d' %s > %t.alone.mlir
// RUN: not sluice check %t.alone.mlir | FileCheck %s --check-prefix=ALONE
// ALONE: R9 (Progress): deadlock: pipe MTE3 of aiv0 waits at {{.*}} for flag V->MTE3 id 0 (not set)
sluice.kernel @writers(%X: !sluice.tensor<?x?xf16> {sluice.name = "X"},
                       %Y: !sluice.tensor<?x?xf16> {sluice.name = "Y", sluice.out},
                       %Z: !sluice.tensor<?x?xf16> {sluice.name = "Z", sluice.out})
    attributes {target = "ascend910b", phase = "pipeline"} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %X, 0 : <?x?xf16>
  %N = sluice.dim %X, 1 : <?x?xf16>
  %gm = arith.ceildivsi %M, %c64 : index
  %i = sluice.grid %gm : index
  %top = arith.muli %i, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<32x64xf16, ub, row, slots 2>
  %z = sluice.alloc "z" : !sluice.buffer<32x64xf16, ub, row, slots 2>
  %ring = sluice.pipeline "both" over %x, %z : !sluice.buffer<32x64xf16, ub, row, slots 2>,
      !sluice.buffer<32x64xf16, ub, row, slots 2> from ["aiv.MTE2", "aiv.V"] to ["aiv.MTE3"] : !sluice.pipeline<2>
  %start = sluice.cursor : !sluice.cursor<2>
  sluice.role "vector" core "aiv" {
    %h = sluice.subblock
    %down = arith.muli %h, %c32 : index
    %row = arith.addi %top, %down : index
    scf.for %col = %c0 to %N step %c64 iter_args(%at = %start) -> !sluice.cursor<2> {
      %s = sluice.cursor.slot %at : <2>
      %xs = sluice.slot %x[%s] : <32x64xf16, ub, row, slots 2>
      %zs = sluice.slot %z[%s] : <32x64xf16, ub, row, slots 2>
      sluice.acquire %ring[%at] on MTE2 : <2>
      sluice.load %X[%row, %col] to %xs : <?x?xf16>, <32x64xf16, ub, row>
      sluice.commit %ring[%at] on MTE2 : <2>
      sluice.acquire %ring[%at] on V : <2>
      sluice.fill %zs with 2.0 : <32x64xf16, ub, row>
      sluice.commit %ring[%at] on V : <2>
      sluice.wait %ring[%at] on MTE3 : <2>
      sluice.store %xs to %Y[%row, %col] : <32x64xf16, ub, row>, <?x?xf16>
      sluice.store %zs to %Z[%row, %col] : <32x64xf16, ub, row>, <?x?xf16>
      sluice.release %ring[%at] on MTE3 : <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
  }
}

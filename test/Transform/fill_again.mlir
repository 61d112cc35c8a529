// Ascend: what is computed of s stays as it is, so that nothing but the fill touches the tile, and
// the next tile of the grid fills it again: a barrier of V stands between, since vector operations
// overlap on 910B (R33). On 950 they do not.
// RUN: sluice check %s --dump-after-each 2>&1 | FileCheck %s --check-prefixes=BARRIER,PROOF
// RUN: sed s/ascend910b/ascend950/ %s > %t.of950.mlir
// RUN: sluice check %t.of950.mlir --dump-after-each 2>&1 | FileCheck %s --implicit-check-not=pipe_barrier --check-prefix=PROOF
// BARRIER: after sluice-allocate
// BARRIER: sluice.pipe_barrier V
// BARRIER-NEXT: sluice.fill %s
// PROOF: {{^}}proven: every launch
sluice.kernel @again(%X: !sluice.tensor<?x?xf32> {sluice.name = "X"},
                     %Y: !sluice.tensor<?x?xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "ascend910b"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %X, 0 : <?x?xf32>
  %N = sluice.dim %X, 1 : <?x?xf32>
  %tiles = arith.ceildivsi %M, %c32 : index
  %steps = arith.ceildivsi %N, %c128 : index
  %i = sluice.grid %tiles : index
  %row = arith.muli %i, %c32 : index
  %s = sluice.alloc "s" : !sluice.buffer<32x1xf32>
  sluice.fill %s with 0.0 : <32x1xf32>
  scf.for %t = %c0 to %steps step %c1 {
    %col = arith.muli %t, %c128 : index
    %x = sluice.alloc "x" : !sluice.buffer<32x128xf32>
    sluice.load %X[%row, %col] to %x : <?x?xf32>, <32x128xf32>
    sluice.map ins(%s : !sluice.buffer<32x1xf32>) outs(%s : !sluice.buffer<32x1xf32>) {
    ^bb0(%a: f32):
      sluice.yield %a : f32
    }
    %y = sluice.alloc "y" : !sluice.buffer<32x128xf32>
    sluice.map ins(%x : !sluice.buffer<32x128xf32>) outs(%y : !sluice.buffer<32x128xf32>) {
    ^bb0(%a: f32):
      %b = arith.addf %a, %a : f32
      sluice.yield %b : f32
    }
    sluice.store %y to %Y[%row, %col] : <32x128xf32>, <?x?xf32>
  } {sluice.stages = 3}
}

// One tile whose columns no warp can share out by whole rows, and all have fragments.
// RUN: sluice check %s --dump-after-each 2>%t >%t.verdict
// RUN: FileCheck %s < %t.verdict
// RUN: FileCheck %s --check-prefix=PLACED < %t
// CHECK: {{^}}proven: every launch
// PLACED: after sluice-stage-stores
// PLACED: "x" : !sluice.buffer<64x256xf32, reg, acc>
// PLACED: "z" : !sluice.buffer<64x40xf32, reg, acc>
sluice.kernel @two(%X: !sluice.tensor<?x256xf32> {sluice.name = "X"},
                   %Z: !sluice.tensor<?x40xf32> {sluice.name = "Z"},
                   %Y: !sluice.tensor<?x256xf32> {sluice.name = "Y", sluice.out},
                   %W: !sluice.tensor<?x40xf32> {sluice.name = "W", sluice.out}) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %m = sluice.dim %X, 0 : <?x256xf32>
  %n = arith.ceildivsi %m, %c64 : index
  %i = sluice.grid %n : index
  %row = arith.muli %i, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x256xf32>
  %z = sluice.alloc "z" : !sluice.buffer<64x40xf32>
  sluice.load %X[%row, %c0] to %x : <?x256xf32>, <64x256xf32>
  sluice.load %Z[%row, %c0] to %z : <?x40xf32>, <64x40xf32>
  sluice.map ins(%x : !sluice.buffer<64x256xf32>) outs(%x : !sluice.buffer<64x256xf32>) {
  ^bb0(%a: f32):
    %b = arith.addf %a, %a : f32
    sluice.yield %b : f32
  }
  sluice.store %x to %Y[%row, %c0] : <64x256xf32>, <?x256xf32>
  sluice.store %z to %W[%row, %c0] : <64x40xf32>, <?x40xf32>
}

// A tile that a role loads and nothing reads is refused by name.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: sed '/^    sluice.map/,/^    }/d; /^ .*alloc "z"/d; s/store %%z/store %%y/' %s > %t.unread.mlir
// RUN: not sluice check %t.unread.mlir 2>&1 | FileCheck %s --check-prefix=UNREAD --match-full-lines
// UNREAD: error: {{.*}}unread.mlir:{{.*}}: loads tile 'x', and nothing reads it; leave the load out
sluice.kernel @added(%X: !sluice.tensor<?x256xf32, align 16> {sluice.name = "X"},
                     %Y: !sluice.tensor<?x256xf32, align 16> {sluice.name = "Y"},
                     %Z: !sluice.tensor<?x256xf32, align 16> {sluice.name = "Z", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %rows = sluice.dim %X, 0 : <?x256xf32, align 16>
  %n = arith.ceildivsi %rows, %c8 : index
  %i = sluice.grid %c1 : index
  scf.for %t = %c0 to %n step %c1 {
    %row = arith.muli %t, %c8 : index
    %x = sluice.alloc "x" : !sluice.buffer<8x256xf32>
    sluice.load %X[%row, %c0] to %x : <?x256xf32, align 16>, <8x256xf32>
    %y = sluice.alloc "y" : !sluice.buffer<8x256xf32>
    sluice.load %Y[%row, %c0] to %y : <?x256xf32, align 16>, <8x256xf32>
    %z = sluice.alloc "z" : !sluice.buffer<8x256xf32>
    sluice.map ins(%x, %y : !sluice.buffer<8x256xf32>, !sluice.buffer<8x256xf32>)
        outs(%z : !sluice.buffer<8x256xf32>) {
    ^bb0(%a: f32, %b: f32):
      %r = arith.addf %a, %b : f32
      sluice.yield %r : f32
    }
    sluice.store %z to %Z[%row, %c0] : <8x256xf32>, <?x256xf32, align 16>
  } {sluice.stages = 3}
}

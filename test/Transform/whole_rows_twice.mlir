// Whole rows of 4 bytes go to a tensor by pairs of lanes, which store for each other: a second store there
// is not of the same lanes, so that the warp meets in front of it.
// RUN: sluice check %s | FileCheck %s --check-prefix=PROVEN
// PROVEN: {{^}}proven: every launch
// RUN: sluice-opt -sluice-to-placed -sluice-to-pipeline -sluice-to-barrier %s | sed '/sluice.warp_sync/d' > %t.mlir
// RUN: not sluice check %t.mlir | FileCheck %s
// CHECK: R26 (Global memory in a CTA): {{.*}} Each lane did its own part of the first, another lane does that part of the second: put a warp sync between
sluice.kernel @twice(%X: !sluice.tensor<?x512xf32, align 16> {sluice.name = "X"},
    %Y: !sluice.tensor<?x512xf32, align 16> {sluice.name = "Y", sluice.out}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %at = sluice.grid %c1 : index
  %x = sluice.alloc "x" : !sluice.buffer<8x512xf32>
  sluice.load %X[%c0, %c0] to %x : <?x512xf32, align 16>, <8x512xf32>
  sluice.store %x to %Y[%c0, %c0] : <8x512xf32>, <?x512xf32, align 16>
  sluice.map ins(%x : !sluice.buffer<8x512xf32>) outs(%x : !sluice.buffer<8x512xf32>) {
  ^bb0(%a: f32):
    %r = arith.addf %a, %a : f32
    sluice.yield %r : f32
  }
  sluice.store %x to %Y[%c0, %c0] : <8x512xf32>, <?x512xf32, align 16>
}

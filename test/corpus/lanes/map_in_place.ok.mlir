// RUN: sluice check %s | FileCheck %s
// What lanes have put into shared memory a map of their warp reads where it lies, behind a
// warp_sync: which lane has which element is known of copies alone.
// CHECK: {{^}}proven: every launch
sluice.kernel @scaled(%X: !sluice.tensor<?x256xbf16> {sluice.name = "X"},
                      %Y: !sluice.tensor<?x256xbf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %rows = sluice.dim %X, 0 : <?x256xbf16>
  %n = arith.ceildivsi %rows, %c4 : index
  %w = sluice.alloc "w" : !sluice.buffer<4x256xbf16, smem, panels>
  %x = sluice.alloc "x" : !sluice.buffer<4x256xbf16, reg, blocked>
  %y = sluice.alloc "y" : !sluice.buffer<4x256xbf16, reg, blocked>
  sluice.load %X[%c0, %c0] to %x : <?x256xbf16>, <4x256xbf16, reg, blocked>
  sluice.copy %x to %w : <4x256xbf16, reg, blocked>, <4x256xbf16, smem, panels>
  sluice.warp_sync
  scf.for %t = %c0 to %n step %c1 {
    %row = arith.muli %t, %c4 : index
    sluice.load %X[%row, %c0] to %x : <?x256xbf16>, <4x256xbf16, reg, blocked>
    sluice.map ins(%x, %w : !sluice.buffer<4x256xbf16, reg, blocked>,
        !sluice.buffer<4x256xbf16, smem, panels>)
        outs(%y : !sluice.buffer<4x256xbf16, reg, blocked>) {
    ^bb0(%a: bf16, %b: bf16):
      %v = arith.extf %a : bf16 to f32
      %s = arith.extf %b : bf16 to f32
      %r = arith.mulf %v, %s : f32
      %z = arith.truncf %r : f32 to bf16
      sluice.yield %z : bf16
    }
    sluice.store %y to %Y[%row, %c0] : <4x256xbf16, reg, blocked>, <?x256xbf16>
  } {sluice.name = "t", sluice.pipelined}
}

// RUN: sluice check %s | FileCheck %s
// Whole rows lie in pieces of 8 columns a lane, whatever their type: each takes back its own.
// CHECK: {{^}}proven: every launch
sluice.kernel @own(%X: !sluice.tensor<?x256xbf16> {sluice.name = "X"},
                    %Y: !sluice.tensor<?x256xbf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %rows = sluice.dim %X, 0 : <?x256xbf16>
  %n = arith.ceildivsi %rows, %c8 : index
  %x = sluice.alloc "x" : !sluice.buffer<8x256xbf16, smem, row>
  %v = sluice.alloc "v" : !sluice.buffer<8x256xbf16, reg, blocked>
  sluice.fill %v with 0.0 : <8x256xbf16, reg, blocked>
  scf.for %t = %c0 to %n step %c1 {
    %row = arith.muli %t, %c8 : index
    sluice.copy %v to %x : <8x256xbf16, reg, blocked>, <8x256xbf16, smem, row>
    sluice.copy %x to %v : <8x256xbf16, smem, row>, <8x256xbf16, reg, blocked>
    sluice.store %v to %Y[%row, %c0] : <8x256xbf16, reg, blocked>, <?x256xbf16>
  } {sluice.name = "t", sluice.pipelined}
}

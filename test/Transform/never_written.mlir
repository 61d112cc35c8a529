// At the barrier level, too, there is nothing to read in a workspace or an output that nobody writes.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: sed '/to %%W/d' %s > %t.workspace.mlir
// RUN: not sluice check %t.workspace.mlir 2>&1 | FileCheck %s --check-prefix=WORKSPACE --match-full-lines
// WORKSPACE: error: {{.*}}: workspace W is read and never written, and has nothing in it at launch; a tensor that is read alone has no mark
// RUN: sed 's/sluice.workspace/sluice.out/' %t.workspace.mlir > %t.out.mlir
// RUN: not sluice check %t.out.mlir 2>&1 | FileCheck %s --check-prefix=OUT --match-full-lines
// OUT: error: {{.*}}: output W is read and never written, and has nothing in it at launch; a tensor that is read alone has no mark
sluice.kernel @twice(%W: !sluice.tensor<64x64xf32> {sluice.name = "W", sluice.workspace},
                     %Y: !sluice.tensor<64x64xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %v = sluice.alloc "v" : !sluice.buffer<64x64xf32, reg, acc>
  sluice.fill %v with 1.0 : <64x64xf32, reg, acc>
  sluice.store %v to %W[%c0, %c0] : <64x64xf32, reg, acc>, <64x64xf32>
  sluice.warp_sync
  sluice.load %W[%c0, %c0] to %v : <64x64xf32>, <64x64xf32, reg, acc>
  sluice.store %v to %Y[%c0, %c0] : <64x64xf32, reg, acc>, <64x64xf32>
}

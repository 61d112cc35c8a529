// What an add by one lane has drawn is 0 in the other warps of its role: it is refused wherever they
// take it, or follow it.
// RUN: sh -c 'sluice check %s 2>&1; echo $?' | FileCheck %s
// CHECK: error: {{.*}}drawn_invalid.mlir:[[#@LINE+30]]:5: 'sluice.store' op takes, or stands under, the old value of a counter, which the adding warp alone knows, in a role of several warps: in the others it is 0. Hand it on through shared memory (sluice.scalar_write, sluice.scalar_read), or draw in a role of one warp
// CHECK: {{^}}2
// RUN: sed 's/warps 0 to 2/warps 0 to 1/' %s > %t.mlir
// RUN: sluice check %t.mlir | FileCheck %s --check-prefix=ALONE
// ALONE: {{^}}proven
// RUN: sed '/^    sluice.store/d; s/.*under: //' %s > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=UNDER
// UNDER: error: {{.*}}: 'sluice.store' op takes, or stands under, the old value
// RUN: sed '/^    sluice.store/d; s/.*read: //' %s > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=READ
// READ: error: {{.*}}: 'sluice.uniform' op marks the old value of a counter, which the adding warp alone knows, in a role of several warps
sluice.kernel @k(%next: !sluice.tensor<1xi32> {sluice.name = "next", sluice.inout},
                 %T: !sluice.tensor<?xi32> {sluice.name = "T"},
                 %Y: !sluice.tensor<?x32xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = sluice.grid %c1 : index
  sluice.role "all" warps 0 to 2 {
    %s = sluice.alloc "s" : !sluice.buffer<2x32xf32, smem, row>
    sluice.fill %s with 0.0 : <2x32xf32, smem, row>
    sluice.warp_sync
    %row = sluice.counter.add %next[%c0], %c1 scope gpu : <1xi32>
    // under: %some = arith.cmpi sgt, %row, %c0 : index
    // under: scf.if %some {
    // under: sluice.store %s to %Y[%c0, %c0] : <2x32xf32, smem, row>, <?x32xf32>
    // under: }
    // read: %number = sluice.scalar_load %T[%row] : <?xi32>
    // read: %all = sluice.uniform %number : index
    // read: sluice.store %s to %Y[%all, %c0] : <2x32xf32, smem, row>, <?x32xf32>
    sluice.store %s to %Y[%row, %c0] : <2x32xf32, smem, row>, <?x32xf32>
  }
}

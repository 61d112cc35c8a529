// RUN: sluice check %s --set Y=0x32 | FileCheck %s
// The same with a warp_sync between two.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%Y: !sluice.tensor<?x?xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c64 = arith.constant 64 : index
  %N = sluice.dim %Y, 0 : <?x?xf32>
  %g = arith.ceildivsi %N, %c64 : index
  %i = sluice.grid %g : index
  %r = arith.muli %i, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x32xf32, smem, row>
  sluice.fill %x with 1.0 : <64x32xf32, smem, row>
  sluice.bar.sync 0, 32
  scf.for %c = %c1 to %c5 step %c1 {
    %h = arith.muli %c, %c5 : index
    %e = arith.addi %r, %h : index
    %Z = sluice.clip %Y, 0 to %e : <?x?xf32>
    sluice.store %x to %Z[%r, %c0] : <64x32xf32, smem, row>, <?x?xf32>
    sluice.warp_sync
  }
}

// RUN: sluice check %s | FileCheck %s
// The number of the iteration is carried through both loops, whose inner bound is read anew each time.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%A: !sluice.tensor<?xf16> {sluice.name = "A"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %N = sluice.dim %A, 0 : <?xf16>
  %box = sluice.alloc "box" : !sluice.buffer<1x4xi32, smem, row>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 32
  sluice.role "all" warps 0 to 1 {
    %all = scf.for %i = %c0 to %N step %c1 iter_args(%from = %c0) -> (index) {
      sluice.scalar_write %i to %box[%c0, %c0] : <1x4xi32, smem, row>
      sluice.warp_sync
      %read = sluice.scalar_read %box[%c0, %c0] : <1x4xi32, smem, row>
      sluice.warp_sync
      %n = sluice.uniform %read : index
      %to = scf.for %t = %c0 to %n step %c1 iter_args(%number = %from) -> (index) {
        %phase = arith.andi %number, %c1 : index
        sluice.mbarrier.arrive %full[%c0] by one : <1>
        sluice.mbarrier.wait %full[%c0], %phase : <1>
        sluice.warp_sync
        %next = arith.addi %number, %c1 : index
        scf.yield %next : index
      }
      scf.yield %to : index
    }
  }
}

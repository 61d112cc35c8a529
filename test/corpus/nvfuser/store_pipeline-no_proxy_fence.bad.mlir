// RUN: not sluice check %s | FileCheck %s
// NVIDIA/Fuser #4804 is about the scope of this fence: without any, the TMA store need not see
// what the threads wrote. Expected: R23.
// CHECK: R23 (
// CHECK-SAME: TMA store of compute warp 0 {{.*}} reads y {{.*}} wrote through the generic proxy, and no fence.proxy.async lies between
sluice.kernel @exp_add(%A: !sluice.tensor<?x?xf32, align 16> {sluice.name = "A"},
                       %B: !sluice.tensor<?x?xf32, align 16> {sluice.name = "B"},
                       %Y: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 8} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %M = sluice.dim %A, 0 : <?x?xf32, align 16>
  %N = sluice.dim %A, 1 : <?x?xf32, align 16>
  %gm = arith.ceildivsi %M, %c32 : index
  %n = arith.ceildivsi %N, %c32 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c32 : index
  %a = sluice.alloc "a" : !sluice.buffer<32x32xf32, smem, row, slots 4>
  %b = sluice.alloc "b" : !sluice.buffer<32x32xf32, smem, row, slots 4>
  %y = sluice.alloc "y" : !sluice.buffer<32x32xf32, smem, row>
  %raw = sluice.mbarrier.alloc "raw" : !sluice.mbarrier<4>
  %war = sluice.mbarrier.alloc "war" : !sluice.mbarrier<4>
  sluice.mbarrier.init %raw count 1 by one : <4>
  sluice.mbarrier.init %war count 4 by one : <4>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 256
  %start = sluice.cursor : !sluice.cursor<4>

  sluice.role "compute" warps 0 to 4 {
    %ra = sluice.alloc "ra" : !sluice.buffer<32x32xf32, reg, blocked>
    %rb = sluice.alloc "rb" : !sluice.buffer<32x32xf32, reg, blocked>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> (!sluice.cursor<4>) {
      %col = arith.muli %t, %c32 : index
      %slot = sluice.cursor.slot %at : <4>
      %phase = sluice.cursor.phase %at : <4>
      %at_a = sluice.slot %a[%slot] : <32x32xf32, smem, row, slots 4>
      %at_b = sluice.slot %b[%slot] : <32x32xf32, smem, row, slots 4>
      sluice.mbarrier.wait %raw[%slot], %phase : <4>
      sluice.copy %at_a to %ra : <32x32xf32, smem, row>, <32x32xf32, reg, blocked>
      sluice.copy %at_b to %rb : <32x32xf32, smem, row>, <32x32xf32, reg, blocked>
      sluice.warp_sync
      sluice.mbarrier.arrive %war[%slot] by warp : <4>
      sluice.map ins(%ra, %rb : !sluice.buffer<32x32xf32, reg, blocked>,
              !sluice.buffer<32x32xf32, reg, blocked>)
          outs(%ra : !sluice.buffer<32x32xf32, reg, blocked>) {
      ^bb0(%u: f32, %v: f32):
        %sum = arith.addf %u, %v : f32
        %e = math.exp %sum : f32
        sluice.yield %e : f32
      }
      sluice.bulk.wait 0 read by one // the store of the tile before has read its source
      sluice.bar.sync 1, 128
      sluice.copy %ra to %y : <32x32xf32, reg, blocked>, <32x32xf32, smem, row>
      sluice.bar.sync 1, 128
      sluice.tma.store %y to %Y[%row, %col] : <32x32xf32, smem, row>, <?x?xf32, align 16>
      sluice.bulk.commit by one
      %next = sluice.cursor.advance %at : <4>
      scf.yield %next : !sluice.cursor<4>
    } {sluice.pipelined}
    sluice.bulk.wait 0 read by one
  }
  sluice.role "async" warps 4 to 8 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> (!sluice.cursor<4>) {
      %col = arith.muli %t, %c32 : index
      %slot = sluice.cursor.slot %at : <4>
      %phase = sluice.cursor.phase %at : <4>
      %free = arith.xori %phase, %c1 : index
      %to_a = sluice.slot %a[%slot] : <32x32xf32, smem, row, slots 4>
      %to_b = sluice.slot %b[%slot] : <32x32xf32, smem, row, slots 4>
      sluice.mbarrier.wait %war[%slot], %free by one : <4>
      sluice.mbarrier.arrive_expect_tx %raw[%slot] bytes 8192 by one : <4>
      sluice.tma.load %A[%row, %col] to %to_a, %raw[%slot]
          : <?x?xf32, align 16>, <32x32xf32, smem, row>, <4>
      sluice.tma.load %B[%row, %col] to %to_b, %raw[%slot]
          : <?x?xf32, align 16>, <32x32xf32, smem, row>, <4>
      %next = sluice.cursor.advance %at : <4>
      scf.yield %next : !sluice.cursor<4>
    } {sluice.pipelined}
  }
}

// RUN: sluice-opt %s | sluice-opt -sluice-verify-phase | FileCheck %s
// Every operation of the barrier level, NVIDIA.

// CHECK-LABEL: sluice.kernel @hopper
sluice.kernel @hopper(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                      %C: !sluice.tensor<?x?xf16, align 16> {sluice.name = "C", sluice.out},
                      %ready: !sluice.tensor<?xi32> {sluice.name = "ready", sluice.inout})
    attributes {target = "sm_90a", phase = "barrier", warps = 4, cluster = array<i64: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<2>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<2>
  // CHECK: %empty = sluice.mbarrier.alloc "empty" at 64 : !sluice.mbarrier<2>
  %empty = sluice.mbarrier.alloc "empty" at 64 : !sluice.mbarrier<2>
  // CHECK: sluice.mbarrier.init %full count 1 by one : <2>
  sluice.mbarrier.init %full count 1 by one : <2>
  // CHECK: sluice.mbarrier.init %empty[%c1] count 4 by one : <2>
  sluice.mbarrier.init %empty[%c1] count 4 by one : <2>
  // CHECK: sluice.fence mbarrier_init by one
  sluice.fence mbarrier_init by one
  // CHECK: sluice.cluster.arrive relaxed
  sluice.cluster.arrive relaxed
  // CHECK: sluice.cluster.wait
  sluice.cluster.wait
  // CHECK: %warp = sluice.warp
  %warp = sluice.warp
  // CHECK: %rank = sluice.cluster.rank
  %rank = sluice.cluster.rank
  %other = arith.subi %c1, %rank : index
  // CHECK: sluice.mbarrier.arrive_expect_tx %full[%c0] bytes 16384 by one : <2>
  sluice.mbarrier.arrive_expect_tx %full[%c0] bytes 16384 by one : <2>
  // CHECK: sluice.mbarrier.arrive_expect_tx %full[%c0] rank %{{.*}} bytes 64 plus %rank by one : <2>
  sluice.mbarrier.arrive_expect_tx %full[%c0] rank %other bytes 64 plus %rank by one : <2>
  // CHECK: sluice.mbarrier.expect_tx %full[%c0] plus %rank by one : <2>
  sluice.mbarrier.expect_tx %full[%c0] plus %rank by one : <2>
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16, smem, sw128, slots 2>
  %a0 = sluice.slot %a[%c0] : <64x64xf16, smem, sw128, slots 2>
  // CHECK: sluice.tma.load %A[%c0, %c1] to %a.slot, %full[%c0] : <?x?xf16, align 16>, <64x64xf16, smem, sw128>, <2>
  sluice.tma.load %A[%c0, %c1] to %a0, %full[%c0]
      : <?x?xf16, align 16>, <64x64xf16, smem, sw128>, <2>
  // CHECK: sluice.tma.load %A[%c0, %c1] to %a.slot, %full[%c0] rank %{{.*}} multicast 3 by warp :
  sluice.tma.load %A[%c0, %c1] to %a0, %full[%c0] rank %other multicast 3 by warp
      : <?x?xf16, align 16>, <64x64xf16, smem, sw128>, <2>
  // CHECK: sluice.tma.load %A[%c0, %c1] to %a.slot, %full[%c0] multicast 3 cache evict_last by warp :
  sluice.tma.load %A[%c0, %c1] to %a0, %full[%c0] multicast 3 cache evict_last by warp
      : <?x?xf16, align 16>, <64x64xf16, smem, sw128>, <2>
  // CHECK: %[[ASKED:.*]] = sluice.mbarrier.test %full[%c0], %c1 by warp : <2>
  %asked = sluice.mbarrier.test %full[%c0], %c1 by warp : <2>
  // CHECK: sluice.mbarrier.wait %full[%c0], %c1 token %[[ASKED]] by warp : <2>
  sluice.mbarrier.wait %full[%c0], %c1 token %asked by warp : <2>
  // CHECK: sluice.mbarrier.wait %full[%c0], %c1 by warp : <2>
  sluice.mbarrier.wait %full[%c0], %c1 by warp : <2>
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32, reg, acc>
  %no = arith.constant false
  // CHECK: sluice.wgmma.fence
  sluice.wgmma.fence
  // CHECK: sluice.wgmma %acc, %a.slot, %a.slot accumulate %false : <64x64xf32, reg, acc>, <64x64xf16, smem, sw128>, <64x64xf16, smem, sw128>
  sluice.wgmma %acc, %a0, %a0 accumulate %no
      : <64x64xf32, reg, acc>, <64x64xf16, smem, sw128>, <64x64xf16, smem, sw128>
  // CHECK: sluice.wgmma.commit
  sluice.wgmma.commit
  // CHECK: sluice.wgmma.wait 0
  sluice.wgmma.wait 0
  // CHECK: sluice.mbarrier.arrive %empty[%c0] by warp : <2>
  sluice.mbarrier.arrive %empty[%c0] by warp : <2>
  // CHECK: sluice.mbarrier.arrive_expect_tx %full[%c0] bytes 64 scope cluster by one : <2>
  sluice.mbarrier.arrive_expect_tx %full[%c0] bytes 64 scope cluster by one : <2>
  // CHECK: sluice.mbarrier.arrive %empty[%c0] rank %{{.*}} scope cluster by one : <2>
  sluice.mbarrier.arrive %empty[%c0] rank %other scope cluster by one : <2>
  // CHECK: sluice.mbarrier.wait %full[%c0], %{{.*}} scope cluster : <2>
  sluice.mbarrier.wait %full[%c0], %c1 scope cluster : <2>
  // CHECK: sluice.fence proxy_async_global
  sluice.fence proxy_async_global
  // CHECK: sluice.mbarrier.arrive %empty[%c0] rank %{{.*}} count 2 by warpgroup : <2>
  sluice.mbarrier.arrive %empty[%c0] rank %other count 2 by warpgroup : <2>
  // CHECK: sluice.bar.sync 1, 128
  sluice.bar.sync 1, 128
  // CHECK: sluice.bar.arrive 2, 64
  sluice.bar.arrive 2, 64
  // CHECK: sluice.bar.sync %{{.*}}, 128
  sluice.bar.sync %other, 128
  // CHECK: sluice.bar.arrive %{{.*}}, 64
  sluice.bar.arrive %other, 64
  // CHECK: sluice.warp_sync
  sluice.warp_sync
  // CHECK: sluice.load %A[%c0, %c1] to %a.slot async : <?x?xf16, align 16>, <64x64xf16, smem, sw128>
  sluice.load %A[%c0, %c1] to %a0 async : <?x?xf16, align 16>, <64x64xf16, smem, sw128>
  // CHECK: sluice.cp_async.arrive %full[%c1] : <2>
  sluice.cp_async.arrive %full[%c1] : <2>
  // CHECK: sluice.cp_async.commit
  sluice.cp_async.commit
  // CHECK: sluice.cp_async.wait 1
  sluice.cp_async.wait 1
  // CHECK: sluice.fence proxy_async
  sluice.fence proxy_async
  // CHECK: sluice.tma.store %a.slot to %C[%c0, %c0] add : <64x64xf16, smem, sw128>, <?x?xf16, align 16>
  sluice.tma.store %a0 to %C[%c0, %c0] add : <64x64xf16, smem, sw128>, <?x?xf16, align 16>
  // CHECK: sluice.tma.store %a.slot to %C[%c0, %c0] add cache evict_first : <64x64xf16, smem, sw128>, <?x?xf16, align 16>
  sluice.tma.store %a0 to %C[%c0, %c0] add cache evict_first
      : <64x64xf16, smem, sw128>, <?x?xf16, align 16>
  // CHECK: sluice.bulk.commit by one
  sluice.bulk.commit by one
  // CHECK: sluice.bulk.wait 0 read by one
  sluice.bulk.wait 0 read by one
  // CHECK: sluice.remote.copy %a.slot to %a.slot rank %{{.*}}, %full[%c1] by one : <64x64xf16, smem, sw128>, <64x64xf16, smem, sw128>, <2>
  sluice.remote.copy %a0 to %a0 rank %other, %full[%c1] by one
      : <64x64xf16, smem, sw128>, <64x64xf16, smem, sw128>, <2>
  // CHECK: %old = sluice.counter.add %ready[%c0], %c1 scope gpu : <?xi32>
  %old = sluice.counter.add %ready[%c0], %c1 scope gpu : <?xi32>
  // CHECK: sluice.counter.add %ready[%c0], %c1 scope cluster relaxed by warp : <?xi32>
  %any = sluice.counter.add %ready[%c0], %c1 scope cluster relaxed by warp : <?xi32>
  // CHECK: sluice.counter.wait %ready[%c0], %c1 scope gpu co_resident : <?xi32>
  sluice.counter.wait %ready[%c0], %c1 scope gpu co_resident : <?xi32>
  %flag = sluice.alloc "flag" : !sluice.buffer<1x1xi32, smem, row>
  // CHECK: sluice.scalar_write %old to %flag[%c0, %c0] : <1x1xi32, smem, row>
  sluice.scalar_write %old to %flag[%c0, %c0] : <1x1xi32, smem, row>
  // CHECK: %flag.value = sluice.scalar_read %flag[%c0, %c0] : <1x1xi32, smem, row>
  %seen = sluice.scalar_read %flag[%c0, %c0] : <1x1xi32, smem, row>
  // CHECK: sluice.griddepcontrol launch
  sluice.griddepcontrol launch
  // CHECK: sluice.griddepcontrol{{$}}
  sluice.griddepcontrol
  // CHECK: sluice.mbarrier.inval %full by one : <2>
  sluice.mbarrier.inval %full by one : <2>
}

// CHECK-LABEL: sluice.kernel @blackwell
sluice.kernel @blackwell() attributes {target = "sm_100a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %yes = arith.constant true
  // CHECK: sluice.tmem.alloc 512 ctas 2
  sluice.tmem.alloc 512 ctas 2
  %done = sluice.mbarrier.alloc "done" : !sluice.mbarrier<1>
  %a = sluice.alloc "a" : !sluice.buffer<128x64xf16, smem, sw128>
  %b = sluice.alloc "b" : !sluice.buffer<64x128xf16, smem, sw128>
  %s = sluice.alloc "s" at 0 : !sluice.buffer<128x256xf32, tmem, row>
  // CHECK: sluice.tcgen05.mma %s, %a, %b accumulate %true ctas 2 : <128x256xf32, tmem, row>, <128x64xf16, smem, sw128>, <64x128xf16, smem, sw128>
  sluice.tcgen05.mma %s, %a, %b accumulate %yes ctas 2
      : <128x256xf32, tmem, row>, <128x64xf16, smem, sw128>, <64x128xf16, smem, sw128>
  // CHECK: sluice.tcgen05.commit %done[%c0] multicast 3 ctas 2 : <1>
  sluice.tcgen05.commit %done[%c0] multicast 3 ctas 2 : <1>
  // CHECK: sluice.fence tcgen05_after
  sluice.fence tcgen05_after
  %r = sluice.alloc "r" : !sluice.buffer<128x256xf32, reg, row>
  sluice.copy %s to %r : <128x256xf32, tmem, row>, <128x256xf32, reg, row>
  // CHECK: sluice.tcgen05.wait{{$}}
  sluice.tcgen05.wait
  sluice.copy %r to %s : <128x256xf32, reg, row>, <128x256xf32, tmem, row>
  // CHECK: sluice.tcgen05.wait stores
  sluice.tcgen05.wait stores
  // CHECK: sluice.fence tcgen05_before
  sluice.fence tcgen05_before
  // CHECK: sluice.tmem.relinquish ctas 2
  sluice.tmem.relinquish ctas 2
  // CHECK: sluice.tmem.dealloc 512 ctas 2
  sluice.tmem.dealloc 512 ctas 2
}

// RUN: sluice-opt %s | sluice-opt -sluice-verify-phase | FileCheck %s
// RUN: sluice check %s --set X=16x2048 | FileCheck %s --check-prefix=PROOF
// RUN: %python %S/../../corpus/uniform/Inputs/arrays.py %t
// RUN: sluice run %s --set Y=16x2048 --in X=%t/signs.npy --expect Y=%t/normal.npy --device sim | FileCheck %s --check-prefix=VALUES
// RMS normalisation of rows of 2048 on clusters of 8 CTAs, at the barrier level. Every CTA loads
// 256 columns of 4 rows, sums their squares, and sends its 4 sums to the inbox of every CTA; the
// receiver's barrier counts the bytes: it announced 8 x 16 of them itself. The cluster barrier at the
// end keeps a CTA alive while others may still write to it.
// PROOF: proven: every launch
// VALUES: error {{.*}} (within
// CHECK: sluice.mbarrier.arrive_expect_tx %arrived[%c0] bytes 128 by one : <1>
// CHECK: sluice.remote.copy %mine to %inbox.slot rank %{{.*}}, %arrived[%c0] by one : <4x1xf32, smem, row>, <4x1xf32, smem, row>, <1>
sluice.kernel @rms_norm(%X: !sluice.tensor<?x2048xf32, align 16> {sluice.name = "X"},
                        %Y: !sluice.tensor<?x2048xf32, align 16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 8, cluster = array<i64: 8, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c256 = arith.constant 256 : index
  %rows = sluice.dim %X, 0 : <?x2048xf32, align 16>
  %groups = arith.ceildivsi %rows, %c4 : index
  %ctas = arith.muli %groups, %c8 : index
  %i = sluice.grid %ctas : index
  %group = arith.divsi %i, %c8 : index
  %row = arith.muli %group, %c4 : index
  %rank = sluice.cluster.rank
  %col = arith.muli %rank, %c256 : index

  %x = sluice.alloc "x" : !sluice.buffer<4x256xf32, smem, row>
  %mine = sluice.alloc "mine" : !sluice.buffer<4x1xf32, smem, row>
  %sum = sluice.alloc "sum" : !sluice.buffer<4x1xf32, smem, row>
  %inbox = sluice.alloc "inbox" : !sluice.buffer<4x1xf32, smem, row, slots 8>
  %loaded = sluice.mbarrier.alloc "loaded" : !sluice.mbarrier<1>
  %arrived = sluice.mbarrier.alloc "arrived" : !sluice.mbarrier<1>
  sluice.mbarrier.init %loaded count 1 by one : <1>
  sluice.mbarrier.init %arrived count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.cluster.arrive
  sluice.cluster.wait

  // 4 rows x 256 x 4 bytes, and 8 CTAs x 4 sums x 4 bytes.
  sluice.mbarrier.arrive_expect_tx %loaded[%c0] bytes 4096 by one : <1>
  sluice.mbarrier.arrive_expect_tx %arrived[%c0] bytes 128 by one : <1>
  sluice.tma.load %X[%row, %col] to %x, %loaded[%c0]
      : <?x2048xf32, align 16>, <4x256xf32, smem, row>, <1>
  sluice.mbarrier.wait %loaded[%c0], %c0 : <1>

  sluice.reduce ins(%x : !sluice.buffer<4x256xf32, smem, row>)
      outs(%mine : !sluice.buffer<4x1xf32, smem, row>) axis 1 from [0.0] {
  ^bb0(%s: f32, %e: f32):
    %r = math.fma %e, %e, %s : f32
    sluice.yield %r : f32
  }
  sluice.fence proxy_async // the bulk copies below read `mine`
  sluice.bar.sync 0, 256
  scf.for %to = %c0 to %c8 step %c1 {
    %box = sluice.slot %inbox[%rank] : <4x1xf32, smem, row, slots 8>
    sluice.remote.copy %mine to %box rank %to, %arrived[%c0] by one
        : <4x1xf32, smem, row>, <4x1xf32, smem, row>, <1>
  }

  sluice.mbarrier.wait %arrived[%c0], %c0 : <1>
  sluice.fill %sum with 0.0 : <4x1xf32, smem, row>
  sluice.warp_sync
  scf.for %from = %c0 to %c8 step %c1 { // the same order in every CTA: the same bits
    %box = sluice.slot %inbox[%from] : <4x1xf32, smem, row, slots 8>
    sluice.map ins(%sum, %box : !sluice.buffer<4x1xf32, smem, row>,
            !sluice.buffer<4x1xf32, smem, row>)
        outs(%sum : !sluice.buffer<4x1xf32, smem, row>) {
    ^bb0(%s: f32, %e: f32):
      %r = arith.addf %s, %e : f32
      sluice.yield %r : f32
    }
  }
  sluice.warp_sync
  sluice.map ins(%x, %sum : !sluice.buffer<4x256xf32, smem, row>,
          !sluice.buffer<4x1xf32, smem, row>)
      outs(%x : !sluice.buffer<4x256xf32, smem, row>) {
  ^bb0(%e: f32, %s: f32):
    %inverse = arith.constant 4.8828125e-04 : f32 // 1 / 2048
    %epsilon = arith.constant 1.0e-6 : f32
    %mean = math.fma %s, %inverse, %epsilon : f32
    %scale = math.rsqrt %mean : f32
    %r = arith.mulf %e, %scale : f32
    sluice.yield %r : f32
  }
  sluice.fence proxy_async
  sluice.bar.sync 0, 256
  sluice.tma.store %x to %Y[%row, %col] : <4x256xf32, smem, row>, <?x2048xf32, align 16>
  sluice.bulk.commit by one
  sluice.bulk.wait 0 read by one
  sluice.cluster.arrive
  sluice.cluster.wait
}

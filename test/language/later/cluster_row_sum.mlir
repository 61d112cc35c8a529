// RUN: sluice-opt %s | sluice-opt -sluice-verify-phase | FileCheck %s
// RUN: not sluice check %s 2>&1 | FileCheck %s --check-prefix=REFUSED
// RMS normalisation of rows of 16384 on clusters of 8 CTAs, at the barrier level. Every CTA loads
// 2048 columns of 4 rows, sums their squares, and sends its 4 sums to the inbox of every CTA; the
// receiver's barrier counts the bytes: it announced 8 x 16 of them itself. The cluster barrier at the
// end keeps a CTA alive while others may still write to it.
// REFUSED: error: {{.*}}{{not supported|not lowered}}
// CHECK: sluice.mbarrier.arrive_expect_tx %arrived[%c0] bytes 128 by one : <1>
// CHECK: sluice.remote.copy %mine to %inbox.slot rank %{{.*}}, %arrived[%c0] by one : <4x1xf32, smem, row>, <4x1xf32, smem, row>, <1>
sluice.kernel @rms_norm(%X: !sluice.tensor<?x16384xf32, align 16> {sluice.name = "X"},
                        %Y: !sluice.tensor<?x16384xf32, align 16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 8, cluster = array<i64: 8, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c2048 = arith.constant 2048 : index
  %rows = sluice.dim %X, 0 : <?x16384xf32, align 16>
  %groups = arith.ceildivsi %rows, %c4 : index
  %ctas = arith.muli %groups, %c8 : index
  %i = sluice.grid %ctas : index
  %group = arith.divsi %i, %c8 : index
  %row = arith.muli %group, %c4 : index
  %rank = sluice.cluster.rank
  %col = arith.muli %rank, %c2048 : index

  %x = sluice.alloc "x" : !sluice.buffer<4x2048xf32, smem, row>
  %mine = sluice.alloc "mine" : !sluice.buffer<4x1xf32, smem, row>
  %inbox = sluice.alloc "inbox" : !sluice.buffer<4x1xf32, smem, row, slots 8>
  %loaded = sluice.mbarrier.alloc "loaded" : !sluice.mbarrier<1>
  %arrived = sluice.mbarrier.alloc "arrived" : !sluice.mbarrier<1>
  sluice.mbarrier.init %loaded count 1 by one : <1>
  sluice.mbarrier.init %arrived count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.cluster.arrive
  sluice.cluster.wait

  // 4 rows x 2048 x 4 bytes, and 8 CTAs x 4 sums x 4 bytes.
  sluice.mbarrier.arrive_expect_tx %loaded[%c0] bytes 32768 by one : <1>
  sluice.mbarrier.arrive_expect_tx %arrived[%c0] bytes 128 by one : <1>
  sluice.tma.load %X[%row, %col] to %x, %loaded[%c0]
      : <?x16384xf32, align 16>, <4x2048xf32, smem, row>, <1>
  sluice.mbarrier.wait %loaded[%c0], %c0 : <1>

  %v = sluice.alloc "v" : !sluice.buffer<4x2048xf32, reg, blocked>
  %sum = sluice.alloc "sum" : !sluice.buffer<4x1xf32, reg, rowVector>
  %part = sluice.alloc "part" : !sluice.buffer<4x1xf32, reg, rowVector>
  sluice.copy %x to %v : <4x2048xf32, smem, row>, <4x2048xf32, reg, blocked>
  sluice.reduce ins(%v : !sluice.buffer<4x2048xf32, reg, blocked>)
      outs(%part : !sluice.buffer<4x1xf32, reg, rowVector>) axis 1 from [0.0] {
  ^bb0(%s: f32, %e: f32):
    %r = math.fma %e, %e, %s : f32
    sluice.yield %r : f32
  }
  sluice.copy %part to %mine : <4x1xf32, reg, rowVector>, <4x1xf32, smem, row>
  sluice.fence proxy_async // the bulk copies below read `mine`
  sluice.bar.sync 0, 256
  scf.for %to = %c0 to %c8 step %c1 {
    %box = sluice.slot %inbox[%rank] : <4x1xf32, smem, row, slots 8>
    sluice.remote.copy %mine to %box rank %to, %arrived[%c0] by one
        : <4x1xf32, smem, row>, <4x1xf32, smem, row>, <1>
  }

  sluice.mbarrier.wait %arrived[%c0], %c0 : <1>
  sluice.fill %sum with 0.0 : <4x1xf32, reg, rowVector>
  scf.for %from = %c0 to %c8 step %c1 { // the same order in every CTA: the same bits
    %box = sluice.slot %inbox[%from] : <4x1xf32, smem, row, slots 8>
    sluice.copy %box to %part : <4x1xf32, smem, row>, <4x1xf32, reg, rowVector>
    sluice.map ins(%sum, %part : !sluice.buffer<4x1xf32, reg, rowVector>,
            !sluice.buffer<4x1xf32, reg, rowVector>)
        outs(%sum : !sluice.buffer<4x1xf32, reg, rowVector>) {
    ^bb0(%s: f32, %e: f32):
      %r = arith.addf %s, %e : f32
      sluice.yield %r : f32
    }
  }
  sluice.map ins(%v, %sum : !sluice.buffer<4x2048xf32, reg, blocked>,
          !sluice.buffer<4x1xf32, reg, rowVector>)
      outs(%v : !sluice.buffer<4x2048xf32, reg, blocked>) {
  ^bb0(%e: f32, %s: f32):
    %inverse = arith.constant 6.1035156e-05 : f32 // 1 / 16384
    %epsilon = arith.constant 1.0e-6 : f32
    %mean = math.fma %s, %inverse, %epsilon : f32
    %scale = math.rsqrt %mean : f32
    %r = arith.mulf %e, %scale : f32
    sluice.yield %r : f32
  }
  sluice.copy %v to %x : <4x2048xf32, reg, blocked>, <4x2048xf32, smem, row>
  sluice.fence proxy_async
  sluice.bar.sync 0, 256
  sluice.tma.store %x to %Y[%row, %col] : <4x2048xf32, smem, row>, <?x16384xf32, align 16>
  sluice.bulk.commit by one
  sluice.bulk.wait 0 read by one
  sluice.cluster.arrive
  sluice.cluster.wait
}

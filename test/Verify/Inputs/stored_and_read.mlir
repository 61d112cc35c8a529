// A tile that is stored by TMA and loaded again by the same CTA.
sluice.kernel @back(%X: !sluice.tensor<?x64xf32, align 16> {sluice.name = "X", sluice.out},
                    %Y: !sluice.tensor<?x64xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cta = sluice.grid %c1 : index
  %s = sluice.alloc "s" : !sluice.buffer<32x64xf32, smem, row>
  %t = sluice.alloc "t" : !sluice.buffer<32x64xf32, smem, row>
  %r = sluice.alloc "r" : !sluice.buffer<32x64xf32, reg, blocked>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 32
  sluice.fill %r with 0.0 : <32x64xf32, reg, blocked>
  sluice.copy %r to %s : <32x64xf32, reg, blocked>, <32x64xf32, smem, row>
  sluice.fence proxy_async
  sluice.bar.sync 0, 32
  sluice.tma.store %s to %X[%c0, %c0] : <32x64xf32, smem, row>, <?x64xf32, align 16>
  sluice.bulk.commit by one
  sluice.bulk.wait 0 by one
  sluice.bar.sync 0, 32
  sluice.mbarrier.arrive_expect_tx %full[%c0] bytes 8192 by one : <1>
  sluice.tma.load %X[%c0, %c0] to %t, %full[%c0] : <?x64xf32, align 16>, <32x64xf32, smem, row>, <1>
  sluice.mbarrier.wait %full[%c0], %c0 : <1>
  sluice.copy %t to %r : <32x64xf32, smem, row>, <32x64xf32, reg, blocked>
  sluice.store %r to %Y[%c0, %c0] : <32x64xf32, reg, blocked>, <?x64xf32>
}

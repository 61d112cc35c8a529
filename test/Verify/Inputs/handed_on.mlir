// CTAs that hand a tile of a tensor on in turn: each stores by TMA what the next one loads.
sluice.kernel @turns(%X: !sluice.tensor<?x64xf32, align 16> {sluice.name = "X", sluice.inout},
                     %turn: !sluice.tensor<?xi32> {sluice.name = "turn", sluice.inout},
                     %ctas: index {sluice.name = "ctas"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = sluice.grid %ctas : index
  %s = sluice.alloc "s" : !sluice.buffer<32x64xf32, smem, row>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 32
  sluice.counter.wait %turn[%c0], %x scope gpu co_resident : <?xi32>
  sluice.mbarrier.arrive_expect_tx %full[%c0] bytes 8192 by one : <1>
  sluice.tma.load %X[%c0, %c0] to %s, %full[%c0] : <?x64xf32, align 16>, <32x64xf32, smem, row>, <1>
  sluice.mbarrier.wait %full[%c0], %c0 : <1>
  sluice.tma.store %s to %X[%c0, %c0] : <32x64xf32, smem, row>, <?x64xf32, align 16>
  sluice.bulk.commit by one
  sluice.bulk.wait 0 by one
  sluice.bar.sync 0, 32
  %seen = sluice.counter.add %turn[%c0], %c1 scope gpu : <?xi32>
}

sluice.kernel @k() attributes {target = "sm_90a", phase = "barrier", warps = 2, cluster = array<i64: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i = sluice.grid %c2 : index
  %rank = sluice.cluster.rank
  %isFirst = arith.cmpi eq, %rank, %c0 : index
  %isSecond = arith.cmpi eq, %rank, %c1 : index
  %turn = sluice.mbarrier.alloc "turn" : !sluice.mbarrier<1>
  sluice.mbarrier.init %turn count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.cluster.arrive
  sluice.cluster.wait
  sluice.role "first" warps 0 to 1 {
    scf.if %isFirst {
      sluice.mbarrier.arrive %turn[%c0] rank %c1 by one : <1>
    }
  }
  sluice.role "second" warps 1 to 2 {
    scf.if %isSecond {
      sluice.mbarrier.wait %turn[%c0], %c0 : <1>
    }
  }
  sluice.cluster.arrive
  sluice.cluster.wait
}

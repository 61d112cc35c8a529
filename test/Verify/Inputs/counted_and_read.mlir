// CTAs that take turns by a counter that hands on nothing, which no proof for every launch follows;
// a number of a tensor and an argument say how often two warps signal and wait.
sluice.kernel @turns(%L: !sluice.tensor<?xi32> {sluice.name = "L"},
                     %turn: !sluice.tensor<?xi32> {sluice.name = "turn", sluice.inout},
                     %ctas: index {sluice.name = "ctas"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = sluice.grid %ctas : index
  %read = sluice.scalar_load %L[%c0] : <?xi32>
  %n = sluice.uniform %read : index
  %done = sluice.mbarrier.alloc "done" : !sluice.mbarrier<1>
  sluice.mbarrier.init %done count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  sluice.role "first" warps 0 to 1 {
    sluice.counter.wait %turn[%c0], %x scope cluster co_resident : <?xi32>
    %seen = sluice.counter.add %turn[%c0], %c1 scope gpu : <?xi32>
    %c3 = arith.constant 3 : index
    %signals = arith.cmpi slt, %n, %c3 : index
    scf.if %signals {
      sluice.mbarrier.arrive %done[%c0] by one : <1>
    }
  }
  sluice.role "second" warps 1 to 2 {
    sluice.mbarrier.wait %done[%c0], %c0 by one : <1>
  }
}

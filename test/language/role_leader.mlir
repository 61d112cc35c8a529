// A role of the leader alone asks for the rank of its CTA, at the barrier level too.
// RUN: sluice check %s | FileCheck %s
// RUN: sluice explain %s | FileCheck %s --check-prefix=ROLE
// CHECK: proven: every launch
// ROLE: {{^}}one: warp 0, CTA rank 0
sluice.kernel @k() attributes {target = "sm_90a", phase = "barrier", warps = 1,
                               cluster = array<i64: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i = sluice.grid %c2 : index
  %turn = sluice.mbarrier.alloc "turn" : !sluice.mbarrier<1>
  sluice.mbarrier.init %turn count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.cluster.arrive
  sluice.cluster.wait
  sluice.role "one" warps 0 to 1 leader {
    sluice.mbarrier.arrive %turn[%c0] rank %c1 by one : <1>
    sluice.mbarrier.arrive %turn[%c0] by one : <1>
  }
  sluice.mbarrier.wait %turn[%c0], %c0 : <1>
}

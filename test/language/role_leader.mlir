// A role of the leader alone would run on every CTA.
// RUN: not sluice check %s 2>&1 | FileCheck %s
// RUN: sed 's/ leader / /' %s > %t.mlir
// RUN: sluice check %t.mlir | FileCheck %s --check-prefix=ALL
// CHECK: error: {{.*}}role_leader.mlir:[[#@LINE+6]]:3: unsupported: role 'one': option 'leader' is not lowered yet; branch on sluice.cluster.rank at the barrier level
// ALL: proven: every launch
sluice.kernel @k() attributes {target = "sm_90a", phase = "barrier", warps = 1,
                               cluster = array<i64: 2, 1, 1>} {
  %c2 = arith.constant 2 : index
  %i = sluice.grid %c2 : index
  sluice.role "one" warps 0 to 1 leader {
    sluice.warp_sync
  }
}

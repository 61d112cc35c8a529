// What arrive.expect_tx announces is an unsigned operand: a negative number is none, of which the
// machine would make another one.
// RUN: not sluice check %s | FileCheck %s
// RUN: not sluice run %s 2>&1 | FileCheck %s --check-prefix=RUNS
// CHECK: R8 {{.*}}arrive.expect_tx of load warp 4{{.*}} on full: what it announces is negative, or the tx-count leaves its range of +-(2^20 - 1) bytes
// RUNS: error: {{.*}}: R8: full: what it announces is negative
// RUN: sed 's/constant -16/constant 140737488355328/; s/by one : <1>  *\/\/ bytes/: <1>/' %s > %t.large.mlir
// RUN: not sluice check %t.large.mlir | FileCheck %s
// RUN: sed 's/constant -16/constant 0/' %s > %t.none.mlir
// RUN: sluice check %t.none.mlir | FileCheck %s --check-prefix=NONE
// NONE: proven: every launch
sluice.kernel @announced() attributes {target = "sm_90a", phase = "barrier", warps = 5} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %bytes = arith.constant -16 : index
  %i = sluice.grid %c1 : index
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 160
  sluice.role "load" warps 4 to 5 {
    sluice.mbarrier.arrive_expect_tx %full[%c0] bytes 0 plus %bytes by one : <1> // bytes
  }
  sluice.role "use" warps 0 to 4 {
    sluice.mbarrier.wait %full[%c0], %c0 : <1>
  }
}

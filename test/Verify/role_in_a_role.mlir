// RUN: not sluice check %s | FileCheck %s
// CHECK: R13 (Who executes): role inner at {{.*}}:14:5 is inside of role outer; a warp has one number in one role. Put it beside that
// RUN: sed '/^    sluice.role "inner"/s/.*/  }\n&/; /end of inner$/s/$/\n  sluice.role "again" warps 4 to 8 {/' %s > %t.mlir
// RUN: sluice check %t.mlir | FileCheck %s --check-prefix=BESIDE
// BESIDE: {{^}}proven: every launch
sluice.kernel @k(%X: !sluice.tensor<?x?xf32> {sluice.name = "X"})
    attributes {target = "sm_90a", phase = "barrier", warps = 8} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = sluice.grid %c1 : index
  sluice.role "outer" warps 4 to 8 {
    sluice.bar.sync 1, 128
    // Half of it.
    sluice.role "inner" warps 4 to 6 {
      sluice.bar.sync 2, 64
    } // end of inner
    sluice.bar.sync 1, 128
  }
}

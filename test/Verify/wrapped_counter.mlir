// A counter has 32 bits: what wraps is not followed, and the virtual machine wraps as the memory.
// RUN: not sluice check %s | FileCheck %s
// CHECK: unsupported: this launch
// CHECK: note: counter add of warp 0 of CTA (0) at {{.*}} brings counter S[0] to 2147483648, or past that; it has 32 bits
// RUN: not sluice run %s 2>&1 | FileCheck %s --check-prefix=RUNS
// RUNS: R9
// RUN: sed 's/to %%c4 /to %%c1 /' %s > %t.once.mlir
// RUN: sluice check %t.once.mlir --this-launch | FileCheck %s --check-prefix=ONCE
// ONCE: proven: this launch
sluice.kernel @counted(%S: !sluice.tensor<?xi32> {sluice.name = "S", sluice.workspace})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %large = arith.constant 1073741824 : index
  %i = sluice.grid %c1 : index
  scf.for %t = %c0 to %c4 step %c1 {
    %old = sluice.counter.add %S[%c0], %large scope gpu : <?xi32>
    sluice.counter.wait %S[%c0], %large scope gpu : <?xi32>
  }
}

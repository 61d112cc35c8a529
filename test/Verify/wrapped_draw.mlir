// Numbers drawn have 32 bits too: those of the third CTA would be negative.
// RUN: not sluice check %s --this-launch | FileCheck %s
// CHECK: unsupported: this launch
// CHECK: note: counter add of one warp 0 of CTA ({{[0-9]}}) at {{.*}} brings counter Q to {{[0-9]*}}, or past that; it has 32 bits
// RUN: sed 's/constant 1073741824/constant 1/' %s > %t.mlir
// RUN: sluice check %t.mlir --this-launch | FileCheck %s --check-prefix=ONE
// ONE: proven: this launch
sluice.kernel @drawn(%Q: !sluice.tensor<?xi32> {sluice.name = "Q", sluice.workspace},
                    %C: !sluice.tensor<?x32xf32> {sluice.name = "C", sluice.inout})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c5 = arith.constant 5 : index
  %big = arith.constant 1073741824 : index
  %i = sluice.grid %c5 : index
  sluice.role "one" warps 0 to 1 {
    %t = sluice.alloc "t" : !sluice.buffer<16x32xf32, reg, blocked>
    sluice.fill %t with 1.0 : <16x32xf32, reg, blocked>
    %old = sluice.counter.add %Q[%c0], %big scope gpu relaxed : <?xi32>
    %n = arith.divsi %old, %big : index
    %u = sluice.uniform %n : index
    %row = arith.muli %u, %c16 : index
    sluice.store %t to %C[%row, %c0] : <16x32xf32, reg, blocked>, <?x32xf32>
  }
}

// RUN: not sluice check %s --set s=1 | FileCheck %s
// A wait that nobody lets pass, at arguments above 2^33 alone: no launch has one.
// CHECK: unsupported: no launch shows what may be wrong
// CHECK: note: with s >= 8589934593 it may break a rule, but no launch was found that does so. R9
// RUN: sed 's/8589934592/1073741824/' %s > %t.mlir
// RUN: not sluice check %t.mlir --set s=1 | FileCheck %s --check-prefix=SHOWN
// SHOWN: violated: refused at s=1073741825
sluice.kernel @k(%s: index {sluice.name = "s"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %far = arith.constant 8589934592 : index
  %cta = sluice.grid %c1 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<1>
  sluice.mbarrier.init %b count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 32
  %x = arith.subi %s, %far : index
  %late = arith.cmpi sge, %x, %c1 : index
  scf.if %late {
    sluice.mbarrier.wait %b[%c0], %c0 : <1>
  }
}

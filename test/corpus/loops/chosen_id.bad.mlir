// RUN: not sluice check %s --set A=1x9 Q=1x1 | FileCheck %s
// One role takes t < K for the id of a named barrier, the other t <= K.
// Expected: R9.
// CHECK: R9 (
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"}, %Q: !sluice.tensor<?x?xf32> {sluice.name = "Q"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %N = sluice.dim %A, 0 : <?x?xf32>
  %K = sluice.dim %A, 1 : <?x?xf32>
  %M = sluice.dim %Q, 0 : <?x?xf32>
  %cta = sluice.grid %c1 : index
  %xf = sluice.mbarrier.alloc "xf" : !sluice.mbarrier<2>
  sluice.mbarrier.init %xf count 1 by one : <2>
  %xe = sluice.mbarrier.alloc "xe" : !sluice.mbarrier<2>
  sluice.mbarrier.init %xe count 1 by one : <2>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  %st = sluice.cursor : !sluice.cursor<2>
  sluice.role "p" warps 0 to 1 {
    scf.for %t = %c0 to %N step %c1 {
      %p = arith.cmpi slt, %t, %K : index
      %id = arith.select %p, %c1, %c2 : index
      sluice.bar.sync %id, 64
    }
  }
  sluice.role "c" warps 1 to 2 {
    scf.for %t = %c0 to %N step %c1 {
      %p = arith.cmpi sle, %t, %K : index
      %id = arith.select %p, %c1, %c2 : index
      sluice.bar.sync %id, 64
    }
  }
}

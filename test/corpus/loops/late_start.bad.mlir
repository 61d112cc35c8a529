// RUN: not sluice check %s --set p=1 q=1 | FileCheck %s
// A loop from M on: its variable modulo 16 is asked after an inner loop over M.
// CHECK: {{^}}violated
// CHECK: R9
sluice.kernel @k(%A: !sluice.tensor<?x?xf16> {sluice.name = "A"}, %B: !sluice.tensor<?x?xf16> {sluice.name = "B"}, %p: index {sluice.name = "p"}, %q: index {sluice.name = "q"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %c11 = arith.constant 11 : index
  %c12 = arith.constant 12 : index
  %c16 = arith.constant 16 : index
  %c20 = arith.constant 20 : index
  %c32 = arith.constant 32 : index
  %c37 = arith.constant 37 : index
  %c64 = arith.constant 64 : index
  %N = sluice.dim %A, 0 : <?x?xf16>
  %K = sluice.dim %A, 1 : <?x?xf16>
  %M = sluice.dim %B, 0 : <?x?xf16>
  %L = sluice.dim %B, 1 : <?x?xf16>
  %i = sluice.grid %c1 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<1>
  sluice.mbarrier.init %b count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 32

  %m = arith.remsi %M, %c16 : index
  %m5 = arith.cmpi eq, %m, %c6 : index
  scf.for %v = %c0 to %M step %c1 { sluice.bar.sync 0, 32 }
  scf.for %u = %M to %N step %c1 {
    scf.for %v = %c0 to %M step %c1 { sluice.bar.sync 0, 32 }
    %ur = arith.remsi %u, %c16 : index
    %ua = arith.cmpi eq, %ur, %c5 : index
    %x3 = arith.andi %ua, %m5 : i1
    scf.if %x3 { sluice.mbarrier.wait %b[%c0], %c0 : <1> }
  }

}

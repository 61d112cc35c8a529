// RUN: not sluice check %s | FileCheck %s
// A role in a branch comes to a loop that another role has gone over; a late step waits for what
// nobody signals.
// CHECK: {{^}}violated
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"},
                 %B: !sluice.tensor<?x?xf32> {sluice.name = "B"},
                 %L: !sluice.tensor<?xi32> {sluice.name = "L"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %M = sluice.dim %A, 0 : <?x?xf32>
  %K = sluice.dim %B, 0 : <?x?xf32>
  %cta = sluice.grid %c1 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<1>
  sluice.mbarrier.init %b count 1 by one : <1>
  %z = sluice.mbarrier.alloc "z" : !sluice.mbarrier<1>
  sluice.mbarrier.init %z count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  %yes = arith.cmpi sgt, %M, %c1 : index
  sluice.role "a" warps 0 to 1 {
    scf.for %i26 = %c0 to %K step %c1 {
      sluice.warp_sync
    }
    sluice.mbarrier.arrive %z[%c0] by one : <1>
  }
  sluice.role "b" warps 1 to 2 {
    sluice.mbarrier.wait %z[%c0], %c0 : <1>
  }
  scf.if %yes {
    sluice.role "bb" warps 1 to 2 {
      scf.for %j = %c0 to %K step %c1 {
        %jj27 = arith.addi %j, %c1 : index
        %r27 = arith.remsi %jj27, %c7 : index
        %late27 = arith.cmpi eq, %r27, %c0 : index
        scf.if %late27 {
          sluice.mbarrier.wait %b[%c0], %c0 : <1>
        }
      }
    }
  }
}

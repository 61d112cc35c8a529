// RUN: not sluice check %s | FileCheck %s
// Loops with a condition, one after the other: the second goes over the extent that the first went
// over, and its seventh step waits for what nobody signals.
// CHECK: {{^}}violated
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"},
                 %B: !sluice.tensor<?x?xf32> {sluice.name = "B"},
                 %L: !sluice.tensor<?xi32> {sluice.name = "L"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %N = sluice.dim %A, 1 : <?x?xf32>
  %K = sluice.dim %B, 0 : <?x?xf32>
  %cta = sluice.grid %c1 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<1>
  sluice.mbarrier.init %b count 1 by one : <1>
  %z = sluice.mbarrier.alloc "z" : !sluice.mbarrier<1>
  sluice.mbarrier.init %z count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  sluice.role "a" warps 0 to 1 {
    %ea = scf.while (%qa = %c0) : (index) -> (index) {
      %iza = arith.cmpi eq, %qa, %c0 : index
      scf.if %iza {
        scf.for %i17 = %c0 to %K step %c1 {
          sluice.warp_sync
        }
      }
      %iza2 = arith.cmpi eq, %qa, %c1 : index
      scf.if %iza2 {
        scf.for %i18 = %c0 to %N step %c1 {
          sluice.warp_sync
        }
      }
      %qna = arith.addi %qa, %c1 : index
      %moa = arith.cmpi slt, %qna, %c2 : index
      scf.condition(%moa) %qna : index
    } do {
    ^bb0(%qqa: index):
      scf.yield %qqa : index
    }
    %ea3 = scf.while (%qa3 = %c0) : (index) -> (index) {
      scf.for %j = %c0 to %K step %c1 {
        %jj19 = arith.addi %j, %c1 : index
        %r19 = arith.remsi %jj19, %c7 : index
        %late19 = arith.cmpi eq, %r19, %c0 : index
        scf.if %late19 {
          sluice.mbarrier.wait %b[%c0], %c0 : <1>
        }
      }
      %qna3 = arith.addi %qa3, %c1 : index
      %moa3 = arith.cmpi slt, %qna3, %c1 : index
      scf.condition(%moa3) %qna3 : index
    } do {
    ^bb0(%qqa3: index):
      scf.yield %qqa3 : index
    }
    sluice.mbarrier.arrive %z[%c0] by one : <1>
  }
  sluice.role "c" warps 1 to 2 {
    %ec = scf.while (%qc = %c0) : (index) -> (index) {
      scf.for %i21 = %c0 to %K step %c1 {
        sluice.warp_sync
      }
      sluice.mbarrier.wait %z[%c0], %c0 : <1>
      %qnc = arith.addi %qc, %c1 : index
      %moc = arith.cmpi slt, %qnc, %c1 : index
      scf.condition(%moc) %qnc : index
    } do {
    ^bb0(%qqc: index):
      scf.yield %qqc : index
    }
  }
}

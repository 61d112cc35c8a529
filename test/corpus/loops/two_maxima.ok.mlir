// RUN: sluice check %s | FileCheck %s
// Tiles have as many steps as one maximum says; another one is divided by.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%A: !sluice.tensor<?x?xf32> {sluice.name = "A"},
                 %Q: !sluice.tensor<?x?xf32> {sluice.name = "Q"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %N = sluice.dim %A, 0 : <?x?xf32>
  %M = sluice.dim %A, 1 : <?x?xf32>
  %H = sluice.dim %Q, 0 : <?x?xf32>
  %O = sluice.dim %Q, 1 : <?x?xf32>
  %cta = sluice.grid %c1 : index
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<2>
  sluice.mbarrier.init %full count 1 by one : <2>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<2>
  sluice.mbarrier.init %empty count 1 by one : <2>
  %start = sluice.cursor : !sluice.cursor<2>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 64
  %heads = arith.maxsi %H, %c1 : index
  %rest = arith.remsi %M, %heads : index
  %whole = arith.cmpi eq, %rest, %c0 : index
  %less = arith.subi %N, %c3 : index
  %some = arith.maxsi %less, %c0 : index
  %steps = arith.ceildivsi %some, %c3 : index
  sluice.role "load" warps 0 to 1 {
    %all = scf.for %i = %c0 to %O step %c1 iter_args(%before = %start) -> (!sluice.cursor<2>) {
      %end = scf.for %t = %c0 to %steps step %c1 iter_args(%at = %before) -> (!sluice.cursor<2>) {
        %slot = sluice.cursor.slot %at : <2>
        %phase = sluice.cursor.phase %at : <2>
        %free = arith.xori %phase, %c1 : index
        sluice.mbarrier.wait %empty[%slot], %free : <2>
        sluice.mbarrier.arrive %full[%slot] by warp : <2>
        %next = sluice.cursor.advance %at : <2>
        scf.yield %next : !sluice.cursor<2>
      }
      scf.yield %end : !sluice.cursor<2>
    }
    scf.if %whole {
      sluice.bar.sync 1, 64
    }
  }
  sluice.role "math" warps 1 to 2 {
    %all = scf.for %i = %c0 to %O step %c1 iter_args(%before = %start) -> (!sluice.cursor<2>) {
      %end = scf.for %t = %c0 to %steps step %c1 iter_args(%at = %before) -> (!sluice.cursor<2>) {
        %slot = sluice.cursor.slot %at : <2>
        %phase = sluice.cursor.phase %at : <2>
        sluice.mbarrier.wait %full[%slot], %phase : <2>
        sluice.mbarrier.arrive %empty[%slot] by warp : <2>
        %next = sluice.cursor.advance %at : <2>
        scf.yield %next : !sluice.cursor<2>
      }
      scf.yield %end : !sluice.cursor<2>
    }
    scf.if %whole {
      sluice.bar.sync 1, 64
    }
  }
}

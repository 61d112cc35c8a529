// RUN: sluice check %s | FileCheck %s
// PTX ISA, phase of the mbarrier object (no thread). The counting thread waits for each phase
// before the next arrival.
// CHECK: {{^}}proven
sluice.kernel @progress(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"},
                        %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16>
  %n = arith.ceildivsi %rows, %c64 : index
  %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
  %done = sluice.mbarrier.alloc "done" : !sluice.mbarrier<1>
  sluice.mbarrier.init %done count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 128
  %start = sluice.cursor : !sluice.cursor<1>
  scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<1> {
    %slot = sluice.cursor.slot %at : <1>
    %phase = sluice.cursor.phase %at : <1>
    %row = arith.muli %t, %c64 : index
    sluice.load %X[%row, %c0] to %v : <?x64xf16>, <64x64xf16, reg, blocked>
    sluice.store %v to %Y[%row, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
    sluice.bar.sync 0, 128
    sluice.mbarrier.arrive %done[%slot] by one : <1>
    sluice.mbarrier.wait %done[%slot], %phase by one : <1>
    %next = sluice.cursor.advance %at : <1>
    scf.yield %next : !sluice.cursor<1>
  } {sluice.name = "t", sluice.pipelined}
}

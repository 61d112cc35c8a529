// RUN: not sluice check %s | FileCheck %s
// triton #10669. Two CTAs meet after every tile over one barrier each. A CTA that is slow to look
// at its barrier finds the peer's next arrival there already, and the phase it waits for gone.
// Expected: R5.
// CHECK: R5 {{.*}}phase 1 of meet of CTA (0) completes with arrive of warp {{.*}} of CTA (1) {{.*}} no wait
// CHECK-SAME: has found phase 0 complete
sluice.kernel @meet(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"},
                    %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4, cluster = array<i64: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16>
  %n = arith.ceildivsi %rows, %c64 : index
  %cta = sluice.grid %c2 : index
  %rank = sluice.cluster.rank
  %peer = arith.subi %c1, %rank : index
  %whole = arith.muli %n, %c64 : index
  %part = arith.muli %rank, %whole : index
  %meet = sluice.mbarrier.alloc "meet" : !sluice.mbarrier<1>
  sluice.mbarrier.init %meet count 4 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.cluster.arrive
  sluice.cluster.wait
  %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
  %start = sluice.cursor : !sluice.cursor<1>
  scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<1> {
    %slot = sluice.cursor.slot %at : <1>
    %phase = sluice.cursor.phase %at : <1>
    %row = arith.muli %t, %c64 : index
    %out = arith.addi %row, %part : index
    sluice.load %X[%row, %c0] to %v : <?x64xf16>, <64x64xf16, reg, blocked>
    sluice.store %v to %Y[%out, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
    sluice.mbarrier.arrive %meet[%slot] rank %peer by warp : <1>
    sluice.mbarrier.wait %meet[%slot], %phase : <1>
    sluice.bar.sync 0, 128
    %next = sluice.cursor.advance %at : <1>
    scf.yield %next : !sluice.cursor<1>
  } {sluice.name = "t", sluice.pipelined}
  sluice.cluster.arrive
  sluice.cluster.wait
}

// RUN: not sluice check %s | FileCheck %s
// Pattern 36 seen from the own CTA (no thread). The last TMA store is committed, and the CTA exits
// without waiting until its source has been read.
// Expected: R10.
// CHECK: R10 {{.*}}TMA store of store warp 0 {{.*}} may still be under way when CTA (0) exits
sluice.kernel @stage(%X: !sluice.tensor<?x64xf16, align 16> {sluice.name = "X"},
                     %Y: !sluice.tensor<?x64xf16, align 16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16, align 16>
  %n = arith.ceildivsi %rows, %c64 : index
  %y = sluice.alloc "y" : !sluice.buffer<64x64xf16, smem, sw128>
  %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
  scf.for %t = %c0 to %n step %c1 {
    %row = arith.muli %t, %c64 : index
    sluice.load %X[%row, %c0] to %v : <?x64xf16, align 16>, <64x64xf16, reg, blocked>
    sluice.role "store" warps 0 to 1 {
      sluice.bulk.wait 0 read by one
    }
    sluice.bar.sync 0, 128
    sluice.copy %v to %y : <64x64xf16, reg, blocked>, <64x64xf16, smem, sw128>
    sluice.fence proxy_async
    sluice.bar.sync 0, 128
    sluice.role "store" warps 0 to 1 {
      sluice.tma.store %y to %Y[%row, %c0] : <64x64xf16, smem, sw128>, <?x64xf16, align 16>
      sluice.bulk.commit by one
    }
  } {sluice.name = "t", sluice.pipelined}
}

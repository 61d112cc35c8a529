// RUN: not sluice check %s | FileCheck %s
// Triton ConSan, python/test/gluon/test_consan.py, test_async_tma_kernel_2bufs_1bar. Two loads
// complete one barrier; the adding warps read both tiles before they wait for it.
// Expected: R22.
// CHECK: R22 {{.*}}may still write
sluice.kernel @add(%A: !sluice.tensor<?x64xf16, align 16> {sluice.name = "A"},
                   %B: !sluice.tensor<?x64xf16, align 16> {sluice.name = "B"},
                   %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 5} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %A, 0 : <?x64xf16, align 16>
  %n = arith.ceildivsi %rows, %c64 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16, smem, sw128>
  %b = sluice.alloc "b" : !sluice.buffer<64x64xf16, smem, sw128>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<1>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 1 by one : <1>
  sluice.mbarrier.init %empty count 4 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 160
  %start = sluice.cursor : !sluice.cursor<1>
  sluice.role "load" warps 4 to 5 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<1> {
      %slot = sluice.cursor.slot %at : <1>
      %phase = sluice.cursor.phase %at : <1>
      %free = arith.xori %phase, %c1 : index
      %row = arith.muli %t, %c64 : index
      sluice.mbarrier.wait %empty[%slot], %free : <1>
      sluice.mbarrier.arrive_expect_tx %full[%slot] bytes 16384 by one : <1>
      sluice.tma.load %A[%row, %c0] to %a, %full[%slot]
          : <?x64xf16, align 16>, <64x64xf16, smem, sw128>, <1>
      sluice.tma.load %B[%row, %c0] to %b, %full[%slot]
          : <?x64xf16, align 16>, <64x64xf16, smem, sw128>, <1>
      %next = sluice.cursor.advance %at : <1>
      scf.yield %next : !sluice.cursor<1>
    }
  }
  sluice.role "add" warps 0 to 4 {
    %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
    %w = sluice.alloc "w" : !sluice.buffer<64x64xf16, reg, blocked>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<1> {
      %slot = sluice.cursor.slot %at : <1>
      %phase = sluice.cursor.phase %at : <1>
      %row = arith.muli %t, %c64 : index
      sluice.copy %a to %v : <64x64xf16, smem, sw128>, <64x64xf16, reg, blocked>
      sluice.copy %b to %w : <64x64xf16, smem, sw128>, <64x64xf16, reg, blocked>
      sluice.mbarrier.wait %full[%slot], %phase : <1>
      sluice.warp_sync
      sluice.mbarrier.arrive %empty[%slot] by warp : <1>
      sluice.map ins(%v, %w
          : !sluice.buffer<64x64xf16, reg, blocked>, !sluice.buffer<64x64xf16, reg, blocked>)
          outs(%v : !sluice.buffer<64x64xf16, reg, blocked>) {
      ^bb0(%p: f16, %q: f16):
        %r = arith.addf %p, %q : f16
        sluice.yield %r : f16
      }
      sluice.store %v to %Y[%row, %c0] : <64x64xf16, reg, blocked>, <?x64xf16>
      %next = sluice.cursor.advance %at : <1>
      scf.yield %next : !sluice.cursor<1>
    } {sluice.name = "t", sluice.pipelined}
  }
}

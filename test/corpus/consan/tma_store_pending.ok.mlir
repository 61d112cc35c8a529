// RUN: sluice check %s | FileCheck %s
// Triton ConSan, python/test/gluon/test_consan.py, test_tma_store. All stores have read their tiles
// before the tiles are filled again.
// CHECK: {{^}}proven
sluice.kernel @fill_rows(%Y: !sluice.tensor<?x64xf16, align 16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %rows = sluice.dim %Y, 0 : <?x64xf16, align 16>
  %n = arith.ceildivsi %rows, %c128 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, sw128, slots 2>
  %x0 = sluice.slot %x[%c0] : <64x64xf16, smem, sw128, slots 2>
  %x1 = sluice.slot %x[%c1] : <64x64xf16, smem, sw128, slots 2>
  scf.for %t = %c0 to %n step %c1 {
    %row = arith.muli %t, %c128 : index
    %next = arith.addi %row, %c64 : index
    sluice.fill %x0 with 42.0 : <64x64xf16, smem, sw128>
    sluice.fill %x1 with 42.0 : <64x64xf16, smem, sw128>
    sluice.fence proxy_async
    sluice.bar.sync 0, 128
    sluice.role "store" warps 0 to 1 {
      sluice.tma.store %x0 to %Y[%row, %c0] : <64x64xf16, smem, sw128>, <?x64xf16, align 16>
      sluice.bulk.commit by one
      sluice.tma.store %x1 to %Y[%next, %c0] : <64x64xf16, smem, sw128>, <?x64xf16, align 16>
      sluice.bulk.commit by one
      sluice.bulk.wait 0 read by one
    }
    sluice.bar.sync 0, 128
  } {sluice.name = "t", sluice.pipelined}
  sluice.role "store" warps 0 to 1 {
    sluice.bulk.wait 0 read by one
  }
}

// RUN: sluice check %s | FileCheck %s
// A number says whether a warpgroup multiplies; it is overwritten when all four warps have read it.
// CHECK: {{^}}proven: every launch
sluice.kernel @decided(%A: !sluice.tensor<?x64xf16, align 16> {sluice.name = "A"},
                       %Y: !sluice.tensor<?x64xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 5} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = sluice.grid %c1 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16, smem, sw128>
  %n = sluice.alloc "n" : !sluice.buffer<1x1xi32, smem, row>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<1>
  %read = sluice.mbarrier.alloc "read" : !sluice.mbarrier<1>
  %written = sluice.mbarrier.alloc "written" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 1 by one : <1>
  sluice.mbarrier.init %read count 4 by one : <1>
  sluice.mbarrier.init %written count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 160
  sluice.role "load" warps 4 to 5 {
    sluice.mbarrier.arrive_expect_tx %full[%c0] bytes 8192 by one : <1>
    sluice.tma.load %A[%c0, %c0] to %a, %full[%c0]
        : <?x64xf16, align 16>, <64x64xf16, smem, sw128>, <1>
    sluice.scalar_write %c0 to %n[%c0, %c0] : <1x1xi32, smem, row>
    sluice.bar.sync 1, 160
    sluice.mbarrier.wait %read[%c0], %c0 by one : <1>
    sluice.scalar_write %c1 to %n[%c0, %c0] : <1x1xi32, smem, row>
    sluice.mbarrier.arrive %written[%c0] by one : <1>
  }
  sluice.role "math" warps 0 to 4 {
    %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32, reg, acc>
    sluice.fill %acc with 0.0 : <64x64xf32, reg, acc>
    %warp = sluice.warp
    %first = arith.cmpi eq, %warp, %c0 : index
    sluice.bar.sync 1, 160
    sluice.mbarrier.wait %full[%c0], %c0 : <1>
    %number = sluice.scalar_read %n[%c0, %c0] : <1x1xi32, smem, row>
    %u = sluice.uniform %number : index
    sluice.warp_sync
    sluice.mbarrier.arrive %read[%c0] by warp : <1>
    %multiplies = arith.cmpi eq, %u, %c0 : index
    scf.if %multiplies {
      sluice.wgmma.fence
      sluice.wgmma %acc, %a, %a
          : <64x64xf32, reg, acc>, <64x64xf16, smem, sw128>, <64x64xf16, smem, sw128>
      sluice.wgmma.commit
      sluice.wgmma.wait 0
    }
    sluice.mbarrier.wait %written[%c0], %c0 : <1>
    sluice.store %acc to %Y[%c0, %c0] : <64x64xf32, reg, acc>, <?x64xf32>
  }
}

// A slot of numbers that goes to another CTA has one where sluice.scalar_write wrote it; what TMA
// has brought there is no number that the proof knows.
// RUN: not sluice check %s --set T=1x4 | FileCheck %s
// CHECK: unsupported: this launch
// CHECK: scalar read of use warp 0 of CTA (1) at {{.*}} takes a number that remote copy of load warp 4 of CTA (0) at {{.*}} has brought; the proof follows numbers that sluice.scalar_write has written to the same buffer
// RUN: sed '/loaded/d; s/^ *sluice.remote.copy/sluice.scalar_write %%c0 to %%number[%%c0, %%c0] : <1x4xi32, smem, row>\nsluice.scalar_write %%c0 to %%number[%%c0, %%c1] : <1x4xi32, smem, row>\nsluice.scalar_write %%c0 to %%number[%%c0, %%c2] : <1x4xi32, smem, row>\nsluice.scalar_write %%c0 to %%number[%%c0, %%c3] : <1x4xi32, smem, row>\nsluice.fence proxy_async\nsluice.warp_sync\n&/' %s > %t.mlir
// RUN: sluice check %t.mlir --set T=1x4 | FileCheck %s --check-prefix=WRITTEN
// WRITTEN: {{^}}proven: every launch
sluice.kernel @copied(%T: !sluice.tensor<?x4xi32, align 16> {sluice.name = "T"})
    attributes {target = "sm_90a", phase = "barrier", warps = 5, cluster = array<i64: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %i = sluice.grid %c2 : index
  %rank = sluice.cluster.rank
  %number = sluice.alloc "number" : !sluice.buffer<1x4xi32, smem, row>
  %loaded = sluice.mbarrier.alloc "loaded" : !sluice.mbarrier<1>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<1>
  %never = sluice.mbarrier.alloc "never" : !sluice.mbarrier<1>
  sluice.mbarrier.init %loaded count 1 by one : <1>
  sluice.mbarrier.init %full count 1 by one : <1>
  sluice.mbarrier.init %never count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.cluster.arrive
  sluice.cluster.wait
  %first = arith.cmpi eq, %rank, %c0 : index
  %second = arith.cmpi eq, %rank, %c1 : index
  sluice.role "load" warps 4 to 5 {
    scf.if %first {
      sluice.mbarrier.arrive_expect_tx %loaded[%c0] bytes 16 by one : <1>
      sluice.tma.load %T[%c0, %c0] to %number, %loaded[%c0] : <?x4xi32, align 16>, <1x4xi32, smem, row>, <1>
      sluice.mbarrier.wait %loaded[%c0], %c0 by one : <1>
      sluice.mbarrier.arrive_expect_tx %full[%c0] rank %c1 bytes 16 by one : <1>
      sluice.remote.copy %number to %number rank %c1, %full[%c0] by one : <1x4xi32, smem, row>, <1x4xi32, smem, row>, <1>
    }
  }
  sluice.role "use" warps 0 to 4 {
    scf.if %second {
      sluice.mbarrier.wait %full[%c0], %c0 : <1>
      %read = sluice.scalar_read %number[%c0, %c0] : <1x4xi32, smem, row>
      %item = sluice.uniform %read : index
      %other = arith.cmpi ne, %item, %c0 : index
      scf.if %other {
        sluice.mbarrier.wait %never[%c0], %c0 : <1>
      }
    }
  }
  sluice.cluster.arrive
  sluice.cluster.wait
}

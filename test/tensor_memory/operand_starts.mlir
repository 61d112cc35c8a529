// Operands of tcgen05.mma in shared memory start as those of wgmma do; tcgen05.st starts at a whole
// column of 4 bytes (R43).
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: sed 's/%%a\[%%c8, %%c16\]/%%a[%%c4, %%c16]/' %s > %t.rows.mlir
// RUN: not sluice check %t.rows.mlir | FileCheck %s --check-prefix=ROWS
// ROWS: R43 {{.*}}tcgen05.mma at {{.*}}: operand a starts at multiples of 4 of M and multiples of 16 of K, as far as is known; it has to at multiples of 8 and of 16
// RUN: sed 's/%%b\[%%c16, %%c64\]/%%b[%%c8, %%c64]/' %s > %t.steps.mlir
// RUN: not sluice check %t.steps.mlir | FileCheck %s --check-prefix=STEPS
// STEPS: R43 {{.*}} operand b starts at multiples of 64 of N and multiples of 8 of K
// RUN: sed 's/%%p\[%%c0, %%c16\]/%%p[%%c0, %%c1]/' %s > %t.column.mlir
// RUN: not sluice check %t.column.mlir | FileCheck %s --check-prefix=COLUMN
// COLUMN: R43 {{.*}}tcgen05.st at {{.*}}: it may start in the middle of a column of p, at 16 bits
sluice.kernel @starts(%Y: !sluice.tensor<?x64xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_100a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %no = arith.constant false
  %a = sluice.alloc "a" : !sluice.buffer<256x64xbf16, smem, sw128>
  %b = sluice.alloc "b" : !sluice.buffer<64x128xbf16, smem, sw128>
  %address = sluice.alloc "address" : !sluice.buffer<1x1xi32, smem, row>
  %d = sluice.alloc "d" at 0 : !sluice.buffer<128x64xf32, tmem, row>
  %p = sluice.alloc "p" at 256 : !sluice.buffer<128x64xbf16, tmem, row>
  %done = sluice.mbarrier.alloc "done" : !sluice.mbarrier<1>
  sluice.mbarrier.init %done count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.fill %a with 1.0 : <256x64xbf16, smem, sw128>
  sluice.fill %b with 1.0 : <64x128xbf16, smem, sw128>
  sluice.fence proxy_async
  sluice.role "allocate" warps 0 to 1 {
    sluice.tmem.alloc 128 to %address : !sluice.buffer<1x1xi32, smem, row>
    sluice.tmem.relinquish
  }
  sluice.bar.sync 0, 128
  sluice.tmem.address %address : <1x1xi32, smem, row>
  sluice.role "mma" warps 0 to 1 {
    %rows = sluice.subview %a[%c8, %c16] : <256x64xbf16, smem, sw128> to <128x32xbf16, smem, sw128>
    %columns = sluice.subview %b[%c16, %c64] : <64x128xbf16, smem, sw128> to <32x64xbf16, smem, sw128>
    sluice.tcgen05.mma %d, %rows, %columns accumulate %no {sluice.any_tiles}
        : <128x64xf32, tmem, row>, <128x32xbf16, smem, sw128>, <32x64xbf16, smem, sw128>
    sluice.tcgen05.commit %done[%c0] : <1>
  }
  sluice.role "epilogue" warps 0 to 4 {
    %x = sluice.alloc "x" : !sluice.buffer<128x64xf32, reg, row>
    %h = sluice.alloc "h" : !sluice.buffer<128x32xbf16, reg, row>
    sluice.mbarrier.wait %done[%c0], %c0 : <1>
    sluice.fence tcgen05_after
    sluice.copy %d to %x : <128x64xf32, tmem, row>, <128x64xf32, reg, row>
    sluice.fill %h with 0.0 : <128x32xbf16, reg, row>
    %part = sluice.subview %p[%c0, %c16] : <128x64xbf16, tmem, row> to <128x32xbf16, tmem, row>
    sluice.copy %h to %part : <128x32xbf16, reg, row>, <128x32xbf16, tmem, row>
    sluice.tcgen05.wait
    sluice.tcgen05.wait stores
    sluice.fence tcgen05_before
    sluice.store %x to %Y[%c0, %c0] : <128x64xf32, reg, row>, <?x64xf32>
  }
  sluice.bar.sync 0, 128
  sluice.fence tcgen05_after
  sluice.role "free" warps 0 to 1 {
    sluice.tmem.dealloc 128
  }
}

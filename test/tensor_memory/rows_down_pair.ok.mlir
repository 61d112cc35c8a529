// The same for a pair of CTAs: one thread copies and shifts in both.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// CHECK: four-rows
// CHECK: rows-down
// CHECK: same-columns
// RUN: %python %S/Inputs/rows_down.py %t.in 2
// RUN: sluice run %s --in X=%t.in/X.npy Y=%t.in/Y.npy --set C=256x16 --chaos 3 --expect C=%t.in/C.npy
// RUN: %if nvcc %{ sluice run %s --in X=%t.in/X.npy Y=%t.in/Y.npy --set C=256x16 --device host --expect C=%t.in/C.npy | FileCheck %s --check-prefix=HOST %}
// HOST: are the virtual machine's, bit by bit
// RUN: sluice emit %s -o %t.one/
// RUN: FileCheck %s --check-prefix=CODE < %t.one/rows_down.cu
// CODE: tmemShift<2>(tmem + (32 << 16));
// CODE: tmemCopyFour<16, 2>(tmem + (31 << 16), kMajor(y, 0));
// RUN: %if nvcc %{ %nvcc100 -ptx -I %t.one -o %t.ptx %t.one/rows_down.cu %}
// RUN: %if nvcc %{ FileCheck %s --check-prefix=PTX < %t.ptx %}
// PTX: tcgen05.shift.cta_group::2.down
// PTX: tcgen05.cp.cta_group::2.4x256b
// RUN: %if nvcc %{ %nvcc100 -cubin -I %t.one -o %t.cubin %t.one/rows_down.cu %}
//
sluice.kernel @rows_down(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
                         %Y: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Y"},
                         %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_100a", phase = "barrier", warps = 4,
                cluster = array<i64: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c96 = arith.constant 96 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c128 = arith.constant 128 : index
  %i = sluice.grid %c2 : index
  %rank = sluice.cluster.rank
  %leads = arith.cmpi eq, %rank, %c0 : index
  %row = arith.muli %rank, %c128 : index
  %new = arith.muli %rank, %c4 : index
  %x = sluice.alloc "x" : !sluice.buffer<128x16xf32, smem, sw64>
  %y = sluice.alloc "y" : !sluice.buffer<4x16xf32, smem, sw64>
  %address = sluice.alloc "address" : !sluice.buffer<1x1xi32, smem, row>
  %t = sluice.alloc "t" at 0 : !sluice.buffer<128x16xf32, tmem, row>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<1>
  %done = sluice.mbarrier.alloc "done" : !sluice.mbarrier<3>
  sluice.mbarrier.init %full count 2 by one : <1>
  sluice.mbarrier.init %done count 1 by one : <3>
  sluice.fence mbarrier_init by one
  sluice.role "allocate" warps 0 to 1 {
    sluice.tmem.alloc 32 to %address ctas 2 : !sluice.buffer<1x1xi32, smem, row>
    sluice.tmem.relinquish ctas 2
  }
  sluice.cluster.arrive
  sluice.cluster.wait
  sluice.tmem.address %address : <1x1xi32, smem, row>
  sluice.role "copy" warps 0 to 1 {
    sluice.mbarrier.arrive_expect_tx %full[%c0] rank %c0 bytes 8448 by one : <1>
    sluice.tma.load %X[%row, %c0] to %x, %full[%c0] rank %c0
        : <?x?xf32, align 16>, <128x16xf32, smem, sw64>, <1>
    sluice.tma.load %Y[%new, %c0] to %y, %full[%c0] rank %c0
        : <?x?xf32, align 16>, <4x16xf32, smem, sw64>, <1>
    scf.if %leads {
      sluice.mbarrier.wait %full[%c0], %c0 : <1>
      sluice.copy %x to %t ctas 2 : <128x16xf32, smem, sw64>, <128x16xf32, tmem, row>
      sluice.tcgen05.commit %done[%c0] ctas 2 : <3>
      sluice.mbarrier.wait %done[%c0], %c0 : <3>
      sluice.fence tcgen05_after
      %a0 = sluice.subview %t[%c0, %c0] : <128x16xf32, tmem, row> to <32x8xf32, tmem, row>
      %a1 = sluice.subview %t[%c32, %c0] : <128x16xf32, tmem, row> to <32x8xf32, tmem, row>
      %a2 = sluice.subview %t[%c64, %c0] : <128x16xf32, tmem, row> to <32x8xf32, tmem, row>
      %a3 = sluice.subview %t[%c96, %c0] : <128x16xf32, tmem, row> to <32x8xf32, tmem, row>
      %b0 = sluice.subview %t[%c0, %c8] : <128x16xf32, tmem, row> to <32x8xf32, tmem, row>
      %b1 = sluice.subview %t[%c32, %c8] : <128x16xf32, tmem, row> to <32x8xf32, tmem, row>
      %b2 = sluice.subview %t[%c64, %c8] : <128x16xf32, tmem, row> to <32x8xf32, tmem, row>
      %b3 = sluice.subview %t[%c96, %c8] : <128x16xf32, tmem, row> to <32x8xf32, tmem, row>
      sluice.tcgen05.shift %a0 ctas 2 : <32x8xf32, tmem, row>
      sluice.tcgen05.shift %a1 ctas 2 : <32x8xf32, tmem, row>
      sluice.tcgen05.shift %a2 ctas 2 : <32x8xf32, tmem, row>
      sluice.tcgen05.shift %a3 ctas 2 : <32x8xf32, tmem, row>
      sluice.tcgen05.shift %b0 ctas 2 : <32x8xf32, tmem, row>
      sluice.tcgen05.shift %b1 ctas 2 : <32x8xf32, tmem, row>
      sluice.tcgen05.shift %b2 ctas 2 : <32x8xf32, tmem, row>
      sluice.tcgen05.shift %b3 ctas 2 : <32x8xf32, tmem, row>
      sluice.tcgen05.commit %done[%c1] ctas 2 : <3>
      sluice.mbarrier.wait %done[%c1], %c0 : <3>
      sluice.fence tcgen05_after
      sluice.copy %y to %t ctas 2 {sluice.lane = 31 : i64}
          : <4x16xf32, smem, sw64>, <128x16xf32, tmem, row>
      sluice.tcgen05.commit %done[%c2] multicast 3 ctas 2 : <3>
    }
  }
  %r = sluice.alloc "r" : !sluice.buffer<128x16xf32, reg, row>
  sluice.mbarrier.wait %done[%c2], %c0 : <3>
  sluice.fence tcgen05_after
  sluice.copy %t to %r : <128x16xf32, tmem, row>, <128x16xf32, reg, row>
  sluice.tcgen05.wait
  sluice.fence tcgen05_before
  sluice.store %r to %C[%row, %c0] : <128x16xf32, reg, row>, <?x?xf32>
  sluice.cluster.arrive
  sluice.cluster.wait
  sluice.fence tcgen05_after
  sluice.role "free" warps 0 to 1 {
    sluice.tmem.dealloc 32 ctas 2
  }
}

// tcgen05.cp of rows of 16 bytes: 128 to their lanes, 64 twice, each half of 64 to the lanes of two
// neighbouring warps, 32 to those of all four. Four columns of C each show what came to a lane.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: %python %S/Inputs/rows.py %t.in
// RUN: sluice run %s --in X=%t.in/X.npy --set C=128x16 --chaos 3 --expect C=%t.in/C.npy
// RUN: %if nvcc %{ sluice run %s --in X=%t.in/X.npy --set C=128x16 --device host --expect C=%t.in/C.npy | FileCheck %s --check-prefix=HOST %}
// HOST: are the virtual machine's, bit by bit
// RUN: sluice emit %s -o %t.one/
// RUN: FileCheck %s --check-prefix=CODE < %t.one/copy_rows.cu
// CODE: tmemCopyRows(tmem, x[0] + XTile::offset(0, 0));
// CODE-NEXT: tmemCopyTwice(tmem + 4, x[0] + XTile::offset(0, 0));
// CODE-NEXT: tmemCopyNeighbours(tmem + 8, x[0] + XTile::offset(64, 0));
// CODE-NEXT: tmemCopyScales(tmem + 12, x[0] + XTile::offset(32, 0));
// RUN: %if nvcc %{ %nvcc100 -cubin -I %t.one -o %t.cubin %t.one/copy_rows.cu %}
//
sluice.kernel @copy_rows(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
                         %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_100a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c1 = arith.constant 1 : index
  %i = sluice.grid %c1 : index
  %x = sluice.alloc "x" : !sluice.buffer<128x4xf32, smem, row>
  %address = sluice.alloc "address" : !sluice.buffer<1x1xi32, smem, row>
  %t = sluice.alloc "t" at 0 : !sluice.buffer<128x16xf32, tmem, row>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<1>
  %done = sluice.mbarrier.alloc "done" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 1 by one : <1>
  sluice.mbarrier.init %done count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.role "allocate" warps 0 to 1 {
    sluice.tmem.alloc 32 to %address : !sluice.buffer<1x1xi32, smem, row>
  }
  sluice.bar.sync 0, 128
  sluice.tmem.address %address : <1x1xi32, smem, row>
  sluice.role "copy" warps 0 to 1 {
    sluice.mbarrier.arrive_expect_tx %full[%c0] bytes 2048 by one : <1>
    sluice.tma.load %X[%c0, %c0] to %x, %full[%c0]
        : <?x?xf32, align 16>, <128x4xf32, smem, row>, <1>
    sluice.mbarrier.wait %full[%c0], %c0 : <1>
    %a = sluice.subview %t[%c0, %c0] : <128x16xf32, tmem, row> to <128x4xf32, tmem, row>
    %b = sluice.subview %t[%c0, %c4] : <128x16xf32, tmem, row> to <128x4xf32, tmem, row>
    %c = sluice.subview %t[%c0, %c8] : <128x16xf32, tmem, row> to <128x4xf32, tmem, row>
    %d = sluice.subview %t[%c0, %c12] : <128x16xf32, tmem, row> to <128x4xf32, tmem, row>
    %upper = sluice.subview %x[%c0, %c0] : <128x4xf32, smem, row> to <64x4xf32, smem, row>
    %lower = sluice.subview %x[%c64, %c0] : <128x4xf32, smem, row> to <64x4xf32, smem, row>
    %second = sluice.subview %x[%c32, %c0] : <128x4xf32, smem, row> to <32x4xf32, smem, row>
    sluice.copy %x to %a : <128x4xf32, smem, row>, <128x4xf32, tmem, row>
    sluice.copy %upper to %b : <64x4xf32, smem, row>, <128x4xf32, tmem, row>
    sluice.copy %lower to %c {sluice.neighbours}
        : <64x4xf32, smem, row>, <128x4xf32, tmem, row>
    sluice.copy %second to %d : <32x4xf32, smem, row>, <128x4xf32, tmem, row>
    sluice.tcgen05.commit %done[%c0] : <1>
  }
  %r = sluice.alloc "r" : !sluice.buffer<128x16xf32, reg, row>
  sluice.mbarrier.wait %done[%c0], %c0 : <1>
  sluice.fence tcgen05_after
  sluice.copy %t to %r : <128x16xf32, tmem, row>, <128x16xf32, reg, row>
  sluice.tcgen05.wait
  sluice.fence tcgen05_before
  sluice.store %r to %C[%c0, %c0] : <128x16xf32, reg, row>, <?x?xf32>
  sluice.bar.sync 0, 128
  sluice.fence tcgen05_after
  sluice.role "free" warps 0 to 1 {
    sluice.tmem.dealloc 32
  }
}

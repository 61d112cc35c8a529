// C = A B of numbers of 6 bits by numbers of 4 (kind::f8f6f4): sixteen of them come to 16 bytes of
// shared memory, and 128 of a line complete 96 and 64 bytes.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: %python %S/Inputs/packed.py %t.in e2m3 e2m1 200 160 384
// RUN: sluice run %s --in A=%t.in/A.npy B=%t.in/Bt.npy --set C=200x160 --chaos 5 --expect C=%t.in/C.npy
// RUN: %if nvcc %{ sluice run %s --in A=%t.in/A.npy B=%t.in/Bt.npy --set C=200x160 --device host --expect C=%t.in/C.npy | FileCheck %s --check-prefix=HOST %}
// HOST: are the virtual machine's, bit by bit
// RUN: sluice emit %s -o %t.one/
// RUN: FileCheck %s --check-prefix=CODE < %t.one/packed.cu
// CODE: SharedTile<e2m3, 128, 128, 1, 128>
// CODE: SharedTile<e2m1, 128, 128, 1, 128>
// CODE: tcgen05Mma<128, 128>(tmem, kMajor(a, at.slot), kMajor(b, at.slot), more);
// RUN: %if nvcc %{ %nvcc100 -ptx -I %t.one -o %t.ptx %t.one/packed.cu %}
// RUN: %if nvcc %{ FileCheck %s --check-prefix=PTX < %t.ptx %}
// PTX: tcgen05.mma.cta_group::1.kind::f8f6f4
// RUN: %if nvcc %{ %nvcc100 -cubin -I %t.one -o %t.cubin %t.one/packed.cu %}
//
// Padding is no byte that comes.
// RUN: sed 's/bytes 20480/bytes 32768/' %s > %t.more.mlir
// RUN: not sluice check %t.more.mlir | FileCheck %s --check-prefix=MORE
// MORE: R9 {{.*}}for full[0] parity 0 (phase 0, arrivals 1 of 1, bytes 20480 of 32768)
//
// RUN: not sluice run %s --random 1 --set A=128x192 B=128x192 C=128x128 2>&1 | FileCheck %s --check-prefix=LINE
// LINE: error: tensor A[128,192]: its numbers of e2m3 come 128 at a time, and it has 192 side by side
sluice.kernel @packed(%A: !sluice.tensor<?x?xf6E2M3FN, align 32> {sluice.name = "A"},
                      %B: !sluice.tensor<?x?xf4E2M1FN, align 32> {sluice.name = "B"}, // [N, K]
                      %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_100a", phase = "barrier", warps = 6} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %A, 0 : <?x?xf6E2M3FN, align 32>
  %N = sluice.dim %B, 0 : <?x?xf4E2M1FN, align 32>
  %K = sluice.dim %A, 1 : <?x?xf6E2M3FN, align 32>
  %gm = arith.ceildivsi %M, %c128 : index
  %gn = arith.ceildivsi %N, %c128 : index
  %some = arith.ceildivsi %K, %c128 : index
  %steps = arith.maxsi %some, %c1 : index // where K is 0, tiles of zeros
  %i, %j = sluice.grid %gm, %gn : index, index
  %row = arith.muli %i, %c128 : index
  %col = arith.muli %j, %c128 : index
  %a = sluice.alloc "a" : !sluice.buffer<128x128xf6E2M3FN, smem, sw128, slots 3>
  %b = sluice.alloc "b" : !sluice.buffer<128x128xf4E2M1FN, smem, sw128, slots 3>
  %address = sluice.alloc "address" : !sluice.buffer<1x1xi32, smem, row>
  %d = sluice.alloc "d" at 0 : !sluice.buffer<128x128xf32, tmem, row>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<3>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<3>
  %done = sluice.mbarrier.alloc "done" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 1 by one : <3>
  sluice.mbarrier.init %empty count 1 by one : <3>
  sluice.mbarrier.init %done count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.role "allocate" warps 5 to 6 {
    sluice.tmem.alloc 128 to %address : !sluice.buffer<1x1xi32, smem, row>
    sluice.tmem.relinquish
  }
  sluice.bar.sync 0, 192
  sluice.tmem.address %address : <1x1xi32, smem, row>
  %ring = sluice.cursor : !sluice.cursor<3>

  sluice.role "load" warps 4 to 5 {
    %end = scf.for %t = %c0 to %steps step %c1 iter_args(%at = %ring) -> !sluice.cursor<3> {
      %k = arith.muli %t, %c128 : index
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      %free = arith.xori %phase, %c1 : index
      sluice.mbarrier.wait %empty[%slot], %free : <3>
      sluice.mbarrier.arrive_expect_tx %full[%slot] bytes 20480 by one : <3>
      %as = sluice.slot %a[%slot] : <128x128xf6E2M3FN, smem, sw128, slots 3>
      %bs = sluice.slot %b[%slot] : <128x128xf4E2M1FN, smem, sw128, slots 3>
      sluice.tma.load %A[%row, %k] to %as, %full[%slot]
          : <?x?xf6E2M3FN, align 32>, <128x128xf6E2M3FN, smem, sw128>, <3>
      sluice.tma.load %B[%col, %k] to %bs, %full[%slot]
          : <?x?xf4E2M1FN, align 32>, <128x128xf4E2M1FN, smem, sw128>, <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
    // The tail: no commit may come to a barrier of a CTA that is gone.
    %last = scf.for %t = %c0 to %c3 step %c1 iter_args(%at = %end) -> !sluice.cursor<3> {
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      %free = arith.xori %phase, %c1 : index
      sluice.mbarrier.wait %empty[%slot], %free : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
  }

  sluice.role "mma" warps 5 to 6 {
    scf.for %t = %c0 to %steps step %c1 iter_args(%at = %ring) -> !sluice.cursor<3> {
      %slot = sluice.cursor.slot %at : <3>
      %phase = sluice.cursor.phase %at : <3>
      sluice.mbarrier.wait %full[%slot], %phase : <3>
      %as = sluice.slot %a[%slot] : <128x128xf6E2M3FN, smem, sw128, slots 3>
      %bs = sluice.slot %b[%slot] : <128x128xf4E2M1FN, smem, sw128, slots 3>
      %bt = sluice.transpose %bs : <128x128xf4E2M1FN, smem, sw128>
      %more = arith.cmpi ne, %t, %c0 : index
      sluice.tcgen05.mma %d, %as, %bt accumulate %more
          : <128x128xf32, tmem, row>, <128x128xf6E2M3FN, smem, sw128>,
            <128x128xf4E2M1FN, smem, sw128, minor 0>
      sluice.tcgen05.commit %empty[%slot] : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
    sluice.tcgen05.commit %done[%c0] : <1>
  }

  sluice.role "epilogue" warps 0 to 4 {
    %x = sluice.alloc "x" : !sluice.buffer<128x128xf32, reg, row>
    sluice.mbarrier.wait %done[%c0], %c0 : <1>
    sluice.fence tcgen05_after
    sluice.copy %d to %x : <128x128xf32, tmem, row>, <128x128xf32, reg, row>
    sluice.tcgen05.wait
    sluice.fence tcgen05_before
    sluice.store %x to %C[%row, %col] : <128x128xf32, reg, row>, <?x?xf32>
  }
  sluice.bar.sync 0, 192
  sluice.fence tcgen05_after
  sluice.role "free" warps 5 to 6 {
    sluice.tmem.dealloc 128
  }
}

// C = C0 + A B: a sum begins with a tile that TMA brings to shared memory and tcgen05.cp to tensor
// memory (.128x256b), where A goes in each step, too; the products of the same thread find both
// there.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// CHECK: copies-in-order
// RUN: %python %S/Inputs/copied.py %t.in 200 160 200
// RUN: sluice run %s --in A=%t.in/A.npy B=%t.in/B.npy D=%t.in/D.npy --set C=200x160 --chaos 5 --expect C=%t.in/C.npy
// RUN: %if nvcc %{ sluice run %s --in A=%t.in/A.npy B=%t.in/B.npy D=%t.in/D.npy --set C=200x160 --device host --expect C=%t.in/C.npy | FileCheck %s --check-prefix=HOST %}
// HOST: are the virtual machine's, bit by bit
// RUN: sluice emit %s -o %t.one/
// RUN: FileCheck %s --check-prefix=CODE < %t.one/copy_operand.cu
// CODE: tmemCopy<128>(tmem, kMajor(from, 0));
// CODE: tmemCopy<64>(tmem + 128, kMajor(a, at.slot));
// RUN: %if nvcc %{ %nvcc100 -cubin -I %t.one -o %t.cubin %t.one/copy_operand.cu %}
//
sluice.kernel @copy_operand(%A: !sluice.tensor<?x?xbf16, align 16> {sluice.name = "A"},
                            %B: !sluice.tensor<?x?xbf16, align 16> {sluice.name = "B"}, // [N, K]
                            %D: !sluice.tensor<?x?xf32, align 16> {sluice.name = "D"},
                            %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_100a", phase = "barrier", warps = 6} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %yes = arith.constant true
  %M = sluice.dim %A, 0 : <?x?xbf16, align 16>
  %N = sluice.dim %B, 0 : <?x?xbf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xbf16, align 16>
  %gm = arith.ceildivsi %M, %c128 : index
  %gn = arith.ceildivsi %N, %c128 : index
  %steps = arith.ceildivsi %K, %c64 : index
  %i, %j = sluice.grid %gm, %gn : index, index
  %row = arith.muli %i, %c128 : index
  %col = arith.muli %j, %c128 : index
  %a = sluice.alloc "a" : !sluice.buffer<128x64xbf16, smem, sw128, slots 2>
  %b = sluice.alloc "b" : !sluice.buffer<128x64xbf16, smem, sw128, slots 2>
  %from = sluice.alloc "from" : !sluice.buffer<128x128xf32, smem, sw128>
  %address = sluice.alloc "address" : !sluice.buffer<1x1xi32, smem, row>
  %d = sluice.alloc "d" at 0 : !sluice.buffer<128x128xf32, tmem, row>
  %ta = sluice.alloc "ta" at 512 : !sluice.buffer<128x64xbf16, tmem, row>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<2>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<2>
  %first = sluice.mbarrier.alloc "first" : !sluice.mbarrier<1>
  %done = sluice.mbarrier.alloc "done" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 1 by one : <2>
  sluice.mbarrier.init %empty count 1 by one : <2>
  sluice.mbarrier.init %first count 1 by one : <1>
  sluice.mbarrier.init %done count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.role "allocate" warps 5 to 6 {
    sluice.tmem.alloc 256 to %address : !sluice.buffer<1x1xi32, smem, row>
    sluice.tmem.relinquish
  }
  sluice.bar.sync 0, 192
  sluice.tmem.address %address : <1x1xi32, smem, row>
  %ring = sluice.cursor : !sluice.cursor<2>

  sluice.role "load" warps 4 to 5 {
    sluice.mbarrier.arrive_expect_tx %first[%c0] bytes 65536 by one : <1>
    sluice.tma.load %D[%row, %col] to %from, %first[%c0]
        : <?x?xf32, align 16>, <128x128xf32, smem, sw128>, <1>
    %end = scf.for %t = %c0 to %steps step %c1 iter_args(%at = %ring) -> !sluice.cursor<2> {
      %k = arith.muli %t, %c64 : index
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %free = arith.xori %phase, %c1 : index
      sluice.mbarrier.wait %empty[%slot], %free : <2>
      sluice.mbarrier.arrive_expect_tx %full[%slot] bytes 32768 by one : <2>
      %as = sluice.slot %a[%slot] : <128x64xbf16, smem, sw128, slots 2>
      %bs = sluice.slot %b[%slot] : <128x64xbf16, smem, sw128, slots 2>
      sluice.tma.load %A[%row, %k] to %as, %full[%slot]
          : <?x?xbf16, align 16>, <128x64xbf16, smem, sw128>, <2>
      sluice.tma.load %B[%col, %k] to %bs, %full[%slot]
          : <?x?xbf16, align 16>, <128x64xbf16, smem, sw128>, <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
    %last = scf.for %t = %c0 to %c2 step %c1 iter_args(%at = %end) -> !sluice.cursor<2> {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %free = arith.xori %phase, %c1 : index
      sluice.mbarrier.wait %empty[%slot], %free : <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
  }

  sluice.role "mma" warps 5 to 6 {
    sluice.mbarrier.wait %first[%c0], %c0 : <1>
    sluice.copy %from to %d : <128x128xf32, smem, sw128>, <128x128xf32, tmem, row>
    scf.for %t = %c0 to %steps step %c1 iter_args(%at = %ring) -> !sluice.cursor<2> {
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      sluice.mbarrier.wait %full[%slot], %phase : <2>
      %as = sluice.slot %a[%slot] : <128x64xbf16, smem, sw128, slots 2>
      %bs = sluice.slot %b[%slot] : <128x64xbf16, smem, sw128, slots 2>
      %bt = sluice.transpose %bs : <128x64xbf16, smem, sw128>
      sluice.copy %as to %ta : <128x64xbf16, smem, sw128>, <128x64xbf16, tmem, row>
      sluice.tcgen05.mma %d, %ta, %bt accumulate %yes : <128x128xf32, tmem, row>,
          <128x64xbf16, tmem, row>, <64x128xbf16, smem, sw128, minor 0>
      sluice.tcgen05.commit %empty[%slot] : <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
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
    sluice.tmem.dealloc 256
  }
}

// D = relu(A B) C, an operand in tensor memory: four warps take a sum out, store what becomes of it
// as 16-bit numbers, two to a column, and the thread that multiplies reads it there.
// RUN: sluice check %s | FileCheck %s
// RUN: sluice run %s --random 1 --set A=300x64 B=64x128 C=128x64 D=300x64 --chaos 20 --out D=%t.npy
// RUN: %if nvcc %{ sluice run %s --random 1 --set A=300x64 B=64x128 C=128x64 D=300x64 --device host --expect D=%t.npy | FileCheck %s --check-prefix=HOST %}
// RUN: sluice emit %s -o %t.one/
// RUN: FileCheck %s --check-prefix=CODE < %t.one/twice.cu
// RUN: %if nvcc %{ %nvcc100 -cubin -I %t.one -o %t.cubin %t.one/twice.cu %}
// RUN: sluice mutate %s --set A=128x64 B=64x128 C=128x64 D=128x64 --sample 60 --random 3 | FileCheck %s --check-prefix=MUTANTS
// CHECK: {{^}}proven: every launch
// HOST: are the virtual machine's, bit by bit
// MUTANTS: mutants, {{[1-9][0-9]*}} refused, {{.*}} 0 DISAGREEMENT
// CODE: tcgen05Mma<64, 128>(tmem + 192, tmemOperand<bf16>(tmem + 128), mnMajor(c, 0), false);
// CODE: tmemStore(tmem + 128, p1, warp);
// CODE-NEXT: tmemWaitStores();
// CODE-NEXT: fenceTmemBefore();
//
// Each line that orders tensor memory is needed. The wait for the stores:
// RUN: sed '/tcgen05.wait stores/d' %s > %t.1.mlir
// RUN: not sluice check %t.1.mlir | FileCheck %s --check-prefix=STORES
// STORES: R22 (No race): tcgen05.mma of mma warp 5 of CTA (0) at {{.*}} reads p {{.*}} while tcgen05.st of relu warp {{.}} of CTA (0) at {{.*}} may still write it: nothing orders the two. Put tcgen05.wait::st behind the first, then signal, before it
// The fence behind it, and that of the other side:
// RUN: sed '/tcgen05.wait stores/{n;d}' %s > %t.2.mlir
// RUN: not sluice check %t.2.mlir | FileCheck %s --check-prefix=BEFORE
// BEFORE: R44 (Fences of tensor memory): tcgen05.mma of mma warp 5 of CTA (0) at {{.*}} reads p {{.*}} that tcgen05.st of relu warp {{.}} of CTA (0) at {{.*}} has written, and no fences of tensor memory lie between. Put tcgen05.fence::before_thread_sync behind tcgen05.wait::st, and tcgen05.fence::after_thread_sync behind the wait of the other side
// RUN: sed '/wait %%ready/{n;d}' %s > %t.3.mlir
// RUN: not sluice check %t.3.mlir | FileCheck %s --check-prefix=BEFORE
// Lanes that have met before one of each warp tells of all:
// RUN: sed '/warp_sync/d' %s > %t.4.mlir
// RUN: not sluice check %t.4.mlir | FileCheck %s --check-prefix=LANES
// LANES: {{R22|R44}}
// The wait for the first sum, before anything is stored in its place:
// RUN: sed 's/"p" at 512/"p" at 0/; s/"d" at 768/"d" at 512/' %s > %t.5.mlir
// RUN: sluice check %t.5.mlir | FileCheck %s
// RUN: sluice run %t.5.mlir --random 1 --set A=300x64 B=64x128 C=128x64 D=300x64 --chaos 20 --expect D=%t.npy
// RUN: sluice mutate %t.5.mlir --set A=128x64 B=64x128 C=128x64 D=128x64 --sample 60 --random 4 | FileCheck %s --check-prefix=MUTANTS
// RUN: sed '/tcgen05.wait$/d; s/copy %%s to %%x/fill %%x with 1.0/; s/fill %%x with 1.0 : .*/fill %%x with 1.0 : <128x128xf32, reg, row>/; /wait %%first/d' %t.5.mlir > %t.6.mlir
// RUN: not sluice check %t.6.mlir | FileCheck %s --check-prefix=OVER
// OVER: R22 (No race): {{.*}}: nothing orders the two. {{p and s|s and p}} share these bytes: give each its own, or order all their uses
//
// What no instruction does.
// RUN: sed 's/"p" at 512 : .*/"p" at 512 : !sluice.buffer<128x128xbf16, tmem, row, minor 0>/; s/<128x128xbf16, tmem, row>/<128x128xbf16, tmem, row, minor 0>/' %s > %t.7.mlir
// RUN: not sluice check %t.7.mlir 2>&1 | FileCheck %s --check-prefix=MINOR
// MINOR: A in tensor memory lies in the lanes of D, all rows of p, contiguous along K
// RUN: sed 's/%%x, %%p : <128x128xf32, reg/X/; s/copy %%p to %%ptm : <128x128xbf16, reg, row>/copy %%x to %%ptm : <128x128xf32, reg, row>/' %s > %t.8.mlir
// RUN: not sluice check %t.8.mlir 2>&1 | FileCheck %s --check-prefix=TYPES
// TYPES: R43 {{.*}}tcgen05.st at {{.*}}: it takes columns of 32 bits in 8, each one element or two of 16 bits, without converting them
// RUN: sed 's/copy %%p to %%ptm : <128x128xbf16, reg, row>.*/copy %%c to %%left : <128x64xbf16, smem, sw128>, <128x64xbf16, tmem, row>/; s/^    %%p = .*/&\n    %%left = sluice.subview %%ptm[%%c0, %%c0] : <128x128xbf16, tmem, row> to <128x64xbf16, tmem, row>/' %s > %t.9.mlir
// RUN: not sluice check %t.9.mlir 2>&1 | FileCheck %s --check-prefix=SHARED
// SHARED: R36 (Visible before read): tcgen05.cp of relu warp 0 of CTA (0) at {{.*}} reads c (shared memory bytes 32768 to 49151) that TMA load of load warp 4 of CTA (0)
sluice.kernel @twice(%A: !sluice.tensor<?x64xbf16, align 16> {sluice.name = "A"},
                     %B: !sluice.tensor<64x128xbf16, align 16> {sluice.name = "B"},
                     %C: !sluice.tensor<128x64xbf16, align 16> {sluice.name = "C"},
                     %D: !sluice.tensor<?x64xf32> {sluice.name = "D", sluice.out})
    attributes {target = "sm_100a", phase = "barrier", warps = 6} {
  %c0 = arith.constant 0 : index
  %no = arith.constant false
  %c128 = arith.constant 128 : index
  %M = sluice.dim %A, 0 : <?x64xbf16, align 16>
  %blocks = arith.ceildivsi %M, %c128 : index
  %i = sluice.grid %blocks : index
  %row = arith.muli %i, %c128 : index
  %a = sluice.alloc "a" : !sluice.buffer<128x64xbf16, smem, sw128>
  %b = sluice.alloc "b" : !sluice.buffer<64x128xbf16, smem, sw128>
  %c = sluice.alloc "c" : !sluice.buffer<128x64xbf16, smem, sw128>
  %address = sluice.alloc "address" : !sluice.buffer<1x1xi32, smem, row>
  %s = sluice.alloc "s" at 0 : !sluice.buffer<128x128xf32, tmem, row>
  %ptm = sluice.alloc "p" at 512 : !sluice.buffer<128x128xbf16, tmem, row>
  %d = sluice.alloc "d" at 768 : !sluice.buffer<128x64xf32, tmem, row>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<1>
  %first = sluice.mbarrier.alloc "first" : !sluice.mbarrier<1>
  %ready = sluice.mbarrier.alloc "ready" : !sluice.mbarrier<1>
  %second = sluice.mbarrier.alloc "second" : !sluice.mbarrier<1>
  sluice.mbarrier.init %full count 1 by one : <1>
  sluice.mbarrier.init %first count 1 by one : <1>
  sluice.mbarrier.init %ready count 4 by one : <1>
  sluice.mbarrier.init %second count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.role "allocate" warps 5 to 6 {
    sluice.tmem.alloc 256 to %address : !sluice.buffer<1x1xi32, smem, row>
    sluice.tmem.relinquish
  }
  sluice.bar.sync 0, 192
  sluice.tmem.address %address : <1x1xi32, smem, row>

  sluice.role "load" warps 4 to 5 {
    sluice.mbarrier.arrive_expect_tx %full[%c0] bytes 49152 by one : <1>
    sluice.tma.load %A[%row, %c0] to %a, %full[%c0]
        : <?x64xbf16, align 16>, <128x64xbf16, smem, sw128>, <1>
    sluice.tma.load %B[%c0, %c0] to %b, %full[%c0]
        : <64x128xbf16, align 16>, <64x128xbf16, smem, sw128>, <1>
    sluice.tma.load %C[%c0, %c0] to %c, %full[%c0]
        : <128x64xbf16, align 16>, <128x64xbf16, smem, sw128>, <1>
  }

  sluice.role "mma" warps 5 to 6 {
    sluice.mbarrier.wait %full[%c0], %c0 : <1>
    sluice.tcgen05.mma %s, %a, %b accumulate %no
        : <128x128xf32, tmem, row>, <128x64xbf16, smem, sw128>, <64x128xbf16, smem, sw128>
    sluice.tcgen05.commit %first[%c0] : <1>
    sluice.mbarrier.wait %ready[%c0], %c0 : <1>
    sluice.fence tcgen05_after
    sluice.tcgen05.mma %d, %ptm, %c accumulate %no
        : <128x64xf32, tmem, row>, <128x128xbf16, tmem, row>, <128x64xbf16, smem, sw128>
    sluice.tcgen05.commit %second[%c0] : <1>
  }

  sluice.role "relu" warps 0 to 4 {
    %x = sluice.alloc "x" : !sluice.buffer<128x128xf32, reg, row>
    %p = sluice.alloc "p" : !sluice.buffer<128x128xbf16, reg, row>
    %y = sluice.alloc "y" : !sluice.buffer<128x64xf32, reg, row>
    sluice.mbarrier.wait %first[%c0], %c0 : <1>
    sluice.fence tcgen05_after
    sluice.copy %s to %x : <128x128xf32, tmem, row>, <128x128xf32, reg, row>
    sluice.tcgen05.wait
    sluice.map ins(%x : !sluice.buffer<128x128xf32, reg, row>)
        outs(%p : !sluice.buffer<128x128xbf16, reg, row>) {
    ^bb0(%v: f32):
      %zero = arith.constant 0.0 : f32
      %r = arith.maximumf %v, %zero : f32
      %h = arith.truncf %r : f32 to bf16
      sluice.yield %h : bf16
    }
    sluice.copy %p to %ptm : <128x128xbf16, reg, row>, <128x128xbf16, tmem, row>
    sluice.tcgen05.wait stores
    sluice.fence tcgen05_before
    sluice.warp_sync
    sluice.mbarrier.arrive %ready[%c0] by warp : <1>
    sluice.mbarrier.wait %second[%c0], %c0 : <1>
    sluice.fence tcgen05_after
    sluice.copy %d to %y : <128x64xf32, tmem, row>, <128x64xf32, reg, row>
    sluice.tcgen05.wait
    sluice.fence tcgen05_before
    sluice.store %y to %D[%row, %c0] : <128x64xf32, reg, row>, <?x64xf32>
  }
  sluice.bar.sync 0, 192
  sluice.fence tcgen05_after
  sluice.role "free" warps 5 to 6 {
    sluice.tmem.dealloc 256
  }
}

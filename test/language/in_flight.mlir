// Two products in flight in a role of an author: what is issued first is waited for where its sums are
// added up, under the second one. What both read is given back behind the second.
// RUN: sluice check %s --dump-after-each 2>&1 | FileCheck %s
// CHECK-LABEL: after sluice-products-of-roles
// CHECK:       sluice.wgmma %p,
// CHECK-NEXT:  sluice.wgmma.commit
// CHECK-NOT:   sluice.wgmma.wait
// CHECK:       sluice.wgmma %r,
// CHECK-NEXT:  sluice.wgmma.commit
// CHECK-NEXT:  sluice.wgmma.wait 1
// CHECK:       sluice.reduce ins(%p
// CHECK-NOT:   sluice.wgmma.wait
// CHECK:       sluice.wgmma.wait 0
// CHECK-NEXT:  sluice.release
// CHECK-NEXT:  sluice.reduce ins(%r
// CHECK:       proven: every launch
// RUN: sluice run %S/../Transform/product_waits.mlir --set A=128x256 B=256x64 C=256x64 S=128x1 T=128x1 --random 3 --out S=%t.s.npy T=%t.t.npy
// RUN: sluice run %s --set A=128x256 B=256x64 C=256x64 S=128x1 T=128x1 --random 3 --expect S=%t.s.npy T=%t.t.npy
// RUN: sluice run %s --set A=128x256 B=256x64 C=256x64 S=128x1 T=128x1 --random 3 --expect S=%t.s.npy T=%t.t.npy --chaos 3000
// RUN: %if nvcc %{ sluice emit %s --single-file -o %t.cu && %nvcc -cubin %t.cu -o %t.cubin %}
//
// Sums in one tile follow each other: nothing waits between them. (The other tile is never written.)
// RUN: sed 's/sluice.mma %%r, %%at, %%ct/sluice.mma %%p, %%at, %%ct/' %s > %t.one.mlir
// RUN: not sluice check %t.one.mlir --dump-after-each 2>&1 | FileCheck %s --check-prefix=ONE
// ONE-LABEL: after sluice-products-of-roles
// ONE-COUNT-2: sluice.wgmma.commit
// ONE-NEXT:    sluice.wgmma.wait 0
// ONE-NEXT:    sluice.reduce ins(%p
//
// A release is where the author puts it, and behind the product: in front of the sums of the first
// one, both are waited for there.
// RUN: grep -v 'sluice.release' %s | sed 's/^      sluice.mma %%r, .*/&\n      sluice.release %%ring[%%o] : <2>/' > %t.early.mlir
// RUN: sluice check %t.early.mlir --dump-after-each 2>&1 | FileCheck %s --check-prefix=EARLY
// EARLY-LABEL: after sluice-products-of-roles
// EARLY-COUNT-2: sluice.wgmma.commit
// EARLY-NEXT:    sluice.wgmma.wait 0
// EARLY-NEXT:    sluice.release
// EARLY:         proven: every launch
//
// Where the ring has no empty side, whoever is signalled behind a product may take it for its end.
// RUN: sed 's/to \["math"\] :/to ["math"] {empty = "none"} :/; /sluice.release/d; s/^      sluice.reduce ins(%%p.*/      sluice.bar.sync 3, 128\n&/' %s > %t.meets.mlir
// RUN: not sluice check %t.meets.mlir --dump-after-each 2>&1 | FileCheck %s --check-prefix=MEETS
// MEETS-LABEL: after sluice-products-of-roles
// MEETS:       sluice.wgmma.wait 0
// MEETS-NEXT:  sluice.bar.sync 3, 128
sluice.kernel @two(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                   %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                   %C: !sluice.tensor<?x?xf16, align 16> {sluice.name = "C"},
                   %S: !sluice.tensor<?x1xf32> {sluice.name = "S", sluice.out},
                   %T: !sluice.tensor<?x1xf32> {sluice.name = "T", sluice.out})
    attributes {target = "sm_90a", phase = "pipeline", warps = 5} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %no = arith.constant false
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %n = arith.ceildivsi %K, %c64 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c64 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16, smem, sw128, slots 2>
  %b = sluice.alloc "b" : !sluice.buffer<64x64xf16, smem, sw128, slots 2>
  %c = sluice.alloc "c" : !sluice.buffer<64x64xf16, smem, sw128, slots 2>
  %ring = sluice.pipeline "ring" over %a, %b, %c : !sluice.buffer<64x64xf16, smem, sw128, slots 2>, !sluice.buffer<64x64xf16, smem, sw128, slots 2>, !sluice.buffer<64x64xf16, smem, sw128, slots 2> from ["load"] to ["math"] : !sluice.pipeline<2>
  %start = sluice.cursor : !sluice.cursor<2>
  sluice.role "math" warps 0 to 4 {
    %s = sluice.alloc "s" : !sluice.buffer<64x1xf32, reg, rowVector>
    %t = sluice.alloc "t" : !sluice.buffer<64x1xf32, reg, rowVector>
    %ps = sluice.alloc "ps" : !sluice.buffer<64x1xf32, reg, rowVector>
    %rs = sluice.alloc "rs" : !sluice.buffer<64x1xf32, reg, rowVector>
    %p = sluice.alloc "p" : !sluice.buffer<64x64xf32, reg, acc>
    %r = sluice.alloc "r" : !sluice.buffer<64x64xf32, reg, acc>
    sluice.fill %s with 0.0 : <64x1xf32, reg, rowVector>
    sluice.fill %t with 0.0 : <64x1xf32, reg, rowVector>
    %end = scf.for %k = %c0 to %n step %c1 iter_args(%o = %start) -> !sluice.cursor<2> {
      %slot = sluice.cursor.slot %o : <2>
      %at = sluice.slot %a[%slot] : <64x64xf16, smem, sw128, slots 2>
      %bt = sluice.slot %b[%slot] : <64x64xf16, smem, sw128, slots 2>
      %ct = sluice.slot %c[%slot] : <64x64xf16, smem, sw128, slots 2>
      sluice.wait %ring[%o] : <2>
      sluice.mma %p, %at, %bt accumulate %no : <64x64xf32, reg, acc>, <64x64xf16, smem, sw128>, <64x64xf16, smem, sw128>
      sluice.mma %r, %at, %ct accumulate %no : <64x64xf32, reg, acc>, <64x64xf16, smem, sw128>, <64x64xf16, smem, sw128>
      sluice.reduce ins(%p : !sluice.buffer<64x64xf32, reg, acc>) outs(%ps : !sluice.buffer<64x1xf32, reg, rowVector>) axis 1 from [0.0] {
      ^bb0(%x: f32, %y: f32):
        %z = arith.addf %x, %y : f32
        sluice.yield %z : f32
      }
      sluice.release %ring[%o] : <2>
      sluice.reduce ins(%r : !sluice.buffer<64x64xf32, reg, acc>) outs(%rs : !sluice.buffer<64x1xf32, reg, rowVector>) axis 1 from [0.0] {
      ^bb0(%x: f32, %y: f32):
        %z = arith.addf %x, %y : f32
        sluice.yield %z : f32
      }
      sluice.map ins(%s, %ps : !sluice.buffer<64x1xf32, reg, rowVector>, !sluice.buffer<64x1xf32, reg, rowVector>) outs(%s : !sluice.buffer<64x1xf32, reg, rowVector>) {
      ^bb0(%x: f32, %y: f32):
        %z = arith.addf %x, %y : f32
        sluice.yield %z : f32
      }
      sluice.map ins(%t, %rs : !sluice.buffer<64x1xf32, reg, rowVector>, !sluice.buffer<64x1xf32, reg, rowVector>) outs(%t : !sluice.buffer<64x1xf32, reg, rowVector>) {
      ^bb0(%x: f32, %y: f32):
        %z = arith.addf %x, %y : f32
        sluice.yield %z : f32
      }
      %next = sluice.cursor.advance %o : <2>
      scf.yield %next : !sluice.cursor<2>
    }
    sluice.store %s to %S[%row, %c0] : <64x1xf32, reg, rowVector>, <?x1xf32>
    sluice.store %t to %T[%row, %c0] : <64x1xf32, reg, rowVector>, <?x1xf32>
  }
  sluice.role "load" warps 4 to 5 {
    %end = scf.for %k = %c0 to %n step %c1 iter_args(%o = %start) -> !sluice.cursor<2> {
      %slot = sluice.cursor.slot %o : <2>
      %at = sluice.slot %a[%slot] : <64x64xf16, smem, sw128, slots 2>
      %bt = sluice.slot %b[%slot] : <64x64xf16, smem, sw128, slots 2>
      %ct = sluice.slot %c[%slot] : <64x64xf16, smem, sw128, slots 2>
      %col = arith.muli %k, %c64 : index
      sluice.acquire %ring[%o] : <2>
      sluice.load %A[%row, %col] to %at : <?x?xf16, align 16>, <64x64xf16, smem, sw128>
      sluice.load %B[%col, %c0] to %bt : <?x?xf16, align 16>, <64x64xf16, smem, sw128>
      sluice.load %C[%col, %c0] to %ct : <?x?xf16, align 16>, <64x64xf16, smem, sw128>
      sluice.commit %ring[%o] : <2>
      %next = sluice.cursor.advance %o : <2>
      scf.yield %next : !sluice.cursor<2>
    }
  }
}

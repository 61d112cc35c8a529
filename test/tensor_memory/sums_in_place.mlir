// A sum that begins with -1 and is halved behind each product of a loop and gets one more behind it, as the output of
// an attention: threads and products write it in turns, and it stays in tensor memory.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: sluice run %s --random 5 --set A=200x200 B=200x64 C=200x64 --chaos 10 --out C=%t.npy
// RUN: sed 's/sm_100a/sm_90a/' %s > %t.mlir
// RUN: sluice run %t.mlir --random 5 --set A=200x200 B=200x64 C=200x64 --expect C=%t.npy
// RUN: sluice run %s --random 6 --set A=300x40 B=40x64 C=300x64 --out C=%t.short.npy
// RUN: sluice run %t.mlir --random 6 --set A=300x40 B=40x64 C=300x64 --expect C=%t.short.npy
// RUN: %if nvcc %{ sluice run %s --random 5 --set A=200x200 B=200x64 C=200x64 --device host | FileCheck %s --check-prefix=HOST %}
// HOST: are the virtual machine's, bit by bit
// RUN: sluice mutate %s --set A=128x128 B=128x64 C=128x64 --sample 20 --random 3 | FileCheck %s --check-prefix=MUTANTS
// MUTANTS: mutants, {{[1-9][0-9]*}} refused, {{.*}} 0 DISAGREEMENT
//
// The next part comes while one is computed, and the last of what is stored is waited for alone.
// RUN: sluice emit %s -o %t.one/
// RUN: FileCheck %s --check-prefix=CODE < %t.one/halved.cu
// RUN: %if nvcc %{ %nvcc100 -cubin -I %t.one -o %t.cubin %t.one/halved.cu %}
// CODE: for (int k = 0;
// CODE: tmemWait(acc0_2);
// CODE-NEXT: tmemLoad(acc1_1, tmem + 32, warp);
// CODE: acc0_2.set(i2, __fmul_rn(acc0_2.get(i2), 0.5f));
// CODE-NEXT: tmemStore(tmem, acc0_2, warp);
// CODE-NEXT: tmemWait(acc1_1);
// CODE: tmemStore(tmem + 32, acc1_1, warp);
// CODE-NEXT: tmemWaitStores();
// CODE-NEXT: fenceTmemBefore();
//
// Where a product overwrites, or something is computed on the last value, it waits in registers.
// RUN: sed 's/sluice.mma %%acc, %%a, %%b :/%%no = arith.constant false\n    sluice.mma %%acc, %%a, %%b accumulate %%no :/' %s > %t.over.mlir
// RUN: sluice emit %t.over.mlir | FileCheck %s --check-prefix=HELD
// RUN: sed 's/^  sluice.store/  sluice.fill %%acc with 2.0 : <128x64xf32>\n&/' %s > %t.filled.mlir
// RUN: sluice emit %t.filled.mlir | FileCheck %s --check-prefix=HELD
// HELD: Lanes<float, 64> acc;
// HELD-NOT: tmemStore
sluice.kernel @halved(%A: !sluice.tensor<?x?xbf16, align 16> {sluice.name = "A"}, %B: !sluice.tensor<?x64xbf16, align 16> {sluice.name = "B"},
    %C: !sluice.tensor<?x64xf32, align 16> {sluice.name = "C", sluice.out})
    attributes {target = "sm_100a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %rows = sluice.dim %C, 0 : <?x64xf32, align 16>
  %depth = sluice.dim %A, 1 : <?x?xbf16, align 16>
  %tiles = arith.ceildivsi %rows, %c128 : index
  %steps = arith.divsi %depth, %c64 : index
  %i = sluice.grid %tiles {persistent} : index
  %row = arith.muli %i, %c128 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<128x64xf32>
  sluice.fill %acc with 1.0 : <128x64xf32>
  sluice.map ins(%acc : !sluice.buffer<128x64xf32>) outs(%acc : !sluice.buffer<128x64xf32>) {
  ^bb0(%x: f32):
    %y = arith.negf %x : f32
    sluice.yield %y : f32
  }
  scf.for %t = %c0 to %steps step %c1 {
    %k = arith.muli %t, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<128x64xbf16>
    sluice.load %A[%row, %k] to %a : <?x?xbf16, align 16>, <128x64xbf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x64xbf16>
    sluice.load %B[%k, %c0] to %b : <?x64xbf16, align 16>, <64x64xbf16>
    sluice.mma %acc, %a, %b : <128x64xf32>, <128x64xbf16>, <64x64xbf16>
    sluice.map ins(%acc : !sluice.buffer<128x64xf32>) outs(%acc : !sluice.buffer<128x64xf32>) {
    ^bb0(%x: f32):
      %h = arith.constant 0.5 : f32
      %y = arith.mulf %x, %h : f32
      sluice.yield %y : f32
    }
  } {sluice.name = "k", sluice.stages = 2 : i64}
  %last = arith.muli %steps, %c64 : index
  %a = sluice.alloc "a_last" : !sluice.buffer<128x64xbf16>
  sluice.load %A[%row, %last] to %a : <?x?xbf16, align 16>, <128x64xbf16>
  %b = sluice.alloc "b_last" : !sluice.buffer<64x64xbf16>
  sluice.load %B[%last, %c0] to %b : <?x64xbf16, align 16>, <64x64xbf16>
  sluice.mma %acc, %a, %b : <128x64xf32>, <128x64xbf16>, <64x64xbf16>
  sluice.store %acc to %C[%row, %c0] : <128x64xf32>, <?x64xf32, align 16>
}

// A tile that no loop loads comes to shared memory, once, where its author asks for that: who computes
// reads it there in each step, where registers would have held it for all of them.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: sluice barriers %s | FileCheck %s --check-prefix=TABLE
// TABLE: full_w 0 1 8192 TMA of load warp 8, load warp 8 mma warps 0-7
// TABLE-NOT: empty_w
// RUN: sluice emit %s | FileCheck %s --check-prefix=TEXT
// TEXT: mbarrierWait(full_w[0],
// TEXT: for (int i = cta;
// TEXT: for (int i1 = 0; i1 < 16; i1 += 8) {
// TEXT-NEXT: Blocked<bf16, 1, 256> w_at;
// TEXT-NEXT: loadBlockedShared<WTile, 8>(w_at, w[0], 0, 32 * i1, warp);
// TEXT: x_held.get(i2 + e), w_at.get((i2 + e) % 8)
// RUN: sluice emit %s --single-file -o %t.cu
// RUN: %if nvcc %{ %nvcc -cubin %t.cu -o %t.cubin %}
// RUN: %if nvcc %{ sluice run %s --device host --random 3 --set X=40x512 W=8x512 Y=40x512 %}
//
// Threads put it there, too: each warp its rows, so that nobody waits for anybody.
// RUN: sed 's/"tensor"/"threads"/' %s > %t.threads.mlir
// RUN: sluice check %t.threads.mlir | FileCheck %s
// RUN: sluice barriers %t.threads.mlir | FileCheck %s --check-prefix=NOBODY
// NOBODY-NOT: _w
// RUN: sluice emit %t.threads.mlir --single-file -o %t.threads.cu
// RUN: FileCheck %s --check-prefix=KEPT < %t.threads.cu
// KEPT: loadBlocked<8, 16>(w,
// KEPT-NEXT: storeBlockedShared<W_keptTile, 8>(w_kept[0], 0, 0, w, warp);
// KEPT-NEXT: warpSync();
// KEPT: loadBlockedShared<W_keptTile, 8>(w_kept_at, w_kept[0], 0, 32 * i1, warp);
// RUN: %if nvcc %{ %nvcc -cubin %t.threads.cu -o %t.threads.cubin %}
// RUN: %if nvcc %{ sluice run %t.threads.mlir --device host --random 3 --set X=40x512 W=8x512 Y=40x512 %}
// RUN: sed 's/ {sluice.stages = 3}//' %t.threads.mlir > %t.in_turn.mlir
// RUN: sluice check %t.in_turn.mlir | FileCheck %s
// Beside loops it stays in registers.
// RUN: sed 's/ {sluice.stages = 3}//; s/scf.for .*/scf.if %%some {/; s/%%t = %%cta.*//; s/arith.muli %%t, %%c8/arith.muli %%cta, %%c8/; s/  %%w = sluice.alloc/  %%some = arith.cmpi slt, %%cta, %%blocks : index\n&/' %t.threads.mlir > %t.beside.mlir
// RUN: sluice emit %t.beside.mlir | FileCheck %s --check-prefix=BESIDE
// BESIDE: loadBlocked<8, 16>(w,
// BESIDE-NOT: w_kept
//
// The numbers are those of the tile in registers; spans bring it as well; no loop may load it.
// RUN: sed 's/ {sluice.loaded_by = "tensor"}//' %s > %t.plain.mlir
// RUN: sluice check %t.plain.mlir | FileCheck %s
// RUN: sluice emit %t.plain.mlir | FileCheck %s --check-prefix=PLAIN
// PLAIN: loadBlocked<8, 16>(w,
// RUN: sluice run %t.plain.mlir --random 3 --set X=200x512 W=8x512 Y=200x512 --out Y=%t.npy
// RUN: sluice run %s --random 3 --set X=200x512 W=8x512 Y=200x512 --expect Y=%t.npy --chaos 3
// RUN: sluice run %t.threads.mlir --random 3 --set X=200x512 W=8x512 Y=200x512 --expect Y=%t.npy --chaos 3
// RUN: sluice run %s --random 3 --set X=0x512 W=8x512 Y=0x512
// RUN: sed 's/"tensor"/"bulk"/' %s > %t.bulk.mlir
// RUN: sluice check %t.bulk.mlir | FileCheck %s
// RUN: sluice run %t.bulk.mlir --random 3 --set X=200x512 W=8x512 Y=200x512 --expect Y=%t.npy
// RUN: sed 's/ {sluice.stages = 3}//; s/    %%x = sluice.alloc.*/    %%u = sluice.alloc "u" : !sluice.buffer<8x512xbf16>\n    sluice.load %%W[%%row, %%c0] to %%u {sluice.loaded_by = "tensor"} : <?x512xbf16, align 16>, <8x512xbf16>\n&/; s/ins(%%x, %%w/ins(%%x, %%u/' %s > %t.loop.mlir
// RUN: not sluice check %t.loop.mlir 2>&1 | FileCheck %s --check-prefix=LOOP
// LOOP: unsupported: sluice.loaded_by = "tensor": the tile comes to registers, by who computes with it: it is a vector, or no loop with stages loads it
sluice.kernel @loaded_once(%X: !sluice.tensor<?x512xbf16, align 16> {sluice.name = "X"},
    %W: !sluice.tensor<?x512xbf16, align 16> {sluice.name = "W"},
    %Y: !sluice.tensor<?x512xbf16, align 16> {sluice.name = "Y", sluice.out}) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %rows = sluice.dim %X, 0 : <?x512xbf16, align 16>
  %blocks = arith.ceildivsi %rows, %c8 : index
  %cta = sluice.grid %c3 : index
  %w = sluice.alloc "w" : !sluice.buffer<8x512xbf16>
  sluice.load %W[%c0, %c0] to %w {sluice.loaded_by = "tensor"} : <?x512xbf16, align 16>, <8x512xbf16>
  scf.for %t = %cta to %blocks step %c3 {
    %row = arith.muli %t, %c8 : index
    %x = sluice.alloc "x" : !sluice.buffer<8x512xbf16>
    sluice.load %X[%row, %c0] to %x : <?x512xbf16, align 16>, <8x512xbf16>
    %y = sluice.alloc "y" : !sluice.buffer<8x512xbf16>
    sluice.map ins(%x, %w : !sluice.buffer<8x512xbf16>, !sluice.buffer<8x512xbf16>)
        outs(%y : !sluice.buffer<8x512xbf16>) {
    ^bb0(%a: bf16, %b: bf16):
      %v = arith.extf %a : bf16 to f32
      %s = arith.extf %b : bf16 to f32
      %r = arith.mulf %v, %s : f32
      %z = arith.truncf %r : f32 to bf16
      sluice.yield %z : bf16
    }
    sluice.store %y to %Y[%row, %c0] : <8x512xbf16>, <?x512xbf16, align 16>
  } {sluice.stages = 3}
}

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
// TEXT: loadBlockedShared<WTile, 8>(w_held, w[0],
// RUN: sluice emit %s --single-file -o %t.cu
// RUN: %if nvcc %{ %nvcc -cubin %t.cu -o %t.cubin %}
// RUN: %if nvcc %{ sluice run %s --device host --random 3 --set X=40x512 W=8x512 Y=40x512 %}
//
// The numbers are those of the tile in registers; spans bring it as well; no loop may load it.
// RUN: sed 's/ {sluice.loaded_by = "tensor"}//' %s > %t.plain.mlir
// RUN: sluice check %t.plain.mlir | FileCheck %s
// RUN: sluice emit %t.plain.mlir | FileCheck %s --check-prefix=PLAIN
// PLAIN: loadBlocked<8, 16>(w,
// RUN: sluice run %t.plain.mlir --random 3 --set X=200x512 W=8x512 Y=200x512 --out Y=%t.npy
// RUN: sluice run %s --random 3 --set X=200x512 W=8x512 Y=200x512 --expect Y=%t.npy --chaos 3
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

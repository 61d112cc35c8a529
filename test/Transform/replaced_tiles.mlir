// What takes the place of a loaded tile in its slot, and what waits in a buffer of its own.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: sluice barriers %s | FileCheck %s --check-prefix=OTHER
// OTHER-DAG: full_a_result 0 8 0 mma warps 0-7 store warp 9
// OTHER-DAG: full_a_loaded 0 1 4096 TMA of load warp 8, load warp 8 mma warps 0-7
// OTHER-DAG: empty_a 0 1 0 store warp 9 load warp 8
// OTHER-DAG: empty_b 0 8 0 mma warps 0-7 load warp 8
// OTHER-DAG: full_wide_staging 0 8 0 mma warps 0-7 store warp 9
// RUN: sluice run %s --random 3 --set A=40x256 B=40x256 Y=40x256 Z=40x256 --out Y=%t.y.npy Z=%t.z.npy
// RUN: sed 's/{sluice.staging = 1}//' %s > %t.plain.mlir
// RUN: sluice run %t.plain.mlir --random 3 --set A=40x256 B=40x256 Y=40x256 Z=40x256 --expect Y=%t.y.npy Z=%t.z.npy
// Where TMA cannot store, nothing waits for it.
// RUN: sed 's/align 16> {sluice.name = "Y"/align 2> {sluice.name = "Y"/;s/<8x256xbf16>, <?x?xbf16, align 16>$/<8x256xbf16>, <?x?xbf16, align 2>/' %s > %t.bytes.mlir
// RUN: not sluice check %t.bytes.mlir 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: unsupported: asks for staging, and TMA cannot store this tile from shared memory; leave sluice.staging out
// Who loads for himself knows of no other who stores.
// RUN: sed 's/sluice.grid %c1 : index/sluice.grid %c1 {sluice.load_ahead} : index/' %s > %t.ahead.mlir
// RUN: sluice barriers %t.ahead.mlir | FileCheck %s --check-prefix=AHEAD
// AHEAD: full_y_staging_wide_staging 0 8 0 mma warps 0-7 store warp 8
// AHEAD-NOT: result
sluice.kernel @two(%A: !sluice.tensor<?x?xbf16, align 16> {sluice.name = "A"},
    %B: !sluice.tensor<?x?xbf16, align 16> {sluice.name = "B"},
    %Y: !sluice.tensor<?x?xbf16, align 16> {sluice.name = "Y", sluice.out},
    %Z: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Z", sluice.out}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %m = sluice.dim %A, 0 : <?x?xbf16, align 16>
  %n = arith.ceildivsi %m, %c8 : index
  %i = sluice.grid %c1 : index
  scf.for %t = %c0 to %n step %c1 {
    %row = arith.muli %t, %c8 : index
    %a = sluice.alloc "a" : !sluice.buffer<8x256xbf16>
    sluice.load %A[%row, %c0] to %a : <?x?xbf16, align 16>, <8x256xbf16>
    %b = sluice.alloc "b" : !sluice.buffer<8x256xbf16>
    sluice.load %B[%row, %c0] to %b : <?x?xbf16, align 16>, <8x256xbf16>
    %y = sluice.alloc "y" : !sluice.buffer<8x256xbf16>
    sluice.map ins(%a : !sluice.buffer<8x256xbf16>) outs(%y : !sluice.buffer<8x256xbf16>) {
    ^bb0(%v: bf16):
      %r = arith.addf %v, %v : bf16
      sluice.yield %r : bf16
    }
    sluice.store %y to %Y[%row, %c0] {sluice.staging = 1} : <8x256xbf16>, <?x?xbf16, align 16>
    %wide = sluice.alloc "wide" : !sluice.buffer<8x256xf32>
    sluice.map ins(%b : !sluice.buffer<8x256xbf16>) outs(%wide : !sluice.buffer<8x256xf32>) {
    ^bb0(%v: bf16):
      %f = arith.extf %v : bf16 to f32
      sluice.yield %f : f32
    }
    sluice.store %wide to %Z[%row, %c0] {sluice.staging = 1} : <8x256xf32>, <?x?xf32, align 16>
  } {sluice.stages = 3}
}

// A loop without products is pipelined like any other: what it loads fills a ring, one pair of
// barriers for all that one function takes; who computes copies it to registers and hands it back.
// RUN: sluice check %s --set X=200x328 G=200x328 Y=200x328 --dump-after-each 2>%t >%t.verdict
// RUN: FileCheck %s < %t.verdict
// RUN: FileCheck %s --check-prefix=DUMP < %t
// RUN: sluice barriers %s --set X=200x704 G=200x704 Y=200x704 | FileCheck %s --check-prefix=TABLE
// CHECK: {{^}}proven: every launch
// DUMP:      after sluice-load-ahead
// DUMP:      sluice.acquire %x_g[%arg1]
// DUMP-NEXT: sluice.load %X
// DUMP-NEXT: sluice.load %G
// DUMP-NEXT: sluice.commit %x_g[%arg1]
// DUMP:      sluice.wait %x_g[%arg1]
// DUMP-NEXT: sluice.copy %x.slot
// DUMP-NEXT: sluice.copy %g.slot
// DUMP-NEXT: sluice.release %x_g[%arg1]
// TABLE:      full 0 1 32768 TMA of load warp 4, load warp 4 mma warps 0-3
// TABLE:      full 3 1 32768
// TABLE-NEXT: empty 0 4 0 mma warps 0-3 load warp 4
// TABLE:      full_y_staging 0 4 0 mma warps 0-3 store warp 5
//
// The numbers are those of the loop without stages. Also where threads load, where nobody but who
// computes does, in a loop over tiles, with one stage, and with rows as columns.
// RUN: sed 's/ {sluice.stages = 4}//' %s > %t.plain.mlir
// RUN: sluice run %t.plain.mlir --random 3 --set X=200x328 G=200x328 Y=200x328 --out Y=%t.npy
// RUN: sluice run %s --random 3 --set X=200x328 G=200x328 Y=200x328 --expect Y=%t.npy
// RUN: sed 's/align 16/align 2/' %s > %t.threads.mlir
// RUN: sluice check %t.threads.mlir --set X=200x327 G=200x327 Y=200x327 | FileCheck %s
// RUN: sluice run %t.threads.mlir --random 3 --set X=200x328 G=200x328 Y=200x328 --expect Y=%t.npy
// RUN: sed 's/grid %gm :/grid %gm {sluice.load_ahead} :/' %s > %t.ahead.mlir
// RUN: sluice check %t.ahead.mlir | FileCheck %s
// RUN: sluice run %t.ahead.mlir --random 3 --set X=200x328 G=200x328 Y=200x328 --expect Y=%t.npy
// RUN: sed 's/grid %gm :/grid %gm {persistent} :/' %s > %t.tiles.mlir
// RUN: sluice check %t.tiles.mlir --set X=9000x328 G=9000x328 Y=9000x328 | FileCheck %s
// RUN: sluice run %t.tiles.mlir --random 3 --set X=200x328 G=200x328 Y=200x328 --expect Y=%t.npy
// RUN: sed 's/stages = 4/stages = 1/' %s > %t.one.mlir
// RUN: sluice check %t.one.mlir | FileCheck %s
// RUN: sed 's/align 16/minor 0, align 16/' %s > %t.turned.mlir
// RUN: sluice check %t.turned.mlir | FileCheck %s
//
// Handed back before it is read, a slot is overwritten.
// RUN: %python %S/Inputs/after.py sluice-allocate < %t > %t.low.mlir
// RUN: sluice check %t.low.mlir --set X=200x328 G=200x328 Y=200x328 | FileCheck %s
// RUN: %python %S/Inputs/released_first.py < %t.low.mlir > %t.early.mlir
// RUN: not sluice check %t.early.mlir --set X=200x704 G=200x704 Y=200x704 | FileCheck %s --check-prefix=EARLY
// EARLY: R22 (No race)
//
// What waits in registers on the way has their rows.
// RUN: sed 's/64x128/16x128/g;s/constant 64/constant 16/' %s > %t.few.mlir
// RUN: not sluice check %t.few.mlir 2>&1 | FileCheck %s --check-prefix=FEW
// FEW: tile 'x' has 16 rows and waits in registers, where a warpgroup holds 64; take a multiple of 64
sluice.kernel @silu_mul(%X: !sluice.tensor<?x?xbf16, align 16> {sluice.name = "X"},
                        %G: !sluice.tensor<?x?xbf16, align 16> {sluice.name = "G"},
                        %Y: !sluice.tensor<?x?xbf16, align 16> {sluice.name = "Y", sluice.out}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %m = sluice.dim %X, 0 : <?x?xbf16, align 16>
  %n = sluice.dim %X, 1 : <?x?xbf16, align 16>
  %gm = arith.ceildivsi %m, %c64 : index
  %gn = arith.ceildivsi %n, %c128 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c64 : index
  scf.for %t = %c0 to %gn step %c1 {
    %col = arith.muli %t, %c128 : index
    %x = sluice.alloc "x" : !sluice.buffer<64x128xbf16>
    %g = sluice.alloc "g" : !sluice.buffer<64x128xbf16>
    %y = sluice.alloc "y" : !sluice.buffer<64x128xbf16>
    sluice.load %X[%row, %col] to %x : <?x?xbf16, align 16>, <64x128xbf16>
    sluice.load %G[%row, %col] to %g : <?x?xbf16, align 16>, <64x128xbf16>
    sluice.map ins(%x, %g : !sluice.buffer<64x128xbf16>, !sluice.buffer<64x128xbf16>)
        outs(%y : !sluice.buffer<64x128xbf16>) {
    ^bb0(%a: bf16, %b: bf16):
      %one = arith.constant 1.0 : f32
      %u = arith.extf %a : bf16 to f32
      %v = arith.extf %b : bf16 to f32
      %less = arith.negf %u : f32
      %e = math.exp %less : f32
      %d = arith.addf %e, %one : f32
      %s = arith.divf %u, %d : f32
      %p = arith.mulf %s, %v : f32
      %r = arith.truncf %p : f32 to bf16
      sluice.yield %r : bf16
    }
    sluice.store %y to %Y[%row, %col] : <64x128xbf16>, <?x?xbf16, align 16>
  } {sluice.stages = 4}
}

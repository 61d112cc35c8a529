// Two roles add to one buffer by turns; the turn of the first is there when they begin.
// RUN: %python %S/Inputs/sums.py %t
// RUN: sluice check %s | FileCheck %s --check-prefix=PROOF
// RUN: sluice run %s --in X=%t/X.npy --set Y=64x32 --expect Y=%t/sum.npy
// RUN: sluice emit %s | FileCheck %s --check-prefix=TEXT
// RUN: sluice barriers %s | FileCheck %s --check-prefix=TABLE
// PROOF: {{^}}proven: every launch
// TEXT: mbarrierInit(full_pong[0], 4);
// TEXT-NEXT: mbarrierArrive(full_pong[0], 4);
// TABLE: full_pong 0 4 0 warp 0, odd warps 4-7 even warps 0-3
// TABLE-NOT: empty
// Without that turn nobody begins; with it and the producer at the first slot one waits in vain.
// RUN: sed 's/, primed = 1//' %s > %t.none.mlir
// RUN: not sluice check %t.none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: R9 (Progress): deadlock: even warp 0
// A turn too many: both are in the buffer.
// RUN: sed 's/^  %%ping = .*{empty = "none"/&, primed = 1/' %s > %t.both.mlir
// RUN: not sluice check %t.both.mlir 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: violated
// A turn is taken once.
// RUN: sed 's/^ *sluice.wait %%pong\[%%at\].*//' %s > %t.unasked.mlir
// RUN: not sluice check %t.unasked.mlir 2>&1 | FileCheck %s --check-prefix=UNASKED
// UNASKED: violated
sluice.kernel @primed_turns(%X: !sluice.tensor<64x?xf32> {sluice.name = "X"},
                            %Y: !sluice.tensor<64x32xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "pipeline", warps = 8} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %K = sluice.dim %X, 1 : <64x?xf32>
  %n = arith.ceildivsi %K, %c64 : index
  %some = arith.cmpi sgt, %n, %c0 : index
  %i = sluice.grid %c1 : index
  %sum = sluice.alloc "sum" : !sluice.buffer<64x32xf32, smem, sw128>
  %ping = sluice.pipeline "ping" from ["even"] to ["odd"] {empty = "none"} : !sluice.pipeline<1>
  %pong = sluice.pipeline "pong" from ["odd"] to ["even"] {empty = "none", primed = 1}
      : !sluice.pipeline<1>
  %start = sluice.cursor : !sluice.cursor<1>
  %second = sluice.cursor.advance %start : <1>
  sluice.role "even" warps 0 to 4 {
    %h = sluice.alloc "h" : !sluice.buffer<64x32xf32, reg, acc>
    %s = sluice.alloc "s" : !sluice.buffer<64x32xf32, reg, acc>
    %end = scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<1> {
      %col = arith.muli %t, %c64 : index
      sluice.load %X[%c0, %col] to %h : <64x?xf32>, <64x32xf32, reg, acc>
      sluice.wait %pong[%at] : <1>
      %later = arith.cmpi ne, %t, %c0 : index
      scf.if %later {
        sluice.copy %sum to %s : <64x32xf32, smem, sw128>, <64x32xf32, reg, acc>
        sluice.map ins(%h, %s : !sluice.buffer<64x32xf32, reg, acc>,
                !sluice.buffer<64x32xf32, reg, acc>) outs(%h : !sluice.buffer<64x32xf32, reg, acc>) {
        ^bb0(%u: f32, %v: f32):
          %r = arith.addf %u, %v : f32
          sluice.yield %r : f32
        }
      }
      sluice.copy %h to %sum : <64x32xf32, reg, acc>, <64x32xf32, smem, sw128>
      sluice.commit %ping[%at] : <1>
      %next = sluice.cursor.advance %at : <1>
      scf.yield %next : !sluice.cursor<1>
    }
    scf.if %some {
      sluice.wait %pong[%end] : <1>
      sluice.copy %sum to %s : <64x32xf32, smem, sw128>, <64x32xf32, reg, acc>
      sluice.store %s to %Y[%c0, %c0] : <64x32xf32, reg, acc>, <64x32xf32>
    }
  }
  sluice.role "odd" warps 4 to 8 {
    %h = sluice.alloc "h" : !sluice.buffer<64x32xf32, reg, acc>
    %s = sluice.alloc "s" : !sluice.buffer<64x32xf32, reg, acc>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start, %to = %second)
        -> (!sluice.cursor<1>, !sluice.cursor<1>) {
      %left = arith.muli %t, %c64 : index
      %col = arith.addi %left, %c32 : index
      sluice.load %X[%c0, %col] to %h : <64x?xf32>, <64x32xf32, reg, acc>
      sluice.wait %ping[%at] : <1>
      sluice.copy %sum to %s : <64x32xf32, smem, sw128>, <64x32xf32, reg, acc>
      sluice.map ins(%h, %s : !sluice.buffer<64x32xf32, reg, acc>,
              !sluice.buffer<64x32xf32, reg, acc>) outs(%h : !sluice.buffer<64x32xf32, reg, acc>) {
      ^bb0(%u: f32, %v: f32):
        %r = arith.addf %u, %v : f32
        sluice.yield %r : f32
      }
      sluice.copy %h to %sum : <64x32xf32, reg, acc>, <64x32xf32, smem, sw128>
      sluice.commit %pong[%to] : <1>
      %next = sluice.cursor.advance %at : <1>
      %after = sluice.cursor.advance %to : <1>
      scf.yield %next, %after : !sluice.cursor<1>, !sluice.cursor<1>
    }
  }
}

// There and back: who has the answer knows that the question was read. Neither ring has an empty
// side.
// RUN: %python %S/Inputs/sums.py %t
// RUN: sluice check %s | FileCheck %s --check-prefix=PROOF
// RUN: sluice run %s --in X=%t/X.npy --set Y=64x32 --expect Y=%t/twice.npy
// RUN: sluice barriers %s | FileCheck %s --check-prefix=TABLE
// PROOF: {{^}}proven: every launch
// TABLE: full_there 0 4 0 sum warps 0-3 double warps 4-7
// TABLE-NEXT: full_back 0 4 0 double warps 4-7 sum warps 0-3
// TABLE-NOT: empty
// With a full side less nothing orders them.
// RUN: sed 's/\(to ."sum".\) {empty = "none"}/\1 {full = "none"}/' %s > %t.unsaid.mlir
// RUN: not sluice check %t.unsaid.mlir 2>&1 | FileCheck %s --check-prefix=UNSAID
// UNSAID: violated
// The answer is read before there is one.
// RUN: sed '/sluice.wait %%back/d' %s > %t.unanswered.mlir
// RUN: not sluice check %t.unanswered.mlir 2>&1 | FileCheck %s --check-prefix=UNANSWERED
// UNANSWERED: R21 (Defined before read)
// Bytes complete a full side.
// RUN: sed 's/from ."load"..*/from ["load"] to ["sum"] {full = "none"} : !sluice.pipeline<3>/' %S/first.mlir > %t.bytes.mlir
// RUN: not sluice check %t.bytes.mlir 2>&1 | FileCheck %s --check-prefix=BYTES
// BYTES: error: {{.*}}: pipeline 'xs': TMA of role 'load' fills it, whose bytes complete a full side; leave `full` out
sluice.kernel @there_and_back(%X: !sluice.tensor<64x?xf32> {sluice.name = "X"},
                              %Y: !sluice.tensor<64x32xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "pipeline", warps = 8} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %K = sluice.dim %X, 1 : <64x?xf32>
  %n = arith.ceildivsi %K, %c32 : index
  %i = sluice.grid %c1 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x32xf32, smem, sw128>
  %y = sluice.alloc "y" : !sluice.buffer<64x32xf32, smem, sw128>
  %there = sluice.pipeline "there" over %x : !sluice.buffer<64x32xf32, smem, sw128>
      from ["sum"] to ["double"] {empty = "none"} : !sluice.pipeline<1>
  %back = sluice.pipeline "back" over %y : !sluice.buffer<64x32xf32, smem, sw128>
      from ["double"] to ["sum"] {empty = "none"} : !sluice.pipeline<1>
  %start = sluice.cursor : !sluice.cursor<1>
  sluice.role "sum" warps 0 to 4 {
    %h = sluice.alloc "h" : !sluice.buffer<64x32xf32, reg, acc>
    %acc = sluice.alloc "acc" : !sluice.buffer<64x32xf32, reg, acc>
    sluice.fill %acc with 0.0 : <64x32xf32, reg, acc>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<1> {
      %col = arith.muli %t, %c32 : index
      sluice.load %X[%c0, %col] to %h : <64x?xf32>, <64x32xf32, reg, acc>
      sluice.copy %h to %x : <64x32xf32, reg, acc>, <64x32xf32, smem, sw128>
      sluice.commit %there[%at] : <1>
      sluice.wait %back[%at] : <1>
      sluice.copy %y to %h : <64x32xf32, smem, sw128>, <64x32xf32, reg, acc>
      sluice.map ins(%acc, %h : !sluice.buffer<64x32xf32, reg, acc>,
              !sluice.buffer<64x32xf32, reg, acc>) outs(%acc : !sluice.buffer<64x32xf32, reg, acc>) {
      ^bb0(%u: f32, %v: f32):
        %r = arith.addf %u, %v : f32
        sluice.yield %r : f32
      }
      %next = sluice.cursor.advance %at : <1>
      scf.yield %next : !sluice.cursor<1>
    }
    sluice.store %acc to %Y[%c0, %c0] : <64x32xf32, reg, acc>, <64x32xf32>
  }
  sluice.role "double" warps 4 to 8 {
    %h = sluice.alloc "h" : !sluice.buffer<64x32xf32, reg, acc>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<1> {
      sluice.wait %there[%at] : <1>
      sluice.copy %x to %h : <64x32xf32, smem, sw128>, <64x32xf32, reg, acc>
      sluice.map ins(%h : !sluice.buffer<64x32xf32, reg, acc>)
          outs(%h : !sluice.buffer<64x32xf32, reg, acc>) {
      ^bb0(%u: f32):
        %r = arith.addf %u, %u : f32
        sluice.yield %r : f32
      }
      sluice.copy %h to %y : <64x32xf32, reg, acc>, <64x32xf32, smem, sw128>
      sluice.commit %back[%at] : <1>
      %next = sluice.cursor.advance %at : <1>
      scf.yield %next : !sluice.cursor<1>
    }
  }
}

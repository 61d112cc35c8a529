// RUN: %python %S/Inputs/products.py %t
// RUN: sluice check %s | FileCheck %s --check-prefix=PROOF
// RUN: sluice run %s --in A=%t/A.npy B=%t/B.npy --set C=200x144 --expect C=%t/halved.npy | FileCheck %s --check-prefix=RIGHT
// C = (A / 2) B on an Ascend 910B, at the pipeline level: a role of the vector cores halves a tile of
// A and hands it on, a role of the cube core multiplies. Who runs what is said (`core`, `on`); event
// ids, cross-core flags, what is set before and drained after, and the workspace are derived.
// RUN: sed 's/minsi %%blocks, %%c24/minsi %%blocks, %%c64/' %s > %t/many.mlir
// RUN: not sluice check %t/many.mlir 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: sed 's/ core "aiv"//' %s > %t/none.mlir
// RUN: not sluice check %t/none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: sed '$s/.*/  sluice.role "idle" core "aic" {}\n}/' %s > %t/twice.mlir
// RUN: not sluice check %t/twice.mlir 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: sed '$s/.*/  sluice.role "idle" warps 0 to 4 {}\n}/' %s > %t/warps.mlir
// RUN: not sluice check %t/warps.mlir 2>&1 | FileCheck %s --check-prefix=WARPS
// RUN: sed '/^  sluice.role "halve"/,/^  }/d' %s > %t/alone.mlir
// RUN: not sluice check %t/alone.mlir 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: sed 's/"aiv.V"/"V"/' %s > %t/pipe.mlir
// RUN: not sluice check %t/pipe.mlir 2>&1 | FileCheck %s --check-prefix=PIPE
// RUN: sed '/on FIX/{/release/d}' %s > %t/forgotten.mlir
// RUN: not sluice check %t/forgotten.mlir 2>&1 | FileCheck %s --check-prefix=FORGOTTEN
// PROOF: proven: every launch
// RIGHT: within
// MANY: unsupported: workspace 'w' has a part for each of 24 cores, and the grid may have more; let a core take several tiles: a grid of the least (arith.minsi) of 24 and the tiles
// NONE: 'sluice.acquire' op is executed by 'MTE2', but 'loaded' has the producers aiv.MTE2
// TWICE: error: {{.*}}: a second role of core 'aic'; a core runs one stream
// WARPS: error: {{.*}}: role 'idle' has no core; write `core "aic"` or `core "aiv"`
// ALONE: error: {{.*}}: pipeline 'loaded' names 'aiv.MTE2', and no role is of core 'aiv'
// PIPE: 'sluice.wait' op is executed by 'aiv.V', but 'loaded' has the consumers V
// FORGOTTEN: R9 (Progress): deadlock: pipe M of aic waits at {{.*}} for flag FIX->M id 0 (not set). Nobody will set it
sluice.kernel @halved(%A: !sluice.tensor<?x192xf16, align 16> {sluice.name = "A"},
                      %B: !sluice.tensor<192x144xf16, align 16> {sluice.name = "B"},
                      %C: !sluice.tensor<?x144xf32, align 16> {sluice.name = "C", sluice.out})
    attributes {target = "ascend910b", phase = "pipeline"} {
  %c0 = arith.constant 0 : index
  %c24 = arith.constant 24 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c192 = arith.constant 192 : index
  %x = sluice.alloc "x" : !sluice.buffer<32x64xf16, ub, row, slots 2>
  %h = sluice.alloc "h" : !sluice.buffer<32x64xf16, ub, row, slots 2>
  %w = sluice.alloc "w" : !sluice.buffer<64x64xf16, global, row, slots 2>
  %a1 = sluice.alloc "a1" : !sluice.buffer<64x64xf16, l1, zN, slots 2>
  %b1 = sluice.alloc "b1" : !sluice.buffer<64x144xf16, l1, zN, slots 2>
  %a0 = sluice.alloc "a0" : !sluice.buffer<64x64xf16, l0a, zZ, slots 2>
  %b0 = sluice.alloc "b0" : !sluice.buffer<64x144xf16, l0b, nZ, slots 2>
  %d = sluice.alloc "d" : !sluice.buffer<64x144xf32, l0c, zN>
  %loaded = sluice.pipeline "loaded" over %x : !sluice.buffer<32x64xf16, ub, row, slots 2>
      from ["aiv.MTE2"] to ["aiv.V"] : !sluice.pipeline<2>
  %halves = sluice.pipeline "halves" over %h : !sluice.buffer<32x64xf16, ub, row, slots 2>
      from ["aiv.V"] to ["aiv.MTE3"] : !sluice.pipeline<2>
  %handed = sluice.pipeline "handed" over %w : !sluice.buffer<64x64xf16, global, row, slots 2>
      from ["aiv.MTE3"] to ["MTE2"] : !sluice.pipeline<2>
  %operands = sluice.pipeline "operands" over %a1, %b1 : !sluice.buffer<64x64xf16, l1, zN, slots 2>,
      !sluice.buffer<64x144xf16, l1, zN, slots 2> from ["MTE2"] to ["MTE1"] : !sluice.pipeline<2>
  %parts = sluice.pipeline "parts" over %a0, %b0 : !sluice.buffer<64x64xf16, l0a, zZ, slots 2>,
      !sluice.buffer<64x144xf16, l0b, nZ, slots 2> from ["MTE1"] to ["M"] : !sluice.pipeline<2>
  %sum = sluice.pipeline "sum" over %d : !sluice.buffer<64x144xf32, l0c, zN>
      from ["M"] to ["FIX"] : !sluice.pipeline<1>
  %rows = sluice.dim %A, 0 : <?x192xf16, align 16>
  %blocks = arith.ceildivsi %rows, %c64 : index
  %cores = arith.minsi %blocks, %c24 : index
  %core = sluice.grid %cores : index

  sluice.role "halve" core "aiv" {
    %half = sluice.subblock
    %down = arith.muli %half, %c32 : index
    %start = sluice.cursor : !sluice.cursor<2>
    scf.for %i = %core to %blocks step %cores iter_args(%first = %start) -> (!sluice.cursor<2>) {
      %row = arith.muli %i, %c64 : index
      %mine = arith.addi %row, %down : index
      %last = scf.for %k = %c0 to %c192 step %c64 iter_args(%at = %first) -> (!sluice.cursor<2>) {
        %slot = sluice.cursor.slot %at : <2>
        %xs = sluice.slot %x[%slot] : <32x64xf16, ub, row, slots 2>
        %hs = sluice.slot %h[%slot] : <32x64xf16, ub, row, slots 2>
        %ws = sluice.slot %w[%slot] : <64x64xf16, global, row, slots 2>
        %part = sluice.subview %ws[%down, %c0] : <64x64xf16, global, row> to <32x64xf16, global, row>
        sluice.acquire %loaded[%at] on MTE2 : <2>
        sluice.load %A[%mine, %k] to %xs on MTE2 : <?x192xf16, align 16>, <32x64xf16, ub, row>
        sluice.commit %loaded[%at] on MTE2 : <2>
        sluice.wait %loaded[%at] on V : <2>
        sluice.acquire %halves[%at] on V : <2>
        sluice.map ins(%xs : !sluice.buffer<32x64xf16, ub, row>)
            outs(%hs : !sluice.buffer<32x64xf16, ub, row>) on V {
        ^bb0(%v: f16):
          %two = arith.constant 0.5 : f16
          %y = arith.mulf %v, %two : f16
          sluice.yield %y : f16
        }
        sluice.commit %halves[%at] on V : <2>
        sluice.release %loaded[%at] on V : <2>
        sluice.wait %halves[%at] on MTE3 : <2>
        sluice.acquire %handed[%at] on MTE3 : <2>
        sluice.copy %hs to %part on MTE3 : <32x64xf16, ub, row>, <32x64xf16, global, row>
        sluice.commit %handed[%at] on MTE3 : <2>
        sluice.release %halves[%at] on MTE3 : <2>
        %next = sluice.cursor.advance %at : <2>
        scf.yield %next : !sluice.cursor<2>
      }
      scf.yield %last : !sluice.cursor<2>
    }
  }

  sluice.role "multiply" core "aic" {
    %start = sluice.cursor : !sluice.cursor<2>
    %sums = sluice.cursor : !sluice.cursor<1>
    scf.for %i = %core to %blocks step %cores iter_args(%first = %start, %once = %sums)
        -> (!sluice.cursor<2>, !sluice.cursor<1>) {
      %row = arith.muli %i, %c64 : index
      sluice.acquire %sum[%once] on M : <1>
      %last = scf.for %k = %c0 to %c192 step %c64 iter_args(%at = %first) -> (!sluice.cursor<2>) {
        %slot = sluice.cursor.slot %at : <2>
        %ws = sluice.slot %w[%slot] : <64x64xf16, global, row, slots 2>
        %as = sluice.slot %a1[%slot] : <64x64xf16, l1, zN, slots 2>
        %bs = sluice.slot %b1[%slot] : <64x144xf16, l1, zN, slots 2>
        %al = sluice.slot %a0[%slot] : <64x64xf16, l0a, zZ, slots 2>
        %bl = sluice.slot %b0[%slot] : <64x144xf16, l0b, nZ, slots 2>
        sluice.acquire %operands[%at] on MTE2 : <2>
        sluice.load %B[%k, %c0] to %bs on MTE2 : <192x144xf16, align 16>, <64x144xf16, l1, zN>
        sluice.wait %handed[%at] on MTE2 : <2>
        sluice.copy %ws to %as on MTE2 : <64x64xf16, global, row>, <64x64xf16, l1, zN>
        sluice.release %handed[%at] on MTE2 : <2>
        sluice.commit %operands[%at] on MTE2 : <2>
        sluice.wait %operands[%at] on MTE1 : <2>
        sluice.acquire %parts[%at] on MTE1 : <2>
        sluice.copy %as to %al on MTE1 : <64x64xf16, l1, zN>, <64x64xf16, l0a, zZ>
        sluice.copy %bs to %bl on MTE1 : <64x144xf16, l1, zN>, <64x144xf16, l0b, nZ>
        sluice.commit %parts[%at] on MTE1 : <2>
        sluice.release %operands[%at] on MTE1 : <2>
        sluice.wait %parts[%at] on M : <2>
        %later = arith.cmpi ne, %k, %c0 : index
        sluice.mmad %d, %al, %bl accumulate %later {sluice.any_tiles} : <64x144xf32, l0c, zN>,
            <64x64xf16, l0a, zZ>, <64x144xf16, l0b, nZ>
        sluice.release %parts[%at] on M : <2>
        %next = sluice.cursor.advance %at : <2>
        scf.yield %next : !sluice.cursor<2>
      }
      sluice.commit %sum[%once] on M : <1>
      sluice.wait %sum[%once] on FIX : <1>
      sluice.store %d to %C[%row, %c0] on FIX : <64x144xf32, l0c, zN>, <?x144xf32, align 16>
      sluice.release %sum[%once] on FIX : <1>
      %again = sluice.cursor.advance %once : <1>
      scf.yield %last, %again : !sluice.cursor<2>, !sluice.cursor<1>
    }
  }
}

// RUN: sed 's/^    BODY$/    %%p = arith.mulf %%v, %%v : f32\n    %%r = arith.addf %%s, %%p : f32/' %s > %t.square.mlir
// RUN: sluice emit %t.square.mlir | FileCheck %s --check-prefix=SQUARE
// RUN: sed 's/^    BODY$/    %%c = arith.constant 2.0 : f32\n    %%b = arith.cmpf ogt, %%v, %%c : f32\n    %%f = arith.uitofp %%b : i1 to f32\n    %%r = arith.maxnumf %%s, %%f : f32/' %s > %t.any.mlir
// RUN: sluice emit %t.any.mlir | FileCheck %s --check-prefix=ANY
// RUN: sed 's/^    BODY$/    %%r = arith.maximumf %%v, %%s : f32/' %s > %t.max.mlir
// RUN: sluice emit %t.max.mlir | FileCheck %s --check-prefix=NAN
// RUN: sed 's/^    BODY$/    %%r = math.fma %%v, %%v, %%s : f32/' %s > %t.fma.mlir
// RUN: sluice emit %t.fma.mlir | FileCheck %s --check-prefix=SQUARE
// RUN: sed 's/^    BODY$/    %%r = arith.subf %%s, %%v : f32/' %s > %t.minus.mlir
// RUN: not sluice check %t.minus.mlir 2>&1 | FileCheck %s --check-prefix=MINUS
// RUN: sed 's/^    BODY$/    %%r = arith.addf %%s, %%v : f32/; s/0\.0\]/1.0]/' %s > %t.one.mlir
// RUN: not sluice check %t.one.mlir 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: sed 's/^    BODY$/    %%p = arith.mulf %%s, %%v : f32\n    %%r = arith.addf %%s, %%p : f32/' %s > %t.twice.mlir
// RUN: not sluice check %t.twice.mlir 2>&1 | FileCheck %s --check-prefix=MINUS
// RUN: sed 's/^    BODY$/    %%k = arith.constant 1.0 : f32\n    %%r = arith.mulf %%s, %%k : f32/; s/0\.0\]/1.0]/' %s > %t.none.mlir
// RUN: sluice emit %t.none.mlir | FileCheck %s --check-prefix=NONE
// What threads have folded is folded again by the operation that joins, without the function of the
// elements; what cannot be taken apart so is refused.
// SQUARE: const float [[V:x[0-9]+]] = x.get(i);
// SQUARE: folded[x.rowIndex(i)] = folded[x.rowIndex(i)] + __fmul_rn([[V]], [[V]]);
// SQUARE: folded[i] = folded[i] + laneXor(folded[i], 1);
// ANY: folded[x.rowIndex(i)] = fmaxf(folded[x.rowIndex(i)], float(x.get(i) > 2.0f));
// ANY: folded[i] = fmaxf(folded[i], laneXor(folded[i], 1));
// NAN: folded[i] = maximum(folded[i], laneXor(folded[i], 2));
// NONE: folded[x.rowIndex(i)] = fmaxf(folded[x.rowIndex(i)], 1.0f);
// MINUS: error: {{.*}}.mlir:35:3: partial results are folded too: the body joins the state and a function of the element by a sum, a product, max, min, and, or, or xor
// ONE: error: {{.*}}one.mlir:35:3: starts from 1.00; partial results do so too, and a sum starts from 0
sluice.kernel @sums(%X: !sluice.tensor<64x64xf32, align 16> {sluice.name = "X"},
    %Y: !sluice.tensor<64x1xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf32>
  sluice.load %X[%c0, %c0] to %x : <64x64xf32, align 16>, <64x64xf32>
  %q = sluice.alloc "q" : !sluice.buffer<64x1xf32>
  sluice.reduce ins(%x : !sluice.buffer<64x64xf32>) outs(%q : !sluice.buffer<64x1xf32>) axis 1 from [0.0] {
  ^bb0(%s: f32, %v: f32):
    BODY
    sluice.yield %r : f32
  }
  sluice.store %q to %Y[%c0, %c0] : <64x1xf32>, <64x1xf32>
}

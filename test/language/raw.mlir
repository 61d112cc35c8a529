// Text in the target's own language at the tile level: an approximation that no element function names, with a model.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %python -c "import npy; [npy.write(f'%t/{n}.npy', '<f4', (70, 64), [f(i % 7) for i in range(70 * 64)]) for n, f in (('x', float), ('y', lambda i: 2.0 ** i))]"
// RUN: sluice check %s | FileCheck %s --check-prefix=PROVEN
// RUN: sluice run %s --set Y=70x64 --device sim --in X=%t/x.npy --expect Y=%t/y.npy | FileCheck %s --check-prefix=VALUES
// RUN: sluice emit %s | FileCheck %s --check-prefix=TEXT
// PROVEN: proven: every launch
// VALUES: within

// TEXT: // raw text: writes y (f32 64 x 64 acc), reads x (f32 64 x 64 acc)
// TEXT-NEXT: {
// TEXT-NEXT:   auto &y1 = y;
// TEXT-NEXT:   auto &x1 = x;
// TEXT-NEXT: #ifndef SLUICE_HOST
// TEXT-NEXT:   for (int i = 0; i < 32; ++i) {
// TEXT-NEXT:     float e;
// TEXT-NEXT:     asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(e) : "f"(x1.get(i)));
// TEXT-NEXT:     y1.set(i, e);
// TEXT-NEXT:   }
// TEXT-NEXT: #else
// TEXT-NEXT:   rawText("y, x", y1, x1);
// TEXT-NEXT: #endif
// TEXT-NEXT: }

// RUN: %if nvcc %{ sluice emit %s --single-file -o %t/raw.cu && %nvcc -cubin %t/raw.cu -o %t/raw.cubin %}

// RUN: sed s/sm_90a/ascend910b/ %s > %t/ascend.mlir
// RUN: not sluice check %t/ascend.mlir 2>&1 | FileCheck %s --check-prefix=ASCEND
// ASCEND: error: {{.*}}: raw text for ascend910b is not executed yet; sm_90a's is
// RUN: sed 's/target = "sm_90a"/target = "ascend910b"/' %s > %t/missing.mlir
// RUN: not sluice check %t/missing.mlir 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: {{.*}}: raw text for ascend910b is missing; there is one for sm_90a

sluice.kernel @fast_exp2(%X: !sluice.tensor<?x64xf32> {sluice.name = "X"},
                    %Y: !sluice.tensor<?x64xf32> {sluice.name = "Y", sluice.out}) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %Y, 0 : <?x64xf32>
  %gm = arith.ceildivsi %M, %c64 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf32>
  sluice.load %X[%row, %c0] to %x : <?x64xf32>, <64x64xf32>
  %y = sluice.alloc "y" : !sluice.buffer<64x64xf32>
  sluice.raw {sm_90a = "for (int i = 0; i < 32; ++i) {\n  float e;\n  asm(\"ex2.approx.ftz.f32 %0, %1;\" : \"=f\"(e) : \"f\"($x.get(i)));\n  $=y.set(i, e);\n}"}
      outs(%y : !sluice.buffer<64x64xf32>) ins(%x : !sluice.buffer<64x64xf32>) named ["y", "x"] model {
  ^bb0(%e: f32):
    %p = math.exp2 %e : f32
    sluice.yield %p : f32
  }
  sluice.store %y to %Y[%row, %c0] : <64x64xf32>, <?x64xf32>
}

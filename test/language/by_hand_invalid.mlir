// What a kernel at the pipeline level says wrongly, or lowering has no form for.
// RUN: sluice check %s | FileCheck %s --check-prefix=PROOF
// PROOF: {{^}}proven: every launch
// RUN: sed 's/"sums" warps 4 to 8/"sums"/' %s > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=WARPS
// WARPS: error: {{.*}}: role 'sums' has no warps; write `warps 0 to 4`
// RUN: sed 's/"idle"/"sums"/' %s > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: {{.*}}: a second role 'sums'; pipelines tell roles by their names
// RUN: sed 's/^  %%outside.*/&\n  sluice.wait %%ring[%%outside] : <2>/' %s > %t.mlir
// RUN: not sluice check %t.mlir 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// OUTSIDE: error: {{.*}}: unsupported: stands outside the roles; move it into the role whose it is
sluice.kernel @sums(%X: !sluice.tensor<64x?xf16, align 16> {sluice.name = "X"},
                    %S: !sluice.tensor<64x1xf32> {sluice.name = "S", sluice.out})
    attributes {target = "sm_90a", phase = "pipeline", warps = 8} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %n = sluice.dim %X, 1 : <64x?xf16, align 16>
  %some = arith.cmpi sgt, %n, %c0 : index
  %i = sluice.grid %c1 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16, smem, sw128, slots 2>
  %ring = sluice.pipeline "ring" over %x : !sluice.buffer<64x64xf16, smem, sw128, slots 2>
      from ["load"] to ["sums"] : !sluice.pipeline<2>
  %outside = sluice.cursor : !sluice.cursor<2>
  sluice.role "load" warps 0 to 1 {
    %start = sluice.cursor : !sluice.cursor<2>
    %slot = sluice.cursor.slot %start : <2>
    %at = sluice.slot %x[%slot] : <64x64xf16, smem, sw128, slots 2>
    scf.if %some {
      sluice.acquire %ring[%start] : <2>
      sluice.load %X[%c0, %c0] to %at : <64x?xf16, align 16>, <64x64xf16, smem, sw128>
      sluice.commit %ring[%start] : <2>
    } else {
    }
  }
  sluice.role "sums" warps 4 to 8 {
    %start = sluice.cursor : !sluice.cursor<2>
    %h = sluice.alloc "h" : !sluice.buffer<64x64xf32, reg, acc>
    %sum = sluice.alloc "sum" : !sluice.buffer<64x1xf32, reg, rowVector>
    sluice.fill %h with 0.0 : <64x64xf32, reg, acc>
    %slot = sluice.cursor.slot %start : <2>
    %at = sluice.slot %x[%slot] : <64x64xf16, smem, sw128, slots 2>
    scf.if %some {
      sluice.wait %ring[%start] : <2>
      sluice.copy %at to %h : <64x64xf16, smem, sw128>, <64x64xf32, reg, acc>
      sluice.release %ring[%start] : <2>
    }
    sluice.reduce ins(%h : !sluice.buffer<64x64xf32, reg, acc>)
        outs(%sum : !sluice.buffer<64x1xf32, reg, rowVector>) axis 1 from [0.0] {
    ^bb0(%s: f32, %v: f32):
      %r = arith.addf %s, %v : f32
      sluice.yield %r : f32
    }
    sluice.store %sum to %S[%c0, %c0] : <64x1xf32, reg, rowVector>, <64x1xf32>
  }
  sluice.role "idle" warps 1 to 4 {
  }
}

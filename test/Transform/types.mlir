// What wgmma does not multiply is said at the product, with the way out.
// RUN: not sluice check %s --set A=512x512 B=512x512 2>&1 | FileCheck %s --check-prefix=LAYOUT
// LAYOUT: error: {{.*}}types.mlir:[[#]]:{{[0-9]+}}: wgmma of tf32 is not supported with this layout of b; it must be contiguous along K in memory, A by rows and B by columns: only f16 and bf16 are transposed
// RUN: sed 's/xtf32, minor 1/xtf32, minor 0/g' %s > %t.mlir && sluice check %t.mlir | FileCheck %s --check-prefix=PROVEN
// PROVEN: proven: every launch
// RUN: sed 's/tf32/f32/g' %t.mlir > %t.f32.mlir && not sluice check %t.f32.mlir 2>&1 | FileCheck %s --check-prefix=SINGLE
// SINGLE: wgmma on f32 is not supported; use f16, bf16, tf32, e4m3, e5m2 or s8
sluice.kernel @product(%A: !sluice.tensor<?x?xtf32, align 16> {sluice.name = "A"},
                       %B: !sluice.tensor<?x?xtf32, minor 1, align 16> {sluice.name = "B"},
                       %C: !sluice.tensor<?x?xf32, align 16> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %A, 0 : <?x?xtf32, align 16>
  %K = sluice.dim %A, 1 : <?x?xtf32, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %steps = arith.ceildivsi %K, %c32 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c64 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  sluice.fill %acc with 0.0 : <64x64xf32>
  scf.for %t = %c0 to %steps step %c1 {
    %k = arith.muli %t, %c32 : index
    %a = sluice.alloc "a" : !sluice.buffer<64x32xtf32>
    sluice.load %A[%row, %k] to %a : <?x?xtf32, align 16>, <64x32xtf32>
    %b = sluice.alloc "b" : !sluice.buffer<32x64xtf32>
    sluice.load %B[%k, %c0] to %b : <?x?xtf32, minor 1, align 16>, <32x64xtf32>
    sluice.mma %acc, %a, %b : <64x64xf32>, <64x32xtf32>, <32x64xtf32>
  } {sluice.stages = 2}
  sluice.store %acc to %C[%row, %c0] : <64x64xf32>, <?x?xf32, align 16>
}

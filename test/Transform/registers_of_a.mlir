// What one instruction needs with A in registers: n / 2 + 30, of 16 warps 128 (ptxas, C7602).
// RUN: not sluice check %s | FileCheck %s
// CHECK: R19 (Registers): wgmma at {{.*}}: an instruction of 200 columns takes 130 registers a thread; a CTA of 16 warps starts with 128, and ptxas counts no others
// RUN: sed 's/200/192/g' %s > %t.mlir
// RUN: sluice check %t.mlir | FileCheck %s --check-prefix=FITS
// FITS: proven: every launch
sluice.kernel @gemm(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                    %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                    %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out}) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c192 = arith.constant 192 : index
  %M = sluice.dim %C, 0 : <?x?xf32>
  %gm = arith.ceildivsi %M, %c192 : index
  %i = sluice.grid %gm : index
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %row = arith.muli %i, %c192 : index
  %n = arith.ceildivsi %K, %c64 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<192x200xf32>
  sluice.fill %acc with 0.0 : <192x200xf32>
  scf.for %t = %c0 to %n step %c1 {
    %k = arith.muli %t, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<192x64xf16>
    sluice.load %A[%row, %k] to %a : <?x?xf16, align 16>, <192x64xf16>
    %r = sluice.alloc "r" : !sluice.buffer<192x64xf16, reg, fragA>
    sluice.copy %a to %r : <192x64xf16>, <192x64xf16, reg, fragA>
    %b = sluice.alloc "b" : !sluice.buffer<64x200xf16>
    sluice.load %B[%k, %c0] to %b : <?x?xf16, align 16>, <64x200xf16>
    sluice.mma %acc, %r, %b : <192x200xf32>, <192x64xf16, reg, fragA>, <64x200xf16>
  } {sluice.stages = 2}
  sluice.store %acc to %C[%row, %c0] : <192x200xf32>, <?x?xf32>
}

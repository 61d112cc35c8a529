// Loaded one step ahead by hand: on Ascend the loop carries the tile from pipe to pipe; on Hopper a
// ring hands on what its block fills, and the loop asks for stages instead.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: sed '/%%next = /d; /%%A.%%c0, %%next/d; /sluice.load %%A.%%c0, %%c0/d; /alloc "a"/d; s/^ *%%b = .*/%%a = sluice.alloc "a" : !sluice.buffer<64x64xf16>\n sluice.load %%A[%%c0, %%k] to %%a : <?x?xf16, align 16>, <64x64xf16>\n&/' %s > %t.plain.mlir
// RUN: sluice run %t.plain.mlir --random 2 --set A=320x320 C=64x64 --out C=%t.npy
// RUN: sluice run %s --random 2 --set A=320x320 C=64x64 --expect C=%t.npy
// RUN: sluice run %s --random 2 --set A=320x320 C=64x64 --expect C=%t.npy --chaos 3000
// The tile of this step where that of the next is due.
// RUN: sed 's/%%A.%%c0, %%next./%%A[%%c0, %%k]/' %s > %t.stale.mlir
// RUN: not sluice check %t.stale.mlir | FileCheck %s --check-prefix=STALE
// STALE: R28 (Operands belong together)
// RUN: sed 's/ascend910b/sm_90a/' %s > %t.hopper.mlir
// RUN: not sluice check %t.hopper.mlir 2>&1 | FileCheck %s --check-prefix=HOPPER
// HOPPER: fills buffer 'a' within or after the statement of its block in which mma first reads it; give each value its own tile, declared where it is filled
sluice.kernel @ahead(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                   %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out})
    attributes {target = "ascend910b"} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  sluice.fill %acc with 0.0 : <64x64xf32>
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
  sluice.load %A[%c0, %c0] to %a : <?x?xf16, align 16>, <64x64xf16>
  scf.for %k = %c0 to %K step %c64 {
    %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
    sluice.load %A[%k, %c0] to %b : <?x?xf16, align 16>, <64x64xf16>
    sluice.mma %acc, %a, %b : <64x64xf32>, <64x64xf16>, <64x64xf16>
    %next = arith.addi %k, %c64 : index
    sluice.load %A[%c0, %next] to %a : <?x?xf16, align 16>, <64x64xf16>
  }
  sluice.store %acc to %C[%c0, %c0] : <64x64xf32>, <?x?xf32>
}

// Tiles as text where they stand in the program: one in shared memory, by one lane; one in
// registers, by every warp its own rows.
// RUN: rm -rf %t && mkdir -p %t && %python %S/../Inputs/npy.py %t
// RUN: sluice check %s --set A=64x64 B=64x64 C=64x64 | FileCheck %s --check-prefix=PROVEN
// RUN: sluice run %s --set C=64x64 --device sim --in A=%t/ramp.npy B=%t/identity.npy --expect C=%t/ramp.npy | FileCheck %s --strict-whitespace
// RUN: sluice run %s --set C=64x64 --device sim --in A=%t/ramp.npy B=%t/identity.npy --expect C=%t/ramp.npy --json 2>/dev/null | %python -c "import json, sys; print(json.load(sys.stdin)['error'])" | FileCheck %s --check-prefix=JSON
// RUN: sluice emit %s --set A=64x64 B=64x64 C=64x64 | FileCheck %s --check-prefix=TEXT
// RUN: sluice emit %s --set A=64x64 B=64x64 C=64x64 --single-file -o %t/print.cu
// RUN: sed -e s/sm_90a/ascend910b/ -e '/sluice.print %%c /d' %s > %t/ascend.mlir
// RUN: not sluice check %t/ascend.mlir --set A=64x64 B=64x64 C=64x64 2>&1 | FileCheck %s --check-prefix=ASCEND

// An accumulator between its products: the products are waited for.
// RUN: sed 's/sluice.print %%a : <64x64xf16>//; s/^  } {sluice.stages/    sluice.print %%acc : <64x64xf32>\n&/' %s > %t/acc.mlir
// RUN: sluice check %t/acc.mlir --set A=64x64 B=64x64 C=64x64 | FileCheck %s --check-prefix=PROVEN
// RUN: sluice emit %t/acc.mlir --set A=64x64 B=64x64 C=64x64 | FileCheck %s --check-prefix=ACC
// ACC: wgmmaWait<0>(acc);
// ACC: printRegisters("acc, 64 x 64 f32", 64, 64, acc, warp);

// A print reads, and the proof knows it: behind the wait for the bytes, and before.
// RUN: sed 's/^  sluice.copy %%a to/  sluice.print %%a : <32x64xf32, smem, row>\n&/' %S/../corpus/nvfuser/one_shot.ok.mlir > %t/behind.mlir
// RUN: sluice check %t/behind.mlir | FileCheck %s --check-prefix=PROVEN
// RUN: sed 's/^  sluice.mbarrier.wait/  sluice.print %%a : <32x64xf32, smem, row>\n&/' %S/../corpus/nvfuser/one_shot.ok.mlir > %t/early.mlir
// RUN: not sluice check %t/early.mlir | FileCheck %s --check-prefix=EARLY
// EARLY: print of warp 0 of CTA (0,0)

// On a device printf writes to stdout.
// RUN: env LD_LIBRARY_PATH=%build/test/fake not sluice run %s --device cuda --json 2>&1 | FileCheck %s --check-prefix=STDOUT
// STDOUT: error: --json: kernel gemm prints tiles to stdout, where a device's printf writes; leave one of the two out

// PROVEN: proven: every launch

// CHECK:a, 64 x 64 f16, CTA (0,0,0), row   0:         0         1         2         3         4         5         6         0
// CHECK-NEXT:a, 64 x 64 f16, CTA (0,0,0), row   1:         1         2         3         4         5         6         0         1
// CHECK-COUNT-6:a, 64 x 64 f16
// CHECK-NOT:a, 64 x 64 f16
// CHECK-DAG:c, 64 x 64 f16, CTA (0,0,0), row   0:         0         1         2         3         4         5         6         0
// CHECK-DAG:c, 64 x 64 f16, CTA (0,0,0), row  16:         2         3         4         5         6         0         1         2
// CHECK-DAG:c, 64 x 64 f16, CTA (0,0,0), row  55:         6         0         1         2         3         4         5         6
// CHECK: within
// JSON: {{^0$}}

// TEXT: #include <sluice/device.cuh>
// TEXT-NEXT: #include <sluice/print.cuh>
// TEXT: printShared<ATile>("a, 64 x 64 f16", 64, 64, a[at.slot], 0, 0);
// TEXT: printRegisters("c, 64 x 64 f16", 64, 64, c, warp);

// ASCEND: ascend.mlir:{{.*}}: sluice.print has no form on Ascend yet; print on sm_90a

sluice.kernel @gemm(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                    %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                    %C: !sluice.tensor<?x?xf16, align 16> {sluice.name = "C", sluice.out}) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %N = sluice.dim %B, 1 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %gn = arith.ceildivsi %N, %c64 : index
  %steps = arith.ceildivsi %K, %c64 : index
  %i, %j = sluice.grid %gm, %gn : index, index
  %row = arith.muli %i, %c64 : index
  %col = arith.muli %j, %c64 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  sluice.fill %acc with 0.0 : <64x64xf32>
  scf.for %t = %c0 to %steps step %c1 {
    %k = arith.muli %t, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
    sluice.load %A[%row, %k] to %a : <?x?xf16, align 16>, <64x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
    sluice.load %B[%k, %col] to %b : <?x?xf16, align 16>, <64x64xf16>
    sluice.print %a : <64x64xf16>
    sluice.mma %acc, %a, %b : <64x64xf32>, <64x64xf16>, <64x64xf16>
  } {sluice.stages = 4, sluice.name = "k"}
  %c = sluice.alloc "c" : !sluice.buffer<64x64xf16>
  sluice.map ins(%acc : !sluice.buffer<64x64xf32>) outs(%c : !sluice.buffer<64x64xf16>) {
  ^bb0(%x: f32):
    %y = arith.truncf %x : f32 to f16
    sluice.yield %y : f16
  }
  sluice.print %c : <64x64xf16>
  sluice.store %c to %C[%row, %col] : <64x64xf16>, <?x?xf16, align 16>
}

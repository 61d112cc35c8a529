// Slots that are multiplied and stored: TMA has read one before it is released.
// RUN: sluice check %s --set A=200x504 B=504x96 C=200x96 D=200x504 --dump-after-each 2>%t >%t.verdict
// RUN: FileCheck %s --check-prefix=DUMP < %t
// RUN: FileCheck %s < %t.verdict
// CHECK:     proven: every launch
// DUMP:      after sluice-lower-to-mbarriers
// DUMP:      sluice.tma.store %a.slot{{.*}} to %D[
// DUMP-NEXT: sluice.bulk.commit by warpgroup
// DUMP-NEXT: sluice.bulk.wait 0 read by warpgroup
// DUMP-NEXT: sluice.cursor.slot
// DUMP-NEXT: sluice.mbarrier.arrive %empty[
//
// D is A.
// RUN: sluice run %S/Inputs/copy.mlir --random 5 --set A=200x504 D=200x504 --out D=%t.npy
// RUN: sluice run %s --in A=%t.npy --random 6 --set B=504x96 C=200x96 D=200x504 --expect D=%t.npy
//
// Without the wait the next load may overtake the store.
// RUN: %python %S/Inputs/after.py sluice-allocate < %t > %t.low.mlir
// RUN: sluice check %t.low.mlir --set A=200x504 B=504x96 C=200x96 D=200x504 | FileCheck %s
// RUN: sed '/to %%D\[/,/mbarrier.arrive/{/bulk.wait/d}' %t.low.mlir > %t.early.mlir
// RUN: not sluice check %t.early.mlir --set A=200x504 B=504x96 C=200x96 D=200x504 | FileCheck %s --check-prefix=EARLY
// EARLY: R22 (No race): TMA load of load warp 8 of CTA (0) at {{.*}} writes a[0]
//
// So it is with one slot, where no role loads, in clusters and loops over tiles, and where threads
// load and store.
// RUN: sed 's/stages = 3/stages = 1/' %s > %t.one.mlir
// RUN: sluice check %t.one.mlir --set A=200x504 B=504x96 C=200x96 D=200x504 | FileCheck %s
// RUN: sed 's/grid %gm :/grid %gm {sluice.load_ahead} :/' %s > %t.ahead.mlir
// RUN: sluice check %t.ahead.mlir --set A=200x504 B=504x96 C=200x96 D=200x504 | FileCheck %s
// RUN: sed 's/grid %gm :/grid %gm {cluster = array<i64: 2>} :/' %s > %t.pair.mlir
// RUN: sluice check %t.pair.mlir --set A=200x504 B=504x96 C=200x96 D=200x504 | FileCheck %s
// RUN: sed 's/grid %gm :/grid %gm {persistent} :/' %s > %t.tiles.mlir
// RUN: sluice check %t.tiles.mlir --set A=200x504 B=504x96 C=200x96 D=200x504 | FileCheck %s
// RUN: sed 's/align 16/align 2/' %s > %t.threads.mlir
// RUN: sluice check %t.threads.mlir --set A=200x503 B=503x95 C=200x95 D=200x503 | FileCheck %s
// RUN: sluice run %t.threads.mlir --in A=%t.npy --random 6 --set B=504x96 C=200x96 D=200x504 --expect D=%t.npy
sluice.kernel @kept(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                    %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                    %C: !sluice.tensor<?x?xf16, align 16> {sluice.name = "C", sluice.out},
                    %D: !sluice.tensor<?x?xf16, align 16> {sluice.name = "D", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c128 : index
  %steps = arith.ceildivsi %K, %c64 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c128 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<128x96xf32>
  sluice.fill %acc with 0.0 : <128x96xf32>
  scf.for %t = %c0 to %steps step %c1 {
    %k = arith.muli %t, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<128x64xf16>
    sluice.load %A[%row, %k] to %a : <?x?xf16, align 16>, <128x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x96xf16>
    sluice.load %B[%k, %c0] to %b : <?x?xf16, align 16>, <64x96xf16>
    sluice.mma %acc, %a, %b : <128x96xf32>, <128x64xf16>, <64x96xf16>
    sluice.store %a to %D[%row, %k] : <128x64xf16>, <?x?xf16, align 16>
  } {sluice.stages = 3}
  %c = sluice.alloc "c" : !sluice.buffer<128x96xf16>
  sluice.map ins(%acc : !sluice.buffer<128x96xf32>) outs(%c : !sluice.buffer<128x96xf16>) {
  ^bb0(%x: f32):
    %y = arith.truncf %x : f32 to f16
    sluice.yield %y : f16
  }
  sluice.store %c to %C[%row, %c0] : <128x96xf16>, <?x?xf16, align 16>
}

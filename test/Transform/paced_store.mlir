// RUN: sluice emit %s | FileCheck %s
// RUN: sed 's/ {sluice.paced}//' %s > %t.whole.mlir
// RUN: sluice emit %t.whole.mlir | FileCheck %s --check-prefix=WHOLE
// RUN: sluice run %t.whole.mlir --device sim --random 3 --set A=200x320 B=320x136 C=200x136 --out C=%t.npy
// RUN: sluice run %s --device sim --random 3 --set A=200x320 B=320x136 C=200x136 --expect C=%t.npy
// A role of its own stores in boxes of 64 rows, each when the one before has been read.
// CHECK: proven: every launch
// CHECK: mbarrierWait(full_c_staging[0],
// CHECK-NEXT: for (int box = 0; box < 4; ++box) {
// CHECK-NEXT: const int line = box % 2 * 64;
// CHECK-NEXT: const int column = box / 2 * 64;
// CHECK-NEXT: if (electLane()) {
// CHECK-NEXT: bulkWaitRead<0>();
// CHECK-NEXT: tmaStore<1, 64, 16384>(CMap, c_staging[0] + line * 128 + column / 64 * 16384, col
// CHECK-NEXT: + column, row + line);
// CHECK-NEXT: bulkCommit();
// CHECK: bulkWaitRead<0>();
// CHECK-NEXT: mbarrierArrive(empty_c_staging[0]);
// WHOLE: tmaStore<2, 64, 16384>(CMap, c_staging[0], col, row);
sluice.kernel @gemm(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                    %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                    %C: !sluice.tensor<?x?xf16, align 16> {sluice.name = "C", sluice.out}) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %C, 0 : <?x?xf16, align 16>
  %N = sluice.dim %C, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c128 : index
  %gn = arith.ceildivsi %N, %c128 : index
  %i, %j = sluice.grid %gm, %gn {persistent} : index, index
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %row = arith.muli %i, %c128 : index
  %col = arith.muli %j, %c128 : index
  %n = arith.ceildivsi %K, %c64 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<128x128xf32>
  sluice.fill %acc with 0.0 : <128x128xf32>
  scf.for %t = %c0 to %n step %c1 {
    %k = arith.muli %t, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<128x64xf16>
    sluice.load %A[%row, %k] to %a : <?x?xf16, align 16>, <128x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x128xf16>
    sluice.load %B[%k, %col] to %b : <?x?xf16, align 16>, <64x128xf16>
    sluice.mma %acc, %a, %b : <128x128xf32>, <128x64xf16>, <64x128xf16>
  } {sluice.stages = 2}
  %c = sluice.alloc "c" : !sluice.buffer<128x128xf16>
  sluice.copy %acc to %c : <128x128xf32>, <128x128xf16>
  sluice.store %c to %C[%row, %col] {sluice.paced} : <128x128xf16>, <?x?xf16, align 16>
}

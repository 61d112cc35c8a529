// Tiles that CTAs of a cluster share and load once: nobody waits for their slots, so the CTAs meet before they exit (R10).
// RUN: sluice check %s | FileCheck %s
// RUN: sed 's/i64: 2, 1/i64: 2, 2/' %s > %t.square.mlir
// RUN: sluice check %t.square.mlir | FileCheck %s
// CHECK: proven: every launch
// RUN: sluice emit %s | FileCheck %s --check-prefix=TEXT
// TEXT: { // load
// TEXT: clusterArriveRelaxed();
// TEXT-NEXT: clusterWait();
// In a loop over tiles slots come back, and the tail waits for them.
// RUN: sed 's/i64: 2, 1>/i64: 2, 1>, persistent/' %s > %t.tiles.mlir
// RUN: sluice check %t.tiles.mlir | FileCheck %s
// RUN: sluice emit %t.tiles.mlir | FileCheck %s --check-prefix=TAIL
// TAIL-NOT: clusterArriveRelaxed();
sluice.kernel @product(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
    %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
    %C: !sluice.tensor<?x?xf32, align 16> {sluice.name = "C", sluice.out}) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %N = sluice.dim %B, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %gn = arith.ceildivsi %N, %c128 : index
  %i, %j = sluice.grid %gm, %gn {cluster = array<i64: 2, 1>} : index, index
  %row = arith.muli %i, %c64 : index
  %col = arith.muli %j, %c128 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x128xf32>
  sluice.fill %acc with 0.0 : <64x128xf32>
  %a = sluice.alloc "a" : !sluice.buffer<64x32xf16>
  sluice.load %A[%row, %c0] to %a : <?x?xf16, align 16>, <64x32xf16>
  %b = sluice.alloc "b" : !sluice.buffer<32x128xf16>
  sluice.load %B[%c0, %col] to %b : <?x?xf16, align 16>, <32x128xf16>
  sluice.mma %acc, %a, %b : <64x128xf32>, <64x32xf16>, <32x128xf16>
  sluice.store %acc to %C[%row, %col] : <64x128xf32>, <?x?xf32, align 16>
}

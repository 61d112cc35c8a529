// Tiles of the first rows take a loop of steps, the others one step: two rings, and a role that stores
// has neither.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: sed 's/grid %gm, %gn {persistent}/grid %gm, %gn/' %s > %t.plain.mlir
// RUN: sluice run %t.plain.mlir --random 3 --set A=700x152 B=152x136 Y=700x136 --out Y=%t.npy
// RUN: sluice run %s --random 3 --set A=700x152 B=152x136 Y=700x136 --expect Y=%t.npy
// Only a step for the first rows: what a tile is of stays in memory while others go by.
// RUN: sed '/^  } else {/,/^  }$/c\  }' %s > %t.once.mlir
// RUN: sluice check %t.once.mlir | FileCheck %s
sluice.kernel @k(%A: !sluice.tensor<?x?xbf16, align 16> {sluice.name = "A"}, %B: !sluice.tensor<?x?xbf16, align 16> {sluice.name = "B"}, %Y: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %d1 = sluice.dim %Y, 0 : <?x?xf32, align 16>
  %d2 = sluice.dim %Y, 1 : <?x?xf32, align 16>
  %d8 = sluice.dim %A, 1 : <?x?xbf16, align 16>
  %gm = arith.ceildivsi %d1, %c64 : index
  %gn = arith.ceildivsi %d2, %c64 : index
  %steps = arith.ceildivsi %d8, %c64 : index
  %i, %j = sluice.grid %gm, %gn {persistent} : index, index
  %row = arith.muli %i, %c64 : index
  %col = arith.muli %j, %c64 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  sluice.fill %acc with 0.0 : <64x64xf32>
  %first = arith.cmpi slt, %i, %c2 : index
  scf.if %first {
  scf.for %t = %c0 to %steps step %c1 {
    %k = arith.muli %t, %c64 : index
    %ta = sluice.alloc "ta" : !sluice.buffer<64x64xbf16>
    sluice.load %A[%row, %k] to %ta : <?x?xbf16, align 16>, <64x64xbf16>
    %tb = sluice.alloc "tb" : !sluice.buffer<64x64xbf16>
    sluice.load %B[%k, %col] to %tb : <?x?xbf16, align 16>, <64x64xbf16>
    sluice.mma %acc, %ta, %tb : <64x64xf32>, <64x64xbf16>, <64x64xbf16>
  } {sluice.stages = 3}
  } else {
    %tae = sluice.alloc "tae" : !sluice.buffer<64x64xbf16>
    sluice.load %A[%row, %c0] to %tae : <?x?xbf16, align 16>, <64x64xbf16>
    %tbe = sluice.alloc "tbe" : !sluice.buffer<64x64xbf16>
    sluice.load %B[%c0, %col] to %tbe : <?x?xbf16, align 16>, <64x64xbf16>
    sluice.mma %acc, %tae, %tbe : <64x64xf32>, <64x64xbf16>, <64x64xbf16>
  }
  sluice.store %acc to %Y[%row, %col] : <64x64xf32>, <?x?xf32, align 16>
}

// Two loops whose warpgroups take turns, of tiles that are drawn: each loop has barriers of its own,
// and a first turn in front of the loop over tiles.
// RUN: sluice check %s | FileCheck %s
// RUN: sed 's/persistent, sluice.dynamic/persistent/' %s | sluice check /dev/stdin | FileCheck %s
// RUN: sluice emit %s | FileCheck %s --check-prefix=TEXT
// RUN: sed 's/, sluice.in_turn//' %s > %t.plain.mlir
// RUN: sluice run %t.plain.mlir --device sim --random 1 --set A=700x200 B=200x128 C=700x128 --out C=%t.npy
// RUN: sluice run %s --device sim --random 1 --set A=700x200 B=200x128 C=700x128 --expect C=%t.npy --chaos 2000
// CHECK: {{^}}proven: every launch
// TEXT:      const int mine = group + 3;
// TEXT:      const int mine1 = group1 + 1;
// TEXT:      namedBarrierArrive(theirs1, 256);
// TEXT-NEXT: if (groupIs1)
// TEXT-NEXT:   namedBarrierArrive(theirs, 256);
// TEXT:      for (;;)
sluice.kernel @k(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
    %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
    %C: !sluice.tensor<?x?xf32, align 16> {sluice.name = "C", sluice.out}) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c128 : index
  %n = arith.ceildivsi %K, %c64 : index
  %i = sluice.grid %gm {persistent, sluice.dynamic} : index
  %row = arith.muli %i, %c128 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<128x128xf32>
  sluice.fill %acc with 0.0 : <128x128xf32>
  scf.for %k = %c0 to %n step %c1 {
    %kk = arith.muli %k, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<128x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x128xf16>
    sluice.load %A[%row, %kk] to %a : <?x?xf16, align 16>, <128x64xf16>
    sluice.load %B[%kk, %c0] to %b : <?x?xf16, align 16>, <64x128xf16>
    sluice.mma %acc, %a, %b : <128x128xf32>, <128x64xf16>, <64x128xf16>
  } {sluice.stages = 2, sluice.in_turn}
  scf.for %k = %c0 to %n step %c1 {
    %kk = arith.muli %k, %c64 : index
    %a = sluice.alloc "again_a" : !sluice.buffer<128x64xf16>
    %b = sluice.alloc "again_b" : !sluice.buffer<64x128xf16>
    sluice.load %A[%row, %kk] to %a : <?x?xf16, align 16>, <128x64xf16>
    sluice.load %B[%kk, %c0] to %b : <?x?xf16, align 16>, <64x128xf16>
    sluice.mma %acc, %a, %b : <128x128xf32>, <128x64xf16>, <64x128xf16>
  } {sluice.stages = 2, sluice.in_turn}
  sluice.store %acc to %C[%row, %c0] : <128x128xf32>, <?x?xf32, align 16>
}

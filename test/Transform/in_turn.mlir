// RUN: sluice check %s | FileCheck %s
// RUN: sluice emit %s | FileCheck %s --check-prefix=TEXT
// RUN: sluice run %s --random 1 --set A=150x200 B=200x128 C=150x128 --chaos 400
// RUN: sed 's/128x/64x/g; s/_rows = arith.constant 128/_rows = arith.constant 64/' %s | not sluice check /dev/stdin 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: sed '/sluice.mma/d; /sluice.load/d; /alloc "[ab]"/d; s/sluice.stages = 3, //' %s | not sluice check /dev/stdin 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: sed 's/, sluice.in_turn}/, sluice.in_turn = 2}/' %s | not sluice check /dev/stdin 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: sed 's/sm_90a/ascend910b/' %s | not sluice check /dev/stdin 2>&1 | FileCheck %s --check-prefix=ASCEND
// The warpgroups of a role multiply one after another.
// CHECK: {{^}}proven: every launch
// TEXT:      if (groupIs1)
// TEXT-NEXT:   namedBarrierArrive(theirs, 256);
// TEXT:      for (int
// TEXT:        mbarrierWait(full[
// TEXT-NEXT:   namedBarrierSync(mine, 256);
// TEXT-NEXT:   wgmmaFence(
// TEXT:        wgmmaCommit();
// TEXT-NEXT:   namedBarrierArrive(theirs, 256);
// TEXT:      if (group{{.*}}0)
// TEXT-NEXT:   namedBarrierSync(mine, 256);
// ONE: error: {{.*}}: sluice.in_turn: role 'mma' has one warpgroup, which waits for no other; leave it out
// NONE: error: {{.*}}: sluice.in_turn: it is no loop of a role that multiplies; leave it out
// VALUE: error: {{.*}} sluice.in_turn has no value
// ASCEND: error: {{.*}} sluice.in_turn is of the NVIDIA targets
sluice.kernel @k(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
    %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
    %C: !sluice.tensor<?x?xf32, align 16> {sluice.name = "C", sluice.out}) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %tile_rows = arith.constant 128 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %tile_rows : index
  %n = arith.ceildivsi %K, %c64 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %tile_rows : index
  %acc = sluice.alloc "acc" : !sluice.buffer<128x128xf32>
  sluice.fill %acc with 0.0 : <128x128xf32>
  scf.for %k = %c0 to %n step %c1 {
    %kk = arith.muli %k, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<128x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x128xf16>
    sluice.load %A[%row, %kk] to %a : <?x?xf16, align 16>, <128x64xf16>
    sluice.load %B[%kk, %c0] to %b : <?x?xf16, align 16>, <64x128xf16>
    sluice.mma %acc, %a, %b : <128x128xf32>, <128x64xf16>, <64x128xf16>
  } {sluice.stages = 3, sluice.in_turn}
  sluice.store %acc to %C[%row, %c0] : <128x128xf32>, <?x?xf32, align 16>
}

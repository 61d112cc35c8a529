// The CTAs of a pair send each other two tiles before they take one: that takes two slots.
// RUN: sluice check %s | FileCheck %s --check-prefix=PROOF
// RUN: sluice run %s --random 3 --set X=128x320 Y=128x320 --chaos 3000
// PROOF: {{^}}proven: every launch
// RUN: sed 's/slots 2>/slots 1>/; s/pipeline<2>/pipeline<1>/; s/cursor<2>/cursor<1>/; s/: <2>/: <1>/' %s > %t.one.mlir
// RUN: not sluice check %t.one.mlir | FileCheck %s --check-prefix=ONE
// ONE: R9 (Progress): deadlock: {{.*}} It takes at least 2 slots, and there is 1.
sluice.kernel @exchange(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
                        %Y: !sluice.tensor<?x?xf32, align 16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "pipeline", warps = 4, cluster = array<i64: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %X, 0 : <?x?xf32, align 16>
  %N = sluice.dim %X, 1 : <?x?xf32, align 16>
  %pairs = arith.ceildivsi %M, %c128 : index
  %n = arith.ceildivsi %N, %c64 : index
  %ctas = arith.muli %pairs, %c2 : index
  %i = sluice.grid %ctas : index
  %rank = sluice.cluster.rank
  %peer = arith.subi %c1, %rank : index
  %first = arith.subi %i, %rank : index
  %other = arith.addi %first, %peer : index
  %row = arith.muli %i, %c64 : index
  %there = arith.muli %other, %c64 : index
  %inbox = sluice.alloc "inbox" : !sluice.buffer<64x32xf32, smem, row, slots 2>
  %tiles = sluice.pipeline "tiles" over %inbox : !sluice.buffer<64x32xf32, smem, row, slots 2>
      from ["both"] to ["both"] {peer = 1 : i64} : !sluice.pipeline<2>
  sluice.role "both" warps 0 to 4 {
    %x = sluice.alloc "x" : !sluice.buffer<64x32xf32, reg, acc>
    %start = sluice.cursor : !sluice.cursor<2>
    %end = scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
      %left = arith.muli %t, %c64 : index
      %next = scf.for %h = %c0 to %c2 step %c1 iter_args(%to = %at) -> !sluice.cursor<2> {
        %half = arith.muli %h, %c32 : index
        %col = arith.addi %left, %half : index
        %slot = sluice.cursor.slot %to : <2>
        %tile = sluice.slot %inbox[%slot] : <64x32xf32, smem, row, slots 2>
        sluice.load %X[%row, %col] to %x : <?x?xf32, align 16>, <64x32xf32, reg, acc>
        sluice.acquire %tiles[%to] : <2>
        sluice.copy %x to %tile : <64x32xf32, reg, acc>, <64x32xf32, smem, row>
        sluice.commit %tiles[%to] : <2>
        %on = sluice.cursor.advance %to : <2>
        scf.yield %on : !sluice.cursor<2>
      }
      %after = scf.for %h = %c0 to %c2 step %c1 iter_args(%from = %at) -> !sluice.cursor<2> {
        %half = arith.muli %h, %c32 : index
        %col = arith.addi %left, %half : index
        %slot = sluice.cursor.slot %from : <2>
        %tile = sluice.slot %inbox[%slot] : <64x32xf32, smem, row, slots 2>
        sluice.wait %tiles[%from] : <2>
        sluice.copy %tile to %x : <64x32xf32, smem, row>, <64x32xf32, reg, acc>
        sluice.release %tiles[%from] : <2>
        sluice.store %x to %Y[%there, %col] : <64x32xf32, reg, acc>, <?x?xf32, align 16>
        %on = sluice.cursor.advance %from : <2>
        scf.yield %on : !sluice.cursor<2>
      }
      scf.yield %next : !sluice.cursor<2>
    }
    sluice.tail %tiles[%end] : <2>
  }
}

// RUN: sluice check %s | FileCheck %s
// CUTLASS, warp-specialised persistent ping-pong: two math warpgroups take tiles in turn.
// OrderedSequenceBarrier<2, 2> gives each its turn to multiply and its turn at the staging tile;
// group 0 starts in phase 1. Tiles: any number, odd ones too.
// CHECK: {{^}}proven: every launch
sluice.kernel @gemm(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                    %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                    %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 12} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %N = sluice.dim %B, 1 : <?x?xf16, align 16>
  %tiles = arith.ceildivsi %M, %c64 : index
  %gn = arith.ceildivsi %N, %c64 : index
  %n = arith.ceildivsi %K, %c64 : index
  %j = sluice.grid %gn : index
  %col = arith.muli %j, %c64 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16, smem, sw128, slots 5>
  %b = sluice.alloc "b" : !sluice.buffer<64x64xf16, smem, sw128, slots 5>
  %staging = sluice.alloc "staging" : !sluice.buffer<64x64xf32, smem, row>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<5>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<5>
  // Turns: barriers 0 and 1 let a group multiply, 2 and 3 let it use the staging tile.
  %order = sluice.mbarrier.alloc "order" : !sluice.mbarrier<4>
  sluice.mbarrier.init %full count 1 by one : <5>
  sluice.mbarrier.init %empty count 4 by one : <5>
  sluice.mbarrier.init %order count 128 by one : <4>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 384
  %start = sluice.cursor : !sluice.cursor<5>
  %first = sluice.cursor : !sluice.cursor<1>

  sluice.role "load" warps 0 to 4 registers 40 {
    scf.for %tile = %c0 to %tiles step %c1 iter_args(%w = %start) -> (!sluice.cursor<5>) {
      %row = arith.muli %tile, %c64 : index
      %filled = scf.for %t = %c0 to %n step %c1 iter_args(%at = %w) -> (!sluice.cursor<5>) {
        %k = arith.muli %t, %c64 : index
        %slot = sluice.cursor.slot %at : <5>
        %phase = sluice.cursor.phase %at : <5>
        %free = arith.xori %phase, %c1 : index
        %at_a = sluice.slot %a[%slot] : <64x64xf16, smem, sw128, slots 5>
        %at_b = sluice.slot %b[%slot] : <64x64xf16, smem, sw128, slots 5>
        sluice.mbarrier.wait %empty[%slot], %free by one : <5>
        sluice.mbarrier.arrive_expect_tx %full[%slot] bytes 16384 by one : <5>
        sluice.tma.load %A[%row, %k] to %at_a, %full[%slot]
            : <?x?xf16, align 16>, <64x64xf16, smem, sw128>, <5>
        sluice.tma.load %B[%k, %col] to %at_b, %full[%slot]
            : <?x?xf16, align 16>, <64x64xf16, smem, sw128>, <5>
        %next = sluice.cursor.advance %at : <5>
        scf.yield %next : !sluice.cursor<5>
      } {sluice.pipelined}
      scf.yield %filled : !sluice.cursor<5>
    }
  }
  sluice.role "math0" warps 4 to 8 registers 232 {
    %acc = sluice.alloc "acc0" : !sluice.buffer<64x64xf32, reg, acc>
    %c3 = arith.constant 3 : index
    scf.for %tile = %c0 to %tiles step %c2 iter_args(%from = %start, %turn = %first)
        -> (!sluice.cursor<5>, !sluice.cursor<1>) {
      %row = arith.muli %tile, %c64 : index
      %mma_phase = sluice.cursor.phase %turn : <1>
      sluice.fill %acc with 0.0 : <64x64xf32, reg, acc>
      %mma_free = arith.xori %mma_phase, %c1 : index
      sluice.mbarrier.wait %order[%c0], %mma_free : <4>
      %read = scf.for %t = %c0 to %n step %c1 iter_args(%at = %from) -> (!sluice.cursor<5>) {
        %slot = sluice.cursor.slot %at : <5>
        %phase = sluice.cursor.phase %at : <5>
        %at_a = sluice.slot %a[%slot] : <64x64xf16, smem, sw128, slots 5>
        %at_b = sluice.slot %b[%slot] : <64x64xf16, smem, sw128, slots 5>
        sluice.mbarrier.wait %full[%slot], %phase : <5>
        sluice.wgmma.fence
        sluice.wgmma %acc, %at_a, %at_b : <64x64xf32, reg, acc>, <64x64xf16, smem, sw128>,
            <64x64xf16, smem, sw128>
        sluice.wgmma.commit
        sluice.wgmma.wait 0
        sluice.mbarrier.arrive %empty[%slot] by warp : <5>
        %next = sluice.cursor.advance %at : <5>
        scf.yield %next : !sluice.cursor<5>
      }
      sluice.mbarrier.arrive %order[%c1] : <4> // the other group may multiply
      sluice.mbarrier.wait %order[%c2], %mma_free : <4>
      sluice.copy %acc to %staging : <64x64xf32, reg, acc>, <64x64xf32, smem, row>
      sluice.bar.sync 1, 128
      sluice.store %staging to %C[%row, %col] : <64x64xf32, smem, row>, <?x?xf32>
      sluice.mbarrier.arrive %order[%c3] : <4> // and then store
      %again = sluice.cursor.advance_by %read, %n : <5> // skips the other group's tile
      %turn_next = sluice.cursor.advance %turn : <1>
      scf.yield %again, %turn_next : !sluice.cursor<5>, !sluice.cursor<1>
    }
  }
  sluice.role "math1" warps 8 to 12 registers 232 {
    %acc = sluice.alloc "acc1" : !sluice.buffer<64x64xf32, reg, acc>
    %c3 = arith.constant 3 : index
    %mine = sluice.cursor.advance_by %start, %n : <5> // the first tile is the other group's
    scf.for %tile = %c1 to %tiles step %c2 iter_args(%from = %mine, %turn = %first)
        -> (!sluice.cursor<5>, !sluice.cursor<1>) {
      %row = arith.muli %tile, %c64 : index
      %mma_phase = sluice.cursor.phase %turn : <1>
      sluice.fill %acc with 0.0 : <64x64xf32, reg, acc>
      sluice.mbarrier.wait %order[%c1], %mma_phase : <4>
      %read = scf.for %t = %c0 to %n step %c1 iter_args(%at = %from) -> (!sluice.cursor<5>) {
        %slot = sluice.cursor.slot %at : <5>
        %phase = sluice.cursor.phase %at : <5>
        %at_a = sluice.slot %a[%slot] : <64x64xf16, smem, sw128, slots 5>
        %at_b = sluice.slot %b[%slot] : <64x64xf16, smem, sw128, slots 5>
        sluice.mbarrier.wait %full[%slot], %phase : <5>
        sluice.wgmma.fence
        sluice.wgmma %acc, %at_a, %at_b : <64x64xf32, reg, acc>, <64x64xf16, smem, sw128>,
            <64x64xf16, smem, sw128>
        sluice.wgmma.commit
        sluice.wgmma.wait 0
        sluice.mbarrier.arrive %empty[%slot] by warp : <5>
        %next = sluice.cursor.advance %at : <5>
        scf.yield %next : !sluice.cursor<5>
      }
      sluice.mbarrier.arrive %order[%c0] : <4> // the other group may multiply
      sluice.mbarrier.wait %order[%c3], %mma_phase : <4>
      sluice.copy %acc to %staging : <64x64xf32, reg, acc>, <64x64xf32, smem, row>
      sluice.bar.sync 2, 128
      sluice.store %staging to %C[%row, %col] : <64x64xf32, smem, row>, <?x?xf32>
      sluice.mbarrier.arrive %order[%c2] : <4> // and then store
      %again = sluice.cursor.advance_by %read, %n : <5> // skips the other group's tile
      %turn_next = sluice.cursor.advance %turn : <1>
      scf.yield %again, %turn_next : !sluice.cursor<5>, !sluice.cursor<1>
    }
  }
}

// RUN: not sluice check %s --set A=192x256 B=256x128 C=192x128 turn=6 ctas=5 | FileCheck %s
// The tile in which a share ends is left out: the CTA that has the rest of it waits for its steps.
// CHECK: R9 (
sluice.kernel @gemm(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                    %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                    %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.inout},
                    %turn: !sluice.tensor<?xi32> {sluice.name = "turn", sluice.inout},
                    %ctas: index {sluice.name = "ctas"})
    attributes {target = "sm_90a", phase = "barrier", warps = 5} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %N = sluice.dim %B, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %gn = arith.ceildivsi %N, %c64 : index
  %x = sluice.grid %ctas : index
  %steps = arith.ceildivsi %K, %c64 : index
  %tiles = arith.muli %gm, %gn : index
  %all = arith.muli %tiles, %steps : index
  %share = arith.ceildivsi %all, %ctas : index
  %first = arith.muli %x, %share : index
  %beyond = arith.addi %first, %share : index
  %end = arith.minsi %beyond, %all : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16, smem, sw128, slots 3>
  %b = sluice.alloc "b" : !sluice.buffer<64x64xf16, smem, sw128, slots 3>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<3>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<3>
  sluice.mbarrier.init %full count 1 by one : <3>
  sluice.mbarrier.init %empty count 4 by one : <3>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 160
  %start = sluice.cursor : !sluice.cursor<3>
  // Tiles that a share touches.
  %tile_first = arith.divsi %first, %steps : index
  %k_first = arith.remsi %first, %steps : index
  %tile_end = arith.divsi %end, %steps : index

  sluice.role "load" warps 4 to 5 {
    scf.for %tile = %tile_first to %tile_end step %c1 iter_args(%from_at = %start) -> (!sluice.cursor<3>) {
      %i = arith.divsi %tile, %gn : index
      %j = arith.remsi %tile, %gn : index
      %row = arith.muli %i, %c64 : index
      %col = arith.muli %j, %c64 : index
      %unit = arith.muli %tile, %steps : index
      %shared = arith.cmpi eq, %tile, %tile_first : index
      %k_begin = arith.select %shared, %k_first, %c0 : index
      %left = arith.subi %end, %unit : index
      %k_end = arith.minsi %left, %steps : index
      %to_at = scf.for %t = %k_begin to %k_end step %c1 iter_args(%at = %from_at) -> (!sluice.cursor<3>) {
        %k = arith.muli %t, %c64 : index
        %slot = sluice.cursor.slot %at : <3>
        %phase = sluice.cursor.phase %at : <3>
        %free = arith.xori %phase, %c1 : index
        %at_a = sluice.slot %a[%slot] : <64x64xf16, smem, sw128, slots 3>
        %at_b = sluice.slot %b[%slot] : <64x64xf16, smem, sw128, slots 3>
        sluice.mbarrier.wait %empty[%slot], %free by one : <3>
        sluice.mbarrier.arrive_expect_tx %full[%slot] bytes 16384 by one : <3>
        sluice.tma.load %A[%row, %k] to %at_a, %full[%slot]
            : <?x?xf16, align 16>, <64x64xf16, smem, sw128>, <3>
        sluice.tma.load %B[%k, %col] to %at_b, %full[%slot]
            : <?x?xf16, align 16>, <64x64xf16, smem, sw128>, <3>
        %next = sluice.cursor.advance %at : <3>
        scf.yield %next : !sluice.cursor<3>
      } {sluice.pipelined}
      scf.yield %to_at : !sluice.cursor<3>
    }
  }
  sluice.role "math" warps 0 to 4 {
    %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32, reg, acc>
    %before = sluice.alloc "before" : !sluice.buffer<64x64xf32, reg, acc>
    scf.for %tile = %tile_first to %tile_end step %c1 iter_args(%from_at = %start) -> (!sluice.cursor<3>) {
      %i = arith.divsi %tile, %gn : index
      %j = arith.remsi %tile, %gn : index
      %row = arith.muli %i, %c64 : index
      %col = arith.muli %j, %c64 : index
      %unit = arith.muli %tile, %steps : index
      %shared = arith.cmpi eq, %tile, %tile_first : index
      %k_begin = arith.select %shared, %k_first, %c0 : index
      %left = arith.subi %end, %unit : index
      %k_end = arith.minsi %left, %steps : index
      sluice.fill %acc with 0.0 : <64x64xf32, reg, acc>
      %to_at = scf.for %t = %k_begin to %k_end step %c1 iter_args(%at = %from_at) -> (!sluice.cursor<3>) {
        %slot = sluice.cursor.slot %at : <3>
        %phase = sluice.cursor.phase %at : <3>
        %at_a = sluice.slot %a[%slot] : <64x64xf16, smem, sw128, slots 3>
        %at_b = sluice.slot %b[%slot] : <64x64xf16, smem, sw128, slots 3>
        sluice.mbarrier.wait %full[%slot], %phase : <3>
        sluice.wgmma.fence
        sluice.wgmma %acc, %at_a, %at_b : <64x64xf32, reg, acc>, <64x64xf16, smem, sw128>,
            <64x64xf16, smem, sw128>
        sluice.wgmma.commit
        sluice.wgmma.wait 0
        sluice.mbarrier.arrive %empty[%slot] by warp : <3>
        %next = sluice.cursor.advance %at : <3>
        scf.yield %next : !sluice.cursor<3>
      } {sluice.pipelined}
      sluice.counter.wait %turn[%tile], %k_begin scope gpu co_resident : <?xi32>
      sluice.load %C[%row, %col] to %before : <?x?xf32>, <64x64xf32, reg, acc>
      sluice.map ins(%acc, %before : !sluice.buffer<64x64xf32, reg, acc>,
              !sluice.buffer<64x64xf32, reg, acc>)
          outs(%acc : !sluice.buffer<64x64xf32, reg, acc>) {
      ^bb0(%p: f32, %q: f32):
        %z = arith.addf %q, %p : f32
        sluice.yield %z : f32
      }
      sluice.store %acc to %C[%row, %col] : <64x64xf32, reg, acc>, <?x?xf32>
      sluice.bar.sync 1, 128
      %added = arith.subi %k_end, %k_begin : index
      %count = arith.maxsi %added, %c0 : index
      %is_last = arith.cmpi eq, %k_end, %steps : index
      %back = arith.subi %c0, %k_begin : index
      %by = arith.select %is_last, %back, %count : index
      %seen = sluice.counter.add %turn[%tile], %by scope gpu : <?xi32>
      scf.yield %to_at : !sluice.cursor<3>
    }
  }
}

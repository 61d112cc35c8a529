// RUN: sluice check %s | FileCheck %s
// CUTLASS split-K with a serial reduction: the CTAs of one tile of C add their partial sums in the
// order of their split. A counter for each tile says whose turn it is; the last one sets it back.
// CHECK: {{^}}proven: every launch
// CHECK-DAG: assuming co-resident: the CTAs that add to turn run at the same time
// CHECK-DAG: assuming counters-zero: turn holds zeros at launch
sluice.kernel @gemm(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                    %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                    %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.inout},
                    %turn: !sluice.tensor<?x?xi32> {sluice.name = "turn", sluice.inout},
                    %splits: index {sluice.name = "splits"})
    attributes {target = "sm_90a", phase = "barrier", warps = 5} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %N = sluice.dim %B, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %gn = arith.ceildivsi %N, %c64 : index
  %i, %j, %split = sluice.grid %gm, %gn, %splits : index, index, index
  %row = arith.muli %i, %c64 : index
  %col = arith.muli %j, %c64 : index
  %steps = arith.ceildivsi %K, %c64 : index
  %share = arith.ceildivsi %steps, %splits : index
  %from = arith.muli %split, %share : index
  %beyond = arith.addi %from, %share : index
  %to = arith.minsi %beyond, %steps : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16, smem, sw128, slots 3>
  %b = sluice.alloc "b" : !sluice.buffer<64x64xf16, smem, sw128, slots 3>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<3>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<3>
  sluice.mbarrier.init %full count 1 by one : <3>
  sluice.mbarrier.init %empty count 4 by one : <3>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 160
  %start = sluice.cursor : !sluice.cursor<3>

  sluice.role "load" warps 4 to 5 {
    scf.for %t = %from to %to step %c1 iter_args(%at = %start) -> (!sluice.cursor<3>) {
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
  }
  sluice.role "math" warps 0 to 4 {
    %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32, reg, acc>
    %before = sluice.alloc "before" : !sluice.buffer<64x64xf32, reg, acc>
    sluice.fill %acc with 0.0 : <64x64xf32, reg, acc>
    scf.for %t = %from to %to step %c1 iter_args(%at = %start) -> (!sluice.cursor<3>) {
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
    sluice.counter.wait %turn[%i, %j], %split scope gpu co_resident : <?x?xi32>
    sluice.load %C[%row, %col] to %before : <?x?xf32>, <64x64xf32, reg, acc>
    sluice.map ins(%acc, %before : !sluice.buffer<64x64xf32, reg, acc>,
            !sluice.buffer<64x64xf32, reg, acc>)
        outs(%acc : !sluice.buffer<64x64xf32, reg, acc>) {
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %y, %x : f32
      sluice.yield %z : f32
    }
    sluice.store %acc to %C[%row, %col] : <64x64xf32, reg, acc>, <?x?xf32>
    sluice.bar.sync 1, 128
    %last = arith.subi %splits, %c1 : index
    %is_last = arith.cmpi eq, %split, %last : index
    %back = arith.subi %c0, %last : index
    %step = arith.select %is_last, %back, %c1 : index
    %seen = sluice.counter.add %turn[%i, %j], %step scope gpu : <?x?xi32>
  }
}

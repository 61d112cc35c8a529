// RUN: sluice check %s | FileCheck %s
// CUTLASS PipelineTmaAsync without roles: the warpgroup fills the ring, then multiplies a slot,
// releases it and refills it. The prologue does not wait: the slots are fresh.
// CHECK: {{^}}proven
sluice.kernel @gemm(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                    %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                    %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %N = sluice.dim %B, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %gn = arith.ceildivsi %N, %c64 : index
  %n = arith.ceildivsi %K, %c64 : index
  %i, %j = sluice.grid %gm, %gn : index, index
  %row = arith.muli %i, %c64 : index
  %col = arith.muli %j, %c64 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16, smem, sw128, slots 3>
  %b = sluice.alloc "b" : !sluice.buffer<64x64xf16, smem, sw128, slots 3>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<3>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<3>
  sluice.mbarrier.init %full count 1 by one : <3>
  sluice.mbarrier.init %empty count 4 by one : <3>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 128
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32, reg, acc>
  sluice.fill %acc with 0.0 : <64x64xf32, reg, acc>
  %start = sluice.cursor : !sluice.cursor<3>

  // Prologue: as many steps as there are slots, or as there are steps.
  %ahead = arith.minsi %n, %c3 : index
  %filled = scf.for %t = %c0 to %ahead step %c1 iter_args(%w = %start) -> (!sluice.cursor<3>) {
    %k = arith.muli %t, %c64 : index
    %slot = sluice.cursor.slot %w : <3>
    %at_a = sluice.slot %a[%slot] : <64x64xf16, smem, sw128, slots 3>
    %at_b = sluice.slot %b[%slot] : <64x64xf16, smem, sw128, slots 3>
    sluice.mbarrier.arrive_expect_tx %full[%slot] bytes 16384 by one : <3>
    sluice.tma.load %A[%row, %k] to %at_a, %full[%slot]
        : <?x?xf16, align 16>, <64x64xf16, smem, sw128>, <3>
    sluice.tma.load %B[%k, %col] to %at_b, %full[%slot]
        : <?x?xf16, align 16>, <64x64xf16, smem, sw128>, <3>
    %next = sluice.cursor.advance %w : <3>
    scf.yield %next : !sluice.cursor<3>
  }

  scf.for %t = %c0 to %n step %c1 iter_args(%r = %start, %w = %filled)
      -> (!sluice.cursor<3>, !sluice.cursor<3>) {
    %slot = sluice.cursor.slot %r : <3>
    %phase = sluice.cursor.phase %r : <3>
    %at_a = sluice.slot %a[%slot] : <64x64xf16, smem, sw128, slots 3>
    %at_b = sluice.slot %b[%slot] : <64x64xf16, smem, sw128, slots 3>
    sluice.mbarrier.wait %full[%slot], %phase : <3>
    sluice.wgmma.fence
    sluice.wgmma %acc, %at_a, %at_b : <64x64xf32, reg, acc>, <64x64xf16, smem, sw128>,
        <64x64xf16, smem, sw128>
    sluice.wgmma.commit
    sluice.wgmma.wait 0
    sluice.mbarrier.arrive %empty[%slot] by warp : <3>
    // The step that goes into the slot just released.
    %t_load = arith.addi %t, %c3 : index
    %more = arith.cmpi slt, %t_load, %n : index
    %w_next = scf.if %more -> (!sluice.cursor<3>) {
      %k = arith.muli %t_load, %c64 : index
      %to = sluice.cursor.slot %w : <3>
      %to_phase = sluice.cursor.phase %w : <3>
      %free = arith.xori %to_phase, %c1 : index
      %to_a = sluice.slot %a[%to] : <64x64xf16, smem, sw128, slots 3>
      %to_b = sluice.slot %b[%to] : <64x64xf16, smem, sw128, slots 3>
      sluice.mbarrier.wait %empty[%to], %free by one : <3>
      sluice.mbarrier.arrive_expect_tx %full[%to] bytes 16384 by one : <3>
      sluice.tma.load %A[%row, %k] to %to_a, %full[%to]
          : <?x?xf16, align 16>, <64x64xf16, smem, sw128>, <3>
      sluice.tma.load %B[%k, %col] to %to_b, %full[%to]
          : <?x?xf16, align 16>, <64x64xf16, smem, sw128>, <3>
      %next = sluice.cursor.advance %w : <3>
      scf.yield %next : !sluice.cursor<3>
    } else {
      scf.yield %w : !sluice.cursor<3>
    }
    %r_next = sluice.cursor.advance %r : <3>
    scf.yield %r_next, %w_next : !sluice.cursor<3>, !sluice.cursor<3>
  } {sluice.pipelined}
  sluice.store %acc to %C[%row, %col] : <64x64xf32, reg, acc>, <?x?xf32>
}

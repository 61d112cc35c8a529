// RUN: sluice check %s | FileCheck %s
// nvFuser, circularBuffer(stages = 4, prefetch = 3, Pipelined(false)): loads run three tiles
// ahead, __syncthreads guards the slot against the next load. Fewer tiles than stages are allowed
// here.
// CHECK: {{^}}proven
sluice.kernel @exp(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
                   %Y: !sluice.tensor<?x?xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %X, 0 : <?x?xf32, align 16>
  %N = sluice.dim %X, 1 : <?x?xf32, align 16>
  %gm = arith.ceildivsi %M, %c32 : index
  %n = arith.ceildivsi %N, %c64 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c32 : index
  %x = sluice.alloc "x" : !sluice.buffer<32x64xf32, smem, row, slots 4>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<4>
  sluice.mbarrier.init %full count 1 by one : <4>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 128
  %r = sluice.alloc "r" : !sluice.buffer<32x64xf32, reg, blocked>
  %start = sluice.cursor : !sluice.cursor<4>

  // Prologue: `prefetch` = 3 tiles ahead, or as many as there are.
  %ahead = arith.minsi %n, %c3 : index
  %filled = scf.for %t = %c0 to %ahead step %c1 iter_args(%w = %start) -> (!sluice.cursor<4>) {
    %col = arith.muli %t, %c64 : index
    %slot = sluice.cursor.slot %w : <4>
    %to = sluice.slot %x[%slot] : <32x64xf32, smem, row, slots 4>
    sluice.mbarrier.arrive_expect_tx %full[%slot] bytes 8192 by one : <4>
    sluice.tma.load %X[%row, %col] to %to, %full[%slot]
        : <?x?xf32, align 16>, <32x64xf32, smem, row>, <4>
    %next = sluice.cursor.advance %w : <4>
    scf.yield %next : !sluice.cursor<4>
  }
  // Main and epilogue: load tile t + 3, wait for tile t, compute, let all threads finish with it.
  scf.for %t = %c0 to %n step %c1 iter_args(%at = %start, %w = %filled)
      -> (!sluice.cursor<4>, !sluice.cursor<4>) {
    %t_load = arith.addi %t, %c3 : index
    %more = arith.cmpi slt, %t_load, %n : index
    scf.if %more {
      %col_load = arith.muli %t_load, %c64 : index
      %slot_load = sluice.cursor.slot %w : <4>
      %to = sluice.slot %x[%slot_load] : <32x64xf32, smem, row, slots 4>
      sluice.mbarrier.arrive_expect_tx %full[%slot_load] bytes 8192 by one : <4>
      sluice.tma.load %X[%row, %col_load] to %to, %full[%slot_load]
          : <?x?xf32, align 16>, <32x64xf32, smem, row>, <4>
    }
    %col = arith.muli %t, %c64 : index
    %slot = sluice.cursor.slot %at : <4>
    %phase = sluice.cursor.phase %at : <4>
    %from = sluice.slot %x[%slot] : <32x64xf32, smem, row, slots 4>
    sluice.mbarrier.wait %full[%slot], %phase : <4>
    sluice.copy %from to %r : <32x64xf32, smem, row>, <32x64xf32, reg, blocked>
    sluice.map ins(%r : !sluice.buffer<32x64xf32, reg, blocked>)
        outs(%r : !sluice.buffer<32x64xf32, reg, blocked>) {
    ^bb0(%v: f32):
      %e = math.exp %v : f32
      sluice.yield %e : f32
    }
    sluice.store %r to %Y[%row, %col] : <32x64xf32, reg, blocked>, <?x?xf32>
    sluice.bar.sync 0, 128 // before tile t + 4 overwrites tile t
    %next = sluice.cursor.advance %at : <4>
    %w_next = sluice.cursor.advance %w : <4>
    scf.yield %next, %w_next : !sluice.cursor<4>, !sluice.cursor<4>
  } {sluice.pipelined}
}

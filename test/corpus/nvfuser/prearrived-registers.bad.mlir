// RUN: not sluice check %s | FileCheck %s
// NVIDIA/Fuser #3972 (reverted in #3992): 40 and 240 registers for 128 + 512 threads are more
// than the register file; setmaxnreg waits for ever. Expected: R19.
// CHECK: R19 (
// CHECK-SAME: the roles ask for 128000 registers; a CTA of 20 warps starts with 61440
sluice.kernel @add(%A: !sluice.tensor<?x?xf32, align 16> {sluice.name = "A"},
                   %B: !sluice.tensor<?x?xf32, align 16> {sluice.name = "B"},
                   %Y: !sluice.tensor<?x?xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 20} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %A, 0 : <?x?xf32, align 16>
  %N = sluice.dim %A, 1 : <?x?xf32, align 16>
  %gm = arith.ceildivsi %M, %c32 : index
  %n = arith.ceildivsi %N, %c64 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c32 : index
  %a = sluice.alloc "a" : !sluice.buffer<32x64xf32, smem, row, slots 4>
  %b = sluice.alloc "b" : !sluice.buffer<32x64xf32, smem, row, slots 4>
  %raw = sluice.mbarrier.alloc "raw" : !sluice.mbarrier<4>
  %war = sluice.mbarrier.alloc "war" : !sluice.mbarrier<4>
  sluice.mbarrier.init %raw count 2 by one : <4> // one arrive.expect_tx for each tensor
  sluice.mbarrier.init %war count 512 by one : <4> // compute threads
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 640
  %start = sluice.cursor : !sluice.cursor<4>

  sluice.role "async" warps 16 to 20 registers 40 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> (!sluice.cursor<4>) {
      %col = arith.muli %t, %c64 : index
      %slot = sluice.cursor.slot %at : <4>
      %phase = sluice.cursor.phase %at : <4>
      %to_a = sluice.slot %a[%slot] : <32x64xf32, smem, row, slots 4>
      %to_b = sluice.slot %b[%slot] : <32x64xf32, smem, row, slots 4>
      sluice.mbarrier.wait %war[%slot], %phase by one : <4>
      sluice.mbarrier.arrive_expect_tx %raw[%slot] bytes 8192 by one : <4>
      sluice.tma.load %A[%row, %col] to %to_a, %raw[%slot]
          : <?x?xf32, align 16>, <32x64xf32, smem, row>, <4>
      sluice.mbarrier.arrive_expect_tx %raw[%slot] bytes 8192 by one : <4>
      sluice.tma.load %B[%row, %col] to %to_b, %raw[%slot]
          : <?x?xf32, align 16>, <32x64xf32, smem, row>, <4>
      %next = sluice.cursor.advance %at : <4>
      scf.yield %next : !sluice.cursor<4>
    } {sluice.pipelined}
  }

  sluice.role "compute" warps 0 to 16 registers 240 {
    %ra = sluice.alloc "ra" : !sluice.buffer<32x64xf32, reg, blocked>
    %rb = sluice.alloc "rb" : !sluice.buffer<32x64xf32, reg, blocked>
    // The slots start free: prefetch + 1 = 4 of them are handed over before the loop.
    scf.for %s = %c0 to %c4 step %c1 {
      sluice.mbarrier.arrive %war[%s] : <4>
    }
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> (!sluice.cursor<4>) {
      %col = arith.muli %t, %c64 : index
      %slot = sluice.cursor.slot %at : <4>
      %phase = sluice.cursor.phase %at : <4>
      %at_a = sluice.slot %a[%slot] : <32x64xf32, smem, row, slots 4>
      %at_b = sluice.slot %b[%slot] : <32x64xf32, smem, row, slots 4>
      sluice.mbarrier.wait %raw[%slot], %phase : <4>
      sluice.copy %at_a to %ra : <32x64xf32, smem, row>, <32x64xf32, reg, blocked>
      sluice.copy %at_b to %rb : <32x64xf32, smem, row>, <32x64xf32, reg, blocked>
      sluice.mbarrier.arrive %war[%slot] : <4>
      sluice.map ins(%ra, %rb : !sluice.buffer<32x64xf32, reg, blocked>,
              !sluice.buffer<32x64xf32, reg, blocked>)
          outs(%ra : !sluice.buffer<32x64xf32, reg, blocked>) {
      ^bb0(%u: f32, %v: f32):
        %sum = arith.addf %u, %v : f32
        sluice.yield %sum : f32
      }
      sluice.store %ra to %Y[%row, %col] : <32x64xf32, reg, blocked>, <?x?xf32>
      %next = sluice.cursor.advance %at : <4>
      scf.yield %next : !sluice.cursor<4>
    } {sluice.pipelined}
  }
}

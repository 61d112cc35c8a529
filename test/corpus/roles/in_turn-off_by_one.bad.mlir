// RUN: not sluice check %s | FileCheck %s
// The turn is handed to barrier 2 + g: right for the first group alone, the second arrives at
// barrier 3. Expected: R9.
// CHECK: R9 {{.*}}for named barrier 1 (128 of 256 threads)
sluice.kernel @in_turn(%A: !sluice.tensor<?x64xf16, align 16> {sluice.name = "A"},
                       %B: !sluice.tensor<64x?xf16, align 16> {sluice.name = "B"},
                       %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 8} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %A, 0 : <?x64xf16, align 16>
  %N = sluice.dim %B, 1 : <64x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c128 : index
  %n = arith.ceildivsi %N, %c64 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c128 : index
  %a = sluice.alloc "a" : !sluice.buffer<128x64xf16, smem, sw128>
  %b = sluice.alloc "b" : !sluice.buffer<64x64xf16, smem, sw128>
  %full_a = sluice.mbarrier.alloc "full_a" : !sluice.mbarrier<1>
  %full_b = sluice.mbarrier.alloc "full_b" : !sluice.mbarrier<2> // of each group
  sluice.mbarrier.init %full_a count 1 by one : <1>
  sluice.mbarrier.init %full_b count 1 by one : <2>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 256

  sluice.role "math" warps 0 to 8 {
    %acc = sluice.alloc "acc" : !sluice.buffer<128x64xf32, reg, acc>
    %warp = sluice.warp
    %group = arith.divsi %warp, %c4 : index
    %other = arith.xori %group, %c1 : index
    %mine = arith.addi %group, %c1 : index // barrier 1 or 2: it is the group's turn
    %theirs = arith.addi %other, %c1 : index
    %second = arith.cmpi eq, %group, %c1 : index
    sluice.mbarrier.arrive_expect_tx %full_a[%c0] bytes 16384 by one : <1>
    sluice.tma.load %A[%row, %c0] to %a, %full_a[%c0]
        : <?x64xf16, align 16>, <128x64xf16, smem, sw128>, <1>
    scf.if %second {
      sluice.bar.arrive %theirs, 256 // the first turn is the first group's
    }
    sluice.mbarrier.wait %full_a[%c0], %c0 : <1>
    scf.for %t = %c0 to %n step %c1 {
      %col = arith.muli %t, %c64 : index
      %phase = arith.remsi %t, %c2 : index
      sluice.bar.sync %mine, 256
      sluice.mbarrier.arrive_expect_tx %full_b[%group] bytes 8192 by warpgroup : <2>
      sluice.tma.load %B[%c0, %col] to %b, %full_b[%group] by warpgroup
          : <64x?xf16, align 16>, <64x64xf16, smem, sw128>, <2>
      sluice.mbarrier.wait %full_b[%group], %phase : <2>
      sluice.fill %acc with 0.0 : <128x64xf32, reg, acc>
      sluice.wgmma.fence
      sluice.wgmma %acc, %a, %b : <128x64xf32, reg, acc>, <128x64xf16, smem, sw128>,
          <64x64xf16, smem, sw128>
      sluice.wgmma.commit
      sluice.wgmma.wait 0
      %beside = arith.addi %group, %c2 : index
      sluice.bar.arrive %beside, 256
      sluice.store %acc to %C[%row, %col] : <128x64xf32, reg, acc>, <?x?xf32>
    } {sluice.pipelined}
    %first = arith.cmpi eq, %group, %c0 : index
    scf.if %first {
      sluice.bar.sync %mine, 256 // the second group's last arrival
    }
  }
}

// RUN: sluice-opt %s | sluice-opt -sluice-verify-phase | FileCheck %s
// RUN: sluice check %s --set A=200x192 B=192x144 C=200x144 ctas=3 | FileCheck %s --check-prefix=PROOF
// RUN: %python %S/../Inputs/products.py %t
// RUN: sluice run %s --in A=%t/A.npy B=%t/B.npy --set C=200x144 ctas=3 --expect C=%t/AB.npy
// A persistent GEMM with a dynamic scheduler, at the pipeline level. A scheduler warp draws tile
// numbers from a global counter and puts them into a ring; the load and the math warps take them out
// and stop at the first number past the end, which the scheduler hands on like any other. Every role
// loops with scf.while on the number it read; the data ring runs on across tiles.
// PROOF: proven: every launch
// CHECK: sluice.pipeline "tiles" over %number : {{.*}} from ["scheduler"] to ["load", "math"] : !sluice.pipeline<2>
// CHECK: %old = sluice.counter.add %next[%c0], %c1 scope gpu : <1xi32>
// CHECK: scf.while
// CHECK: sluice.scalar_read
sluice.kernel @gemm(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                    %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                    %next: !sluice.tensor<1xi32> {sluice.name = "next", sluice.inout}, // starts at 0
                    %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out},
                    %ctas: index {sluice.name = "ctas"})
    attributes {target = "sm_90a", phase = "pipeline", warps = 12} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %N = sluice.dim %B, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c128 : index
  %gn = arith.ceildivsi %N, %c128 : index
  %total = arith.muli %gm, %gn : index
  %n = arith.ceildivsi %K, %c64 : index
  %i = sluice.grid %ctas : index
  %number = sluice.alloc "number" : !sluice.buffer<1x4xi32, smem, row, slots 2>
  %a = sluice.alloc "a" : !sluice.buffer<128x64xf16, smem, sw128, slots 4>
  %b = sluice.alloc "b" : !sluice.buffer<64x128xf16, smem, sw128, slots 4>
  %tiles = sluice.pipeline "tiles" over %number : !sluice.buffer<1x4xi32, smem, row, slots 2>
      from ["scheduler"] to ["load", "math"] : !sluice.pipeline<2>
  %ring = sluice.pipeline "ring" over %a, %b : !sluice.buffer<128x64xf16, smem, sw128, slots 4>,
      !sluice.buffer<64x128xf16, smem, sw128, slots 4> from ["load"] to ["math"]
      : !sluice.pipeline<4>
  %tile0 = sluice.cursor : !sluice.cursor<2>
  %data0 = sluice.cursor : !sluice.cursor<4>

  sluice.role "spare" warps 2 to 4 registers 40 {
  }
  sluice.role "scheduler" warps 0 to 1 registers 40 {
    %end = scf.while (%at = %tile0) : (!sluice.cursor<2>) -> !sluice.cursor<2> {
      %drawn = sluice.counter.add %next[%c0], %c1 scope gpu : <1xi32>
      sluice.acquire %tiles[%at] : <2>
      %slot = sluice.cursor.slot %at : <2>
      %box = sluice.slot %number[%slot] : <1x4xi32, smem, row, slots 2>
      sluice.scalar_write %drawn to %box[%c0, %c0] : <1x4xi32, smem, row>
      sluice.commit %tiles[%at] : <2>
      %tile = sluice.uniform %drawn : index
      %more = arith.cmpi slt, %tile, %total : index
      %after = sluice.cursor.advance %at : <2>
      scf.condition(%more) %after : !sluice.cursor<2>
    } do {
    ^bb0(%at: !sluice.cursor<2>):
      scf.yield %at : !sluice.cursor<2>
    }
    sluice.tail %tiles[%end] : <2>
  }

  sluice.role "load" warps 1 to 2 registers 40 {
    %stop:3 = scf.while (%at = %tile0, %data = %data0) : (!sluice.cursor<2>, !sluice.cursor<4>)
        -> (index, !sluice.cursor<2>, !sluice.cursor<4>) {
      sluice.wait %tiles[%at] : <2>
      %slot = sluice.cursor.slot %at : <2>
      %box = sluice.slot %number[%slot] : <1x4xi32, smem, row, slots 2>
      %read = sluice.scalar_read %box[%c0, %c0] : <1x4xi32, smem, row>
      sluice.release %tiles[%at] : <2>
      %tile = sluice.uniform %read : index
      %more = arith.cmpi slt, %tile, %total : index
      %after = sluice.cursor.advance %at : <2>
      scf.condition(%more) %tile, %after, %data : index, !sluice.cursor<2>, !sluice.cursor<4>
    } do {
    ^bb0(%tile: index, %at: !sluice.cursor<2>, %data: !sluice.cursor<4>):
      %ti = arith.divsi %tile, %gn : index
      %tj = arith.remsi %tile, %gn : index
      %row = arith.muli %ti, %c128 : index
      %col = arith.muli %tj, %c128 : index
      %data_end = scf.for %t = %c0 to %n step %c1 iter_args(%d = %data) -> !sluice.cursor<4> {
        %k = arith.muli %t, %c64 : index
        %slot = sluice.cursor.slot %d : <4>
        %at_a = sluice.slot %a[%slot] : <128x64xf16, smem, sw128, slots 4>
        %at_b = sluice.slot %b[%slot] : <64x128xf16, smem, sw128, slots 4>
        sluice.acquire %ring[%d] : <4>
        sluice.load %A[%row, %k] to %at_a by one : <?x?xf16, align 16>, <128x64xf16, smem, sw128>
        sluice.load %B[%k, %col] to %at_b by one : <?x?xf16, align 16>, <64x128xf16, smem, sw128>
        sluice.commit %ring[%d] : <4>
        %d1 = sluice.cursor.advance %d : <4>
        scf.yield %d1 : !sluice.cursor<4>
      }
      scf.yield %at, %data_end : !sluice.cursor<2>, !sluice.cursor<4>
    }
    sluice.tail %ring[%stop#2] : <4>
  }

  sluice.role "math" warps 4 to 12 registers 232 {
    %acc = sluice.alloc "acc" : !sluice.buffer<128x128xf32, reg, acc>
    %stop:3 = scf.while (%at = %tile0, %data = %data0) : (!sluice.cursor<2>, !sluice.cursor<4>)
        -> (index, !sluice.cursor<2>, !sluice.cursor<4>) {
      sluice.wait %tiles[%at] : <2>
      %slot = sluice.cursor.slot %at : <2>
      %box = sluice.slot %number[%slot] : <1x4xi32, smem, row, slots 2>
      %read = sluice.scalar_read %box[%c0, %c0] : <1x4xi32, smem, row>
      sluice.release %tiles[%at] : <2>
      %tile = sluice.uniform %read : index
      %more = arith.cmpi slt, %tile, %total : index
      %after = sluice.cursor.advance %at : <2>
      scf.condition(%more) %tile, %after, %data : index, !sluice.cursor<2>, !sluice.cursor<4>
    } do {
    ^bb0(%tile: index, %at: !sluice.cursor<2>, %data: !sluice.cursor<4>):
      %ti = arith.divsi %tile, %gn : index
      %tj = arith.remsi %tile, %gn : index
      %row = arith.muli %ti, %c128 : index
      %col = arith.muli %tj, %c128 : index
      sluice.fill %acc with 0.0 : <128x128xf32, reg, acc>
      %data_end = scf.for %t = %c0 to %n step %c1 iter_args(%d = %data) -> !sluice.cursor<4> {
        %slot = sluice.cursor.slot %d : <4>
        %at_a = sluice.slot %a[%slot] : <128x64xf16, smem, sw128, slots 4>
        %at_b = sluice.slot %b[%slot] : <64x128xf16, smem, sw128, slots 4>
        sluice.wait %ring[%d] : <4>
        sluice.mma %acc, %at_a, %at_b : <128x128xf32, reg, acc>, <128x64xf16, smem, sw128>,
            <64x128xf16, smem, sw128>
        sluice.release %ring[%d] : <4>
        %d1 = sluice.cursor.advance %d : <4>
        scf.yield %d1 : !sluice.cursor<4>
      }
      sluice.store %acc to %C[%row, %col] : <128x128xf32, reg, acc>, <?x?xf32>
      scf.yield %at, %data_end : !sluice.cursor<2>, !sluice.cursor<4>
    }
  }
}

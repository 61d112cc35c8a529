// RUN: sluice-opt %s | sluice-opt -sluice-verify-phase | FileCheck %s
// RUN: sluice check %s | FileCheck %s --check-prefix=PROOF
// RUN: %python %S/../Inputs/products.py %t
// RUN: sluice run %s --in A=%t/A.npy B=%t/B.npy --set C=200x144 S=200x1 --expect C=%t/AB.npy S=%t/sums.npy
// RUN: sluice barriers %s | FileCheck %s --check-prefix=TABLE
// C = A B and, from the same tiles of A, the sum of every row of A (what a quantised GEMM needs for
// its zero point): one ring with two unequal consumers. "sums" copies a tile to registers and
// releases it at once; "mma" releases a tile one step late, because its wgmma still reads it when the
// next step begins. The late cursor is carried through the loop.
// PROOF: proven: every launch
// TABLE: full 0 1 32768 TMA of load warp 12, load warp 12 mma warps 0-7, sums warps 8-11
// TABLE: empty 0 12 0 mma warps 0-7, sums warps 8-11 load warp 12
// CHECK: sluice.pipeline "ring" over %a, %b : {{.*}} from ["load"] to ["mma", "sums"] : !sluice.pipeline<4>
// CHECK: scf.for {{.*}} -> (!sluice.cursor<4>, !sluice.cursor<4>)
sluice.kernel @gemm_row_sums(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                             %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                             %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out},
                             %S: !sluice.tensor<?x1xf32> {sluice.name = "S", sluice.out})
    attributes {target = "sm_90a", phase = "pipeline", warps = 16} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %N = sluice.dim %B, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c128 : index
  %gn = arith.ceildivsi %N, %c128 : index
  %i, %j = sluice.grid %gm, %gn : index, index
  %row = arith.muli %i, %c128 : index
  %col = arith.muli %j, %c128 : index
  %n = arith.ceildivsi %K, %c64 : index
  %some = arith.cmpi sgt, %n, %c0 : index
  %a = sluice.alloc "a" : !sluice.buffer<128x64xf16, smem, sw128, slots 4>
  %b = sluice.alloc "b" : !sluice.buffer<64x128xf16, smem, sw128, slots 4>
  %ring = sluice.pipeline "ring" over %a, %b : !sluice.buffer<128x64xf16, smem, sw128, slots 4>,
      !sluice.buffer<64x128xf16, smem, sw128, slots 4> from ["load"] to ["mma", "sums"]
      : !sluice.pipeline<4>
  %start = sluice.cursor : !sluice.cursor<4>

  sluice.role "spare" warps 13 to 16 registers 40 {
  }
  sluice.role "load" warps 12 to 13 registers 40 {
    %end = scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<4> {
      %k = arith.muli %t, %c64 : index
      %slot = sluice.cursor.slot %at : <4>
      %at_a = sluice.slot %a[%slot] : <128x64xf16, smem, sw128, slots 4>
      %at_b = sluice.slot %b[%slot] : <64x128xf16, smem, sw128, slots 4>
      sluice.acquire %ring[%at] : <4>
      sluice.load %A[%row, %k] to %at_a by one : <?x?xf16, align 16>, <128x64xf16, smem, sw128>
      sluice.load %B[%k, %col] to %at_b by one : <?x?xf16, align 16>, <64x128xf16, smem, sw128>
      sluice.commit %ring[%at] : <4>
      %next = sluice.cursor.advance %at : <4>
      scf.yield %next : !sluice.cursor<4>
    }
    sluice.tail %ring[%end] : <4>
  }

  sluice.role "mma" warps 0 to 8 registers 168 {
    %acc = sluice.alloc "acc" : !sluice.buffer<128x128xf32, reg, acc>
    sluice.fill %acc with 0.0 : <128x128xf32, reg, acc>
    %end, %held = scf.for %t = %c0 to %n step %c1 iter_args(%at = %start, %late = %start)
        -> (!sluice.cursor<4>, !sluice.cursor<4>) {
      %slot = sluice.cursor.slot %at : <4>
      %at_a = sluice.slot %a[%slot] : <128x64xf16, smem, sw128, slots 4>
      %at_b = sluice.slot %b[%slot] : <64x128xf16, smem, sw128, slots 4>
      sluice.wait %ring[%at] : <4>
      sluice.wgmma.fence
      sluice.wgmma %acc, %at_a, %at_b : <128x128xf32, reg, acc>, <128x64xf16, smem, sw128>,
          <64x128xf16, smem, sw128>
      sluice.wgmma.commit
      sluice.wgmma.wait 1 // the product of the step before has ended
      %later = arith.cmpi ne, %t, %c0 : index
      scf.if %later {
        sluice.release %ring[%late] : <4>
      }
      %next = sluice.cursor.advance %at : <4>
      scf.yield %next, %at : !sluice.cursor<4>, !sluice.cursor<4>
    }
    sluice.wgmma.wait 0
    scf.if %some {
      sluice.release %ring[%held] : <4>
    }
    sluice.store %acc to %C[%row, %col] : <128x128xf32, reg, acc>, <?x?xf32>
  }

  sluice.role "sums" warps 8 to 12 registers 96 {
    %x = sluice.alloc "x" : !sluice.buffer<128x64xf16, reg, acc>
    %x32 = sluice.alloc "x32" : !sluice.buffer<128x64xf32, reg, acc>
    %part = sluice.alloc "part" : !sluice.buffer<128x1xf32, reg, rowVector>
    %sum = sluice.alloc "sum" : !sluice.buffer<128x1xf32, reg, rowVector>
    sluice.fill %sum with 0.0 : <128x1xf32, reg, rowVector>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<4> {
      %slot = sluice.cursor.slot %at : <4>
      %at_a = sluice.slot %a[%slot] : <128x64xf16, smem, sw128, slots 4>
      sluice.wait %ring[%at] : <4>
      sluice.copy %at_a to %x : <128x64xf16, smem, sw128>, <128x64xf16, reg, acc>
      sluice.release %ring[%at] : <4>
      sluice.copy %x to %x32 : <128x64xf16, reg, acc>, <128x64xf32, reg, acc>
      sluice.reduce ins(%x32 : !sluice.buffer<128x64xf32, reg, acc>)
          outs(%part : !sluice.buffer<128x1xf32, reg, rowVector>) axis 1 from [0.0] {
      ^bb0(%s: f32, %v: f32):
        %r = arith.addf %s, %v : f32
        sluice.yield %r : f32
      }
      sluice.map ins(%sum, %part : !sluice.buffer<128x1xf32, reg, rowVector>,
              !sluice.buffer<128x1xf32, reg, rowVector>)
          outs(%sum : !sluice.buffer<128x1xf32, reg, rowVector>) {
      ^bb0(%s: f32, %v: f32):
        %r = arith.addf %s, %v : f32
        sluice.yield %r : f32
      }
      %next = sluice.cursor.advance %at : <4>
      scf.yield %next : !sluice.cursor<4>
    }
    %first_column = arith.cmpi eq, %j, %c0 : index
    scf.if %first_column {
      sluice.store %sum to %S[%row, %c0] : <128x1xf32, reg, rowVector>, <?x1xf32>
    }
  }
}

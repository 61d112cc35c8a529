// RUN: sluice-opt %s | sluice-opt -sluice-verify-phase | FileCheck %s
// RUN: sluice check %s | FileCheck %s --check-prefix=PROOF
// RUN: %python %S/../Inputs/products.py %t
// RUN: sluice run %s --in A=%t/A.npy B=%t/B.npy turn=%t/zeros.npy --set part=200x144 C=200x144 splits=3 --expect C=%t/AB16.npy
// Split-K with turns, at the pipeline level: the CTAs of one output tile add their partial sums in the
// order of their split, so the result has the same bits every time. A global counter says whose turn
// it is; the last split writes C and sets the counter back for the next launch.
// PROOF: proven: every launch
// CHECK: sluice.counter.wait %turn[%i, %j], %k scope gpu co_resident : <?x?xi32>
// CHECK: sluice.counter.add %turn[%i, %j], %{{.*}} scope gpu : <?x?xi32>
sluice.kernel @gemm_split_k(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                            %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                            %part: !sluice.tensor<?x?xf32> {sluice.name = "part", sluice.inout},
                            %turn: !sluice.tensor<?x?xi32> {sluice.name = "turn", sluice.inout},
                            %C: !sluice.tensor<?x?xf16> {sluice.name = "C", sluice.out},
                            %splits: index {sluice.name = "splits"})
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
  %i, %j, %split = sluice.grid %gm, %gn, %splits : index, index, index
  %row = arith.muli %i, %c128 : index
  %col = arith.muli %j, %c128 : index
  %steps = arith.ceildivsi %K, %c64 : index
  %share = arith.ceildivsi %steps, %splits : index
  %from = arith.muli %split, %share : index
  %next_split = arith.addi %from, %share : index
  %to = arith.minsi %next_split, %steps : index
  %a = sluice.alloc "a" : !sluice.buffer<128x64xf16, smem, sw128, slots 4>
  %b = sluice.alloc "b" : !sluice.buffer<64x128xf16, smem, sw128, slots 4>
  %ring = sluice.pipeline "ring" over %a, %b : !sluice.buffer<128x64xf16, smem, sw128, slots 4>,
      !sluice.buffer<64x128xf16, smem, sw128, slots 4> from ["load"] to ["math"]
      : !sluice.pipeline<4>
  %start = sluice.cursor : !sluice.cursor<4>

  sluice.role "spare" warps 9 to 12 registers 40 {
  }
  sluice.role "load" warps 8 to 9 registers 40 {
    %end = scf.for %t = %from to %to step %c1 iter_args(%at = %start) -> !sluice.cursor<4> {
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

  sluice.role "math" warps 0 to 8 registers 232 {
    %acc = sluice.alloc "acc" : !sluice.buffer<128x128xf32, reg, acc>
    %before = sluice.alloc "before" : !sluice.buffer<128x128xf32, reg, acc>
    %c = sluice.alloc "c" : !sluice.buffer<128x128xf16, reg, acc>
    sluice.fill %acc with 0.0 : <128x128xf32, reg, acc>
    scf.for %t = %from to %to step %c1 iter_args(%at = %start) -> !sluice.cursor<4> {
      %slot = sluice.cursor.slot %at : <4>
      %at_a = sluice.slot %a[%slot] : <128x64xf16, smem, sw128, slots 4>
      %at_b = sluice.slot %b[%slot] : <64x128xf16, smem, sw128, slots 4>
      sluice.wait %ring[%at] : <4>
      sluice.mma %acc, %at_a, %at_b : <128x128xf32, reg, acc>, <128x64xf16, smem, sw128>,
          <64x128xf16, smem, sw128>
      sluice.release %ring[%at] : <4>
      %next = sluice.cursor.advance %at : <4>
      scf.yield %next : !sluice.cursor<4>
    }
    sluice.counter.wait %turn[%i, %j], %split scope gpu co_resident : <?x?xi32>
    %not_first = arith.cmpi ne, %split, %c0 : index
    scf.if %not_first {
      sluice.load %part[%row, %col] to %before : <?x?xf32>, <128x128xf32, reg, acc>
      sluice.map ins(%acc, %before : !sluice.buffer<128x128xf32, reg, acc>,
              !sluice.buffer<128x128xf32, reg, acc>)
          outs(%acc : !sluice.buffer<128x128xf32, reg, acc>) {
      ^bb0(%x: f32, %y: f32):
        %z = arith.addf %y, %x : f32
        sluice.yield %z : f32
      }
    }
    %last = arith.subi %splits, %c1 : index
    %is_last = arith.cmpi eq, %split, %last : index
    scf.if %is_last {
      sluice.map ins(%acc : !sluice.buffer<128x128xf32, reg, acc>)
          outs(%c : !sluice.buffer<128x128xf16, reg, acc>) {
      ^bb0(%x: f32):
        %h = arith.truncf %x : f32 to f16
        sluice.yield %h : f16
      }
      sluice.store %c to %C[%row, %col] : <128x128xf16, reg, acc>, <?x?xf16>
    } else {
      sluice.store %acc to %part[%row, %col] : <128x128xf32, reg, acc>, <?x?xf32>
    }
    // All 256 threads have stored before one of them gives the turn away.
    sluice.bar.sync 1, 256
    %back = arith.subi %c0, %last : index
    %step = arith.select %is_last, %back, %c1 : index
    %seen = sluice.counter.add %turn[%i, %j], %step scope gpu : <?x?xi32>
  }
}

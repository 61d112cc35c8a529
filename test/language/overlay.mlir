// The tile that is stored lies on the ring, whose products have ended: offsets of the author's are
// kept, and the proof tells whether all that shares bytes is ordered. Without the barrier in front of
// the copy, another warpgroup's product may still read what is written.
// RUN: sluice check %s | FileCheck %s --check-prefix=PROOF
// PROOF: {{^}}proven: every launch
// RUN: sluice check %s --this-launch | FileCheck %s --check-prefix=LAUNCH
// LAUNCH: {{^}}proven: this launch: 8 iterations; all 16 CTAs
// RUN: %python %S/Inputs/products.py %t
// RUN: sluice run %s --in A=%t/A.npy B=%t/B.npy --set C=200x144 --chaos 100 --expect C=%t/AB16.npy
// RUN: sluice run %s --device host --in A=%t/A.npy B=%t/B.npy --set C=200x144 --expect C=%t/AB16.npy
// RUN: %if nvcc %{ sluice emit %s --single-file -o %t.cu && %nvcc -cubin %t.cu -o %t.cubin %}
// RUN: sed '/^    sluice.bar.sync 1/d' %s > %t.early.mlir
// RUN: not sluice check %t.early.mlir | FileCheck %s --check-prefix=EARLY
// EARLY: {{^}}violated: refused at A[1,
// EARLY: R22 (No race): copy of math warp 0 of CTA (0,0) at {{.*}} writes a[0] (shared memory bytes 0 to 2047) while wgmma of math warp 1 of CTA (0,0) at {{.*}} may still read it: nothing orders the two. a and c share these bytes: give each its own, or order all their uses
sluice.kernel @gemm(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                    %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                    %C: !sluice.tensor<?x?xf16, align 16> {sluice.name = "C", sluice.out})
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
  %i, %j = sluice.grid %gm, %gn : index, index
  %row = arith.muli %i, %c128 : index
  %col = arith.muli %j, %c128 : index
  %n = arith.ceildivsi %K, %c64 : index
  %a = sluice.alloc "a" at 0 : !sluice.buffer<128x64xf16, smem, sw128, slots 4>
  %b = sluice.alloc "b" at 65536 : !sluice.buffer<64x128xf16, smem, sw128, slots 4>
  %c = sluice.alloc "c" at 0 : !sluice.buffer<128x128xf16, smem, sw128>
  %ring = sluice.pipeline "ring" over %a, %b : !sluice.buffer<128x64xf16, smem, sw128, slots 4>,
      !sluice.buffer<64x128xf16, smem, sw128, slots 4> from ["load"] to ["math"]
      : !sluice.pipeline<4>
  %start = sluice.cursor : !sluice.cursor<4>
  sluice.role "load" warps 8 to 12 registers 40 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<4> {
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
  }
  sluice.role "math" warps 0 to 8 registers 232 {
    %acc = sluice.alloc "acc" : !sluice.buffer<128x128xf32, reg, acc>
    %acc16 = sluice.alloc "acc16" : !sluice.buffer<128x128xf16, reg, acc>
    sluice.fill %acc with 0.0 : <128x128xf32, reg, acc>
    %end = scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<4> {
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
    sluice.map ins(%acc : !sluice.buffer<128x128xf32, reg, acc>)
        outs(%acc16 : !sluice.buffer<128x128xf16, reg, acc>) {
    ^bb0(%x: f32):
      %h = arith.truncf %x : f32 to f16
      sluice.yield %h : f16
    }
    sluice.bar.sync 1, 256
    sluice.copy %acc16 to %c : <128x128xf16, reg, acc>, <128x128xf16, smem, sw128>
    sluice.store %c to %C[%row, %col] : <128x128xf16, smem, sw128>, <?x?xf16, align 16>
  }
}

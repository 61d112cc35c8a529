// Slots that are asked for before they are waited for: the token of the next step is carried by the
// loop, on both ends of a ring.
// RUN: %python %S/Inputs/products.py %t
// RUN: sluice check %s | FileCheck %s --check-prefix=PROOF
// PROOF: {{^}}proven: every launch
// RUN: sluice run %s --in A=%t/A.npy B=%t/B.npy --set C=200x144 --expect C=%t/AB.npy
// RUN: sluice run %s --in A=%t/A.npy B=%t/B.npy --set C=200x144 --expect C=%t/AB.npy --chaos 3000
// RUN: sluice-opt %s | FileCheck %s --check-prefix=ROUND
// ROUND: %ready = sluice.try_wait %ring[%{{.*}}] : <3>
// ROUND: sluice.wait %ring[%{{.*}}] token %{{.*}} : <3>
// ROUND: sluice.try_acquire %ring[%{{.*}}] : <3>
// ROUND: sluice.acquire %ring[%{{.*}}] token %{{.*}} : <3>

// All lanes agree on an answer; who waits alone keeps it.
// RUN: sluice emit %s | FileCheck %s --check-prefix=TEXT
// TEXT: const bool ready = mbarrierTestAll(full[0], 0);
// TEXT: bool carried = ready;
// TEXT-NEXT: for (
// TEXT: if (!carried)
// TEXT-NEXT: mbarrierWait(full[at.slot], at.phase);
// TEXT: const bool ready1 = mbarrierTestAll(full[n.slot], n.phase);
// TEXT-NEXT: at = n;
// TEXT-NEXT: carried = ready1;
// RUN: %if nvcc %{ sluice emit %s --single-file -o %t.cu && %nvcc -cubin %t.cu -o %t.cubin %}

// At the barrier level, by the lane that loads alone.
// RUN: sluice check %s --dump-after-each 2>&1 >/dev/null | %python %S/../Transform/Inputs/after.py sluice-lower-to-mbarriers | sed -E 's/(mbarrier.(test|wait) %%empty.*) : /\1 by one : /' > %t.one.mlir
// RUN: sluice check %t.one.mlir | FileCheck %s --check-prefix=PROOF
// RUN: sluice run %t.one.mlir --in A=%t/A.npy B=%t/B.npy --set C=200x144 --expect C=%t/AB.npy --chaos 3000
// RUN: sluice emit %t.one.mlir | FileCheck %s --check-prefix=ONE
// ONE: bool ready{{.*}} = false;
// ONE-NEXT: if (electLane())
// ONE-NEXT: ready{{.*}} = mbarrierTest(empty[0], 0 ^ 1);
// ONE: if (!carried)
// ONE-NEXT: mbarrierWait(empty[at.slot], at.phase ^ 1);
// RUN: %if nvcc %{ sluice emit %t.one.mlir --single-file -o %t.one.cu && %nvcc -cubin %t.one.cu -o %t.cubin %}
// Asked by one, waited for by all.
// RUN: sed -E 's/(mbarrier.wait %%empty.*) by one : /\1 : /' %t.one.mlir > %t.all.mlir
// RUN: not sluice check %t.all.mlir 2>&1 | FileCheck %s --check-prefix=ALL
// ALL: R41 (Tokens): wait {{.*}} takes the token of the test {{.*}}, but other threads execute the test

// Asked under the cursor of the step that is over: its phase has been waited for, and says yes.
// RUN: sed 's/try_wait %%ring.%%next/try_wait %%ring[%%at/' %s > %t.stale.mlir
// RUN: not sluice check %t.stale.mlir 2>&1 | FileCheck %s --check-prefix=STALE
// STALE: R41 (Tokens)
// STALE-SAME: waits for phase {{.*}} of full[{{.*}}], and its token is of phase {{.*}} of full[
// RUN: not sluice check %t.stale.mlir --set A=64x256 B=256x64 C=64x64 2>&1 | FileCheck %s --check-prefix=STALE
// RUN: not sluice run %t.stale.mlir --in A=%t/A.npy B=%t/B.npy --set C=200x144 --expect C=%t/AB.npy --unproven --chaos 3000 2>&1 | FileCheck %s --check-prefix=NUMBERS
// NUMBERS: error

// In a ring of one slot, asked before the step's own wait: the phase before is not known to be over.
// RUN: sed 's/slots 3/slots 1/g; s/<3>/<1>/g; /EARLY/d; s,// SOON ,,' %s > %t.early.mlir
// RUN: not sluice check %t.early.mlir 2>&1 | FileCheck %s --check-prefix=SOON
// SOON: R41 (Tokens)
// SOON-SAME: waits for phase 1 of full, and its token is of phase -1 of full: where that has completed
sluice.kernel @gemm(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                    %B: !sluice.tensor<?x?xf16, align 16> {sluice.name = "B"},
                    %C: !sluice.tensor<?x?xf32> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a", phase = "pipeline", warps = 8} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %A, 0 : <?x?xf16, align 16>
  %K = sluice.dim %A, 1 : <?x?xf16, align 16>
  %N = sluice.dim %B, 1 : <?x?xf16, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %gn = arith.ceildivsi %N, %c64 : index
  %i, %j = sluice.grid %gm, %gn : index, index
  %row = arith.muli %i, %c64 : index
  %col = arith.muli %j, %c64 : index
  %steps = arith.ceildivsi %K, %c64 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16, smem, sw128, slots 3>
  %b = sluice.alloc "b" : !sluice.buffer<64x64xf16, smem, sw128, slots 3>
  %ring = sluice.pipeline "ring" over %a, %b : !sluice.buffer<64x64xf16, smem, sw128, slots 3>,
      !sluice.buffer<64x64xf16, smem, sw128, slots 3>
      from ["load"] to ["math"] : !sluice.pipeline<3>
  %start = sluice.cursor : !sluice.cursor<3>
  sluice.role "math" warps 0 to 4 {
    %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32, reg, acc>
    sluice.fill %acc with 0.0 : <64x64xf32, reg, acc>
    %first = sluice.try_wait %ring[%start] : <3>
    scf.for %t = %c0 to %steps step %c1 iter_args(%at = %start, %ready = %first)
        -> (!sluice.cursor<3>, !sluice.token) {
      %slot = sluice.cursor.slot %at : <3>
      %ta = sluice.slot %a[%slot] : <64x64xf16, smem, sw128, slots 3>
      %tb = sluice.slot %b[%slot] : <64x64xf16, smem, sw128, slots 3>
      %next = sluice.cursor.advance %at : <3>
      // SOON %soon = sluice.try_wait %ring[%next] : <3>
      sluice.wait %ring[%at] token %ready : <3>
      sluice.mma %acc, %ta, %tb : <64x64xf32, reg, acc>, <64x64xf16, smem, sw128>,
          <64x64xf16, smem, sw128>
      sluice.release %ring[%at] : <3>
      %soon = sluice.try_wait %ring[%next] : <3> // EARLY
      scf.yield %next, %soon : !sluice.cursor<3>, !sluice.token
    }
    sluice.store %acc to %C[%row, %col] : <64x64xf32, reg, acc>, <?x?xf32>
  }
  sluice.role "load" warps 4 to 5 {
    %first = sluice.try_acquire %ring[%start] : <3>
    scf.for %t = %c0 to %steps step %c1 iter_args(%at = %start, %ready = %first)
        -> (!sluice.cursor<3>, !sluice.token) {
      %k = arith.muli %t, %c64 : index
      %slot = sluice.cursor.slot %at : <3>
      %ta = sluice.slot %a[%slot] : <64x64xf16, smem, sw128, slots 3>
      %tb = sluice.slot %b[%slot] : <64x64xf16, smem, sw128, slots 3>
      sluice.acquire %ring[%at] token %ready : <3>
      sluice.load %A[%row, %k] to %ta : <?x?xf16, align 16>, <64x64xf16, smem, sw128>
      sluice.load %B[%k, %col] to %tb : <?x?xf16, align 16>, <64x64xf16, smem, sw128>
      sluice.commit %ring[%at] : <3>
      %next = sluice.cursor.advance %at : <3>
      %soon = sluice.try_acquire %ring[%next] : <3>
      scf.yield %next, %soon : !sluice.cursor<3>, !sluice.token
    }
  }
}

// RUN: sluice-opt %s | sluice-opt -sluice-verify-phase | FileCheck %s
// Roles, rings, the four verbs and cursors.

// CHECK-LABEL: sluice.kernel @ring
// CHECK-SAME: phase = "pipeline"
sluice.kernel @ring(%A: !sluice.tensor<?x64xf16, align 16> {sluice.name = "A"})
    attributes {target = "sm_90a", phase = "pipeline", warps = 8, cluster = array<i64: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // CHECK: %a = sluice.alloc "a" : !sluice.buffer<64x64xf16, smem, sw128, slots 4>
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16, smem, sw128, slots 4>
  // CHECK: %ring = sluice.pipeline "ring" over %a : !sluice.buffer<64x64xf16, smem, sw128, slots 4> from ["load"] to ["math"] : !sluice.pipeline<4>
  %ring = sluice.pipeline "ring" over %a : !sluice.buffer<64x64xf16, smem, sw128, slots 4>
      from ["load"] to ["math"] : !sluice.pipeline<4>
  // CHECK: %turn = sluice.pipeline "turn" from ["load"] to ["math"] {arrive = "one", empty = "none", leader, merge = "ring", primed = 4 : i64} : !sluice.pipeline<4>
  %turn = sluice.pipeline "turn" from ["load"] to ["math"]
      {merge = "ring", leader, empty = "none", primed = 4, arrive = "one"} : !sluice.pipeline<4>
  // CHECK: sluice.role "load" warps 0 to 4 registers 40 leader {
  sluice.role "load" warps 0 to 4 registers 40 leader {
    // CHECK: %cursor = sluice.cursor : !sluice.cursor<4>
    %start = sluice.cursor : !sluice.cursor<4>
    %end = scf.for %t = %c0 to %c8 step %c1 iter_args(%at = %start) -> !sluice.cursor<4> {
      // CHECK: %ready = sluice.try_acquire %ring[%{{.*}}] : <4>
      %empty = sluice.try_acquire %ring[%at] : <4>
      // CHECK: sluice.acquire %ring[%{{.*}}] token %ready : <4>
      sluice.acquire %ring[%at] token %empty : <4>
      // CHECK: %slot = sluice.cursor.slot %{{.*}} : <4>
      %s = sluice.cursor.slot %at : <4>
      // CHECK: %a.slot = sluice.slot %a[%slot] : <64x64xf16, smem, sw128, slots 4>
      %tile = sluice.slot %a[%s] : <64x64xf16, smem, sw128, slots 4>
      sluice.load %A[%t, %c0] to %tile by one : <?x64xf16, align 16>, <64x64xf16, smem, sw128>
      // CHECK: sluice.commit %ring[%{{.*}}] : <4>
      sluice.commit %ring[%at] : <4>
      // CHECK: sluice.cursor.advance %{{.*}} : <4>
      %next = sluice.cursor.advance %at : <4>
      scf.yield %next : !sluice.cursor<4>
    }
    // CHECK: sluice.tail %ring[%{{.*}}] : <4>
    sluice.tail %ring[%end] : <4>
  }
  // CHECK: sluice.role "math" warps 4 to 8 {
  sluice.role "math" warps 4 to 8 {
    %start = sluice.cursor : !sluice.cursor<4>
    // CHECK: sluice.cursor.advance %cursor{{.*}} by 3 : <4>
    %third = sluice.cursor.advance %start by 3 : <4>
    // CHECK: sluice.cursor.advance_by %{{.*}}, %c8 : <4>
    %later = sluice.cursor.advance_by %third, %c8 : <4>
    // CHECK: %ready = sluice.try_wait %ring[%{{.*}}] : <4>
    %full = sluice.try_wait %ring[%later] : <4>
    // CHECK: sluice.wait %ring[%{{.*}}] token %ready : <4>
    sluice.wait %ring[%later] token %full : <4>
    // CHECK: %phase = sluice.cursor.phase %{{.*}} : <4>
    %p = sluice.cursor.phase %later : <4>
    // CHECK: sluice.release %ring[%{{.*}}] : <4>
    sluice.release %ring[%later] : <4>
  }
}

// One stream on Ascend: the verbs name the pipe.
// CHECK-LABEL: sluice.kernel @stream
sluice.kernel @stream() attributes {target = "ascend910b", phase = "pipeline"} {
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf16, l1, zN, slots 2>
  %ring = sluice.pipeline "ring" over %a : !sluice.buffer<64x64xf16, l1, zN, slots 2>
      from ["MTE2"] to ["MTE1"] : !sluice.pipeline<2>
  %at = sluice.cursor : !sluice.cursor<2>
  // CHECK: sluice.acquire %ring[%cursor] on MTE2 : <2>
  sluice.acquire %ring[%at] on MTE2 : <2>
  // CHECK: sluice.commit %ring[%cursor] on MTE2 : <2>
  sluice.commit %ring[%at] on MTE2 : <2>
  // CHECK: sluice.wait %ring[%cursor] on MTE1 : <2>
  sluice.wait %ring[%at] on MTE1 : <2>
  // CHECK: sluice.release %ring[%cursor] on MTE1 : <2>
  sluice.release %ring[%at] on MTE1 : <2>
}

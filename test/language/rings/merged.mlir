// Two rings with one full side, filled by TMA and by threads: the wait for one is that for both.
// What fills and what is read is counted by thread, warp, warpgroup or role.
// RUN: %python %S/Inputs/sums.py %t
// RUN: sluice check %s --set X=64x160 Z=64x160 | FileCheck %s --check-prefix=PROOF
// RUN: sluice run %s --in X=%t/X.npy Z=%t/Z.npy --set Y=64x32 --expect Y=%t/both.npy
// RUN: sluice barriers %s | FileCheck %s --check-prefix=WARP
// PROOF: {{^}}proven: every launch
// WARP: {{^}}full 0 5 8192 TMA of load warp 8, copy warps 4-7, load warp 8 sum warps 0-3
// WARP: {{^}}empty 0 4 0 sum warps 0-3 load warp 8
// WARP: {{^}}empty_zs 0 4 0 sum warps 0-3 copy warps 4-7
// RUN: sed 's/merge = "xs"/&, arrive = "thread"/' %s > %t.thread.mlir
// RUN: sluice check %t.thread.mlir | FileCheck %s --check-prefix=PROOF
// RUN: sluice barriers %t.thread.mlir | FileCheck %s --check-prefix=THREAD
// THREAD: {{^}}full 0 129 8192 TMA of load warp 8, copy warps 4-7, load warp 8 sum warps 0-3
// THREAD: {{^}}empty_zs 0 128 0 sum warps 0-3 copy warps 4-7
// RUN: sed 's/merge = "xs"/&, arrive = "warpgroup"/' %s > %t.group.mlir
// RUN: sluice check %t.group.mlir | FileCheck %s --check-prefix=PROOF
// RUN: sluice run %t.group.mlir --in X=%t/X.npy Z=%t/Z.npy --set Y=64x32 --expect Y=%t/both.npy
// RUN: sluice barriers %t.group.mlir | FileCheck %s --check-prefix=GROUP
// GROUP: {{^}}full 0 2 8192 TMA of load warp 8, copy warp 4, load warp 8 sum warps 0-3
// GROUP: {{^}}empty_zs 0 1 0 sum warp 0 copy warps 4-7
// GROUP: {{^}}named 1 128 0 sum warps 0-3 sum warps 0-3
// RUN: sed 's/merge = "xs"/&, arrive = "one"/; s/"copy" warps 4 to 8/"copy" warps 4 to 12/; s/warps 8 to 9/warps 12 to 13/; s/warps = 12/warps = 13/; s/64x/128x/g' %s > %t.one.mlir
// RUN: sed 's/"sum" warps 0 to 4/"sum" warps 0 to 8/; s/warps 4 to 12/warps 8 to 16/; s/warps 12 to 13/warps 16 to 17/; s/warps = 13/warps = 17/' %t.one.mlir > %t.two.mlir
// RUN: sluice check %t.two.mlir | FileCheck %s --check-prefix=PROOF
// RUN: sluice barriers %t.two.mlir | FileCheck %s --check-prefix=ONE
// ONE: {{^}}full 0 2 16384 TMA of load warp 16, copy warp 8, load warp 16 sum warps 0-7
// ONE: {{^}}empty_zs 0 1 0 sum warp 0 copy warps 8-15
// ONE: {{^}}named 3 256 0 sum warps 0-7 sum warps 0-7
// A slot of the one ring that comes back early is filled while it is read.
// RUN: sed '/sluice.release %%zs/d; s/^ *sluice.wait %%xs.*/&\n      sluice.release %%zs[%%at] : <2>/' %s > %t.early.mlir
// RUN: not sluice check %t.early.mlir 2>&1 | FileCheck %s --check-prefix=EARLY
// EARLY: R22 (No race)
// A role whose warps are no warpgroups.
// RUN: sed 's/merge = "xs"/&, arrive = "warpgroup"/; s/"copy" warps 4 to 8/"copy" warps 4 to 7/' %s > %t.three.mlir
// RUN: not sluice check %t.three.mlir 2>&1 | FileCheck %s --check-prefix=THREE
// THREE: error: {{.*}}: pipeline 'zs': arrives by warpgroup, but role 'copy' has 3 warps; a warpgroup has 4
sluice.kernel @sum_of_two(%X: !sluice.tensor<64x?xf32, align 16> {sluice.name = "X"},
                          %Z: !sluice.tensor<64x?xf32, align 16> {sluice.name = "Z"},
                          %Y: !sluice.tensor<64x32xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "pipeline", warps = 12} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %K = sluice.dim %X, 1 : <64x?xf32, align 16>
  %n = arith.ceildivsi %K, %c32 : index
  %i = sluice.grid %c1 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x32xf32, smem, sw128, slots 2>
  %z = sluice.alloc "z" : !sluice.buffer<64x32xf32, smem, sw128, slots 2>
  %xs = sluice.pipeline "xs" over %x : !sluice.buffer<64x32xf32, smem, sw128, slots 2>
      from ["load"] to ["sum"] : !sluice.pipeline<2>
  %zs = sluice.pipeline "zs" over %z : !sluice.buffer<64x32xf32, smem, sw128, slots 2>
      from ["copy"] to ["sum"] {merge = "xs"} : !sluice.pipeline<2>
  %start = sluice.cursor : !sluice.cursor<2>
  sluice.role "sum" warps 0 to 4 {
    %acc = sluice.alloc "acc" : !sluice.buffer<64x32xf32, reg, acc>
    %a = sluice.alloc "a" : !sluice.buffer<64x32xf32, reg, acc>
    %b = sluice.alloc "b" : !sluice.buffer<64x32xf32, reg, acc>
    sluice.fill %acc with 0.0 : <64x32xf32, reg, acc>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
      %slot = sluice.cursor.slot %at : <2>
      %xa = sluice.slot %x[%slot] : <64x32xf32, smem, sw128, slots 2>
      %za = sluice.slot %z[%slot] : <64x32xf32, smem, sw128, slots 2>
      sluice.wait %xs[%at] : <2>
      sluice.copy %xa to %a : <64x32xf32, smem, sw128>, <64x32xf32, reg, acc>
      sluice.copy %za to %b : <64x32xf32, smem, sw128>, <64x32xf32, reg, acc>
      sluice.release %xs[%at] : <2>
      sluice.release %zs[%at] : <2>
      sluice.map ins(%acc, %a, %b : !sluice.buffer<64x32xf32, reg, acc>,
              !sluice.buffer<64x32xf32, reg, acc>, !sluice.buffer<64x32xf32, reg, acc>)
          outs(%acc : !sluice.buffer<64x32xf32, reg, acc>) {
      ^bb0(%s: f32, %u: f32, %v: f32):
        %r = arith.addf %s, %u : f32
        %q = arith.addf %r, %v : f32
        sluice.yield %q : f32
      }
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
    sluice.store %acc to %Y[%c0, %c0] : <64x32xf32, reg, acc>, <64x32xf32>
  }
  sluice.role "copy" warps 4 to 8 {
    %h = sluice.alloc "h" : !sluice.buffer<64x32xf32, reg, acc>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
      %col = arith.muli %t, %c32 : index
      %slot = sluice.cursor.slot %at : <2>
      %za = sluice.slot %z[%slot] : <64x32xf32, smem, sw128, slots 2>
      sluice.load %Z[%c0, %col] to %h : <64x?xf32, align 16>, <64x32xf32, reg, acc>
      sluice.acquire %zs[%at] : <2>
      sluice.copy %h to %za : <64x32xf32, reg, acc>, <64x32xf32, smem, sw128>
      sluice.commit %zs[%at] : <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
  }
  sluice.role "load" warps 8 to 9 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
      %col = arith.muli %t, %c32 : index
      %slot = sluice.cursor.slot %at : <2>
      %xa = sluice.slot %x[%slot] : <64x32xf32, smem, sw128, slots 2>
      sluice.acquire %xs[%at] : <2>
      sluice.load %X[%c0, %col] to %xa : <64x?xf32, align 16>, <64x32xf32, smem, sw128>
      sluice.commit %xs[%at] : <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
  }
}

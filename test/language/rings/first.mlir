// The last of three slots starts with the consumer, which puts something of its own there and
// releases it to TMA, with the fence that takes.
// RUN: %python %S/Inputs/sums.py %t
// RUN: sluice check %s | FileCheck %s --check-prefix=PROOF
// RUN: sluice run %s --in X=%t/X.npy Z=%t/Z0.npy --set Y=64x32 --expect Y=%t/start.npy
// RUN: sluice emit %s | FileCheck %s --check-prefix=TEXT
// PROOF: {{^}}proven: every launch
// TEXT: fenceProxyAsync();
// TEXT: mbarrierArrive(empty[Cursor<3>{}.advance(2).slot]);
// TEXT: mbarrierWait(empty[at.slot], at.phase ^ (at.slot < 2 ? 1 : 0));
// Lent to nobody, it is filled under the consumer's hands.
// RUN: sed 's/first = 2/first = 3/' %s > %t.three.mlir
// RUN: not sluice check %t.three.mlir 2>&1 | FileCheck %s --check-prefix=WRONG
// Never given back, it is waited for in vain.
// RUN: sed '/sluice.release %%xs.%%last/d' %s > %t.kept.mlir
// RUN: not sluice check %t.kept.mlir 2>&1 | FileCheck %s --check-prefix=KEPT
// WRONG: violated
// KEPT: R9 (Progress): deadlock
sluice.kernel @scratch_first(%X: !sluice.tensor<64x?xf32, align 16> {sluice.name = "X"},
                             %Z: !sluice.tensor<64x32xf32> {sluice.name = "Z"},
                             %Y: !sluice.tensor<64x32xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "pipeline", warps = 8} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %K = sluice.dim %X, 1 : <64x?xf32, align 16>
  %n = arith.ceildivsi %K, %c32 : index
  %i = sluice.grid %c1 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x32xf32, smem, sw128, slots 3>
  %xs = sluice.pipeline "xs" over %x : !sluice.buffer<64x32xf32, smem, sw128, slots 3>
      from ["load"] to ["sum"] {first = 2} : !sluice.pipeline<3>
  %start = sluice.cursor : !sluice.cursor<3>
  sluice.role "sum" warps 0 to 4 {
    %acc = sluice.alloc "acc" : !sluice.buffer<64x32xf32, reg, acc>
    %a = sluice.alloc "a" : !sluice.buffer<64x32xf32, reg, acc>
    %c2 = arith.constant 2 : index
    %own = sluice.slot %x[%c2] : <64x32xf32, smem, sw128, slots 3>
    sluice.load %Z[%c0, %c0] to %a : <64x32xf32>, <64x32xf32, reg, acc>
    sluice.copy %a to %own : <64x32xf32, reg, acc>, <64x32xf32, smem, sw128>
    sluice.bar.sync 1, 128
    sluice.copy %own to %acc : <64x32xf32, smem, sw128>, <64x32xf32, reg, acc>
    %last = sluice.cursor.advance %start by 2 : <3>
    sluice.release %xs[%last] : <3>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<3> {
      %slot = sluice.cursor.slot %at : <3>
      %xa = sluice.slot %x[%slot] : <64x32xf32, smem, sw128, slots 3>
      sluice.wait %xs[%at] : <3>
      sluice.copy %xa to %a : <64x32xf32, smem, sw128>, <64x32xf32, reg, acc>
      sluice.release %xs[%at] : <3>
      sluice.map ins(%acc, %a : !sluice.buffer<64x32xf32, reg, acc>,
              !sluice.buffer<64x32xf32, reg, acc>) outs(%acc : !sluice.buffer<64x32xf32, reg, acc>) {
      ^bb0(%s: f32, %u: f32):
        %r = arith.addf %s, %u : f32
        sluice.yield %r : f32
      }
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
    sluice.store %acc to %Y[%c0, %c0] : <64x32xf32, reg, acc>, <64x32xf32>
  }
  sluice.role "load" warps 4 to 5 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<3> {
      %col = arith.muli %t, %c32 : index
      %slot = sluice.cursor.slot %at : <3>
      %xa = sluice.slot %x[%slot] : <64x32xf32, smem, sw128, slots 3>
      sluice.acquire %xs[%at] : <3>
      sluice.load %X[%c0, %col] to %xa : <64x?xf32, align 16>, <64x32xf32, smem, sw128>
      sluice.commit %xs[%at] : <3>
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
  }
}

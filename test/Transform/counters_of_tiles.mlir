// Counters among tiles: who computes waits and adds, and all its threads have done what stands before when one adds. Here
// the CTAs of a row of tiles add up in their order, as in split-K with turns.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: sluice barriers %s --dump-after-each 2>&1 >/dev/null | FileCheck %s --check-prefix=DUMP
// DUMP-LABEL: after sluice-split-roles
// DUMP:       sluice.counter.wait
// DUMP:       sluice.bar.sync 1, 128
// DUMP-NEXT:  sluice.store
// DUMP:       sluice.bar.sync 1, 128
// DUMP-NEXT:  sluice.counter.add
// DUMP-LABEL: after sluice-products-of-roles
// RUN: sed 's/target = "sm_90a"/target = "ascend910b"/; s/ {sluice.staging = 0}//' %s > %t.ascend.mlir
// RUN: not sluice check %t.ascend.mlir 2>&1 | FileCheck %s --check-prefix=ASCEND
// ASCEND: unsupported: counters in global memory are of NVIDIA GPUs; cores of Ascend tell each other by flags
// RUN: sed '/counter.add %%turn/s/scope gpu/scope gpu by warp/' %s > %t.by.mlir
// RUN: not sluice check %t.by.mlir 2>&1 | FileCheck %s --check-prefix=BY
// BY: unsupported: stands among tiles, where one thread adds; leave `by` out
sluice.kernel @sums(%X: !sluice.tensor<?x?xf32, align 16> {sluice.name = "X"},
                    %turn: !sluice.tensor<64xi32> {sluice.name = "turn", sluice.workspace},
                    %part: !sluice.tensor<64x64xf32> {sluice.name = "part", sluice.workspace},
                    %Y: !sluice.tensor<?x64xf32, align 16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %n = sluice.dim %X, 1 : <?x?xf32, align 16>
  %parts = arith.ceildivsi %n, %c64 : index
  %few = arith.cmpi sle, %parts, %c64 : index
  sluice.assume %few, "few parts"
  %k = sluice.grid %parts : index
  %col = arith.muli %k, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf32>
  sluice.load %X[%c0, %col] to %x : <?x?xf32, align 16>, <64x64xf32>
  sluice.counter.wait %turn[%c0], %k scope gpu co_resident : <64xi32>
  %first = arith.cmpi eq, %k, %c0 : index
  %from = arith.select %first, %c64, %c0 : index
  %p = sluice.alloc "p" : !sluice.buffer<64x64xf32>
  sluice.load %part[%from, %c0] to %p : <64x64xf32>, <64x64xf32>
  %s = sluice.alloc "s" : !sluice.buffer<64x64xf32>
  sluice.map ins(%x, %p : !sluice.buffer<64x64xf32>, !sluice.buffer<64x64xf32>) outs(%s : !sluice.buffer<64x64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %y = arith.addf %b, %a : f32
    sluice.yield %y : f32
  }
  sluice.store %s to %part[%c0, %c0] {sluice.staging = 0} : <64x64xf32>, <64x64xf32>
  %less = arith.subi %parts, %c1 : index
  %last = arith.cmpi eq, %k, %less : index
  %M = sluice.dim %Y, 0 : <?x64xf32, align 16>
  %to = arith.select %last, %c0, %M : index
  sluice.store %s to %Y[%to, %c0] {sluice.staging = 0} : <64x64xf32>, <?x64xf32, align 16>
  %back = arith.subi %c0, %k : index
  %by = arith.select %last, %back, %c1 : index
  %old = sluice.counter.add %turn[%c0], %by scope gpu : <64xi32>
}

// The CTAs of a grid add to one tile in turn, as the splits of a split-K product do: a counter in
// global memory says whose turn it is, and the last one sets it back for the next launch. The tile
// comes from the kernel before.
// RUN: sluice check %s --set T=64x32 turn=1 splits=5 | FileCheck %s
// RUN: sluice check %s --set T=64x32 turn=1 splits=500 | FileCheck %s
// RUN: sluice check %s --set T=64x32 turn=1 splits=5 --json | FileCheck %s --check-prefix=JSON
// RUN: sluice emit %s --set T=64x32 turn=1 splits=5 | FileCheck %s --check-prefix=CUDA
// RUN: sed 's/ co_resident//' %s > %t.mlir
// RUN: not sluice check %t.mlir --set T=64x32 turn=1 splits=5 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: sed '/sluice.griddepcontrol$/d' %s > %t.mlir
// RUN: not sluice check %t.mlir --set T=64x32 turn=1 splits=5 2>&1 | FileCheck %s --check-prefix=BEFORE
// CHECK: {{^}}proven: every launch
// CHECK: assuming co-resident: the CTAs that add to turn run at the same time
// CHECK: assuming counters-zero: turn holds zeros at launch
// JSON: {"verdict": "proven", "coverage": {"trips": "all", "ctas": "all", "launches": "all"}
// CUDA: Verdict: proven: every launch
// CUDA: waitForPreviousKernel();
// CUDA: counterWait<Scope::gpu>(turnGlobal, x);
// CUDA: counterAdd<Scope::gpu>(turnGlobal,
// ORDER: R38
// BEFORE: R37
sluice.kernel @turns(%T: !sluice.tensor<?x?xf32> {sluice.name = "T", sluice.inout, sluice.previous},
                     %turn: !sluice.tensor<?xi32> {sluice.name = "turn", sluice.inout},
                     %splits: index {sluice.name = "splits"})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = sluice.grid %splits : index
  sluice.role "all" warps 0 to 4 {
    %t = sluice.alloc "t" : !sluice.buffer<64x32xf32, reg, acc>
    sluice.griddepcontrol
    sluice.counter.wait %turn[%c0], %x scope gpu co_resident : <?xi32>
    sluice.load %T[%c0, %c0] to %t : <?x?xf32>, <64x32xf32, reg, acc>
    sluice.map ins(%t : !sluice.buffer<64x32xf32, reg, acc>)
        outs(%t : !sluice.buffer<64x32xf32, reg, acc>) {
    ^bb0(%old: f32):
      %one = arith.constant 1.0 : f32
      %new = arith.addf %old, %one : f32
      sluice.yield %new : f32
    }
    sluice.store %t to %T[%c0, %c0] : <64x32xf32, reg, acc>, <?x?xf32>
    sluice.bar.sync 1, 128
    %last = arith.subi %splits, %c1 : index
    %back = arith.subi %c0, %last : index
    %is_last = arith.cmpi eq, %x, %last : index
    %step = arith.select %is_last, %back, %c1 : index
    %seen = sluice.counter.add %turn[%c0], %step scope gpu : <?xi32>
    sluice.griddepcontrol launch
  }
}

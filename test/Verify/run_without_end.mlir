// A loop that ends with what a tensor says goes round for ever where all its numbers are 1, as none
// are given. The verdict for every launch does not rest on the run beside it, which is given up.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// CHECK: assuming loops-end: the loop at {{.*}}run_without_end.mlir:[[#@LINE+20]]:8, which goes on while a value holds, comes to an end within 2^31 - 2^20 rounds
// CHECK: note: at this launch mma warp 0 of CTA (0) goes round, for ever or more often than is followed, the loop
// RUN: not sluice check %s --this-launch | FileCheck %s --check-prefix=LAUNCH
// LAUNCH: unsupported: this launch
// LAUNCH: assuming integers: all numbers of L are 1, as none are given
// LAUNCH: note: at this launch mma warp 0 of CTA (0) goes round, for ever or more often than is followed, the loop
sluice.kernel @asked(%A: !sluice.tensor<?x?xf32, align 16> {sluice.name = "A"},
                  %L: !sluice.tensor<?xi32> {sluice.name = "L"},
                  %C: !sluice.tensor<?x?xf32, align 16> {sluice.name = "C", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %A, 0 : <?x?xf32, align 16>
  %gm = arith.ceildivsi %M, %c64 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c64 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf32>
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  sluice.fill %acc with 0.0 : <64x64xf32>
  %e = scf.while (%t = %c0) : (index) -> (index) {
    %more = sluice.scalar_load %L[%t] : <?xi32>
    %go = arith.cmpi sgt, %more, %c0 : index
    scf.condition(%go) %t : index
  } do {
  ^bb0(%t: index):
    %k = arith.muli %t, %c64 : index
    sluice.load %A[%row, %k] to %a : <?x?xf32, align 16>, <64x64xf32>
    sluice.map ins(%acc, %a : !sluice.buffer<64x64xf32>, !sluice.buffer<64x64xf32>) outs(%acc : !sluice.buffer<64x64xf32>) {
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %y : f32
      sluice.yield %z : f32
    }
    %on = arith.addi %t, %c1 : index
    scf.yield %on : index
  }
  sluice.store %acc to %C[%row, %c0] : <64x64xf32>, <?x?xf32, align 16>
}

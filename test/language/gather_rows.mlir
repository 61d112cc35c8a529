// Rows looked up by number and doubled: no product; what threads gather waits in a ring.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: %python %S/Inputs/products.py %t.d
// RUN: sluice run %s --in A=%t.d/A.npy n=%t.d/numbers.npy --set Y=150x192 --expect Y=%t.d/taken2.npy
// RUN: sluice barriers %s | FileCheck %s --check-prefix=RING
// RING: full 0 4 0 load warps 8-11 mma warps 0-7
// RUN: %if nvcc %{ sluice emit %s --single-file -o %t.cu && %nvcc -cubin %t.cu -o %t.cubin %}
sluice.kernel @lookup(%A: !sluice.tensor<?x?xf16, align 16> {sluice.name = "A"},
                      %n: !sluice.tensor<?xi32> {sluice.name = "n"},
                      %Y: !sluice.tensor<?x?xf16, align 16> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %n, 0 : <?xi32>
  %gm = arith.ceildivsi %M, %c64 : index
  %i = sluice.grid %gm : index
  %top = arith.muli %i, %c64 : index
  scf.for %t = %c0 to %c8 step %c1 {
    %down = arith.muli %t, %c8 : index
    %row = arith.addi %top, %down : index
    %a = sluice.alloc "a" : !sluice.buffer<8x256xf16>
    sluice.load %A[%row, %c0] to %a rows %n : !sluice.tensor<?xi32> : <?x?xf16, align 16>, <8x256xf16>
    %y = sluice.alloc "y" : !sluice.buffer<8x256xf16>
    sluice.map ins(%a : !sluice.buffer<8x256xf16>) outs(%y : !sluice.buffer<8x256xf16>) {
    ^bb0(%x: f16):
      %d = arith.addf %x, %x : f16
      sluice.yield %d : f16
    }
    sluice.store %y to %Y[%row, %c0] : <8x256xf16>, <?x?xf16, align 16>
  } {sluice.stages = 4, sluice.name = "t"}
}

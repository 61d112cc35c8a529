// An SM has room for so many CTAs at once: the compiler keeps to their registers.
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// RUN: sluice emit %s | FileCheck %s --check-prefix=TEXT
// TEXT: // 160 threads, {{[0-9]+}} bytes of dynamic shared memory, room for 3 CTAs on an SM.
// TEXT: __launch_bounds__(160, 3)
// RUN: sluice run %s --random 3 --set X=200x328 Y=200x328
//
// Without it nothing is asked for.
// RUN: sed 's/ {sluice.ctas_per_sm = 3}//' %s > %t.none.mlir
// RUN: sluice emit %t.none.mlir | FileCheck %s --check-prefix=NONE
// NONE: __launch_bounds__(160, 1)
//
// What has no room is refused.
// RUN: sed 's/per_sm = 3/per_sm = 4/; s/stages = 4/stages = 5/' %s > %t.room.mlir
// RUN: not sluice check %t.room.mlir 2>&1 | FileCheck %s --check-prefix=ROOM
// ROOM: R16 (Capacity): 4 CTAs on an SM take {{[0-9]+}} bytes of shared memory, 1024 of each for the system; h100 has 233472
// RUN: sed 's/per_sm = 3/per_sm = 16/; s/stages = 4/stages = 1/; s/64x128/64x32/g; s/c128 = arith.constant 128/c128 = arith.constant 32/' %s > %t.warps.mlir
// RUN: not sluice check %t.warps.mlir 2>&1 | FileCheck %s --check-prefix=WARPS
// WARPS: R16 (Capacity): 16 CTAs on an SM are 80 warps; h100 has room for 64
// RUN: sed 's/{sluice.ctas/{persistent, sluice.ctas/' %s > %t.stays.mlir
// RUN: not sluice check %t.stays.mlir 2>&1 | FileCheck %s --check-prefix=STAYS
// STAYS: sluice.ctas_per_sm beside persistent, which has a CTA on each SM
// RUN: sed 's/per_sm = 3/per_sm = 0/' %s > %t.none.mlir
// RUN: not sluice check %t.none.mlir 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: sluice.ctas_per_sm, 1 to 32, stands on a grid
// RUN: not sluice check %s --target ascend910b 2>&1 | FileCheck %s --check-prefix=ASCEND
// ASCEND: sluice.ctas_per_sm is of the NVIDIA targets
sluice.kernel @twice(%X: !sluice.tensor<?x?xbf16, align 16> {sluice.name = "X"},
                     %Y: !sluice.tensor<?x?xbf16, align 16> {sluice.name = "Y", sluice.out}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %m = sluice.dim %X, 0 : <?x?xbf16, align 16>
  %n = sluice.dim %X, 1 : <?x?xbf16, align 16>
  %gm = arith.ceildivsi %m, %c64 : index
  %gn = arith.ceildivsi %n, %c128 : index
  %i = sluice.grid %gm {sluice.ctas_per_sm = 3} : index
  %row = arith.muli %i, %c64 : index
  scf.for %t = %c0 to %gn step %c1 {
    %col = arith.muli %t, %c128 : index
    %x = sluice.alloc "x" : !sluice.buffer<64x128xbf16>
    %y = sluice.alloc "y" : !sluice.buffer<64x128xbf16>
    sluice.load %X[%row, %col] to %x : <?x?xbf16, align 16>, <64x128xbf16>
    sluice.map ins(%x : !sluice.buffer<64x128xbf16>) outs(%y : !sluice.buffer<64x128xbf16>) {
    ^bb0(%a: bf16):
      %d = arith.addf %a, %a : bf16
      sluice.yield %d : bf16
    }
    sluice.store %y to %Y[%row, %col] {sluice.staging = 0} : <64x128xbf16>, <?x?xbf16, align 16>
  } {sluice.stages = 4}
}

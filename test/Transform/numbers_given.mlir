// Numbers and marks that would become something else than what is written are refused by name.
// RUN: sluice check %s --set count=7 | FileCheck %s --check-prefix=GOOD
// GOOD: proven: every launch
// RUN: sed 's/with 3.0/with 2.5/' %s > %t.half.mlir
// RUN: not sluice check %t.half.mlir 2>&1 | FileCheck %s --check-prefix=HALF --match-full-lines
// HALF: error: {{.*}}half.mlir:[[#@LINE+18]]:3: fills a tile of 'i32'; it takes an integer from -2147483648 to 2147483647
// RUN: sed 's/with 3.0/with 2147483648.0/' %s > %t.large.mlir
// RUN: not sluice check %t.large.mlir 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: fills a tile of 'i32'; it takes an integer
// RUN: sed 's/with 3.0/with -2147483648.0/' %s > %t.least.mlir
// RUN: sluice check %t.least.mlir | FileCheck %s --check-prefix=GOOD
// RUN: sed 's/"X"}/"X", sluice.inout}/' %s > %t.inout.mlir
// RUN: not sluice check %t.inout.mlir 2>&1 | FileCheck %s --check-prefix=INOUT --match-full-lines
// INOUT: error: {{.*}}: inout X is never written; a tensor that is read alone has no mark
// RUN: not sluice check %s --set count=5000000000 2>&1 | FileCheck %s --check-prefix=COUNT --match-full-lines
// COUNT: error: --set count=5000000000: it must be -2147483648 to 2147483647, arguments have 32 bits
sluice.kernel @numbers(%X: !sluice.tensor<?x?xi32> {sluice.name = "X"},
    %Y: !sluice.tensor<?x?xi32> {sluice.name = "Y", sluice.out}, %count: i32 {sluice.name = "count"})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x8xi32>
  sluice.load %X[%c0, %c0] to %x : <?x?xi32>, <64x8xi32>
  %y = sluice.alloc "y" : !sluice.buffer<64x8xi32>
  sluice.fill %y with 3.0 : <64x8xi32>
  sluice.map ins(%x, %y : !sluice.buffer<64x8xi32>, !sluice.buffer<64x8xi32>) outs(%y : !sluice.buffer<64x8xi32>) {
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    sluice.yield %c : i32
  }
  sluice.store %y to %Y[%c0, %c0] : <64x8xi32>, <?x?xi32>
}

// RUN: sluice check %s --set part=64x32 sums=64x32 Y=64x32 | FileCheck %s
// Three passes with two barriers of the grid; behind the second nobody reads the first pass any more.
// CHECK: {{^}}proven: every launch
sluice.kernel @k(%part: !sluice.tensor<?x32xf32> {sluice.name = "part", sluice.inout},
                 %sums: !sluice.tensor<?x32xf32> {sluice.name = "sums", sluice.inout},
                 %Y: !sluice.tensor<?x32xf32> {sluice.name = "Y", sluice.out},
                 %first: !sluice.tensor<1xi32> {sluice.name = "first", sluice.inout},
                 %second: !sluice.tensor<1xi32> {sluice.name = "second", sluice.inout})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %part, 0 : <?x32xf32>
  %n = arith.ceildivsi %M, %c64 : index
  %i = sluice.grid %n : index
  %row = arith.muli %i, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x32xf32, reg, acc>
  sluice.fill %x with 1.0 : <64x32xf32, reg, acc>
  sluice.store %x to %part[%row, %c0] : <64x32xf32, reg, acc>, <?x32xf32>
  sluice.bar.sync 0, 128
  %a = sluice.counter.add %first[%c0], %c1 scope gpu : <1xi32>
  sluice.counter.wait %first[%c0], %n scope gpu co_resident : <1xi32>
  scf.for %t = %c0 to %n step %c1 {
    %at = arith.muli %t, %c64 : index
    sluice.load %part[%at, %c0] to %x : <?x32xf32>, <64x32xf32, reg, acc>
  }
  sluice.store %x to %sums[%row, %c0] : <64x32xf32, reg, acc>, <?x32xf32>
  sluice.bar.sync 0, 128
  %b = sluice.counter.add %second[%c0], %c1 scope gpu : <1xi32>
  sluice.counter.wait %second[%c0], %n scope gpu co_resident : <1xi32>
  scf.for %t = %c0 to %n step %c1 {
    %at = arith.muli %t, %c64 : index
    sluice.load %sums[%at, %c0] to %x : <?x32xf32>, <64x32xf32, reg, acc>
  }
  sluice.store %x to %part[%row, %c0] : <64x32xf32, reg, acc>, <?x32xf32>
  sluice.store %x to %Y[%row, %c0] : <64x32xf32, reg, acc>, <?x32xf32>
}

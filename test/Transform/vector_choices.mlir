// Ascend: comparisons of data and choices by them become instructions on integers and bits, right for
// NaN, infinities, signed zeros and the smallest numbers, of whole tiles, of one number for each row,
// and of the numbers of columns.
// RUN: sluice check %s | FileCheck %s --check-prefix=PROOF
// PROOF: {{^}}proven: every launch
// RUN: %python %S/../language/Inputs/vector_choices.py %t
// RUN: sluice run %s --in A=%t/A.npy B=%t/B.npy limits=%t/limits.npy labels=%t/labels.npy --set C=90x64 D=90x64 --expect C=%t/C.npy D=%t/D.npy --chaos 20 | FileCheck %s --check-prefix=RIGHT
// RIGHT: within
// RUN: sluice emit %s | FileCheck %s
// CHECK: columnNumbers<64>(columns);
// CHECK: Adds([[X:t[0-9]+]], {{[a-z_]+}}, 0.0f, 2048);
// CHECK: Max([[LARGER:t[0-9]+]],
// CHECK: Sub([[TRUTH:t[0-9]+]], [[LARGER]].ReinterpretCast<int32_t>(),
// CHECK: Maxs([[TRUTH]], [[TRUTH]], int32_t(-1), 2048);
// CHECK: Mins([[TRUTH]], [[TRUTH]], int32_t(1), 2048);
// CHECK: Mul([[TRUTH]], [[TRUTH]], [[TRUTH]], 2048);
// CHECK: And({{t[0-9]+}}.ReinterpretCast<int16_t>(), {{t[0-9]+}}.ReinterpretCast<int16_t>(),
// CHECK-NEXT: {{t[0-9]+}}.ReinterpretCast<int16_t>(), 4096);
// CHECK: Or(
sluice.kernel @choices(%A: !sluice.tensor<?x64xf32> {sluice.name = "A"},
                       %B: !sluice.tensor<?x64xf32> {sluice.name = "B"},
                       %limits: !sluice.tensor<?x1xf32, minor 0> {sluice.name = "limits"},
                       %labels: !sluice.tensor<?x1xi32, minor 0> {sluice.name = "labels"},
                       %C: !sluice.tensor<?x64xf32> {sluice.name = "C", sluice.out},
                       %D: !sluice.tensor<?x64xf32> {sluice.name = "D", sluice.out})
    attributes {target = "ascend910b"} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %A, 0 : <?x64xf32>
  %gm = arith.ceildivsi %M, %c64 : index
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c64 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x64xf32>
  sluice.load %A[%row, %c0] to %a : <?x64xf32>, <64x64xf32>
  %b = sluice.alloc "b" : !sluice.buffer<64x64xf32>
  sluice.load %B[%row, %c0] to %b : <?x64xf32>, <64x64xf32>
  %l = sluice.alloc "l" : !sluice.buffer<64x1xf32, minor 0>
  sluice.load %limits[%row, %c0] to %l : <?x1xf32, minor 0>, <64x1xf32, minor 0>
  %n = sluice.alloc "n" : !sluice.buffer<64x1xi32, minor 0>
  sluice.load %labels[%row, %c0] to %n : <?x1xi32, minor 0>, <64x1xi32, minor 0>
  %c = sluice.alloc "c" : !sluice.buffer<64x64xf32>
  sluice.map ins(%a, %b, %l, %n : !sluice.buffer<64x64xf32>, !sluice.buffer<64x64xf32>,
          !sluice.buffer<64x1xf32, minor 0>, !sluice.buffer<64x1xi32, minor 0>)
      outs(%c : !sluice.buffer<64x64xf32>) coordinates {
  ^bb0(%x: f32, %y: f32, %z: f32, %label: i32, %r: index, %k: index):
    %zero = arith.constant 0.0 : f32
    %f0 = arith.constant 1.0 : f32
    %p0 = arith.cmpf olt, %x, %y : f32
    %s0 = arith.select %p0, %f0, %zero : f32
    %f1 = arith.constant 2.0 : f32
    %p1 = arith.cmpf ole, %x, %y : f32
    %s1 = arith.select %p1, %f1, %zero : f32
    %u1 = arith.addf %s0, %s1 : f32
    %f2 = arith.constant 4.0 : f32
    %p2 = arith.cmpf ogt, %x, %y : f32
    %s2 = arith.select %p2, %f2, %zero : f32
    %u2 = arith.addf %u1, %s2 : f32
    %f3 = arith.constant 8.0 : f32
    %p3 = arith.cmpf oge, %x, %y : f32
    %s3 = arith.select %p3, %f3, %zero : f32
    %u3 = arith.addf %u2, %s3 : f32
    %f4 = arith.constant 16.0 : f32
    %p4 = arith.cmpf oeq, %x, %y : f32
    %s4 = arith.select %p4, %f4, %zero : f32
    %u4 = arith.addf %u3, %s4 : f32
    %f5 = arith.constant 32.0 : f32
    %p5 = arith.cmpf une, %x, %y : f32
    %s5 = arith.select %p5, %f5, %zero : f32
    %u5 = arith.addf %u4, %s5 : f32
    %f6 = arith.constant 64.0 : f32
    %p6 = arith.cmpf olt, %x, %z : f32
    %s6 = arith.select %p6, %f6, %zero : f32
    %u6 = arith.addf %u5, %s6 : f32
    %f7 = arith.constant 128.0 : f32
    %p7 = arith.cmpf ole, %x, %z : f32
    %s7 = arith.select %p7, %f7, %zero : f32
    %u7 = arith.addf %u6, %s7 : f32
    %f8 = arith.constant 256.0 : f32
    %p8 = arith.cmpf ogt, %x, %z : f32
    %s8 = arith.select %p8, %f8, %zero : f32
    %u8 = arith.addf %u7, %s8 : f32
    %f9 = arith.constant 512.0 : f32
    %p9 = arith.cmpf oge, %x, %z : f32
    %s9 = arith.select %p9, %f9, %zero : f32
    %u9 = arith.addf %u8, %s9 : f32
    %f10 = arith.constant 1024.0 : f32
    %p10 = arith.cmpf oeq, %x, %z : f32
    %s10 = arith.select %p10, %f10, %zero : f32
    %u10 = arith.addf %u9, %s10 : f32
    %f11 = arith.constant 2048.0 : f32
    %p11 = arith.cmpf une, %x, %z : f32
    %s11 = arith.select %p11, %f11, %zero : f32
    %u11 = arith.addf %u10, %s11 : f32
    %column = arith.index_cast %k : index to i32
    %hit = arith.cmpi eq, %column, %label : i32
    %f12 = arith.constant 4096.0 : f32
    %s12 = arith.select %hit, %f12, %zero : f32
    %u12 = arith.addf %u11, %s12 : f32
    sluice.yield %u12 : f32
  }
  sluice.store %c to %C[%row, %c0] : <64x64xf32>, <?x64xf32>
  %d = sluice.alloc "d" : !sluice.buffer<64x64xf32>
  sluice.map ins(%a, %b : !sluice.buffer<64x64xf32>, !sluice.buffer<64x64xf32>)
      outs(%d : !sluice.buffer<64x64xf32>) {
  ^bb0(%x: f32, %y: f32):
    %seven = arith.constant 7.0 : f32
    %half = arith.constant 0.5 : f32
    %number = arith.cmpf oeq, %y, %y : f32
    %whole = arith.select %number, %y, %seven : f32
    %above = arith.cmpf oge, %x, %y : f32
    %large = arith.cmpf ogt, %x, %half : f32
    %both = arith.andi %above, %large : i1
    %larger = arith.select %both, %x, %whole : f32
    sluice.yield %larger : f32
  }
  sluice.store %d to %D[%row, %c0] : <64x64xf32>, <?x64xf32>
}

// Ascend: functions of elements become instructions of the vector cores, one for each operation: of
// numbers for each row and for each column, of numbers that are the same for all, behind limits of
// columns that go with the row. Tiles end where the tensor does.
// RUN: sluice check %s | FileCheck %s --check-prefix=PROOF
// PROOF: {{^}}proven: every launch
// RUN: %python %S/../language/Inputs/vector_instructions.py %t
// RUN: sluice run %s --in A=%t/A.npy W=%t/W.npy --set C=200x192 --expect C=%t/C.npy --chaos 100 | FileCheck %s --check-prefix=RIGHT
// RIGHT: within
// RUN: sluice emit %s | FileCheck %s
// CHECK: Cast(a_whole, a[at_a.slot], RoundMode::CAST_NONE, 6144);
// CHECK: fillRows<32, 192>(a_whole, M - n1, 0.0f);
// CHECK: Abs(
// CHECK: ReduceRepeat<ReduceType::SUM>(total,
// CHECK: Div(mean, total
// CHECK: Duplicate({{t[0-9]+}}, 1.0f, 32);
// CHECK: Sqrt(
// CHECK: Div(
// CHECK: Brcb(
// CHECK: Sub(
// CHECK: Exp(
// CHECK: Adds({{.*}}, 1.5f, 6144);
// CHECK: Ln(
// CHECK: Adds({{.*}}, -0.25f, 6144);
// CHECK: Muls({{.*}}, -1.0f, 6144);
// CHECK: Adds({{.*}}, 2.0f, 6144);
// CHECK: Min(
// CHECK: fillColumns<32, 192, 0>(c[at_c.slot], 150, 7.0f);
// CHECK: fillColumns<32, 192, 1>(c[at_c.slot], {{.*}}, 7.0f);
sluice.kernel @beside(%A: !sluice.tensor<?x192xf16> {sluice.name = "A"},
                      %W: !sluice.tensor<1x192xf16> {sluice.name = "W"},
                      %C: !sluice.tensor<?x192xf32> {sluice.name = "C", sluice.out})
    attributes {target = "ascend910b"} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %A, 0 : <?x192xf16>
  %gm = arith.ceildivsi %M, %c64 : index
  %w = sluice.alloc "w" : !sluice.buffer<1x192xf16>
  sluice.load %W[%c0, %c0] to %w : <1x192xf16>, <1x192xf16>
  %i = sluice.grid %gm : index
  %row = arith.muli %i, %c64 : index
  %a = sluice.alloc "a" : !sluice.buffer<64x192xf16>
  sluice.load %A[%row, %c0] to %a : <?x192xf16>, <64x192xf16>
  %total = sluice.alloc "total" : !sluice.buffer<64x1xf32>
  sluice.reduce ins(%a : !sluice.buffer<64x192xf16>) outs(%total : !sluice.buffer<64x1xf32>)
      axis 1 from [0.0] {
  ^bb0(%s: f32, %e: f16):
    %x = arith.extf %e : f16 to f32
    %y = math.absf %x : f32
    %z = arith.addf %s, %y : f32
    sluice.yield %z : f32
  }
  %mean = sluice.alloc "mean" : !sluice.buffer<64x1xf32>
  %scale = sluice.alloc "scale" : !sluice.buffer<64x1xf32>
  sluice.map ins(%total : !sluice.buffer<64x1xf32>)
      outs(%mean, %scale : !sluice.buffer<64x1xf32>, !sluice.buffer<64x1xf32>) {
  ^bb0(%t: f32):
    %columns = arith.constant 192.0 : f32
    %small = arith.constant 1.0e-3 : f32
    %m = arith.divf %t, %columns : f32
    %s = arith.mulf %t, %t : f32
    %u = arith.addf %s, %small : f32
    %r = math.rsqrt %u : f32
    sluice.yield %m, %r : f32, f32
  }
  %c = sluice.alloc "c" : !sluice.buffer<64x192xf32>
  sluice.map ins(%a, %mean, %scale, %w : !sluice.buffer<64x192xf16>, !sluice.buffer<64x1xf32>,
          !sluice.buffer<64x1xf32>, !sluice.buffer<1x192xf16>)
      outs(%c : !sluice.buffer<64x192xf32>) coordinates {
  ^bb0(%e: f16, %m: f32, %s: f32, %f: f16, %r: index, %k: index):
    %x = arith.extf %e : f16 to f32
    %d = arith.subf %x, %m : f32
    %n = arith.mulf %d, %s : f32
    %g = arith.extf %f : f16 to f32
    %b = arith.mulf %n, %g : f32
    %p = math.exp %b : f32
    %more = arith.constant 1.5 : f32
    %q = arith.addf %p, %more : f32
    %l = math.log %q : f32
    %quarter = arith.constant 0.25 : f32
    %o = arith.subf %l, %quarter : f32
    %two = arith.constant 2.0 : f32
    %t = arith.subf %two, %b : f32
    %v = arith.minimumf %o, %t : f32
    %c150 = arith.constant 150 : index
    %c100 = arith.constant 100 : index
    %end = arith.addi %r, %c100 : index
    %left = arith.cmpi slt, %k, %c150 : index
    %below = arith.cmpi sle, %k, %end : index
    %both = arith.andi %left, %below : i1
    %seven = arith.constant 7.0 : f32
    %y = arith.select %both, %v, %seven : f32
    sluice.yield %y : f32
  }
  sluice.store %c to %C[%row, %c0] : <64x192xf32>, <?x192xf32>
}

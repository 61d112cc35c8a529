// RUN: sluice-opt %s | sluice-opt -sluice-verify-phase | FileCheck %s
// Every operation of the tile level, printed and read again.

// CHECK-LABEL: sluice.kernel @types
// CHECK-SAME: %x: !sluice.tensor<?x64x?xbf16, minor 0, align 16> {sluice.name = "x"}
// CHECK-SAME: %y: !sluice.tensor<?xf8E4M3FN> {sluice.inout, sluice.name = "y"}
// CHECK-SAME: %n: index {sluice.name = "n"}
// CHECK-SAME: %scale: f32 {sluice.name = "scale"}
// CHECK-SAME: attributes {cluster = array<i64: 2, 1, 1>, phase = "placed", shared_bytes = 1024 : i64, target = "sm_100a", warps = 4 : i64}
sluice.kernel @types(%x: !sluice.tensor<?x64x?xbf16, minor 0, align 16> {sluice.name = "x"},
                     %y: !sluice.tensor<?xf8E4M3FN> {sluice.name = "y", sluice.inout},
                     %n: index {sluice.name = "n"}, %scale: f32 {sluice.name = "scale"})
    attributes {target = "sm_100a", phase = "placed", warps = 4, shared_bytes = 1024,
                cluster = array<i64: 2, 1, 1>} {
  // CHECK: %t = sluice.alloc "t" : !sluice.buffer<64x32xbf16, smem, sw64>
  %t = sluice.alloc "t" : !sluice.buffer<64x32xbf16, smem, sw64>
  // CHECK: %u = sluice.alloc "u" at 1024 : !sluice.buffer<64x64xf32, tmem, row>
  %u = sluice.alloc "u" at 1024 : !sluice.buffer<64x64xf32, tmem, row>
  // CHECK: %l = sluice.alloc "l" : !sluice.buffer<16x64xf16, l1, nZ, minor 0>
  %l = sluice.alloc "l" : !sluice.buffer<16x64xf16, l1, nZ, minor 0>
}

// CHECK-LABEL: sluice.kernel @views
sluice.kernel @views(%A: !sluice.tensor<?x?xf16> {sluice.name = "A"},
                     %rows: !sluice.tensor<?xi32> {sluice.name = "rows"}) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  // CHECK: %A.dim1 = sluice.dim %A, 1 : <?x?xf16>
  %k = sluice.dim %A, 1 : <?x?xf16>
  %even = arith.remsi %k, %c8 : index
  %divides = arith.cmpi eq, %even, %c0 : index
  // CHECK: sluice.assume %{{.*}}, "columns are a multiple of 8"
  sluice.assume %divides, "columns are a multiple of 8"
  // CHECK: %i = sluice.grid %c8 : index
  %i = sluice.grid %c8 : index
  // CHECK: %rows.value = sluice.scalar_load %rows[%i] : <?xi32>
  %length = sluice.scalar_load %rows[%i] : <?xi32>
  // CHECK: %uniform = sluice.uniform %rows.value : index
  %trips = sluice.uniform %length : index
  // CHECK: sluice.prefetch %A[%c0, %c8] box [64, 32] : <?x?xf16>
  sluice.prefetch %A[%c0, %c8] box [64, 32] : <?x?xf16>
  %a = sluice.alloc "a" : !sluice.buffer<64x32xf16>
  // CHECK: sluice.load %A[%c0, %c8] to %a : <?x?xf16>, <64x32xf16>
  sluice.load %A[%c0, %c8] to %a : <?x?xf16>, <64x32xf16>
  // CHECK: sluice.load %A[%c0, %c8] to %a rows %rows : !sluice.tensor<?xi32> : <?x?xf16>, <64x32xf16>
  sluice.load %A[%c0, %c8] to %a rows %rows : !sluice.tensor<?xi32> : <?x?xf16>, <64x32xf16>
  // CHECK: sluice.load %A[%c0, %c8] to %a cache evict_first : <?x?xf16>, <64x32xf16>
  sluice.load %A[%c0, %c8] to %a cache evict_first : <?x?xf16>, <64x32xf16>
  // CHECK: %a.box = sluice.subview %a[%c0, %c8] : <64x32xf16> to <16x8xf16>
  %box = sluice.subview %a[%c0, %c8] : <64x32xf16> to <16x8xf16>
  // CHECK: %a.box.t = sluice.transpose %a.box : <16x8xf16>
  %t = sluice.transpose %box : <16x8xf16>
  %b = sluice.alloc "b" : !sluice.buffer<8x16xf16>
  // CHECK: sluice.copy %a.box.t to %b : <8x16xf16, minor 0>, <8x16xf16>
  sluice.copy %t to %b : <8x16xf16, minor 0>, <8x16xf16>
  // CHECK: %A.clip = sluice.clip %A, 0 to %uniform : <?x?xf16>
  // CHECK: sluice.load %A.clip[%c0, %c8] to %a : <?x?xf16>, <64x32xf16>
  %own = sluice.clip %A, 0 to %trips : <?x?xf16>
  sluice.load %own[%c0, %c8] to %a : <?x?xf16>, <64x32xf16>
  // CHECK: sluice.epoch
  sluice.epoch
}

// Welford's mean and variance of each row, and the row scaled: several results, broadcast, coordinates.
// CHECK-LABEL: sluice.kernel @normalise
sluice.kernel @normalise(%X: !sluice.tensor<?x256xf32> {sluice.name = "X"},
                         %Y: !sluice.tensor<?x256xf32> {sluice.name = "Y", sluice.inout}) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %M = sluice.dim %X, 0 : <?x256xf32>
  %g = arith.ceildivsi %M, %c64 : index
  %i = sluice.grid %g : index
  %row = arith.muli %i, %c64 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x256xf32>
  sluice.load %X[%row, %c0] to %x : <?x256xf32>, <64x256xf32>
  %mean = sluice.alloc "mean" : !sluice.buffer<64x1xf32>
  %m2 = sluice.alloc "m2" : !sluice.buffer<64x1xf32>
  %count = sluice.alloc "count" : !sluice.buffer<64x1xf32>
  // CHECK: sluice.reduce ins(%x : !sluice.buffer<64x256xf32>) outs(%mean, %m2, %count : !sluice.buffer<64x1xf32>, !sluice.buffer<64x1xf32>, !sluice.buffer<64x1xf32>) axis 1 from [0.000000e+00, 0.000000e+00, 0.000000e+00] {
  // CHECK-NEXT: ^bb0(%state: f32, %state_0: f32, %state_1: f32, %{{.*}}: f32):
  sluice.reduce ins(%x : !sluice.buffer<64x256xf32>)
      outs(%mean, %m2, %count : !sluice.buffer<64x1xf32>, !sluice.buffer<64x1xf32>,
           !sluice.buffer<64x1xf32>) axis 1 from [0.0, 0.0, 0.0] {
  ^bb0(%mu: f32, %s: f32, %n: f32, %v: f32):
    %one = arith.constant 1.0 : f32
    %n1 = arith.addf %n, %one : f32
    %d = arith.subf %v, %mu : f32
    %step = arith.divf %d, %n1 : f32
    %mu1 = arith.addf %mu, %step : f32
    %d1 = arith.subf %v, %mu1 : f32
    %p = arith.mulf %d, %d1 : f32
    %s1 = arith.addf %s, %p : f32
    // CHECK: sluice.yield %{{.*}}, %{{.*}}, %{{.*}} : f32, f32, f32
    sluice.yield %mu1, %s1, %n1 : f32, f32, f32
  }
  %y = sluice.alloc "y" : !sluice.buffer<64x256xf32>
  // CHECK: sluice.map ins(%x, %mean : !sluice.buffer<64x256xf32>, !sluice.buffer<64x1xf32>) outs(%y : !sluice.buffer<64x256xf32>) coordinates {
  // CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: f32, %row: index, %col: index):
  sluice.map ins(%x, %mean : !sluice.buffer<64x256xf32>, !sluice.buffer<64x1xf32>)
      outs(%y : !sluice.buffer<64x256xf32>) coordinates {
  ^bb0(%v: f32, %mu: f32, %r: index, %c: index):
    %d = arith.subf %v, %mu : f32
    sluice.yield %d : f32
  }
  // CHECK: sluice.store %y to %Y[%{{.*}}, %c0] add : <64x256xf32>, <?x256xf32>
  sluice.store %y to %Y[%row, %c0] add : <64x256xf32>, <?x256xf32>
  // CHECK: sluice.store %y to %Y[%{{.*}}, %c0] cache evict_last : <64x256xf32>, <?x256xf32>
  sluice.store %y to %Y[%row, %c0] cache evict_last : <64x256xf32>, <?x256xf32>
}

// What an Ascend kernel asks for: slots by memory space.
// CHECK-LABEL: sluice.kernel @slots
sluice.kernel @slots() attributes {target = "ascend910b"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<16x16xf32>
  scf.for %t = %c0 to %c1 step %c1 {
    sluice.fill %acc with 1.5 : <16x16xf32>
  // CHECK: } {sluice.slots = {l0a = 2 : i64, l0b = 2 : i64, l0c = 2 : i64, l1 = 2 : i64}}
  } {sluice.slots = {l1 = 2, l0a = 2, l0b = 2, l0c = 2}}
}

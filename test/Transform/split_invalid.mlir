// RUN: sluice-opt %s -split-input-file -sluice-map-grid -verify-diagnostics
// What a loop that is split must be, and what may be done with its sums.

!t = !sluice.tensor<?x?xf16, align 16>

sluice.kernel @sum_of_rows(%A: !t, %B: !t, %C: !sluice.tensor<?x?xf32> {sluice.out}) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %i = sluice.grid %c1 : index
  %K = sluice.dim %A, 1 : !t
  %n = arith.ceildivsi %K, %c64 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  sluice.fill %acc with 0.0 : <64x64xf32>
  scf.for %t = %c0 to %n step %c1 {
    %k = arith.muli %t, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
    sluice.load %A[%c0, %k] to %a : !t, <64x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
    sluice.load %B[%k, %c0] to %b : !t, <64x64xf16>
    sluice.mma %acc, %a, %b : <64x64xf32>, <64x64xf16>, <64x64xf16>
  } {sluice.split = 2}
  %r = sluice.alloc "r" : !sluice.buffer<64x1xf32>
  // expected-error @+1 {{works on the sum of a loop that is split, of which each CTA has a block of the columns; this is not supported}}
  sluice.reduce ins(%acc : !sluice.buffer<64x64xf32>) outs(%r : !sluice.buffer<64x1xf32>) axis 1 from [0.0] {
  ^bb0(%s: f32, %x: f32):
    %y = arith.addf %s, %x : f32
    sluice.yield %y : f32
  }
  sluice.store %r to %C[%c0, %c0] : <64x1xf32>, <?x?xf32>
}

// -----

!t = !sluice.tensor<?x?xf16, align 16>

sluice.kernel @half_the_steps(%A: !t, %B: !t) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %i = sluice.grid %c1 : index
  %K = sluice.dim %A, 1 : !t
  %n = arith.ceildivsi %K, %c128 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  sluice.fill %acc with 0.0 : <64x64xf32>
  scf.for %t = %c0 to %n step %c1 {
    %k = arith.muli %t, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
    sluice.load %A[%c0, %k] to %a : !t, <64x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
    sluice.load %B[%k, %c0] to %b : !t, <64x64xf16>
    // expected-error @+1 {{stands in a loop that is split, whose steps go along dimension 1 of a tensor in 128; a product is supported there if one of its operands is loaded from that tensor step by step: beyond its end are zeros}}
    sluice.mma %acc, %a, %b : <64x64xf32>, <64x64xf16>, <64x64xf16>
  } {sluice.split = 2}
}

// -----

sluice.kernel @trips(%n: index) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = sluice.grid %c1 : index
  // expected-error @+1 {{a loop that is split counts the steps of an extent, 0 to ceildiv(extent of a tensor, size of a step); other bounds are not supported}}
  scf.for %t = %c0 to %n step %c1 {
  } {sluice.split = 2}
}

// -----

!t = !sluice.tensor<?x?xf16, align 16>

sluice.kernel @other_work(%A: !t) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %i = sluice.grid %c1 : index
  %K = sluice.dim %A, 1 : !t
  %n = arith.ceildivsi %K, %c64 : index
  scf.for %t = %c0 to %n step %c1 {
    %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
    // expected-error @+1 {{stands in a loop that is split; loads and products are supported there alone}}
    sluice.fill %a with 0.0 : <64x64xf16>
  } {sluice.split = 2}
}

// -----

!t = !sluice.tensor<?x?xf16, align 16>

sluice.kernel @narrow(%A: !t, %B: !t) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %i = sluice.grid %c1 : index
  %K = sluice.dim %A, 1 : !t
  %n = arith.ceildivsi %K, %c64 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x40xf32>
  sluice.fill %acc with 0.0 : <64x40xf32>
  // expected-error @+1 {{is split over 2 CTAs; accumulator 'acc' has 40 columns, which must be a multiple of 16}}
  scf.for %t = %c0 to %n step %c1 {
    %k = arith.muli %t, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
    sluice.load %A[%c0, %k] to %a : !t, <64x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x40xf16>
    sluice.load %B[%k, %c0] to %b : !t, <64x40xf16>
    sluice.mma %acc, %a, %b : <64x40xf32>, <64x64xf16>, <64x40xf16>
  } {sluice.split = 2}
}

// -----

!t = !sluice.tensor<?x?xf16, align 16>

sluice.kernel @starts_elsewhere(%A: !t, %B: !t) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %i = sluice.grid %c1 : index
  %K = sluice.dim %A, 1 : !t
  %n = arith.ceildivsi %K, %c64 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  // expected-error @+1 {{touches 'acc', an accumulator of a loop that is split; supported are a fill with zero before the loop, products in it and what reads the sum behind it}}
  sluice.fill %acc with 1.0 : <64x64xf32>
  scf.for %t = %c0 to %n step %c1 {
    %k = arith.muli %t, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
    sluice.load %A[%c0, %k] to %a : !t, <64x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
    sluice.load %B[%k, %c0] to %b : !t, <64x64xf16>
    sluice.mma %acc, %a, %b : <64x64xf32>, <64x64xf16>, <64x64xf16>
  } {sluice.split = 2}
}

// -----

!t = !sluice.tensor<?x?xf16, align 16>

sluice.kernel @no_start(%A: !t, %B: !t) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %i = sluice.grid %c1 : index
  %K = sluice.dim %A, 1 : !t
  %n = arith.ceildivsi %K, %c64 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  // expected-error @+1 {{is split; its accumulator 'acc' must be filled with zero before}}
  scf.for %t = %c0 to %n step %c1 {
    %k = arith.muli %t, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
    sluice.load %A[%c0, %k] to %a : !t, <64x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
    sluice.load %B[%k, %c0] to %b : !t, <64x64xf16>
    sluice.mma %acc, %a, %b : <64x64xf32>, <64x64xf16>, <64x64xf16>
  } {sluice.split = 2}
}

// -----

sluice.kernel @inner(%A: !sluice.tensor<?x?xf16>) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = sluice.grid %c1 : index
  scf.for %s = %c0 to %c1 step %c1 {
    // expected-error @+1 {{a loop that is split within another loop or a branch is not supported}}
    scf.for %t = %c0 to %c1 step %c1 {
    } {sluice.split = 2}
  }
}

// -----

sluice.kernel @two(%A: !sluice.tensor<?x?xf16>) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = sluice.grid %c1 : index
  scf.for %s = %c0 to %c1 step %c1 {
  } {sluice.split = 2}
  // expected-error @+1 {{a second loop that is split is not supported}}
  scf.for %t = %c0 to %c1 step %c1 {
  } {sluice.split = 2}
}

// -----

sluice.kernel @no_grid(%A: !sluice.tensor<?x?xf16>) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %K = sluice.dim %A, 1 : <?x?xf16>
  %n = arith.ceildivsi %K, %c64 : index
  // expected-error @+1 {{is split over CTAs of a cluster; the kernel needs a sluice.grid}}
  scf.for %s = %c0 to %n step %c1 {
  } {sluice.split = 2}
}

// -----

sluice.kernel @persistent(%A: !sluice.tensor<?x?xf16>) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %K = sluice.dim %A, 1 : <?x?xf16>
  %n = arith.ceildivsi %K, %c64 : index
  %i = sluice.grid %c1 {persistent} : index
  // expected-error @+1 {{unsupported: sluice.split in a persistent grid; where CTAs shall share the steps of all tiles (stream-K), mark the grid sluice.stream}}
  scf.for %s = %c0 to %n step %c1 {
  } {sluice.split = 2}
}

// -----

sluice.kernel @wide(%A: !sluice.tensor<?x?xf16>) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %K = sluice.dim %A, 1 : <?x?xf16>
  %n = arith.ceildivsi %K, %c64 : index
  // expected-error @+1 {{needs clusters of 32 CTAs, 8 for the steps of each tile; at most 16}}
  %i, %j = sluice.grid %c1, %c1 {cluster = array<i64: 2, 2>} : index, index
  scf.for %s = %c0 to %n step %c1 {
  } {sluice.split = 8}
}

// -----

!t = !sluice.tensor<?x?xf16, align 16>

sluice.kernel @stores_else(%A: !t, %B: !t, %C: !sluice.tensor<?x?xf32> {sluice.out}) attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %i = sluice.grid %c1 : index
  %K = sluice.dim %A, 1 : !t
  %n = arith.ceildivsi %K, %c64 : index
  %acc = sluice.alloc "acc" : !sluice.buffer<64x64xf32>
  %one = sluice.alloc "one" : !sluice.buffer<64x64xf32>
  sluice.fill %acc with 0.0 : <64x64xf32>
  scf.for %t = %c0 to %n step %c1 {
    %k = arith.muli %t, %c64 : index
    %a = sluice.alloc "a" : !sluice.buffer<64x64xf16>
    sluice.load %A[%c0, %k] to %a : !t, <64x64xf16>
    %b = sluice.alloc "b" : !sluice.buffer<64x64xf16>
    sluice.load %B[%k, %c0] to %b : !t, <64x64xf16>
    sluice.mma %acc, %a, %b : <64x64xf32>, <64x64xf16>, <64x64xf16>
  } {sluice.split = 2}
  sluice.fill %one with 1.0 : <64x64xf32>
  // expected-error @+1 {{stores no sum of the loop that is split, so that each of its CTAs would store it; this is not supported}}
  sluice.store %one to %C[%c0, %c0] add : <64x64xf32>, <?x?xf32>
}

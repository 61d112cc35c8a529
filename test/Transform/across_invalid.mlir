// RUN: sluice-opt %s -split-input-file -sluice-map-grid -verify-diagnostics
// What a fold over the CTAs of a cluster needs of its grid.

!t = !sluice.tensor<?x?xf32>

sluice.kernel @k(%X: !t {sluice.name = "X"}, %Y: !t {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %own = sluice.alloc "own" : !sluice.buffer<8x1xf32>
  sluice.load %X[%c0, %c0] to %own : !t, <8x1xf32>
  %whole = sluice.alloc "whole" : !sluice.buffer<1x1xf32>
  // expected-error @+1 {{folds across CTAs; the kernel needs a sluice.grid}}
  sluice.reduce ins(%own : !sluice.buffer<8x1xf32>) outs(%whole : !sluice.buffer<1x1xf32>)
      axis 0 from [0.0] attributes {sluice.across = 0} {
  ^bb0(%s: f32, %v: f32):
    %r = arith.addf %s, %v : f32
    sluice.yield %r : f32
  }
}

// -----

!t = !sluice.tensor<?x?xf32>

sluice.kernel @k(%X: !t {sluice.name = "X"}, %Y: !t {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %i = sluice.grid %c2 : index
  %own = sluice.alloc "own" : !sluice.buffer<8x1xf32>
  sluice.load %X[%c0, %c0] to %own : !t, <8x1xf32>
  %whole = sluice.alloc "whole" : !sluice.buffer<1x1xf32>
  // expected-error @+1 {{folds across the CTAs of a cluster along coordinate 0 of the grid, which has no cluster there; say so: `cluster`}}
  sluice.reduce ins(%own : !sluice.buffer<8x1xf32>) outs(%whole : !sluice.buffer<1x1xf32>)
      axis 0 from [0.0] attributes {sluice.across = 0} {
  ^bb0(%s: f32, %v: f32):
    %r = arith.addf %s, %v : f32
    sluice.yield %r : f32
  }
}

// -----

!t = !sluice.tensor<?x?xf32>

sluice.kernel @k(%X: !t {sluice.name = "X"}, %Y: !t {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %i, %j = sluice.grid %c2, %c2 {cluster = array<i64: 2, 1>} : index, index
  %own = sluice.alloc "own" : !sluice.buffer<8x1xf32>
  sluice.load %X[%c0, %c0] to %own : !t, <8x1xf32>
  %whole = sluice.alloc "whole" : !sluice.buffer<1x1xf32>
  // expected-error @+1 {{folds across the CTAs of a cluster along coordinate 1 of the grid, which has no cluster there; say so: `cluster`}}
  sluice.reduce ins(%own : !sluice.buffer<8x1xf32>) outs(%whole : !sluice.buffer<1x1xf32>)
      axis 0 from [0.0] attributes {sluice.across = 1} {
  ^bb0(%s: f32, %v: f32):
    %r = arith.addf %s, %v : f32
    sluice.yield %r : f32
  }
}

// -----

!t = !sluice.tensor<?x?xf32>

sluice.kernel @k(%X: !t {sluice.name = "X"}, %Y: !t {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %i, %j = sluice.grid %c2, %c2 {cluster = array<i64: 2, 1>, persistent} : index, index
  %own = sluice.alloc "own" : !sluice.buffer<8x1xf32>
  sluice.load %X[%c0, %c0] to %own : !t, <8x1xf32>
  %whole = sluice.alloc "whole" : !sluice.buffer<1x1xf32>
  // expected-error @+1 {{unsupported: folds across the CTAs of a cluster in a persistent grid; write the loop over rows out}}
  sluice.reduce ins(%own : !sluice.buffer<8x1xf32>) outs(%whole : !sluice.buffer<1x1xf32>)
      axis 0 from [0.0] attributes {sluice.across = 0} {
  ^bb0(%s: f32, %v: f32):
    %r = arith.addf %s, %v : f32
    sluice.yield %r : f32
  }
}

// -----

!t = !sluice.tensor<?x?xf32>

sluice.kernel @k(%X: !t {sluice.name = "X"}, %Y: !t {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %i, %j = sluice.grid %c2, %c2 {cluster = array<i64: 2, 2>} : index, index
  %own = sluice.alloc "own" : !sluice.buffer<8x1xf32>
  sluice.load %X[%c0, %c0] to %own : !t, <8x1xf32>
  %whole = sluice.alloc "whole" : !sluice.buffer<1x1xf32>
  // expected-error @+1 {{unsupported: folds across the CTAs along coordinate 0 of a cluster that has others along another one}}
  sluice.reduce ins(%own : !sluice.buffer<8x1xf32>) outs(%whole : !sluice.buffer<1x1xf32>)
      axis 0 from [0.0] attributes {sluice.across = 0} {
  ^bb0(%s: f32, %v: f32):
    %r = arith.addf %s, %v : f32
    sluice.yield %r : f32
  }
}

// -----

!t = !sluice.tensor<?x?xf32>

sluice.kernel @k(%X: !t {sluice.name = "X"}, %Y: !t {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %i, %j = sluice.grid %c2, %c2 {cluster = array<i64: 2, 1>} : index, index
  %own = sluice.alloc "own" : !sluice.buffer<8x1xf32>
  sluice.load %X[%c0, %c0] to %own : !t, <8x1xf32>
  %t = sluice.transpose %own : <8x1xf32>
  %all = sluice.alloc "all" : !sluice.buffer<1x32xf32>
  // expected-error @+1 {{takes 8 rows of each of 2 CTAs, and has room for 32}}
  sluice.copy %t to %all {sluice.across = 0} : <1x8xf32, minor 0>, <1x32xf32>
}

// -----

!t = !sluice.tensor<?x?xf32>

sluice.kernel @k(%X: !t {sluice.name = "X"}, %Y: !t {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a"} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %i = sluice.grid %c2 : index
  %own = sluice.alloc "own" : !sluice.buffer<8x1xf32>
  sluice.load %X[%c0, %c0] to %own : !t, <8x1xf32>
  %t = sluice.transpose %own : <8x1xf32>
  %all = sluice.alloc "all" : !sluice.buffer<1x16xf32>
  // expected-error @+1 {{takes rows across the CTAs of a cluster along coordinate 0 of the grid, which has no cluster there; say so: `cluster`}}
  sluice.copy %t to %all {sluice.across = 0} : <1x8xf32, minor 0>, <1x16xf32>
}

// Attention at the tile level for an Ascend 910B: Q K^T and P V on the cube core, the softmax on its
// two vector cores, 64 queries each. Of the flags, workspaces and pipes the author says nothing. The
// order of statements is the overlap: the cube multiplies the weights of the tile of keys before with
// its values while the vector cores weigh this one; the last step has no keys.
// RUN: sluice check %s | FileCheck %s --check-prefix=PROOF
// RUN: %python %S/Inputs/attention.py %t 140 300 2
// RUN: sluice run %s --in Q=%t/Q.npy K=%t/K.npy V=%t/V.npy --set O=140x2x128 --expect O=%t/O.npy | FileCheck %s --check-prefix=RIGHT
// RUN: sluice trace %s --set Q=128x24x128 K=512x24x128 V=512x24x128 O=128x24x128 | FileCheck %s --check-prefix=TIME
// PROOF: {{^}}proven: every launch
// RIGHT: within
// TIME: gain of the overlap {{ *}}{{[2-9]}}
sluice.kernel @attention(%Q: !sluice.tensor<?x?x128xf16, rows 0, align 16> {sluice.name = "Q"},
                         %K: !sluice.tensor<?x?x128xf16, rows 0, align 16> {sluice.name = "K"},
                         %V: !sluice.tensor<?x?x128xf16, rows 0, align 16> {sluice.name = "V"},
                         %O: !sluice.tensor<?x?x128xf16, rows 0, align 16>
                             {sluice.name = "O", sluice.out})
    attributes {target = "ascend910b"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %rows = sluice.dim %Q, 0 : <?x?x128xf16, rows 0, align 16>
  %heads = sluice.dim %Q, 1 : <?x?x128xf16, rows 0, align 16>
  %keys = sluice.dim %K, 0 : <?x?x128xf16, rows 0, align 16>
  %blocks = arith.ceildivsi %rows, %c128 : index
  %tiles = arith.ceildivsi %keys, %c128 : index
  %steps = arith.addi %tiles, %c1 : index
  %h, %i = sluice.grid %heads, %blocks : index, index
  %row = arith.muli %i, %c128 : index
  %q = sluice.alloc "q" : !sluice.buffer<128x128xf16>
  sluice.load %Q[%row, %h, %c0] to %q : <?x?x128xf16, rows 0, align 16>, <128x128xf16>
  %o = sluice.alloc "o" : !sluice.buffer<128x128xf32>
  %most = sluice.alloc "most" : !sluice.buffer<128x1xf32>
  %sum = sluice.alloc "sum" : !sluice.buffer<128x1xf32>
  sluice.fill %o with 0.0 : <128x128xf32>
  sluice.fill %most with -1.0e30 : <128x1xf32>
  sluice.fill %sum with 0.0 : <128x1xf32>
  %p = sluice.alloc "p" : !sluice.buffer<128x128xf16>
  sluice.fill %p with 0.0 : <128x128xf16>
  scf.for %t = %c0 to %steps step %c1 {
    %key = arith.muli %t, %c128 : index
    %back = arith.subi %key, %c128 : index
    %before = arith.maxsi %back, %c0 : index
    %left = arith.subi %keys, %key : index
    %k = sluice.alloc "k" : !sluice.buffer<128x128xf16>
    sluice.load %K[%key, %h, %c0] to %k : <?x?x128xf16, rows 0, align 16>, <128x128xf16>
    %kT = sluice.transpose %k : <128x128xf16>
    %s = sluice.alloc "s" : !sluice.buffer<128x128xf32>
    sluice.fill %s with 0.0 : <128x128xf32>
    sluice.mma %s, %q, %kT : <128x128xf32>, <128x128xf16>, <128x128xf16, minor 0>
    %v = sluice.alloc "v" : !sluice.buffer<128x128xf16>
    sluice.load %V[%before, %h, %c0] to %v : <?x?x128xf16, rows 0, align 16>, <128x128xf16>
    %pv = sluice.alloc "pv" : !sluice.buffer<128x128xf32>
    sluice.fill %pv with 0.0 : <128x128xf32>
    sluice.mma %pv, %p, %v : <128x128xf32>, <128x128xf16>, <128x128xf16>
    // Scores of the keys that there are, in units of log2 e.
    %x = sluice.alloc "x" : !sluice.buffer<128x128xf32>
    sluice.map ins(%s : !sluice.buffer<128x128xf32>) outs(%x : !sluice.buffer<128x128xf32>)
        coordinates {
    ^bb0(%e: f32, %r: index, %c: index):
      %scale = arith.constant 0.127517432 : f32 // log2 e / sqrt(128)
      %none = arith.constant 0xFF800000 : f32
      %z = arith.mulf %e, %scale : f32
      %there = arith.cmpi slt, %c, %left : index
      %y = arith.select %there, %z, %none : f32
      sluice.yield %y : f32
    }
    %largest = sluice.alloc "largest" : !sluice.buffer<128x1xf32>
    sluice.reduce ins(%x : !sluice.buffer<128x128xf32>) outs(%largest : !sluice.buffer<128x1xf32>)
        axis 1 from [-inf] {
    ^bb0(%m: f32, %e: f32):
      %y = arith.maximumf %m, %e : f32
      sluice.yield %y : f32
    }
    %less = sluice.alloc "less" : !sluice.buffer<128x1xf32>
    sluice.map ins(%most, %largest : !sluice.buffer<128x1xf32>, !sluice.buffer<128x1xf32>)
        outs(%less, %most : !sluice.buffer<128x1xf32>, !sluice.buffer<128x1xf32>) {
    ^bb0(%m: f32, %e: f32):
      %y = arith.maximumf %m, %e : f32
      %d = arith.subf %m, %y : f32
      %f = math.exp2 %d : f32
      sluice.yield %f, %y : f32, f32
    }
    sluice.map ins(%x, %most : !sluice.buffer<128x128xf32>, !sluice.buffer<128x1xf32>)
        outs(%x, %p : !sluice.buffer<128x128xf32>, !sluice.buffer<128x128xf16>) {
    ^bb0(%e: f32, %m: f32):
      %d = arith.subf %e, %m : f32
      %y = math.exp2 %d : f32
      %half = arith.truncf %y : f32 to f16
      sluice.yield %y, %half : f32, f16
    }
    %weights = sluice.alloc "weights" : !sluice.buffer<128x1xf32>
    sluice.reduce ins(%x : !sluice.buffer<128x128xf32>) outs(%weights : !sluice.buffer<128x1xf32>)
        axis 1 from [0.0] {
    ^bb0(%a: f32, %e: f32):
      %y = arith.addf %a, %e : f32
      sluice.yield %y : f32
    }
    sluice.map ins(%sum, %less, %weights : !sluice.buffer<128x1xf32>, !sluice.buffer<128x1xf32>,
            !sluice.buffer<128x1xf32>) outs(%sum : !sluice.buffer<128x1xf32>) {
    ^bb0(%a: f32, %f: f32, %w: f32):
      %kept = arith.mulf %a, %f : f32
      %y = arith.addf %kept, %w : f32
      sluice.yield %y : f32
    }
    sluice.map ins(%o, %less, %pv : !sluice.buffer<128x128xf32>, !sluice.buffer<128x1xf32>,
            !sluice.buffer<128x128xf32>) outs(%o : !sluice.buffer<128x128xf32>) {
    ^bb0(%a: f32, %f: f32, %w: f32):
      %more = arith.addf %a, %w : f32
      %y = arith.mulf %more, %f : f32
      sluice.yield %y : f32
    }
  } {sluice.name = "t"}
  %result = sluice.alloc "result" : !sluice.buffer<128x128xf16>
  sluice.map ins(%o, %sum : !sluice.buffer<128x128xf32>, !sluice.buffer<128x1xf32>)
      outs(%result : !sluice.buffer<128x128xf16>) {
  ^bb0(%a: f32, %total: f32):
    %zero = arith.constant 0.0 : f32
    %empty = arith.cmpf oeq, %total, %zero : f32
    %d = arith.divf %a, %total : f32
    %y = arith.select %empty, %zero, %d : f32
    %half = arith.truncf %y : f32 to f16
    sluice.yield %half : f16
  }
  sluice.store %result to %O[%row, %h, %c0] : <128x128xf16>, <?x?x128xf16, rows 0, align 16>
}

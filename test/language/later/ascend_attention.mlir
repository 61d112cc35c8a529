// RUN: sluice-opt %s | sluice-opt -sluice-verify-phase | FileCheck %s
// RUN: sluice check %s | FileCheck %s --check-prefix=PROOF
// Attention on an Ascend 910B core, at the barrier level: the cube core (AIC) computes S = Q K^T and
// P V, its two vector cores (AIV) the softmax of 64 rows each; the tiles cross in workspaces in global
// memory. Cross-core flags count: 0 "S is there" (AIC), 1 "P is there" (both AIVs), 2 "P V is there"
// (AIC). The AIC runs one tile ahead, S(t+1) before P(t) V(t), so two slots of every workspace do:
// S(t+2) is stored after P(t) has been waited for, which the AIVs set after reading S(t).
// PROOF: proven: every launch
// CHECK: sluice.cross.set mode 2 on FIX[%c0]
// CHECK: sluice.cross.wait on MTE2[%c1]
// CHECK: %subblock = sluice.subblock
sluice.kernel @attention(%Q: !sluice.tensor<?x128xf16> {sluice.name = "Q"},
                         %K: !sluice.tensor<?x128xf16> {sluice.name = "K"},
                         %V: !sluice.tensor<?x128xf16> {sluice.name = "V"},
                         %S: !sluice.tensor<?x128xf32> {sluice.name = "S", sluice.inout},
                         %P: !sluice.tensor<?x128xf16> {sluice.name = "P", sluice.inout},
                         %PV: !sluice.tensor<?x128xf32> {sluice.name = "PV", sluice.inout},
                         %O: !sluice.tensor<?x128xf32> {sluice.name = "O", sluice.out})
    attributes {target = "ascend910b", phase = "barrier"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %no = arith.constant false
  %rows = sluice.dim %Q, 0 : <?x128xf16>
  %keys = sluice.dim %K, 0 : <?x128xf16>
  %blocks = arith.ceildivsi %rows, %c128 : index
  %i = sluice.grid %blocks : index
  %row = arith.muli %i, %c128 : index
  %base = arith.muli %i, %c256 : index // two slots of 128 rows of each workspace
  %tiles = arith.ceildivsi %keys, %c128 : index
  %n = sluice.uniform %tiles : index

  sluice.role "cube" core "aic" {
    %q = sluice.alloc "q" : !sluice.buffer<128x128xf16, l1, zN>
    %k = sluice.alloc "k" : !sluice.buffer<128x128xf16, l1, zN>
    %v = sluice.alloc "v" : !sluice.buffer<128x128xf16, l1, zN>
    %p = sluice.alloc "p" : !sluice.buffer<128x128xf16, l1, zN>
    %l0a = sluice.alloc "l0a" : !sluice.buffer<128x128xf16, l0a, zZ, slots 2>
    %l0b = sluice.alloc "l0b" : !sluice.buffer<128x128xf16, l0b, nZ, slots 2>
    %l0c = sluice.alloc "l0c" : !sluice.buffer<128x128xf32, l0c, zN, slots 2>
    // Slot and flag 0 belong to S, 1 to P V. All start empty.
    %a0 = sluice.slot %l0a[%c0] : <128x128xf16, l0a, zZ, slots 2>
    %b0 = sluice.slot %l0b[%c0] : <128x128xf16, l0b, nZ, slots 2>
    %d0 = sluice.slot %l0c[%c0] : <128x128xf32, l0c, zN, slots 2>
    %a1 = sluice.slot %l0a[%c1] : <128x128xf16, l0a, zZ, slots 2>
    %b1 = sluice.slot %l0b[%c1] : <128x128xf16, l0b, nZ, slots 2>
    %d1 = sluice.slot %l0c[%c1] : <128x128xf32, l0c, zN, slots 2>
    scf.for %slot = %c0 to %c2 step %c1 {
      sluice.set_flag MTE1 to MTE2[%slot]
      sluice.set_flag M to MTE1[%slot]
      sluice.set_flag FIX to M[%slot]
    }
    sluice.load %Q[%row, %c0] to %q on MTE2 : <?x128xf16>, <128x128xf16, l1, zN>
    %stop = arith.addi %n, %c1 : index
    scf.for %t = %c0 to %stop step %c1 {
      %scores = arith.cmpi slt, %t, %n : index
      %values = arith.cmpi sgt, %t, %c0 : index
      scf.if %scores { // S(t)
        %key = arith.muli %t, %c128 : index
        %parity = arith.remsi %t, %c2 : index
        %down = arith.muli %parity, %c128 : index
        %at = arith.addi %base, %down : index
        sluice.wait_flag MTE1 to MTE2[%c0]
        sluice.load %K[%key, %c0] to %k on MTE2 : <?x128xf16>, <128x128xf16, l1, zN>
        sluice.set_flag MTE2 to MTE1[%c0]
        sluice.wait_flag MTE2 to MTE1[%c0]
        sluice.wait_flag M to MTE1[%c0]
        sluice.copy %q to %a0 on MTE1 : <128x128xf16, l1, zN>, <128x128xf16, l0a, zZ>
        %kT = sluice.transpose %k : <128x128xf16, l1, zN>
        sluice.copy %kT to %b0 on MTE1 : <128x128xf16, l1, zN, minor 0>, <128x128xf16, l0b, nZ>
        sluice.set_flag MTE1 to MTE2[%c0]
        sluice.set_flag MTE1 to M[%c0]
        sluice.wait_flag MTE1 to M[%c0]
        sluice.wait_flag FIX to M[%c0]
        sluice.mmad %d0, %a0, %b0 accumulate %no : <128x128xf32, l0c, zN>,
            <128x128xf16, l0a, zZ>, <128x128xf16, l0b, nZ>
        sluice.set_flag M to MTE1[%c0]
        sluice.set_flag M to FIX[%c0]
        sluice.wait_flag M to FIX[%c0]
        sluice.store %d0 to %S[%at, %c0] on FIX : <128x128xf32, l0c, zN>, <?x128xf32>
        sluice.set_flag FIX to M[%c0]
        sluice.cross.set mode 2 on FIX[%c0]
      }
      scf.if %values { // P(t-1) V(t-1)
        %u = arith.subi %t, %c1 : index
        %key = arith.muli %u, %c128 : index
        %parity = arith.remsi %u, %c2 : index
        %down = arith.muli %parity, %c128 : index
        %at = arith.addi %base, %down : index
        sluice.wait_flag MTE1 to MTE2[%c1]
        sluice.load %V[%key, %c0] to %v on MTE2 : <?x128xf16>, <128x128xf16, l1, zN>
        sluice.cross.wait on MTE2[%c1]
        sluice.load %P[%at, %c0] to %p on MTE2 : <?x128xf16>, <128x128xf16, l1, zN>
        sluice.set_flag MTE2 to MTE1[%c1]
        sluice.wait_flag MTE2 to MTE1[%c1]
        sluice.wait_flag M to MTE1[%c1]
        sluice.copy %p to %a1 on MTE1 : <128x128xf16, l1, zN>, <128x128xf16, l0a, zZ>
        sluice.copy %v to %b1 on MTE1 : <128x128xf16, l1, zN>, <128x128xf16, l0b, nZ>
        sluice.set_flag MTE1 to MTE2[%c1]
        sluice.set_flag MTE1 to M[%c1]
        sluice.wait_flag MTE1 to M[%c1]
        sluice.wait_flag FIX to M[%c1]
        sluice.mmad %d1, %a1, %b1 accumulate %no : <128x128xf32, l0c, zN>,
            <128x128xf16, l0a, zZ>, <128x128xf16, l0b, nZ>
        sluice.set_flag M to MTE1[%c1]
        sluice.set_flag M to FIX[%c1]
        sluice.wait_flag M to FIX[%c1]
        sluice.store %d1 to %PV[%at, %c0] on FIX : <128x128xf32, l0c, zN>, <?x128xf32>
        sluice.set_flag FIX to M[%c1]
        sluice.cross.set mode 2 on FIX[%c2]
      }
    }
    scf.for %slot = %c0 to %c2 step %c1 { // flags end as they began: clear
      sluice.wait_flag MTE1 to MTE2[%slot]
      sluice.wait_flag M to MTE1[%slot]
      sluice.wait_flag FIX to M[%slot]
    }
  }

  sluice.role "vector" core "aiv" {
    %half = sluice.subblock
    %offset = arith.muli %half, %c64 : index
    %mine = arith.addi %base, %offset : index
    %row_out = arith.addi %row, %offset : index
    %s = sluice.alloc "s" : !sluice.buffer<64x128xf32, ub, row>
    %p = sluice.alloc "p16" : !sluice.buffer<64x128xf16, ub, row>
    %pv = sluice.alloc "pv" : !sluice.buffer<64x128xf32, ub, row>
    %o = sluice.alloc "o" : !sluice.buffer<64x128xf32, ub, row>
    %max = sluice.alloc "max" : !sluice.buffer<64x1xf32, ub, row>
    %sum = sluice.alloc "sum" : !sluice.buffer<64x1xf32, ub, row>
    %part = sluice.alloc "part" : !sluice.buffer<64x1xf32, ub, row>
    %keep = sluice.alloc "keep" : !sluice.buffer<64x1xf32, ub, row>
    sluice.fill %o with 0.0 on V : <64x128xf32, ub, row>
    sluice.fill %max with -1.0e30 on V : <64x1xf32, ub, row>
    sluice.fill %sum with 0.0 on V : <64x1xf32, ub, row>
    sluice.set_flag V to MTE2[%c0]    // s is free
    sluice.set_flag V to MTE2[%c1]    // pv is free
    sluice.set_flag MTE3 to V[%c0]    // p is free
    scf.for %t = %c0 to %n step %c1 {
      %parity = arith.remsi %t, %c2 : index
      %down = arith.muli %parity, %c128 : index
      %at = arith.addi %mine, %down : index
      sluice.cross.wait on MTE2[%c0]
      sluice.wait_flag V to MTE2[%c0]
      sluice.load %S[%at, %c0] to %s on MTE2 : <?x128xf32>, <64x128xf32, ub, row>
      sluice.set_flag MTE2 to V[%c0]
      sluice.wait_flag MTE2 to V[%c0]
      sluice.reduce ins(%s : !sluice.buffer<64x128xf32, ub, row>)
          outs(%part : !sluice.buffer<64x1xf32, ub, row>) axis 1 from [-1.0e30] on V {
      ^bb0(%m: f32, %x: f32):
        %r = arith.maximumf %m, %x : f32
        sluice.yield %r : f32
      }
      sluice.pipe_barrier V
      sluice.map ins(%max, %part : !sluice.buffer<64x1xf32, ub, row>, !sluice.buffer<64x1xf32, ub, row>)
          outs(%keep, %max : !sluice.buffer<64x1xf32, ub, row>, !sluice.buffer<64x1xf32, ub, row>) on V {
      ^bb0(%m: f32, %x: f32):
        %scale = arith.constant 0.0883883 : f32 // 1 / sqrt(128)
        %r = arith.maximumf %m, %x : f32
        %d = arith.subf %m, %r : f32
        %z = arith.mulf %d, %scale : f32
        %f = math.exp %z : f32
        sluice.yield %f, %r : f32, f32
      }
      sluice.pipe_barrier V
      sluice.wait_flag MTE3 to V[%c0]
      sluice.map ins(%s, %max : !sluice.buffer<64x128xf32, ub, row>, !sluice.buffer<64x1xf32, ub, row>)
          outs(%s, %p : !sluice.buffer<64x128xf32, ub, row>, !sluice.buffer<64x128xf16, ub, row>) on V {
      ^bb0(%x: f32, %m: f32):
        %scale = arith.constant 0.0883883 : f32
        %d = arith.subf %x, %m : f32
        %z = arith.mulf %d, %scale : f32
        %e = math.exp %z : f32
        %h = arith.truncf %e : f32 to f16
        sluice.yield %e, %h : f32, f16
      }
      sluice.set_flag V to MTE3[%c0]
      sluice.wait_flag V to MTE3[%c0]
      sluice.store %p to %P[%at, %c0] on MTE3 : <64x128xf16, ub, row>, <?x128xf16>
      sluice.set_flag MTE3 to V[%c0]
      sluice.cross.set mode 2 on MTE3[%c1]
      sluice.pipe_barrier V
      sluice.reduce ins(%s : !sluice.buffer<64x128xf32, ub, row>)
          outs(%part : !sluice.buffer<64x1xf32, ub, row>) axis 1 from [0.0] on V {
      ^bb0(%a: f32, %x: f32):
        %r = arith.addf %a, %x : f32
        sluice.yield %r : f32
      }
      sluice.set_flag V to MTE2[%c0]
      sluice.pipe_barrier V
      sluice.map ins(%sum, %keep, %part : !sluice.buffer<64x1xf32, ub, row>,
              !sluice.buffer<64x1xf32, ub, row>, !sluice.buffer<64x1xf32, ub, row>)
          outs(%sum : !sluice.buffer<64x1xf32, ub, row>) on V {
      ^bb0(%a: f32, %f: f32, %x: f32):
        %kept = arith.mulf %a, %f : f32
        %r = arith.addf %kept, %x : f32
        sluice.yield %r : f32
      }
      sluice.cross.wait on MTE2[%c2]
      sluice.wait_flag V to MTE2[%c1]
      sluice.load %PV[%at, %c0] to %pv on MTE2 : <?x128xf32>, <64x128xf32, ub, row>
      sluice.set_flag MTE2 to V[%c1]
      sluice.wait_flag MTE2 to V[%c1]
      sluice.map ins(%o, %keep, %pv : !sluice.buffer<64x128xf32, ub, row>,
              !sluice.buffer<64x1xf32, ub, row>, !sluice.buffer<64x128xf32, ub, row>)
          outs(%o : !sluice.buffer<64x128xf32, ub, row>) on V {
      ^bb0(%a: f32, %f: f32, %x: f32):
        %kept = arith.mulf %a, %f : f32
        %r = arith.addf %kept, %x : f32
        sluice.yield %r : f32
      }
      sluice.set_flag V to MTE2[%c1]
    }
    sluice.pipe_barrier V
    sluice.map ins(%o, %sum : !sluice.buffer<64x128xf32, ub, row>, !sluice.buffer<64x1xf32, ub, row>)
        outs(%o : !sluice.buffer<64x128xf32, ub, row>) on V {
    ^bb0(%a: f32, %total: f32):
      %r = arith.divf %a, %total : f32
      sluice.yield %r : f32
    }
    sluice.set_flag V to MTE3[%c1]
    sluice.wait_flag V to MTE3[%c1]
    sluice.store %o to %O[%row_out, %c0] on MTE3 : <64x128xf32, ub, row>, <?x128xf32>
    sluice.wait_flag V to MTE2[%c0]
    sluice.wait_flag V to MTE2[%c1]
    sluice.wait_flag MTE3 to V[%c0]
  }
}

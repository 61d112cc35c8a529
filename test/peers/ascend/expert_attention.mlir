// Attention in the structure of tilelang-ascend's expert kernel (fa_opt, h16, d128): the cube core
// multiplies Q K^T of 14 tiles of keys, then the weights of these 14 with their values; Q, K, V and P
// have a tile each in L1, L0A, L0B and L0C two; scores, weights and values go through workspaces of
// 16 bits, a cross-core flag for every two tiles. Three of its cross-core flags stay set at its end;
// here they are taken back. Each L0C slot has a flag of its own id below 6, as static-tensor mode wants it.
// RUN: sluice check %s --this-launch --set Q=25x128x128 K=25x2x1792x128 V=25x2x1792x128 O=25x128x128 | FileCheck %s --check-prefix=PROOF
// RUN: %python %S/Inputs/repeated_keys.py %t
// RUN: sed '/^    sluice.cross.wait/d' %s > %t/left.mlir
// RUN: not sluice check %t/left.mlir --this-launch --set Q=25x128x128 K=25x2x1792x128 V=25x2x1792x128 O=25x128x128 | FileCheck %s --check-prefix=LEFT
// RUN: sluice run %s --in Q=%t/Q.npy K=%t/K.npy V=%t/V.npy --set O=1x128x128 --expect O=%t/O.npy | FileCheck %s --check-prefix=RIGHT
// RUN: sluice trace %s --set Q=24x128x128 K=24x2x1792x128 V=24x2x1792x128 O=24x128x128 | FileCheck %s --check-prefix=TIME
// What the tile source becomes, with workspaces of 16 bits too:
// RUN: sluice trace attention --target ascend910b --set B=1 H=24 Hkv=24 S=128 Skv=3584 dtype=f16 handed=dtype | FileCheck %s --check-prefix=OURS
// PROOF: {{^}}proven: this launch
// LEFT: R35 (Flags back to zero): left set at the end: cross-core flag 3
// RIGHT: within
// TIME: cycles {{ *}}88,429
// OURS: cycles {{ *}}88,032
// And with scores of f32, values two tiles behind them:
// RUN: sluice trace attention --target ascend910b --set B=1 H=24 Hkv=24 S=128 Skv=3584 dtype=f16 handed=values | FileCheck %s --check-prefix=VALUES
// VALUES: cycles {{ *}}85,767
!lines = !sluice.buffer<64x128xf32, ub, row>
!halves = !sluice.buffer<64x128xf16, ub, row>
!numbers = !sluice.buffer<64x1xf32, ub, row>
sluice.kernel @attention(%Q: !sluice.tensor<?x128x128xf16, align 16> {sluice.name = "Q"},
                         %K: !sluice.tensor<?x?x1792x128xf16, align 16> {sluice.name = "K"},
                         %V: !sluice.tensor<?x?x1792x128xf16, align 16> {sluice.name = "V"},
                         %O: !sluice.tensor<?x128x128xf16, align 16> {sluice.name = "O", sluice.out},
                         %W1: !sluice.tensor<43008x128xf16, align 16> {sluice.name = "W1", sluice.inout},
                         %W2: !sluice.tensor<43008x128xf16, align 16> {sluice.name = "W2", sluice.inout},
                         %W3: !sluice.tensor<43008x128xf16, align 16> {sluice.name = "W3", sluice.inout})
    attributes {target = "ascend910b", phase = "barrier"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %pairs = arith.constant 7 : index // of tiles
  %c24 = arith.constant 24 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %no = arith.constant false
  %heads = sluice.dim %Q, 0 : <?x128x128xf16, align 16>
  %batches = sluice.dim %K, 1 : <?x?x1792x128xf16, align 16>
  %cores = arith.minsi %heads, %c24 : index
  %core = sluice.grid %cores : index
  %of_core = arith.constant 1792 : index
  %mine = arith.muli %core, %of_core : index // rows of a workspace

  sluice.role "cube" core "aic" {
    %q = sluice.alloc "q" : !sluice.buffer<128x128xf16, l1, zN>
    %k = sluice.alloc "k" : !sluice.buffer<128x128xf16, l1, zN>
    %v = sluice.alloc "v" : !sluice.buffer<128x128xf16, l1, zN>
    %p = sluice.alloc "p" : !sluice.buffer<128x128xf16, l1, zN>
    %l0a = sluice.alloc "l0a" : !sluice.buffer<128x128xf16, l0a, zZ, slots 2>
    %l0b = sluice.alloc "l0b" : !sluice.buffer<128x128xf16, l0b, nZ, slots 2>
    %l0c = sluice.alloc "l0c" : !sluice.buffer<128x128xf32, l0c, zN, slots 2>
    %kT = sluice.transpose %k : <128x128xf16, l1, zN>
    sluice.cross.set mode 2 on MTE2[%c3]
    scf.for %id = %c0 to %c3 step %c1 { // k, p, v
      sluice.set_flag MTE1 to MTE2[%id]
    }
    scf.for %side = %c0 to %c2 step %c1 {
      sluice.set_flag M to MTE1[%side]
      sluice.set_flag FIX to M[%side]
    }
    scf.for %head = %core to %heads step %cores {
      sluice.load %Q[%head, %c0, %c0] to %q on MTE2 : <?x128x128xf16, align 16>, <128x128xf16, l1, zN>
      sluice.pipe_barrier ALL
      scf.for %batch = %c0 to %batches step %c1 {
        sluice.cross.wait on FIX[%c1]
        scf.for %u = %c0 to %pairs step %c1 {
          %two = arith.muli %u, %c2 : index
          scf.for %side = %c0 to %c2 step %c1 {
            %t = arith.addi %two, %side : index
            %key = arith.muli %t, %c128 : index
            %a = sluice.slot %l0a[%side] : <128x128xf16, l0a, zZ, slots 2>
            %b = sluice.slot %l0b[%side] : <128x128xf16, l0b, nZ, slots 2>
            %s = sluice.slot %l0c[%side] : <128x128xf32, l0c, zN, slots 2>
            sluice.wait_flag MTE1 to MTE2[%c0]
            sluice.load %K[%head, %batch, %key, %c0] to %k on MTE2 : <?x?x1792x128xf16, align 16>, <128x128xf16, l1, zN>
            sluice.set_flag MTE2 to MTE1[%c0]
            sluice.wait_flag M to MTE1[%side]
            %fresh = arith.cmpi slt, %t, %c2 : index
            scf.if %fresh { // then q lies in both halves
              sluice.copy %q to %a on MTE1 : <128x128xf16, l1, zN>, <128x128xf16, l0a, zZ>
            }
            sluice.wait_flag MTE2 to MTE1[%c0]
            sluice.copy %kT to %b on MTE1 : <128x128xf16, l1, zN, minor 0>, <128x128xf16, l0b, nZ>
            sluice.set_flag MTE1 to MTE2[%c0]
            sluice.set_flag MTE1 to M[%side]
            sluice.wait_flag MTE1 to M[%side]
            sluice.wait_flag FIX to M[%side]
            sluice.mmad %s, %a, %b accumulate %no : <128x128xf32, l0c, zN>, <128x128xf16, l0a, zZ>, <128x128xf16, l0b, nZ>
            sluice.set_flag M to MTE1[%side]
            sluice.set_flag M to FIX[%side]
            sluice.wait_flag M to FIX[%side]
            %row = arith.addi %mine, %key : index
            sluice.store %s to %W1[%row, %c0] on FIX : <128x128xf32, l0c, zN>, <43008x128xf16, align 16>
            sluice.set_flag FIX to M[%side]
            %odd = arith.cmpi eq, %side, %c1 : index
            scf.if %odd {
              sluice.cross.set mode 2 on FIX[%c0]
            }
          } {sluice.pipelined}
        }
        sluice.cross.wait on FIX[%c5]
        scf.for %u = %c0 to %pairs step %c1 {
          %two = arith.muli %u, %c2 : index
          scf.for %side = %c0 to %c2 step %c1 {
            %t = arith.addi %two, %side : index
            %key = arith.muli %t, %c128 : index
            %a = sluice.slot %l0a[%side] : <128x128xf16, l0a, zZ, slots 2>
            %b = sluice.slot %l0b[%side] : <128x128xf16, l0b, nZ, slots 2>
            %pv = sluice.slot %l0c[%side] : <128x128xf32, l0c, zN, slots 2>
            sluice.wait_flag MTE1 to MTE2[%c2]
            sluice.load %V[%head, %batch, %key, %c0] to %v on MTE2 : <?x?x1792x128xf16, align 16>, <128x128xf16, l1, zN>
            sluice.set_flag MTE2 to MTE1[%c2]
            sluice.wait_flag MTE1 to MTE2[%c1]
            %even = arith.cmpi eq, %side, %c0 : index
            scf.if %even {
              sluice.cross.wait on MTE2[%c2]
            }
            %row = arith.addi %mine, %key : index
            sluice.load %W2[%row, %c0] to %p on MTE2 : <43008x128xf16, align 16>, <128x128xf16, l1, zN>
            sluice.set_flag MTE2 to MTE1[%c1]
            sluice.wait_flag MTE2 to MTE1[%c2]
            sluice.wait_flag M to MTE1[%side]
            sluice.copy %v to %b on MTE1 : <128x128xf16, l1, zN>, <128x128xf16, l0b, nZ>
            sluice.set_flag MTE1 to MTE2[%c2]
            sluice.wait_flag MTE2 to MTE1[%c1]
            sluice.copy %p to %a on MTE1 : <128x128xf16, l1, zN>, <128x128xf16, l0a, zZ>
            sluice.set_flag MTE1 to MTE2[%c1]
            sluice.set_flag MTE1 to M[%side]
            sluice.wait_flag MTE1 to M[%side]
            sluice.wait_flag FIX to M[%side]
            sluice.mmad %pv, %a, %b accumulate %no : <128x128xf32, l0c, zN>, <128x128xf16, l0a, zZ>, <128x128xf16, l0b, nZ>
            sluice.set_flag M to MTE1[%side]
            sluice.set_flag M to FIX[%side]
            sluice.wait_flag M to FIX[%side]
            sluice.store %pv to %W3[%row, %c0] on FIX : <128x128xf32, l0c, zN>, <43008x128xf16, align 16>
            sluice.set_flag FIX to M[%side]
            %odd = arith.cmpi eq, %side, %c1 : index
            scf.if %odd {
              sluice.cross.set mode 2 on FIX[%c4]
            }
          }
        }
        sluice.cross.set mode 2 on MTE2[%c3]
      }
    }
    scf.for %id = %c0 to %c3 step %c1 {
      sluice.wait_flag MTE1 to MTE2[%id]
    }
    scf.for %side = %c0 to %c2 step %c1 {
      sluice.wait_flag M to MTE1[%side]
      sluice.wait_flag FIX to M[%side]
    }
    sluice.cross.wait on FIX[%c1]
    sluice.cross.wait on FIX[%c5]
  }

  sluice.role "vector" core "aiv" {
    %o = sluice.alloc "o" : !lines
    %work = sluice.alloc "work" : !lines
    %wide = sluice.alloc "wide" : !lines
    %io = sluice.alloc "io" : !halves
    %half = sluice.alloc "half" : !halves
    %sum = sluice.alloc "sum" : !numbers
    %least = sluice.alloc "least" : !sluice.buffer<64x1xf32, ub, row, slots 2>
    %less = sluice.alloc "less" : !sluice.buffer<64x1xf32, ub, row, slots 14>
    %sums = sluice.alloc "sums" : !sluice.buffer<64x1xf32, ub, row, slots 14>
    %which = sluice.subblock
    %down = arith.muli %which, %c64 : index
    %from = arith.addi %mine, %down : index
    sluice.cross.set mode 2 on MTE2[%c1]
    sluice.cross.set mode 2 on MTE2[%c5]
    sluice.set_flag V to MTE2[%c0]
    sluice.set_flag MTE3 to V[%c1]
    scf.for %head = %core to %heads step %cores {
      %before = sluice.slot %least[%c1] : <64x1xf32, ub, row, slots 2>
      sluice.pipe_barrier V
      sluice.fill %o with 0.0 on V : <64x128xf32, ub, row>
      sluice.fill %sum with 0.0 on V : <64x1xf32, ub, row>
      sluice.fill %before with 1.07374182e+09 on V : <64x1xf32, ub, row>
      scf.for %batch = %c0 to %batches step %c1 {
        sluice.cross.wait on MTE3[%c3]
        scf.for %u = %c0 to %pairs step %c1 {
          %two = arith.muli %u, %c2 : index
          scf.for %side = %c0 to %c2 step %c1 {
            %t = arith.addi %two, %side : index
            %other = arith.subi %c1, %side : index
            %now = sluice.slot %least[%side] : <64x1xf32, ub, row, slots 2>
            %old = sluice.slot %least[%other] : <64x1xf32, ub, row, slots 2>
            %less_t = sluice.slot %less[%t] : <64x1xf32, ub, row, slots 14>
            %sum_t = sluice.slot %sums[%t] : <64x1xf32, ub, row, slots 14>
            %at = arith.muli %t, %c128 : index
            %row = arith.addi %from, %at : index
            sluice.wait_flag V to MTE2[%c0]
            %even = arith.cmpi eq, %side, %c0 : index
            scf.if %even {
              sluice.cross.wait on MTE2[%c0]
            }
            sluice.load %W1[%row, %c0] to %io on MTE2 : <43008x128xf16, align 16>, <64x128xf16, ub, row>
            sluice.set_flag MTE2 to V[%c0]
            sluice.wait_flag MTE2 to V[%c0]
            sluice.pipe_barrier V
            sluice.map ins(%io : !halves) outs(%work : !lines) on V {
            ^bb0(%e: f16):
              %y = arith.extf %e : f16 to f32
              sluice.yield %y : f32
            }
            sluice.set_flag V to MTE2[%c0]
            sluice.pipe_barrier V
            sluice.reduce ins(%work : !lines) outs(%now : !numbers) axis 1 from [-inf] on V {
            ^bb0(%m: f32, %e: f32):
              %y = arith.maxnumf %m, %e : f32
              sluice.yield %y : f32
            }
            sluice.pipe_barrier V
            sluice.map ins(%now : !numbers) outs(%now : !numbers) on V {
            ^bb0(%e: f32):
              %scale = arith.constant -0.0883883461 : f32
              %y = arith.mulf %e, %scale : f32
              sluice.yield %y : f32
            }
            sluice.pipe_barrier V
            sluice.map ins(%now, %old : !numbers, !numbers) outs(%now : !numbers) on V {
            ^bb0(%e: f32, %m: f32):
              %y = arith.minnumf %e, %m : f32
              sluice.yield %y : f32
            }
            sluice.pipe_barrier V
            sluice.map ins(%now : !numbers) outs(%wide : !lines) on V {
            ^bb0(%e: f32):
              sluice.yield %e : f32
            }
            sluice.pipe_barrier V
            sluice.map ins(%wide, %work : !lines, !lines) outs(%wide : !lines) on V {
            ^bb0(%m: f32, %e: f32):
              %scale = arith.constant 0.0883883461 : f32
              %y = math.fma %e, %scale, %m : f32
              sluice.yield %y : f32
            }
            sluice.pipe_barrier V
            sluice.map ins(%wide : !lines) outs(%work : !lines) on V {
            ^bb0(%e: f32):
              %y = math.exp %e fastmath<afn> : f32
              sluice.yield %y : f32
            }
            sluice.wait_flag MTE3 to V[%c1]
            sluice.pipe_barrier V
            sluice.map ins(%work : !lines) outs(%half : !halves) on V {
            ^bb0(%e: f32):
              %y = arith.truncf %e : f32 to f16
              sluice.yield %y : f16
            }
            sluice.set_flag V to MTE3[%c1]
            sluice.wait_flag V to MTE3[%c1]
            sluice.store %half to %W2[%row, %c0] on MTE3 : <64x128xf16, ub, row>, <43008x128xf16, align 16>
            sluice.set_flag MTE3 to V[%c1]
            %odd = arith.cmpi eq, %side, %c1 : index
            scf.if %odd {
              sluice.cross.set mode 2 on MTE3[%c2]
            }
            sluice.reduce ins(%work : !lines) outs(%sum_t : !numbers) axis 1 from [0.0] on V {
            ^bb0(%a: f32, %e: f32):
              %y = arith.addf %a, %e : f32
              sluice.yield %y : f32
            }
            sluice.map ins(%now, %old : !numbers, !numbers) outs(%less_t : !numbers) on V {
            ^bb0(%e: f32, %m: f32):
              %y = arith.subf %e, %m : f32
              sluice.yield %y : f32
            }
          }
        }
        sluice.cross.set mode 2 on MTE2[%c1]
        scf.for %u = %c0 to %pairs step %c1 {
          %two = arith.muli %u, %c2 : index
          scf.for %side = %c0 to %c2 step %c1 {
            %t = arith.addi %two, %side : index
            %less_t = sluice.slot %less[%t] : <64x1xf32, ub, row, slots 14>
            %sum_t = sluice.slot %sums[%t] : <64x1xf32, ub, row, slots 14>
            %at = arith.muli %t, %c128 : index
            %row = arith.addi %from, %at : index
            sluice.pipe_barrier V
            sluice.map ins(%less_t : !numbers) outs(%less_t : !numbers) on V {
            ^bb0(%e: f32):
              %y = math.exp %e fastmath<afn> : f32
              sluice.yield %y : f32
            }
            sluice.pipe_barrier V
            sluice.map ins(%sum, %less_t : !numbers, !numbers) outs(%sum : !numbers) on V {
            ^bb0(%a: f32, %e: f32):
              %y = arith.mulf %a, %e : f32
              sluice.yield %y : f32
            }
            sluice.map ins(%less_t : !numbers) outs(%wide : !lines) on V {
            ^bb0(%e: f32):
              sluice.yield %e : f32
            }
            sluice.pipe_barrier V
            sluice.map ins(%sum, %sum_t : !numbers, !numbers) outs(%sum : !numbers) on V {
            ^bb0(%a: f32, %e: f32):
              %y = arith.addf %a, %e : f32
              sluice.yield %y : f32
            }
            sluice.map ins(%o, %wide : !lines, !lines) outs(%o : !lines) on V {
            ^bb0(%a: f32, %e: f32):
              %y = arith.mulf %a, %e : f32
              sluice.yield %y : f32
            }
            sluice.wait_flag V to MTE2[%c0]
            %even = arith.cmpi eq, %side, %c0 : index
            scf.if %even {
              sluice.cross.wait on MTE2[%c4]
            }
            sluice.load %W3[%row, %c0] to %io on MTE2 : <43008x128xf16, align 16>, <64x128xf16, ub, row>
            sluice.set_flag MTE2 to V[%c0]
            sluice.wait_flag MTE2 to V[%c0]
            sluice.map ins(%io : !halves) outs(%work : !lines) on V {
            ^bb0(%e: f16):
              %y = arith.extf %e : f16 to f32
              sluice.yield %y : f32
            }
            sluice.set_flag V to MTE2[%c0]
            sluice.pipe_barrier V
            sluice.map ins(%o, %work : !lines, !lines) outs(%o : !lines) on V {
            ^bb0(%a: f32, %e: f32):
              %y = arith.addf %a, %e : f32
              sluice.yield %y : f32
            }
          }
        }
        sluice.cross.set mode 2 on MTE2[%c5]
      }
      sluice.pipe_barrier V
      sluice.map ins(%sum : !numbers) outs(%wide : !lines) on V {
      ^bb0(%e: f32):
        sluice.yield %e : f32
      }
      sluice.pipe_barrier V
      sluice.map ins(%o, %wide : !lines, !lines) outs(%o : !lines) on V {
      ^bb0(%a: f32, %e: f32):
        %y = arith.divf %a, %e : f32
        sluice.yield %y : f32
      }
      sluice.pipe_barrier ALL
      sluice.map ins(%o : !lines) outs(%half : !halves) on V {
      ^bb0(%e: f32):
        %y = arith.truncf %e : f32 to f16
        sluice.yield %y : f16
      }
      sluice.pipe_barrier ALL
      sluice.store %half to %O[%head, %down, %c0] on MTE3 : <64x128xf16, ub, row>, <?x128x128xf16, align 16>
      sluice.pipe_barrier ALL
    }
    sluice.wait_flag V to MTE2[%c0]
    sluice.wait_flag MTE3 to V[%c1]
    sluice.cross.wait on MTE3[%c3]
  }
}

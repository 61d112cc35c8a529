// Attention on one Blackwell CTA, P over S in tensor memory: roles and rings, nothing else. What
// test/language/later/p_over_s_tmem.mlir says by hand follows.
// RUN: %python %S/Inputs/attention.py %t 130 200 128
// RUN: sluice check %s | FileCheck %s
// CHECK: {{^}}proven: every launch
// CHECK: tensor-in-order: products of one thread that use the same columns of tensor memory run one after the other, those of different sums too (--strict goes without)
// RUN: not sluice check %s --strict | FileCheck %s --check-prefix=STRICT
// STRICT: R22 {{.*}}tcgen05.mma of mma warp 4 of CTA (0) at {{.*}} writes s {{.*}} while tcgen05.mma of mma warp 4 of CTA (0) at {{.*}} may still read it
// RUN: sluice run %s --in Q=%t/Q.npy K=%t/K.npy V=%t/V.npy --set O=130x128 --chaos 20 --expect O=%t/O.npy
// RUN: sluice barriers %s | FileCheck %s --check-prefix=TABLE
// TABLE: full_scores 0 1 0 mma warp 4 softmax warps 0-3
// TABLE: full_weights 0 4 0 softmax warps 0-3 mma warp 4
// RUN: sluice emit %s -o %t.one/
// RUN: FileCheck %s --check-prefix=CODE < %t.one/attention.cu
// CODE: tcgen05Mma<128, 128>(tmem + 128, tmemOperand<f16>(tmem), mnMajor(kv, {{.*}}.slot), more);
// CODE: tmemStore(tmem, x16, warp);
// CODE: sum.set(0, fmaf(
// CODE: tmemWaitStores();
// CODE-NEXT: if (later) {
// RUN: %if nvcc %{ %nvcc100 -cubin -I %t.one -o %t.cubin %t.one/attention.cu %}
// RUN: %if nvcc %{ sluice run %s --in Q=%t/Q.npy K=%t/K.npy V=%t/V.npy --set O=130x128 --device host | FileCheck %s --check-prefix=HOST %}
// HOST: are the virtual machine's, bit by bit
// RUN: sluice mutate %s --set Q=128x128 K=128x128 V=128x128 O=128x128 --sample 40 --random 3 | FileCheck %s --check-prefix=MUTANTS
// MUTANTS: mutants, {{[1-9][0-9]*}} refused, {{.*}} 0 DISAGREEMENT
sluice.kernel @attention(%Q: !sluice.tensor<?x128xf16, align 16> {sluice.name = "Q"},
                         %K: !sluice.tensor<?x128xf16, align 16> {sluice.name = "K"},
                         %V: !sluice.tensor<?x128xf16, align 16> {sluice.name = "V"},
                         %O: !sluice.tensor<?x128xf16, align 16> {sluice.name = "O", sluice.out})
    attributes {target = "sm_100a", phase = "pipeline"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c128 = arith.constant 128 : index
  %no = arith.constant false
  %rows = sluice.dim %Q, 0 : <?x128xf16, align 16>
  %keys = sluice.dim %K, 0 : <?x128xf16, align 16>
  %blocks = arith.ceildivsi %rows, %c128 : index
  %i = sluice.grid %blocks : index
  %row = arith.muli %i, %c128 : index
  %some = arith.ceildivsi %keys, %c128 : index
  %n = arith.maxsi %some, %c1 : index // no keys: a tile of zeros
  %q = sluice.alloc "q" : !sluice.buffer<128x128xf16, smem, sw128>
  %kv = sluice.alloc "kv" : !sluice.buffer<128x128xf16, smem, sw128, slots 4>
  %s = sluice.alloc "s" at 0 : !sluice.buffer<128x128xf32, tmem, row>
  %p = sluice.alloc "p" at 0 : !sluice.buffer<128x128xf16, tmem, row> // over s
  %o = sluice.alloc "o" at 512 : !sluice.buffer<128x128xf32, tmem, row>
  %queries = sluice.pipeline "queries" over %q : !sluice.buffer<128x128xf16, smem, sw128>
      from ["load"] to ["mma"] {empty = "none"} : !sluice.pipeline<1>
  %ring = sluice.pipeline "kv" over %kv : !sluice.buffer<128x128xf16, smem, sw128, slots 4>
      from ["load"] to ["mma"] : !sluice.pipeline<4>
  %scores = sluice.pipeline "scores" over %s : !sluice.buffer<128x128xf32, tmem, row>
      from ["mma"] to ["softmax"] {empty = "none"} : !sluice.pipeline<1>
  %weights = sluice.pipeline "weights" over %p, %o : !sluice.buffer<128x128xf16, tmem, row>,
      !sluice.buffer<128x128xf32, tmem, row>
      from ["softmax"] to ["mma"] {empty = "none"} : !sluice.pipeline<1>
  %sums = sluice.pipeline "sums" over %o : !sluice.buffer<128x128xf32, tmem, row>
      from ["mma"] to ["softmax"] {empty = "none"} : !sluice.pipeline<1>
  %start = sluice.cursor : !sluice.cursor<4>
  %one = sluice.cursor : !sluice.cursor<1>

  sluice.role "load" warps 5 to 6 {
    sluice.acquire %queries[%one] : <1>
    sluice.load %Q[%row, %c0] to %q : <?x128xf16, align 16>, <128x128xf16, smem, sw128>
    sluice.commit %queries[%one] : <1>
    %end = scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<4> {
      %key = arith.muli %t, %c128 : index
      %k_slot = sluice.cursor.slot %at : <4>
      %k = sluice.slot %kv[%k_slot] : <128x128xf16, smem, sw128, slots 4>
      sluice.acquire %ring[%at] : <4>
      sluice.load %K[%key, %c0] to %k : <?x128xf16, align 16>, <128x128xf16, smem, sw128>
      sluice.commit %ring[%at] : <4>
      %at1 = sluice.cursor.advance %at : <4>
      %v_slot = sluice.cursor.slot %at1 : <4>
      %v = sluice.slot %kv[%v_slot] : <128x128xf16, smem, sw128, slots 4>
      sluice.acquire %ring[%at1] : <4>
      sluice.load %V[%key, %c0] to %v : <?x128xf16, align 16>, <128x128xf16, smem, sw128>
      sluice.commit %ring[%at1] : <4>
      %at2 = sluice.cursor.advance %at1 : <4>
      scf.yield %at2 : !sluice.cursor<4>
    }
    sluice.tail %ring[%end] : <4>
  }

  sluice.role "mma" warps 4 to 5 {
    sluice.wait %queries[%one] : <1>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start, %turn = %one)
        -> (!sluice.cursor<4>, !sluice.cursor<1>) {
      %k_slot = sluice.cursor.slot %at : <4>
      %k = sluice.slot %kv[%k_slot] : <128x128xf16, smem, sw128, slots 4>
      %kt = sluice.transpose %k : <128x128xf16, smem, sw128>
      sluice.wait %ring[%at] : <4>
      sluice.tcgen05.mma %s, %q, %kt accumulate %no : <128x128xf32, tmem, row>,
          <128x128xf16, smem, sw128>, <128x128xf16, smem, sw128, minor 0>
      sluice.release %ring[%at] : <4>
      sluice.commit %scores[%turn] : <1>
      %at1 = sluice.cursor.advance %at : <4>
      %v_slot = sluice.cursor.slot %at1 : <4>
      %v = sluice.slot %kv[%v_slot] : <128x128xf16, smem, sw128, slots 4>
      sluice.wait %ring[%at1] : <4>
      sluice.wait %weights[%turn] : <1>
      %more = arith.cmpi ne, %t, %c0 : index
      sluice.tcgen05.mma %o, %p, %v accumulate %more : <128x128xf32, tmem, row>,
          <128x128xf16, tmem, row>, <128x128xf16, smem, sw128>
      sluice.release %ring[%at1] : <4>
      %at2 = sluice.cursor.advance %at1 : <4>
      %next = sluice.cursor.advance %turn : <1>
      scf.yield %at2, %next : !sluice.cursor<4>, !sluice.cursor<1>
    }
    sluice.commit %sums[%one] : <1>
  }

  sluice.role "softmax" warps 0 to 4 {
    %x = sluice.alloc "x" : !sluice.buffer<128x128xf32, reg, row>
    %x16 = sluice.alloc "x16" : !sluice.buffer<128x128xf16, reg, row>
    %max = sluice.alloc "max" : !sluice.buffer<128x1xf32, reg, row>
    %sum = sluice.alloc "sum" : !sluice.buffer<128x1xf32, reg, row>
    %part = sluice.alloc "part" : !sluice.buffer<128x1xf32, reg, row>
    %keep = sluice.alloc "keep" : !sluice.buffer<128x1xf32, reg, row>
    sluice.fill %max with -1.0e30 : <128x1xf32, reg, row>
    sluice.fill %sum with 0.0 : <128x1xf32, reg, row>
    scf.for %t = %c0 to %n step %c1 iter_args(%turn = %one) -> !sluice.cursor<1> {
      sluice.wait %scores[%turn] : <1>
      sluice.copy %s to %x : <128x128xf32, tmem, row>, <128x128xf32, reg, row>
      %key = arith.muli %t, %c128 : index
      sluice.map ins(%x : !sluice.buffer<128x128xf32, reg, row>)
          outs(%x : !sluice.buffer<128x128xf32, reg, row>) coordinates {
      ^bb0(%v: f32, %r: index, %c: index):
        %least = arith.constant -1.0e30 : f32
        %at = arith.addi %key, %c : index
        %seen = arith.cmpi slt, %at, %keys : index
        %m = arith.select %seen, %v, %least : f32
        sluice.yield %m : f32
      }
      sluice.reduce ins(%x : !sluice.buffer<128x128xf32, reg, row>)
          outs(%part : !sluice.buffer<128x1xf32, reg, row>) axis 1 from [-1.0e30] {
      ^bb0(%m: f32, %v: f32):
        %r = arith.maximumf %m, %v : f32
        sluice.yield %r : f32
      }
      sluice.map ins(%max, %part : !sluice.buffer<128x1xf32, reg, row>, !sluice.buffer<128x1xf32, reg, row>)
          outs(%keep, %max : !sluice.buffer<128x1xf32, reg, row>, !sluice.buffer<128x1xf32, reg, row>) {
      ^bb0(%m: f32, %v: f32):
        %scale = arith.constant 0.1275174 : f32 // log2(e) / sqrt(128)
        %r = arith.maximumf %m, %v : f32
        %d = arith.subf %m, %r : f32
        %z = arith.mulf %d, %scale : f32
        %f = math.exp2 %z : f32
        sluice.yield %f, %r : f32, f32
      }
      sluice.map ins(%x, %max : !sluice.buffer<128x128xf32, reg, row>, !sluice.buffer<128x1xf32, reg, row>)
          outs(%x, %x16 : !sluice.buffer<128x128xf32, reg, row>, !sluice.buffer<128x128xf16, reg, row>) {
      ^bb0(%v: f32, %m: f32):
        %scale = arith.constant 0.1275174 : f32
        %d = arith.subf %v, %m : f32
        %z = arith.mulf %d, %scale : f32
        %e = math.exp2 %z : f32
        %h = arith.truncf %e : f32 to f16
        sluice.yield %e, %h : f32, f16
      }
      sluice.copy %x16 to %p : <128x128xf16, reg, row>, <128x128xf16, tmem, row>
      sluice.reduce ins(%x : !sluice.buffer<128x128xf32, reg, row>)
          outs(%part : !sluice.buffer<128x1xf32, reg, row>) axis 1 from [0.0] {
      ^bb0(%a: f32, %v: f32):
        %r = arith.addf %a, %v : f32
        sluice.yield %r : f32
      }
      sluice.map ins(%sum, %keep, %part : !sluice.buffer<128x1xf32, reg, row>,
              !sluice.buffer<128x1xf32, reg, row>, !sluice.buffer<128x1xf32, reg, row>)
          outs(%sum : !sluice.buffer<128x1xf32, reg, row>) {
      ^bb0(%a: f32, %f: f32, %v: f32):
        %r = math.fma %a, %f, %v : f32
        sluice.yield %r : f32
      }
      %later = arith.cmpi ne, %t, %c0 : index
      scf.if %later { // scores of a step come behind P V of the one before
        sluice.copy %o to %x : <128x128xf32, tmem, row>, <128x128xf32, reg, row>
        sluice.map ins(%x, %keep : !sluice.buffer<128x128xf32, reg, row>, !sluice.buffer<128x1xf32, reg, row>)
            outs(%x : !sluice.buffer<128x128xf32, reg, row>) {
        ^bb0(%v: f32, %f: f32):
          %r = arith.mulf %v, %f : f32
          sluice.yield %r : f32
        }
        sluice.copy %x to %o : <128x128xf32, reg, row>, <128x128xf32, tmem, row>
      }
      sluice.commit %weights[%turn] : <1>
      %next = sluice.cursor.advance %turn : <1>
      scf.yield %next : !sluice.cursor<1>
    }
    sluice.wait %sums[%one] : <1>
    sluice.copy %o to %x : <128x128xf32, tmem, row>, <128x128xf32, reg, row>
    sluice.map ins(%x, %sum : !sluice.buffer<128x128xf32, reg, row>, !sluice.buffer<128x1xf32, reg, row>)
        outs(%x16 : !sluice.buffer<128x128xf16, reg, row>) {
    ^bb0(%v: f32, %total: f32):
      %r = arith.divf %v, %total : f32
      %h = arith.truncf %r : f32 to f16
      sluice.yield %h : f16
    }
    sluice.store %x16 to %O[%row, %c0] : <128x128xf16, reg, row>, <?x128xf16, align 16>
  }
}

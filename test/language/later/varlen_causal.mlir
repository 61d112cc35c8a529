// RUN: sluice-opt %s | sluice-opt -sluice-verify-phase | FileCheck %s
// RUN: sluice check %s | FileCheck %s --check-prefix=PROOF
// RUN: %python %S/../Inputs/sequences.py %t
// RUN: sluice run %s --in Q=%t/Q.npy K=%t/K.npy V=%t/V.npy start=%t/start.npy work=%t/work.npy --set O=413x128 ctas=3 --expect O=%t/O.npy | FileCheck %s --check-prefix=RIGHT
// Causal attention over packed sequences of different lengths, persistent, at the pipeline level.
// A list of work items (sequence, block of 128 queries) is dealt to the CTAs round robin. How many
// key tiles an item has follows from data read once per item and role: `uniform` states that every
// role follows the same number. The cursors run on across items; the loads of the next item begin
// while the last tiles of this one are computed. `clip` keeps a store inside its own sequence.
// PROOF: {{^}}proven: every launch
// RIGHT: within
// CHECK: %[[N:.*]] = sluice.uniform %{{.*}} : index
// CHECK: sluice.clip %O, 0 to %{{.*}} : <?x128xf16>
sluice.kernel @attention(%Q: !sluice.tensor<?x128xf16, align 16> {sluice.name = "Q"},
                         %K: !sluice.tensor<?x128xf16, align 16> {sluice.name = "K"},
                         %V: !sluice.tensor<?x128xf16, align 16> {sluice.name = "V"},
                         %start: !sluice.tensor<?xi32> {sluice.name = "start"}, // sequences + 1
                         %work: !sluice.tensor<?x2xi32> {sluice.name = "work"},
                         %O: !sluice.tensor<?x128xf16> {sluice.name = "O", sluice.out},
                         %ctas: index {sluice.name = "ctas"})
    attributes {target = "sm_90a", phase = "pipeline", warps = 12} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %items = sluice.dim %work, 0 : <?x2xi32>
  %i = sluice.grid %ctas : index
  %q = sluice.alloc "q" : !sluice.buffer<128x128xf16, smem, sw128>
  %k = sluice.alloc "k" : !sluice.buffer<128x128xf16, smem, sw128, slots 2>
  %v = sluice.alloc "v" : !sluice.buffer<128x128xf16, smem, sw128, slots 2>
  %q_ring = sluice.pipeline "q" over %q : !sluice.buffer<128x128xf16, smem, sw128>
      from ["load"] to ["math"] : !sluice.pipeline<1>
  %k_ring = sluice.pipeline "k" over %k : !sluice.buffer<128x128xf16, smem, sw128, slots 2>
      from ["load"] to ["math"] : !sluice.pipeline<2>
  %v_ring = sluice.pipeline "v" over %v : !sluice.buffer<128x128xf16, smem, sw128, slots 2>
      from ["load"] to ["math"] : !sluice.pipeline<2>
  %one = sluice.cursor : !sluice.cursor<1>
  %two = sluice.cursor : !sluice.cursor<2>

  sluice.role "spare" warps 1 to 4 registers 24 {
  }
  sluice.role "load" warps 0 to 1 registers 24 {
    %q_end, %kv_end = scf.for %w = %i to %items step %ctas iter_args(%qat = %one, %kvat = %two)
        -> (!sluice.cursor<1>, !sluice.cursor<2>) {
      %sequence = sluice.scalar_load %work[%w, %c0] : <?x2xi32>
      %block = sluice.scalar_load %work[%w, %c1] : <?x2xi32>
      %after = arith.addi %sequence, %c1 : index
      %begin = sluice.scalar_load %start[%sequence] : <?xi32>
      %end = sluice.scalar_load %start[%after] : <?xi32>
      %length = arith.subi %end, %begin : index
      %block1 = arith.addi %block, %c1 : index
      %diagonal = arith.muli %block1, %c128 : index // keys that the last query of the block sees
      %seen = arith.minsi %diagonal, %length : index
      %tiles = arith.ceildivsi %seen, %c128 : index
      %n = sluice.uniform %tiles : index
      %down = arith.muli %block, %c128 : index
      %row = arith.addi %begin, %down : index
      sluice.acquire %q_ring[%qat] : <1>
      sluice.load %Q[%row, %c0] to %q by one : <?x128xf16, align 16>, <128x128xf16, smem, sw128>
      sluice.commit %q_ring[%qat] : <1>
      %kv_next = scf.for %t = %c0 to %n step %c1 iter_args(%at = %kvat) -> !sluice.cursor<2> {
        %tile = arith.muli %t, %c128 : index
        %key = arith.addi %begin, %tile : index
        %slot = sluice.cursor.slot %at : <2>
        %kt = sluice.slot %k[%slot] : <128x128xf16, smem, sw128, slots 2>
        %vt = sluice.slot %v[%slot] : <128x128xf16, smem, sw128, slots 2>
        sluice.acquire %k_ring[%at] : <2>
        sluice.load %K[%key, %c0] to %kt by one : <?x128xf16, align 16>, <128x128xf16, smem, sw128>
        sluice.commit %k_ring[%at] : <2>
        sluice.acquire %v_ring[%at] : <2>
        sluice.load %V[%key, %c0] to %vt by one : <?x128xf16, align 16>, <128x128xf16, smem, sw128>
        sluice.commit %v_ring[%at] : <2>
        %next = sluice.cursor.advance %at : <2>
        scf.yield %next : !sluice.cursor<2>
      }
      %q_next = sluice.cursor.advance %qat : <1>
      scf.yield %q_next, %kv_next : !sluice.cursor<1>, !sluice.cursor<2>
    }
    sluice.tail %q_ring[%q_end] : <1>
    sluice.tail %k_ring[%kv_end] : <2>
    sluice.tail %v_ring[%kv_end] : <2>
  }

  sluice.role "math" warps 4 to 12 registers 240 {
    %s = sluice.alloc "s" : !sluice.buffer<128x128xf32, reg, acc>
    %p = sluice.alloc "p" : !sluice.buffer<128x128xf16, reg, fragA>
    %o = sluice.alloc "o" : !sluice.buffer<128x128xf32, reg, acc>
    %o16 = sluice.alloc "o16" : !sluice.buffer<128x128xf16, reg, acc>
    %max = sluice.alloc "max" : !sluice.buffer<128x1xf32, reg, rowVector>
    %sum = sluice.alloc "sum" : !sluice.buffer<128x1xf32, reg, rowVector>
    %part = sluice.alloc "part" : !sluice.buffer<128x1xf32, reg, rowVector>
    %keep = sluice.alloc "keep" : !sluice.buffer<128x1xf32, reg, rowVector>
    scf.for %w = %i to %items step %ctas iter_args(%qat = %one, %kvat = %two)
        -> (!sluice.cursor<1>, !sluice.cursor<2>) {
      %sequence = sluice.scalar_load %work[%w, %c0] : <?x2xi32>
      %block = sluice.scalar_load %work[%w, %c1] : <?x2xi32>
      %after = arith.addi %sequence, %c1 : index
      %begin = sluice.scalar_load %start[%sequence] : <?xi32>
      %end = sluice.scalar_load %start[%after] : <?xi32>
      %length = arith.subi %end, %begin : index
      %block1 = arith.addi %block, %c1 : index
      %diagonal = arith.muli %block1, %c128 : index
      %seen = arith.minsi %diagonal, %length : index
      %tiles = arith.ceildivsi %seen, %c128 : index
      %n = sluice.uniform %tiles : index
      %down = arith.muli %block, %c128 : index
      %row = arith.addi %begin, %down : index
      sluice.fill %o with 0.0 : <128x128xf32, reg, acc>
      sluice.fill %max with -1.0e30 : <128x1xf32, reg, rowVector>
      sluice.fill %sum with 0.0 : <128x1xf32, reg, rowVector>
      sluice.wait %q_ring[%qat] : <1>
      %kv_next = scf.for %t = %c0 to %n step %c1 iter_args(%at = %kvat) -> !sluice.cursor<2> {
        %tile = arith.muli %t, %c128 : index
        %slot = sluice.cursor.slot %at : <2>
        %kt = sluice.slot %k[%slot] : <128x128xf16, smem, sw128, slots 2>
        %kT = sluice.transpose %kt : <128x128xf16, smem, sw128>
        %vt = sluice.slot %v[%slot] : <128x128xf16, smem, sw128, slots 2>
        sluice.fill %s with 0.0 : <128x128xf32, reg, acc>
        sluice.wait %k_ring[%at] : <2>
        sluice.mma %s, %q, %kT : <128x128xf32, reg, acc>, <128x128xf16, smem, sw128>,
            <128x128xf16, smem, sw128, minor 0>
        sluice.release %k_ring[%at] : <2>
        sluice.map ins(%s : !sluice.buffer<128x128xf32, reg, acc>)
            outs(%s : !sluice.buffer<128x128xf32, reg, acc>) coordinates {
        ^bb0(%x: f32, %r: index, %c: index): // a key counts if it is not after its query
          %hidden = arith.constant -1.0e30 : f32
          %query = arith.addi %down, %r : index
          %key = arith.addi %tile, %c : index
          %causal = arith.cmpi sle, %key, %query : index
          %inside = arith.cmpi slt, %key, %length : index
          %counts = arith.andi %causal, %inside : i1
          %y = arith.select %counts, %x, %hidden : f32
          sluice.yield %y : f32
        }
        sluice.reduce ins(%s : !sluice.buffer<128x128xf32, reg, acc>)
            outs(%part : !sluice.buffer<128x1xf32, reg, rowVector>) axis 1 from [-1.0e30] {
        ^bb0(%m: f32, %x: f32):
          %y = arith.maximumf %m, %x : f32
          sluice.yield %y : f32
        }
        sluice.map ins(%max, %part : !sluice.buffer<128x1xf32, reg, rowVector>,
                !sluice.buffer<128x1xf32, reg, rowVector>)
            outs(%keep, %max : !sluice.buffer<128x1xf32, reg, rowVector>,
                !sluice.buffer<128x1xf32, reg, rowVector>) {
        ^bb0(%m: f32, %x: f32):
          %scale = arith.constant 0.1275174 : f32 // log2(e) / sqrt(128)
          %y = arith.maximumf %m, %x : f32
          %d = arith.subf %m, %y : f32
          %z = arith.mulf %d, %scale : f32
          %f = math.exp2 %z : f32
          sluice.yield %f, %y : f32, f32
        }
        sluice.map ins(%s, %max : !sluice.buffer<128x128xf32, reg, acc>,
                !sluice.buffer<128x1xf32, reg, rowVector>)
            outs(%s : !sluice.buffer<128x128xf32, reg, acc>) {
        ^bb0(%x: f32, %m: f32):
          %scale = arith.constant 0.1275174 : f32
          %d = arith.subf %x, %m : f32
          %z = arith.mulf %d, %scale : f32
          %e = math.exp2 %z : f32
          sluice.yield %e : f32
        }
        sluice.reduce ins(%s : !sluice.buffer<128x128xf32, reg, acc>)
            outs(%part : !sluice.buffer<128x1xf32, reg, rowVector>) axis 1 from [0.0] {
        ^bb0(%a: f32, %x: f32):
          %y = arith.addf %a, %x : f32
          sluice.yield %y : f32
        }
        sluice.map ins(%sum, %keep, %part : !sluice.buffer<128x1xf32, reg, rowVector>,
                !sluice.buffer<128x1xf32, reg, rowVector>, !sluice.buffer<128x1xf32, reg, rowVector>)
            outs(%sum : !sluice.buffer<128x1xf32, reg, rowVector>) {
        ^bb0(%a: f32, %f: f32, %x: f32):
          %y = math.fma %a, %f, %x : f32
          sluice.yield %y : f32
        }
        sluice.map ins(%o, %keep : !sluice.buffer<128x128xf32, reg, acc>,
                !sluice.buffer<128x1xf32, reg, rowVector>)
            outs(%o : !sluice.buffer<128x128xf32, reg, acc>) {
        ^bb0(%x: f32, %f: f32):
          %y = arith.mulf %x, %f : f32
          sluice.yield %y : f32
        }
        sluice.copy %s to %p : <128x128xf32, reg, acc>, <128x128xf16, reg, fragA>
        sluice.wait %v_ring[%at] : <2>
        sluice.mma %o, %p, %vt : <128x128xf32, reg, acc>, <128x128xf16, reg, fragA>,
            <128x128xf16, smem, sw128>
        sluice.release %v_ring[%at] : <2>
        %next = sluice.cursor.advance %at : <2>
        scf.yield %next : !sluice.cursor<2>
      }
      sluice.release %q_ring[%qat] : <1>
      sluice.map ins(%o, %sum : !sluice.buffer<128x128xf32, reg, acc>,
              !sluice.buffer<128x1xf32, reg, rowVector>)
          outs(%o16 : !sluice.buffer<128x128xf16, reg, acc>) {
      ^bb0(%x: f32, %total: f32):
        %y = arith.divf %x, %total : f32
        %h = arith.truncf %y : f32 to f16
        sluice.yield %h : f16
      }
      %own = sluice.clip %O, 0 to %end : <?x128xf16>
      sluice.store %o16 to %own[%row, %c0] : <128x128xf16, reg, acc>, <?x128xf16>
      %q_next = sluice.cursor.advance %qat : <1>
      scf.yield %q_next, %kv_next : !sluice.cursor<1>, !sluice.cursor<2>
    }
  }
}

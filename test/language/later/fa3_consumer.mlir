// RUN: sluice-opt %s | sluice-opt -sluice-verify-phase | FileCheck %s
// RUN: sluice check %s | FileCheck %s --check-prefix=PROOF
// FlashAttention-3 on Hopper, at the barrier level. The consumers issue S(t+1) = Q K(t+1)^T, then
// O += P(t) V(t) with P in registers (wgmma RS), and compute the softmax of S(t+1) while the second
// product runs: two score tiles in flight, one in `s`, one in `p`. `wgmma.wait 1` is the point. One
// thread of the load warpgroup waits and loads; keys are a multiple of 128 (no mask).
// PROOF: {{^}}proven
// CHECK: sluice.wgmma %o, %p, %v.slot : <128x128xf32, reg, acc>, <128x128xf16, reg, fragA>, <128x128xf16, smem, sw128>
// CHECK: sluice.wgmma.wait 1
sluice.kernel @attention(%Q: !sluice.tensor<?x128xf16, align 16> {sluice.name = "Q"},
                         %K: !sluice.tensor<?x128xf16, align 16> {sluice.name = "K"},
                         %V: !sluice.tensor<?x128xf16, align 16> {sluice.name = "V"},
                         %O: !sluice.tensor<?x128xf16, align 16> {sluice.name = "O", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 12} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %no = arith.constant false
  %rows = sluice.dim %Q, 0 : <?x128xf16, align 16>
  %keys = sluice.dim %K, 0 : <?x128xf16, align 16>
  %blocks = arith.ceildivsi %rows, %c128 : index
  %i = sluice.grid %blocks : index
  %row = arith.muli %i, %c128 : index
  %n = arith.ceildivsi %keys, %c128 : index
  %last = arith.subi %n, %c1 : index
  %q = sluice.alloc "q" : !sluice.buffer<128x128xf16, smem, sw128>
  %k = sluice.alloc "k" : !sluice.buffer<128x128xf16, smem, sw128, slots 2>
  %v = sluice.alloc "v" : !sluice.buffer<128x128xf16, smem, sw128, slots 2>
  %q_full = sluice.mbarrier.alloc "q_full" : !sluice.mbarrier<1>
  %k_full = sluice.mbarrier.alloc "k_full" : !sluice.mbarrier<2>
  %k_empty = sluice.mbarrier.alloc "k_empty" : !sluice.mbarrier<2>
  %v_full = sluice.mbarrier.alloc "v_full" : !sluice.mbarrier<2>
  %v_empty = sluice.mbarrier.alloc "v_empty" : !sluice.mbarrier<2>
  sluice.mbarrier.init %q_full count 1 by one : <1>
  sluice.mbarrier.init %k_full count 1 by one : <2>
  sluice.mbarrier.init %k_empty count 8 by one : <2> // warps of the consumers
  sluice.mbarrier.init %v_full count 1 by one : <2>
  sluice.mbarrier.init %v_empty count 8 by one : <2>
  sluice.fence mbarrier_init by one
  sluice.bar.sync 0, 384
  %start = sluice.cursor : !sluice.cursor<2>

  sluice.role "load" warps 0 to 4 registers 24 {
    sluice.mbarrier.arrive_expect_tx %q_full[%c0] bytes 32768 by one : <1>
    sluice.tma.load %Q[%row, %c0] to %q, %q_full[%c0]
        : <?x128xf16, align 16>, <128x128xf16, smem, sw128>, <1>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> !sluice.cursor<2> {
      %key = arith.muli %t, %c128 : index
      %slot = sluice.cursor.slot %at : <2>
      %phase = sluice.cursor.phase %at : <2>
      %free = arith.xori %phase, %c1 : index
      %kt = sluice.slot %k[%slot] : <128x128xf16, smem, sw128, slots 2>
      %vt = sluice.slot %v[%slot] : <128x128xf16, smem, sw128, slots 2>
      sluice.mbarrier.wait %k_empty[%slot], %free by one : <2>
      sluice.mbarrier.arrive_expect_tx %k_full[%slot] bytes 32768 by one : <2>
      sluice.tma.load %K[%key, %c0] to %kt, %k_full[%slot]
          : <?x128xf16, align 16>, <128x128xf16, smem, sw128>, <2>
      sluice.mbarrier.wait %v_empty[%slot], %free by one : <2>
      sluice.mbarrier.arrive_expect_tx %v_full[%slot] bytes 32768 by one : <2>
      sluice.tma.load %V[%key, %c0] to %vt, %v_full[%slot]
          : <?x128xf16, align 16>, <128x128xf16, smem, sw128>, <2>
      %next = sluice.cursor.advance %at : <2>
      scf.yield %next : !sluice.cursor<2>
    }
  }

  sluice.role "math" warps 4 to 12 registers 240 {
    %s = sluice.alloc "s" : !sluice.buffer<128x128xf32, reg, acc>
    %o = sluice.alloc "o" : !sluice.buffer<128x128xf32, reg, acc>
    %p = sluice.alloc "p" : !sluice.buffer<128x128xf16, reg, fragA>
    %max = sluice.alloc "max" : !sluice.buffer<128x1xf32, reg, rowVector>
    %sum = sluice.alloc "sum" : !sluice.buffer<128x1xf32, reg, rowVector>
    %part = sluice.alloc "part" : !sluice.buffer<128x1xf32, reg, rowVector>
    %keep = sluice.alloc "keep" : !sluice.buffer<128x1xf32, reg, rowVector>
    sluice.fill %o with 0.0 : <128x128xf32, reg, acc>
    sluice.fill %max with -1.0e30 : <128x1xf32, reg, rowVector>
    sluice.fill %sum with 0.0 : <128x1xf32, reg, rowVector>
    sluice.mbarrier.wait %q_full[%c0], %c0 : <1>
    // Step t = -1 has no P yet: the loop runs n + 1 times, products guarded by uniform conditions.
    %stop = arith.addi %n, %c1 : index
    scf.for %t = %c0 to %stop step %c1 iter_args(%kat = %start, %vat = %start)
        -> (!sluice.cursor<2>, !sluice.cursor<2>) {
      %scores = arith.cmpi slt, %t, %n : index
      %values = arith.cmpi sgt, %t, %c0 : index
      %kslot = sluice.cursor.slot %kat : <2>
      %kphase = sluice.cursor.phase %kat : <2>
      %vslot = sluice.cursor.slot %vat : <2>
      %vphase = sluice.cursor.phase %vat : <2>
      sluice.wgmma.fence
      scf.if %scores {
        sluice.mbarrier.wait %k_full[%kslot], %kphase : <2>
        %kt = sluice.slot %k[%kslot] : <128x128xf16, smem, sw128, slots 2>
        %kT = sluice.transpose %kt : <128x128xf16, smem, sw128>
        sluice.wgmma %s, %q, %kT accumulate %no : <128x128xf32, reg, acc>,
            <128x128xf16, smem, sw128>, <128x128xf16, smem, sw128, minor 0>
      }
      sluice.wgmma.commit
      scf.if %values {
        sluice.mbarrier.wait %v_full[%vslot], %vphase : <2>
        %vt = sluice.slot %v[%vslot] : <128x128xf16, smem, sw128, slots 2>
        sluice.wgmma %o, %p, %vt : <128x128xf32, reg, acc>, <128x128xf16, reg, fragA>,
            <128x128xf16, smem, sw128>
      }
      sluice.wgmma.commit
      sluice.wgmma.wait 1 // the scores are there; P V may still run
      scf.if %scores {
        sluice.mbarrier.arrive %k_empty[%kslot] by warp : <2>
        sluice.reduce ins(%s : !sluice.buffer<128x128xf32, reg, acc>)
            outs(%part : !sluice.buffer<128x1xf32, reg, rowVector>) axis 1 from [-1.0e30] {
        ^bb0(%m: f32, %x: f32):
          %r = arith.maximumf %m, %x : f32
          sluice.yield %r : f32
        }
        sluice.map ins(%max, %part : !sluice.buffer<128x1xf32, reg, rowVector>,
                !sluice.buffer<128x1xf32, reg, rowVector>)
            outs(%keep, %max : !sluice.buffer<128x1xf32, reg, rowVector>,
                !sluice.buffer<128x1xf32, reg, rowVector>) {
        ^bb0(%m: f32, %x: f32):
          %scale = arith.constant 0.1275174 : f32 // log2(e) / sqrt(128)
          %r = arith.maximumf %m, %x : f32
          %d = arith.subf %m, %r : f32
          %z = arith.mulf %d, %scale : f32
          %f = math.exp2 %z : f32
          sluice.yield %f, %r : f32, f32
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
          %r = arith.addf %a, %x : f32
          sluice.yield %r : f32
        }
        sluice.map ins(%sum, %keep, %part : !sluice.buffer<128x1xf32, reg, rowVector>,
                !sluice.buffer<128x1xf32, reg, rowVector>, !sluice.buffer<128x1xf32, reg, rowVector>)
            outs(%sum : !sluice.buffer<128x1xf32, reg, rowVector>) {
        ^bb0(%a: f32, %f: f32, %x: f32):
          %r = math.fma %a, %f, %x : f32
          sluice.yield %r : f32
        }
      }
      sluice.wgmma.wait 0
      scf.if %values {
        sluice.mbarrier.arrive %v_empty[%vslot] by warp : <2>
      }
      scf.if %scores {
        sluice.map ins(%o, %keep : !sluice.buffer<128x128xf32, reg, acc>,
                !sluice.buffer<128x1xf32, reg, rowVector>)
            outs(%o : !sluice.buffer<128x128xf32, reg, acc>) {
        ^bb0(%x: f32, %f: f32):
          %r = arith.mulf %x, %f : f32
          sluice.yield %r : f32
        }
        sluice.copy %s to %p : <128x128xf32, reg, acc>, <128x128xf16, reg, fragA>
      }
      %k1 = sluice.cursor.advance %kat : <2>
      %moved = sluice.cursor.advance %vat : <2>
      %v1 = arith.select %values, %moved, %vat : !sluice.cursor<2>
      scf.yield %k1, %v1 : !sluice.cursor<2>, !sluice.cursor<2>
    } {sluice.name = "t", sluice.pipelined}
    %o16 = sluice.alloc "o16" : !sluice.buffer<128x128xf16, reg, acc>
    sluice.map ins(%o, %sum : !sluice.buffer<128x128xf32, reg, acc>,
            !sluice.buffer<128x1xf32, reg, rowVector>)
        outs(%o16 : !sluice.buffer<128x128xf16, reg, acc>) {
    ^bb0(%x: f32, %total: f32):
      %r = arith.divf %x, %total : f32
      %h = arith.truncf %r : f32 to f16
      sluice.yield %h : f16
    }
    sluice.bar.sync 1, 256 // nobody reads q any more: it becomes the staging buffer
    sluice.copy %o16 to %q : <128x128xf16, reg, acc>, <128x128xf16, smem, sw128>
    sluice.fence proxy_async
    sluice.bar.sync 1, 256
    sluice.tma.store %q to %O[%row, %c0] : <128x128xf16, smem, sw128>, <?x128xf16, align 16>
    sluice.bulk.commit by one
    sluice.bulk.wait 0 read by one
  }
}

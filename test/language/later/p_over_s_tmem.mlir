// RUN: sluice-opt %s | sluice-opt -sluice-verify-phase | FileCheck %s
// Attention on one Blackwell CTA with P written over S in tensor memory, at the barrier level. P
// (f16, 64 columns) lies on the first half of S (f32, 128 columns) of the same tile; S(t+1) may
// overwrite it because the tensor core runs P(t) V(t) before Q K(t+1)^T: same thread, in order,
// which goes beyond the PTX ISA.
// RUN: sluice check %s | FileCheck %s --check-prefix=PROVEN
// RUN: %python %S/../../tensor_memory/Inputs/attention.py %t 130 200 128
// RUN: sluice run %s --in Q=%t/Q.npy K=%t/K.npy V=%t/V.npy --set O=130x128 --chaos 20 --expect O=%t/O.npy
// RUN: sluice emit %s -o %t.one/
// RUN: %if nvcc %{ %nvcc100 -cubin -I %t.one -o %t.cubin %t.one/attention.cu %}
// PROVEN: {{^}}proven: every launch
// PROVEN: tensor-in-order
// RUN: not sluice check %s --strict | FileCheck %s --check-prefix=STRICT
// STRICT: R22 {{.*}}tcgen05.mma of mma warp 4 of CTA (0) at {{.*}} writes s {{.*}} while tcgen05.mma {{.*}} may still read it
// CHECK: %s = sluice.alloc "s" at 0 : !sluice.buffer<128x128xf32, tmem, row>
// CHECK: %p = sluice.alloc "p" at 0 : !sluice.buffer<128x128xf16, tmem, row>
// CHECK: sluice.tcgen05.mma %o, %p, %kv.slot{{.*}} accumulate
sluice.kernel @attention(%Q: !sluice.tensor<?x128xf16, align 16> {sluice.name = "Q"},
                         %K: !sluice.tensor<?x128xf16, align 16> {sluice.name = "K"},
                         %V: !sluice.tensor<?x128xf16, align 16> {sluice.name = "V"},
                         %O: !sluice.tensor<?x128xf16, align 16> {sluice.name = "O", sluice.out})
    attributes {target = "sm_100a", phase = "barrier", warps = 6} {
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
  %address = sluice.alloc "address" : !sluice.buffer<1x1xi32, smem, row>
  %q_full = sluice.mbarrier.alloc "q_full" : !sluice.mbarrier<1>
  %full = sluice.mbarrier.alloc "full" : !sluice.mbarrier<4>
  %empty = sluice.mbarrier.alloc "empty" : !sluice.mbarrier<4>
  %s_full = sluice.mbarrier.alloc "s_full" : !sluice.mbarrier<1>
  %p_full = sluice.mbarrier.alloc "p_full" : !sluice.mbarrier<1> // P written, O rescaled
  %o_full = sluice.mbarrier.alloc "o_full" : !sluice.mbarrier<1> // once, at the end
  sluice.mbarrier.init %q_full count 1 by one : <1>
  sluice.mbarrier.init %full count 1 by one : <4>
  sluice.mbarrier.init %empty count 1 by one : <4>
  sluice.mbarrier.init %s_full count 1 by one : <1>
  sluice.mbarrier.init %p_full count 4 by one : <1>
  sluice.mbarrier.init %o_full count 1 by one : <1>
  sluice.fence mbarrier_init by one
  sluice.role "allocate" warps 4 to 5 {
    sluice.tmem.alloc 256 to %address : !sluice.buffer<1x1xi32, smem, row>
    sluice.tmem.relinquish
  }
  sluice.bar.sync 0, 192
  sluice.tmem.address %address : <1x1xi32, smem, row>
  %ring = sluice.cursor : !sluice.cursor<4>
  %one = sluice.cursor : !sluice.cursor<1>

  sluice.role "load" warps 5 to 6 {
    sluice.mbarrier.arrive_expect_tx %q_full[%c0] bytes 32768 by one : <1>
    sluice.tma.load %Q[%row, %c0] to %q, %q_full[%c0]
        : <?x128xf16, align 16>, <128x128xf16, smem, sw128>, <1>
    %end = scf.for %t = %c0 to %n step %c1 iter_args(%at = %ring) -> !sluice.cursor<4> {
      %key = arith.muli %t, %c128 : index
      %k_slot = sluice.cursor.slot %at : <4>
      %k_phase = sluice.cursor.phase %at : <4>
      %k_free = arith.xori %k_phase, %c1 : index
      sluice.mbarrier.wait %empty[%k_slot], %k_free : <4>
      sluice.mbarrier.arrive_expect_tx %full[%k_slot] bytes 32768 by one : <4>
      %k = sluice.slot %kv[%k_slot] : <128x128xf16, smem, sw128, slots 4>
      sluice.tma.load %K[%key, %c0] to %k, %full[%k_slot]
          : <?x128xf16, align 16>, <128x128xf16, smem, sw128>, <4>
      %at1 = sluice.cursor.advance %at : <4>
      %v_slot = sluice.cursor.slot %at1 : <4>
      %v_phase = sluice.cursor.phase %at1 : <4>
      %v_free = arith.xori %v_phase, %c1 : index
      sluice.mbarrier.wait %empty[%v_slot], %v_free : <4>
      sluice.mbarrier.arrive_expect_tx %full[%v_slot] bytes 32768 by one : <4>
      %v = sluice.slot %kv[%v_slot] : <128x128xf16, smem, sw128, slots 4>
      sluice.tma.load %V[%key, %c0] to %v, %full[%v_slot]
          : <?x128xf16, align 16>, <128x128xf16, smem, sw128>, <4>
      %at2 = sluice.cursor.advance %at1 : <4>
      scf.yield %at2 : !sluice.cursor<4>
    }
    // The tail: no commit may come to a barrier of a CTA that is gone.
    %last = scf.for %t = %c0 to %c4 step %c1 iter_args(%at = %end) -> !sluice.cursor<4> {
      %slot = sluice.cursor.slot %at : <4>
      %phase = sluice.cursor.phase %at : <4>
      %free = arith.xori %phase, %c1 : index
      sluice.mbarrier.wait %empty[%slot], %free : <4>
      %next = sluice.cursor.advance %at : <4>
      scf.yield %next : !sluice.cursor<4>
    }
  }

  sluice.role "mma" warps 4 to 5 {
    sluice.mbarrier.wait %q_full[%c0], %c0 : <1>
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %ring, %turn = %one)
        -> (!sluice.cursor<4>, !sluice.cursor<1>) {
      %k_slot = sluice.cursor.slot %at : <4>
      %k_phase = sluice.cursor.phase %at : <4>
      sluice.mbarrier.wait %full[%k_slot], %k_phase : <4>
      %k = sluice.slot %kv[%k_slot] : <128x128xf16, smem, sw128, slots 4>
      %kt = sluice.transpose %k : <128x128xf16, smem, sw128>
      sluice.tcgen05.mma %s, %q, %kt accumulate %no : <128x128xf32, tmem, row>,
          <128x128xf16, smem, sw128>, <128x128xf16, smem, sw128, minor 0>
      sluice.tcgen05.commit %empty[%k_slot] : <4>
      sluice.tcgen05.commit %s_full[%c0] : <1> // covers P(t-1) V(t-1) as well
      %at1 = sluice.cursor.advance %at : <4>
      %v_slot = sluice.cursor.slot %at1 : <4>
      %v_phase = sluice.cursor.phase %at1 : <4>
      sluice.mbarrier.wait %full[%v_slot], %v_phase : <4>
      %phase = sluice.cursor.phase %turn : <1>
      sluice.mbarrier.wait %p_full[%c0], %phase : <1>
      sluice.fence tcgen05_after
      %v = sluice.slot %kv[%v_slot] : <128x128xf16, smem, sw128, slots 4>
      %more = arith.cmpi ne, %t, %c0 : index
      sluice.tcgen05.mma %o, %p, %v accumulate %more : <128x128xf32, tmem, row>,
          <128x128xf16, tmem, row>, <128x128xf16, smem, sw128>
      sluice.tcgen05.commit %empty[%v_slot] : <4>
      %at2 = sluice.cursor.advance %at1 : <4>
      %turn1 = sluice.cursor.advance %turn : <1>
      scf.yield %at2, %turn1 : !sluice.cursor<4>, !sluice.cursor<1>
    }
    sluice.tcgen05.commit %o_full[%c0] : <1>
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
      %phase = sluice.cursor.phase %turn : <1>
      sluice.mbarrier.wait %s_full[%c0], %phase : <1>
      sluice.fence tcgen05_after
      sluice.copy %s to %x : <128x128xf32, tmem, row>, <128x128xf32, reg, row>
      sluice.tcgen05.wait
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
      scf.if %later { // s_full(t) says that P(t-1) V(t-1) has ended
        sluice.copy %o to %x : <128x128xf32, tmem, row>, <128x128xf32, reg, row>
        sluice.tcgen05.wait
        sluice.map ins(%x, %keep : !sluice.buffer<128x128xf32, reg, row>, !sluice.buffer<128x1xf32, reg, row>)
            outs(%x : !sluice.buffer<128x128xf32, reg, row>) {
        ^bb0(%v: f32, %f: f32):
          %r = arith.mulf %v, %f : f32
          sluice.yield %r : f32
        }
        sluice.copy %x to %o : <128x128xf32, reg, row>, <128x128xf32, tmem, row>
      }
      sluice.tcgen05.wait stores
      sluice.fence tcgen05_before
      sluice.warp_sync
      sluice.mbarrier.arrive %p_full[%c0] by warp : <1>
      %next = sluice.cursor.advance %turn : <1>
      scf.yield %next : !sluice.cursor<1>
    }
    sluice.mbarrier.wait %o_full[%c0], %c0 : <1>
    sluice.fence tcgen05_after
    sluice.copy %o to %x : <128x128xf32, tmem, row>, <128x128xf32, reg, row>
    sluice.tcgen05.wait
    sluice.map ins(%x, %sum : !sluice.buffer<128x128xf32, reg, row>, !sluice.buffer<128x1xf32, reg, row>)
        outs(%x16 : !sluice.buffer<128x128xf16, reg, row>) {
    ^bb0(%v: f32, %total: f32):
      %r = arith.divf %v, %total : f32
      %h = arith.truncf %r : f32 to f16
      sluice.yield %h : f16
    }
    sluice.store %x16 to %O[%row, %c0] : <128x128xf16, reg, row>, <?x128xf16, align 16>
    sluice.fence tcgen05_before
  }
  sluice.bar.sync 0, 192
  sluice.role "deallocate" warps 4 to 5 {
    sluice.fence tcgen05_after
    sluice.tmem.dealloc 256
  }
}

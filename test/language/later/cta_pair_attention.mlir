// RUN: sluice-opt %s | sluice-opt -sluice-verify-phase | FileCheck %s
// Attention of depth 512 on a pair of Blackwell CTAs, at the pipeline level: the protocol of Mojo's
// Depth512 kernel. Each CTA holds 64 query rows, half of the keys of a K tile and a quarter of the
// columns of V; the leader's MMA warp computes for both. One barrier of the leader (`p`, merged with
// `lo_ready`) says "P is written and O_lo is rescaled": 2 x 128 softmax and 2 x 128 correction
// threads. Even and odd S are two slots of one ring. Of a product of 64 rows in each CTA lanes 0 to
// 63 hold the first half of the columns, lanes 64 to 127 the same rows of the second: so lie S, O,
// P (two blocks of 64 rows, one below the other) and the result; threads m and m + 64 share a row.
// RUN: sluice barriers %s 2>/dev/null | FileCheck %s --check-prefix=TABLE
// TABLE: full_p 0 512
// TABLE-NEXT: full_hi_ready 0 256
// TABLE-NEXT: empty_s 0 256
// TABLE-NEXT: empty_s 1 256
// TABLE-NEXT: full_c 0 128
// TABLE-NEXT: empty_c 0 128
// TABLE-NEXT: full_s 0 1
// TABLE-NEXT: full_s 1 1
// TABLE-NEXT: full_lo_done 0 1
// TABLE-NEXT: full_hi_done 0 1
// TABLE-NEXT: full 0 2 98304
// TABLE-NEXT: full 1 2
// TABLE-NEXT: full 2 2
// TABLE-NEXT: full 3 2
// TABLE-NEXT: empty 0 1
// TABLE-NEXT: empty 1 1
// TABLE-NEXT: empty 2 1
// TABLE-NEXT: empty 3 1
// TABLE-NEXT: named 1 128
// RUN: %python %S/../../tensor_memory/Inputs/attention.py %t 100 300 512
// RUN: sluice run %s --device sim --in Q=%t/Q.npy K=%t/K.npy V=%t/V.npy --set O=100x512 --chaos 20 --expect O=%t/O.npy
// CHECK: sluice.pipeline "p" over %p : {{.*}} from ["softmax"] to ["mma"] {arrive = "thread", empty = "none", leader}
// CHECK: sluice.pipeline "lo_ready" {{.*}} merge = "p", primed = 1
// CHECK: sluice.role "mma" warps 8 to 9 leader {
sluice.kernel @attention_pair(%Q: !sluice.tensor<?x512xf16, align 16> {sluice.name = "Q"},
                              %K: !sluice.tensor<?x512xf16, align 16> {sluice.name = "K"},
                              %V: !sluice.tensor<?x512xf16, align 16> {sluice.name = "V"},
                              %O: !sluice.tensor<?x512xf16, align 16> {sluice.name = "O", sluice.out})
    attributes {target = "sm_100a", phase = "pipeline", warps = 12, cluster = array<i64: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %c384 = arith.constant 384 : index
  %rows = sluice.dim %Q, 0 : <?x512xf16, align 16>
  %keys = sluice.dim %K, 0 : <?x512xf16, align 16>
  %pairs = arith.ceildivsi %rows, %c128 : index
  %blocks = arith.muli %pairs, %c2 : index
  %i = sluice.grid %blocks : index
  %row = arith.muli %i, %c64 : index
  %rank = sluice.cluster.rank
  %half = arith.muli %rank, %c128 : index
  %tiles = arith.ceildivsi %keys, %c256 : index
  %n = arith.maxsi %tiles, %c1 : index // no keys: a tile of zeros

  %q = sluice.alloc "q" at 0 : !sluice.buffer<64x128xf16, smem, sw128, slots 4>
  %out = sluice.alloc "out" at 0 : !sluice.buffer<128x128xf16, smem, sw128, slots 2> // over q, at the end
  %p = sluice.alloc "p" : !sluice.buffer<128x128xf16, smem, sw128>
  %kv = sluice.alloc "kv" : !sluice.buffer<128x128xf16, smem, sw128, slots 4>
  %factor = sluice.alloc "factor" : !sluice.buffer<128x1xf32, smem, row>
  %swap = sluice.alloc "swap" : !sluice.buffer<256x1xf32, smem, row>
  %lo = sluice.alloc "lo" at 0 : !sluice.buffer<128x128xf32, tmem, row>
  %hi = sluice.alloc "hi" at 512 : !sluice.buffer<128x128xf32, tmem, row>
  %s = sluice.alloc "s" at 1024 : !sluice.buffer<128x128xf32, tmem, row, slots 2> // even, odd

  %p_full = sluice.pipeline "p" over %p : !sluice.buffer<128x128xf16, smem, sw128>
      from ["softmax"] to ["mma"] {empty = "none", leader, arrive = "thread"} : !sluice.pipeline<1>
  %lo_ready = sluice.pipeline "lo_ready" over %lo : !sluice.buffer<128x128xf32, tmem, row>
      from ["correction"] to ["mma"]
      {empty = "none", leader, primed = 1, merge = "p", arrive = "thread"} : !sluice.pipeline<1>
  %hi_ready = sluice.pipeline "hi_ready" over %hi : !sluice.buffer<128x128xf32, tmem, row>
      from ["correction"] to ["mma"]
      {empty = "none", leader, primed = 1, arrive = "thread"} : !sluice.pipeline<1>
  %s_ring = sluice.pipeline "s" over %s : !sluice.buffer<128x128xf32, tmem, row, slots 2>
      from ["mma"] to ["softmax"] {arrive = "thread"} : !sluice.pipeline<2>
  %c_ring = sluice.pipeline "c" over %factor : !sluice.buffer<128x1xf32, smem, row>
      from ["softmax"] to ["correction"] {arrive = "thread"} : !sluice.pipeline<1>
  %lo_done = sluice.pipeline "lo_done" over %lo : !sluice.buffer<128x128xf32, tmem, row>
      from ["mma"] to ["correction", "softmax"] {empty = "none"} : !sluice.pipeline<1>
  %hi_done = sluice.pipeline "hi_done" over %hi : !sluice.buffer<128x128xf32, tmem, row>
      from ["mma"] to ["correction", "softmax"] {empty = "none"} : !sluice.pipeline<1>
  %kv_ring = sluice.pipeline "kv" over %kv : !sluice.buffer<128x128xf16, smem, sw128, slots 4>
      from ["load"] to ["mma"] : !sluice.pipeline<4>
  %start = sluice.cursor : !sluice.cursor<4>
  %even = sluice.cursor : !sluice.cursor<2>
  %one = sluice.cursor : !sluice.cursor<1>

  sluice.role "load" warps 9 to 10 {
    %k0 = scf.for %j = %c0 to %c4 step %c1 iter_args(%at = %start) -> !sluice.cursor<4> {
      %depth = arith.muli %j, %c128 : index
      %slot = sluice.cursor.slot %at : <4>
      %k = sluice.slot %kv[%slot] : <128x128xf16, smem, sw128, slots 4>
      %qj = sluice.slot %q[%j] : <64x128xf16, smem, sw128, slots 4>
      sluice.acquire %kv_ring[%at] : <4> // part j of Q rides on the barrier of that of K
      sluice.load %Q[%row, %depth] to %qj : <?x512xf16, align 16>, <64x128xf16, smem, sw128>
      sluice.load %K[%half, %depth] to %k : <?x512xf16, align 16>, <128x128xf16, smem, sw128>
      sluice.commit %kv_ring[%at] : <4>
      %next = sluice.cursor.advance %at : <4>
      scf.yield %next : !sluice.cursor<4>
    }
    %v0 = scf.for %u = %c0 to %c4 step %c1 iter_args(%at = %k0) -> !sluice.cursor<4> {
      %side = arith.divsi %u, %c2 : index // 0: columns of O_lo, 1: of O_hi
      %step = arith.remsi %u, %c2 : index // first and second 128 keys
      %from = arith.muli %step, %c128 : index
      %right = arith.muli %side, %c256 : index
      %col = arith.addi %right, %half : index
      %slot = sluice.cursor.slot %at : <4>
      %v = sluice.slot %kv[%slot] : <128x128xf16, smem, sw128, slots 4>
      sluice.acquire %kv_ring[%at] : <4>
      sluice.load %V[%from, %col] to %v : <?x512xf16, align 16>, <128x128xf16, smem, sw128>
      sluice.commit %kv_ring[%at] : <4>
      %next = sluice.cursor.advance %at : <4>
      scf.yield %next : !sluice.cursor<4>
    }
    %end = scf.for %t = %c1 to %n step %c1 iter_args(%at0 = %v0) -> !sluice.cursor<4> {
      %key = arith.muli %t, %c256 : index
      %own = arith.addi %key, %half : index
      %at1 = scf.for %j = %c0 to %c4 step %c1 iter_args(%at = %at0) -> !sluice.cursor<4> {
        %depth = arith.muli %j, %c128 : index
        %slot = sluice.cursor.slot %at : <4>
        %k = sluice.slot %kv[%slot] : <128x128xf16, smem, sw128, slots 4>
        sluice.acquire %kv_ring[%at] : <4>
        sluice.load %K[%own, %depth] to %k : <?x512xf16, align 16>, <128x128xf16, smem, sw128>
        sluice.commit %kv_ring[%at] : <4>
        %next = sluice.cursor.advance %at : <4>
        scf.yield %next : !sluice.cursor<4>
      }
      %at2 = scf.for %u = %c0 to %c4 step %c1 iter_args(%at = %at1) -> !sluice.cursor<4> {
        %side = arith.divsi %u, %c2 : index
        %step = arith.remsi %u, %c2 : index
        %down = arith.muli %step, %c128 : index
        %from = arith.addi %key, %down : index
        %right = arith.muli %side, %c256 : index
        %col = arith.addi %right, %half : index
        %slot = sluice.cursor.slot %at : <4>
        %v = sluice.slot %kv[%slot] : <128x128xf16, smem, sw128, slots 4>
        sluice.acquire %kv_ring[%at] : <4>
        sluice.load %V[%from, %col] to %v : <?x512xf16, align 16>, <128x128xf16, smem, sw128>
        sluice.commit %kv_ring[%at] : <4>
        %next = sluice.cursor.advance %at : <4>
        scf.yield %next : !sluice.cursor<4>
      }
      scf.yield %at2 : !sluice.cursor<4>
    }
    sluice.tail %kv_ring[%end] : <4>
  }

  sluice.role "mma" warps 8 to 9 leader {
    scf.for %t = %c0 to %n step %c1 iter_args(%kvt = %start, %st = %even, %ot = %one)
        -> (!sluice.cursor<4>, !sluice.cursor<2>, !sluice.cursor<1>) {
      sluice.acquire %s_ring[%st] : <2>
      %sslot = sluice.cursor.slot %st : <2>
      %scores = sluice.slot %s[%sslot] : <128x128xf32, tmem, row, slots 2>
      %kv1 = scf.for %j = %c0 to %c4 step %c1 iter_args(%at = %kvt) -> !sluice.cursor<4> {
        sluice.wait %kv_ring[%at] : <4>
        %slot = sluice.cursor.slot %at : <4>
        %k = sluice.slot %kv[%slot] : <128x128xf16, smem, sw128, slots 4>
        %kt = sluice.transpose %k : <128x128xf16, smem, sw128>
        %qj = sluice.slot %q[%j] : <64x128xf16, smem, sw128, slots 4>
        %more = arith.cmpi ne, %j, %c0 : index
        sluice.tcgen05.mma %scores, %qj, %kt accumulate %more ctas 2 : <128x128xf32, tmem, row>,
            <64x128xf16, smem, sw128>, <128x128xf16, smem, sw128, minor 0>
        sluice.release %kv_ring[%at] : <4>
        %next = sluice.cursor.advance %at : <4>
        scf.yield %next : !sluice.cursor<4>
      }
      sluice.commit %s_ring[%st] : <2>
      sluice.wait %p_full[%ot] : <1> // with it lo_ready: one barrier
      %kv2 = scf.for %u = %c0 to %c2 step %c1 iter_args(%at = %kv1) -> !sluice.cursor<4> {
        sluice.wait %kv_ring[%at] : <4>
        %slot = sluice.cursor.slot %at : <4>
        %v = sluice.slot %kv[%slot] : <128x128xf16, smem, sw128, slots 4>
        %down = arith.muli %u, %c64 : index
        %pu = sluice.subview %p[%down, %c0] : <128x128xf16, smem, sw128> to <64x128xf16, smem, sw128>
        %later_u = arith.cmpi ne, %u, %c0 : index
        %later_t = arith.cmpi ne, %t, %c0 : index
        %more = arith.ori %later_u, %later_t : i1
        sluice.tcgen05.mma %lo, %pu, %v accumulate %more ctas 2 : <128x128xf32, tmem, row>,
            <64x128xf16, smem, sw128>, <128x128xf16, smem, sw128>
        sluice.release %kv_ring[%at] : <4>
        %next = sluice.cursor.advance %at : <4>
        scf.yield %next : !sluice.cursor<4>
      }
      sluice.commit %lo_done[%ot] : <1>
      sluice.wait %hi_ready[%ot] : <1>
      %kv3 = scf.for %u = %c0 to %c2 step %c1 iter_args(%at = %kv2) -> !sluice.cursor<4> {
        sluice.wait %kv_ring[%at] : <4>
        %slot = sluice.cursor.slot %at : <4>
        %v = sluice.slot %kv[%slot] : <128x128xf16, smem, sw128, slots 4>
        %down = arith.muli %u, %c64 : index
        %pu = sluice.subview %p[%down, %c0] : <128x128xf16, smem, sw128> to <64x128xf16, smem, sw128>
        %later_u = arith.cmpi ne, %u, %c0 : index
        %later_t = arith.cmpi ne, %t, %c0 : index
        %more = arith.ori %later_u, %later_t : i1
        sluice.tcgen05.mma %hi, %pu, %v accumulate %more ctas 2 : <128x128xf32, tmem, row>,
            <64x128xf16, smem, sw128>, <128x128xf16, smem, sw128>
        sluice.release %kv_ring[%at] : <4>
        %next = sluice.cursor.advance %at : <4>
        scf.yield %next : !sluice.cursor<4>
      }
      sluice.commit %hi_done[%ot] : <1>
      %s1 = sluice.cursor.advance %st : <2>
      %o1 = sluice.cursor.advance %ot : <1>
      scf.yield %kv3, %s1, %o1 : !sluice.cursor<4>, !sluice.cursor<2>, !sluice.cursor<1>
    }
  }

  sluice.role "softmax" warps 0 to 4 {
    %x = sluice.alloc "x" : !sluice.buffer<128x128xf32, reg, row>
    %p16 = sluice.alloc "p16" : !sluice.buffer<128x128xf16, reg, row>
    %max = sluice.alloc "max" : !sluice.buffer<128x1xf32, reg, row>
    %old = sluice.alloc "old" : !sluice.buffer<128x1xf32, reg, row>
    %sum = sluice.alloc "sum" : !sluice.buffer<128x1xf32, reg, row>
    %part = sluice.alloc "part" : !sluice.buffer<128x1xf32, reg, row>
    %other = sluice.alloc "other" : !sluice.buffer<128x1xf32, reg, row> // of the thread that shares the row
    %below = sluice.subview %swap[%c0, %c0] : <256x1xf32, smem, row> to <128x1xf32, smem, row>
    %above = sluice.subview %swap[%c128, %c0] : <256x1xf32, smem, row> to <128x1xf32, smem, row>
    %across = sluice.subview %swap[%c64, %c0] : <256x1xf32, smem, row> to <128x1xf32, smem, row>
    sluice.fill %max with -1.0e30 : <128x1xf32, reg, row>
    sluice.fill %sum with 0.0 : <128x1xf32, reg, row>
    %st_end, %ct_end, %last, %after = scf.for %t = %c0 to %n step %c1
        iter_args(%st = %even, %ct = %one, %before = %one, %ot = %one)
        -> (!sluice.cursor<2>, !sluice.cursor<1>, !sluice.cursor<1>, !sluice.cursor<1>) {
      sluice.wait %s_ring[%st] : <2>
      %slot = sluice.cursor.slot %st : <2>
      %scores = sluice.slot %s[%slot] : <128x128xf32, tmem, row, slots 2>
      sluice.copy %scores to %x : <128x128xf32, tmem, row>, <128x128xf32, reg, row>
      sluice.release %s_ring[%st] : <2>
      %key = arith.muli %t, %c256 : index
      sluice.map ins(%x : !sluice.buffer<128x128xf32, reg, row>)
          outs(%x : !sluice.buffer<128x128xf32, reg, row>) coordinates {
      ^bb0(%v: f32, %r: index, %c: index):
        %least = arith.constant -1.0e30 : f32
        %none = arith.constant 0 : index
        %first = arith.constant 64 : index
        %beyond = arith.constant 128 : index
        %upper = arith.cmpi slt, %r, %first : index
        %right = arith.select %upper, %none, %beyond : index
        %inside = arith.addi %right, %c : index
        %place = arith.addi %key, %inside : index
        %seen = arith.cmpi slt, %place, %keys : index
        %m = arith.select %seen, %v, %least : f32
        sluice.yield %m : f32
      }
      sluice.copy %max to %old : <128x1xf32, reg, row>, <128x1xf32, reg, row>
      sluice.reduce ins(%x : !sluice.buffer<128x128xf32, reg, row>)
          outs(%part : !sluice.buffer<128x1xf32, reg, row>) axis 1 from [-1.0e30] {
      ^bb0(%m: f32, %v: f32):
        %r = arith.maximumf %m, %v : f32
        sluice.yield %r : f32
      }
      sluice.copy %part to %below : <128x1xf32, reg, row>, <128x1xf32, smem, row>
      sluice.copy %part to %above : <128x1xf32, reg, row>, <128x1xf32, smem, row>
      sluice.bar.sync 1, 128
      sluice.copy %across to %other : <128x1xf32, smem, row>, <128x1xf32, reg, row>
      sluice.bar.sync 1, 128
      sluice.map ins(%old, %part, %other : !sluice.buffer<128x1xf32, reg, row>,
              !sluice.buffer<128x1xf32, reg, row>, !sluice.buffer<128x1xf32, reg, row>)
          outs(%max : !sluice.buffer<128x1xf32, reg, row>) {
      ^bb0(%m: f32, %v: f32, %w: f32):
        %r = arith.maximumf %m, %v : f32
        %u = arith.maximumf %r, %w : f32
        sluice.yield %u : f32
      }
      sluice.map ins(%x, %max : !sluice.buffer<128x128xf32, reg, row>, !sluice.buffer<128x1xf32, reg, row>)
          outs(%x, %p16 : !sluice.buffer<128x128xf32, reg, row>, !sluice.buffer<128x128xf16, reg, row>) {
      ^bb0(%v: f32, %m: f32):
        %scale = arith.constant 0.0637587 : f32 // log2(e) / sqrt(512)
        %d = arith.subf %v, %m : f32
        %z = arith.mulf %d, %scale : f32
        %e = math.exp2 %z : f32
        %h = arith.truncf %e : f32 to f16
        sluice.yield %e, %h : f32, f16
      }
      sluice.copy %p16 to %p : <128x128xf16, reg, row>, <128x128xf16, smem, sw128>
      sluice.commit %p_full[%ot] : <1> // derived: proxy fence, arrival on the leader
      sluice.reduce ins(%x : !sluice.buffer<128x128xf32, reg, row>)
          outs(%part : !sluice.buffer<128x1xf32, reg, row>) axis 1 from [0.0] {
      ^bb0(%a: f32, %v: f32):
        %r = arith.addf %a, %v : f32
        sluice.yield %r : f32
      }
      sluice.map ins(%old, %max, %sum, %part : !sluice.buffer<128x1xf32, reg, row>,
              !sluice.buffer<128x1xf32, reg, row>, !sluice.buffer<128x1xf32, reg, row>,
              !sluice.buffer<128x1xf32, reg, row>)
          outs(%old, %sum : !sluice.buffer<128x1xf32, reg, row>, !sluice.buffer<128x1xf32, reg, row>) {
      ^bb0(%m0: f32, %m1: f32, %total: f32, %v: f32):
        %scale = arith.constant 0.0637587 : f32
        %d = arith.subf %m0, %m1 : f32
        %z = arith.mulf %d, %scale : f32
        %f = math.exp2 %z : f32
        %kept = arith.mulf %total, %f : f32
        %r = arith.addf %kept, %v : f32
        sluice.yield %f, %r : f32, f32
      }
      %later = arith.cmpi ne, %t, %c0 : index
      %c_next = scf.if %later -> !sluice.cursor<1> {
        sluice.acquire %c_ring[%ct] : <1>
        sluice.copy %old to %factor : <128x1xf32, reg, row>, <128x1xf32, smem, row>
        sluice.commit %c_ring[%ct] : <1>
        %next = sluice.cursor.advance %ct : <1>
        scf.yield %next : !sluice.cursor<1>
      } else {
        scf.yield %ct : !sluice.cursor<1>
      }
      %s1 = sluice.cursor.advance %st : <2>
      %o1 = sluice.cursor.advance %ot : <1>
      scf.yield %s1, %c_next, %ot, %o1
          : !sluice.cursor<2>, !sluice.cursor<1>, !sluice.cursor<1>, !sluice.cursor<1>
    }
    sluice.copy %sum to %below : <128x1xf32, reg, row>, <128x1xf32, smem, row>
    sluice.copy %sum to %above : <128x1xf32, reg, row>, <128x1xf32, smem, row>
    sluice.bar.sync 1, 128
    sluice.copy %across to %other : <128x1xf32, smem, row>, <128x1xf32, reg, row>
    sluice.acquire %c_ring[%ct_end] : <1> // correction has done with the sums of all tiles but the last
    sluice.wait %lo_done[%last] : <1>
    sluice.wait %hi_done[%last] : <1>
    scf.for %side = %c0 to %c2 step %c1 {
      %is_lo = arith.cmpi eq, %side, %c0 : index
      scf.if %is_lo {
        sluice.copy %lo to %x : <128x128xf32, tmem, row>, <128x128xf32, reg, row>
      } else {
        sluice.copy %hi to %x : <128x128xf32, tmem, row>, <128x128xf32, reg, row>
      }
      sluice.map ins(%x, %sum, %other : !sluice.buffer<128x128xf32, reg, row>,
              !sluice.buffer<128x1xf32, reg, row>, !sluice.buffer<128x1xf32, reg, row>)
          outs(%p16 : !sluice.buffer<128x128xf16, reg, row>) {
      ^bb0(%v: f32, %one_half: f32, %other_half: f32):
        %total = arith.addf %one_half, %other_half : f32
        %r = arith.divf %v, %total : f32
        %h = arith.truncf %r : f32 to f16
        sluice.yield %h : f16
      }
      %out_side = sluice.slot %out[%side] : <128x128xf16, smem, sw128, slots 2>
      sluice.copy %p16 to %out_side : <128x128xf16, reg, row>, <128x128xf16, smem, sw128>
    }
    sluice.fence proxy_async
    sluice.bar.sync 1, 128
    scf.for %side = %c0 to %c2 step %c1 {
      %col = arith.muli %side, %c256 : index
      %right = arith.addi %col, %c128 : index
      %out_side = sluice.slot %out[%side] : <128x128xf16, smem, sw128, slots 2>
      %first = sluice.subview %out_side[%c0, %c0] : <128x128xf16, smem, sw128> to <64x128xf16, smem, sw128>
      %second = sluice.subview %out_side[%c64, %c0] : <128x128xf16, smem, sw128> to <64x128xf16, smem, sw128>
      sluice.tma.store %first to %O[%row, %col] : <64x128xf16, smem, sw128>, <?x512xf16, align 16>
      sluice.tma.store %second to %O[%row, %right] : <64x128xf16, smem, sw128>, <?x512xf16, align 16>
    }
    sluice.bulk.commit by one
    sluice.bulk.wait 0 read by one
  }

  sluice.role "correction" warps 4 to 8 {
    %x = sluice.alloc "o" : !sluice.buffer<128x128xf32, reg, row>
    %f = sluice.alloc "f" : !sluice.buffer<128x1xf32, reg, row>
    %after_primed = sluice.cursor.advance %one : <1>
    scf.for %t = %c1 to %n step %c1 iter_args(%ready = %after_primed, %done = %one)
        -> (!sluice.cursor<1>, !sluice.cursor<1>) {
      sluice.wait %c_ring[%done] : <1>
      sluice.copy %factor to %f : <128x1xf32, smem, row>, <128x1xf32, reg, row>
      sluice.wait %lo_done[%done] : <1>
      sluice.copy %lo to %x : <128x128xf32, tmem, row>, <128x128xf32, reg, row>
      sluice.map ins(%x, %f : !sluice.buffer<128x128xf32, reg, row>, !sluice.buffer<128x1xf32, reg, row>)
          outs(%x : !sluice.buffer<128x128xf32, reg, row>) {
      ^bb0(%v: f32, %k: f32):
        %r = arith.mulf %v, %k : f32
        sluice.yield %r : f32
      }
      sluice.copy %x to %lo : <128x128xf32, reg, row>, <128x128xf32, tmem, row>
      sluice.commit %lo_ready[%ready] : <1>
      sluice.wait %hi_done[%done] : <1>
      sluice.copy %hi to %x : <128x128xf32, tmem, row>, <128x128xf32, reg, row>
      sluice.map ins(%x, %f : !sluice.buffer<128x128xf32, reg, row>, !sluice.buffer<128x1xf32, reg, row>)
          outs(%x : !sluice.buffer<128x128xf32, reg, row>) {
      ^bb0(%v: f32, %k: f32):
        %r = arith.mulf %v, %k : f32
        sluice.yield %r : f32
      }
      sluice.copy %x to %hi : <128x128xf32, reg, row>, <128x128xf32, tmem, row>
      sluice.commit %hi_ready[%ready] : <1>
      sluice.release %c_ring[%done] : <1>
      %r1 = sluice.cursor.advance %ready : <1>
      %d1 = sluice.cursor.advance %done : <1>
      scf.yield %r1, %d1 : !sluice.cursor<1>, !sluice.cursor<1>
    }
  }
}

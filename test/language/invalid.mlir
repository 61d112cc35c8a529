// RUN: sluice-opt %s -split-input-file -verify-diagnostics
// Every message of the verifiers and of the types, with its exact text.

// expected-error @+1 {{expected 'minor', 'rows' or 'align', found 'major'}}
sluice.kernel @bad(%x: !sluice.tensor<?x?xf16, major 0>) {
}

// -----

// expected-error @+1 {{a tensor has at least one dimension}}
sluice.kernel @bad(%x: !sluice.tensor<f16>) {
}

// -----

// expected-error @+1 {{minor must name a dimension, 0 to 1}}
sluice.kernel @bad(%x: !sluice.tensor<?x?xf16, minor 2>) {
}

// -----

// expected-error @+1 {{rows must name a dimension before the last, of 3 dimensions}}
sluice.kernel @bad(%x: !sluice.tensor<?x?x?xf16, rows 2>) {
}

// -----

// expected-error @+1 {{rows must name a dimension before the last, of 1 dimension}}
sluice.kernel @bad(%x: !sluice.tensor<?xf16, rows 0>) {
}

// -----

// expected-error @+1 {{align must be at least 1 byte}}
sluice.kernel @bad(%x: !sluice.tensor<?x?xf16, align 0>) {
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{expected a memory space, a layout, 'minor' or 'slots', found 'smen'}}
  %t = sluice.alloc "t" : !sluice.buffer<8x8xf16, smen>
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{a buffer has two dimensions; write a vector as Rx1 or 1xC}}
  %t = sluice.alloc "t" : !sluice.buffer<8xf16>
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{the extents of a buffer must be positive}}
  %t = sluice.alloc "t" : !sluice.buffer<8x0xf16>
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.alloc' op buffer 't' of 4611686018427387904x8 elements and 1 slots is larger than any memory; use a smaller tile}}
  %t = sluice.alloc "t" : !sluice.buffer<4611686018427387904x8xf16>
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.alloc' op buffer 't' of 8x8 elements and 9000000000000000000 slots is larger than any memory; use a smaller tile}}
  %t = sluice.alloc "t" : !sluice.buffer<8x8xf16, smem, row, slots 9000000000000000000>
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{minor must be 0 or 1}}
  %t = sluice.alloc "t" : !sluice.buffer<8x8xf16, minor 2>
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{a buffer has at least one slot}}
  %t = sluice.alloc "t" : !sluice.buffer<8x8xf16, slots 0>
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{a ring has at least one slot}}
  %c = sluice.cursor : !sluice.cursor<0>
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{a ring has at least one slot}}
  %c = sluice.mbarrier.alloc "b" : !sluice.mbarrier<0>
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{a ring has at least one slot}}
  %c = sluice.pipeline "p" from ["a"] to ["b"] : !sluice.pipeline<0>
}

// -----

// expected-error @+1 {{'sluice.kernel' op returns nothing; write to a tensor marked sluice.out}}
sluice.kernel @k() -> index {
  sluice.epoch
}

// -----

// expected-error @+1 {{'sluice.kernel' op argument 0 has type 'f64'; a kernel takes tensors, index, i32 and f32}}
sluice.kernel @k(%x: f64) {
  sluice.epoch
}

// -----

// expected-error @+1 {{'sluice.kernel' op argument 0: no target has elements of type 'f64'}}
sluice.kernel @k(%x: !sluice.tensor<?xf64>) {
  sluice.epoch
}

// -----

// expected-error @+1 {{'sluice.kernel' op argument 0 is a scalar; only a tensor can be sluice.out}}
sluice.kernel @k(%x: index {sluice.out}) {
  sluice.epoch
}

// -----

// expected-error @+1 {{'sluice.kernel' op argument 0 is a scalar; only a tensor can be sluice.inout}}
sluice.kernel @k(%x: f32 {sluice.inout}) {
  sluice.epoch
}

// -----

// expected-error @+1 {{'sluice.kernel' op tensor argument 1 after a scalar; put tensors first}}
sluice.kernel @k(%x: index, %y: !sluice.tensor<?xf16>) {
  sluice.epoch
}

// -----

// expected-error @+1 {{'sluice.kernel' op unknown target 'sm_80'; one of sm_90a, sm_100a, ascend910b, ascend950}}
sluice.kernel @k() attributes {target = "sm_80"} {
  sluice.epoch
}

// -----

// expected-error @+1 {{'sluice.kernel' op unknown phase 'tiles'; one of tile, placed, pipeline, barrier, allocated}}
sluice.kernel @k() attributes {phase = "tiles"} {
  sluice.epoch
}

// -----

// expected-error @+1 {{'sluice.kernel' op warps 33; a CTA has 1 to 32 warps}}
sluice.kernel @k() attributes {phase = "barrier", warps = 33} {
  sluice.epoch
}

// -----

// expected-error @+1 {{'sluice.kernel' op shared_bytes must not be negative}}
sluice.kernel @k() attributes {shared_bytes = -1} {
  sluice.epoch
}

// -----

// expected-error @+1 {{'sluice.kernel' op cluster takes three positive extents}}
sluice.kernel @k() attributes {cluster = array<i64: 2, 1>} {
  sluice.epoch
}

// -----

// expected-error @+1 {{'sluice.kernel' op cluster of 32 CTAs; at most 16}}
sluice.kernel @k() attributes {cluster = array<i64: 4, 8, 1>} {
  sluice.epoch
}

// -----

sluice.kernel @k() {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'sluice.grid' op a grid has 1 to 3 extents}}
  %i, %j, %k, %l = sluice.grid %c1, %c1, %c1, %c1 : index, index, index, index
}

// -----

sluice.kernel @k() {
  %c1 = arith.constant 1 : index
  scf.for %t = %c1 to %c1 step %c1 {
  // expected-error @+1 {{'sluice.grid' op stands directly in the kernel, outside loops and roles}}
  %i = sluice.grid %c1 : index
  }
}

// -----

sluice.kernel @k(%A: !sluice.tensor<?x?xf16>) {
  // expected-error @+1 {{'sluice.dim' op dimension 2 of a tensor of rank 2}}
  %d = sluice.dim %A, 2 : <?x?xf16>
}

// -----

sluice.kernel @k(%A: !sluice.tensor<?x?xf16>) {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'sluice.clip' op dimension 2 of a tensor of rank 2}}
  %d = sluice.clip %A, 2 to %c1 : <?x?xf16>
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.alloc' op no target computes on elements of type 'f64'}}
  %t = sluice.alloc "t" : !sluice.buffer<8x8xf64>
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.alloc' op offset must not be negative}}
  %t = sluice.alloc "t" at -8 : !sluice.buffer<8x8xf16, smem>
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.alloc' op has an offset but no space; name the space in its type}}
  %t = sluice.alloc "t" at 8 : !sluice.buffer<8x8xf16>
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.alloc' op registers have no offset}}
  %t = sluice.alloc "t" at 8 : !sluice.buffer<8x8xf16, reg>
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.alloc' op layout sw128 does not exist in l1}}
  %t = sluice.alloc "t" : !sluice.buffer<8x64xf16, l1, sw128>
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.alloc' op layout acc does not exist in smem}}
  %t = sluice.alloc "t" : !sluice.buffer<64x64xf32, smem, acc>
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.alloc' op layout zN does not exist in smem}}
  %t = sluice.alloc "t" : !sluice.buffer<64x64xf16, smem, zN>
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.alloc' op layout row does not exist in unplaced}}
  %t = sluice.alloc "t" : !sluice.buffer<64x64xf16, row>
}

// -----

sluice.kernel @k() {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'arith.addi' op sluice.stages stands on a loop (scf.for)}}
  %x = arith.addi %c1, %c1 {sluice.stages = 2} : index
}

// -----

sluice.kernel @k() {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.for' op sluice.stages must be an integer of at least 1}}
  scf.for %t = %c1 to %c1 step %c1 {
  } {sluice.stages = 0}
}

// -----

sluice.kernel @k() {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.for' op sluice.stages is 1000000; 1024 is the most}}
  scf.for %t = %c1 to %c1 step %c1 {
  } {sluice.stages = 1000000}
}

// -----

sluice.kernel @k() {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.for' op sluice.slots names memory spaces: {l1 = 2, l0a = 2}}}
  scf.for %t = %c1 to %c1 step %c1 {
  } {sluice.slots = 2}
}

// -----

sluice.kernel @k() {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.for' op sluice.slots: no on-chip memory is called 'l2'}}
  scf.for %t = %c1 to %c1 step %c1 {
  } {sluice.slots = {l2 = 2}}
}

// -----

sluice.kernel @k() {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.for' op sluice.slots.l1 must be an integer of at least 1}}
  scf.for %t = %c1 to %c1 step %c1 {
  } {sluice.slots = {l1 = 0}}
}

// -----

sluice.kernel @k() {
  %c9 = arith.constant 9 : index
  %a = sluice.alloc "a" : !sluice.buffer<16x16xf16, slots 2>
  // expected-error @+1 {{'sluice.slot' op slot 9 of a ring of 2}}
  %s = sluice.slot %a[%c9] : <16x16xf16, slots 2>
}

// -----

sluice.kernel @k() {
  %c1 = arith.constant 1 : index
  %a = sluice.alloc "a" : !sluice.buffer<16x16xf16>
  // expected-error @+1 {{'sluice.subview' op needs two offsets, has 1}}
  %s = sluice.subview %a[%c1] : <16x16xf16> to <8x8xf16>
}

// -----

sluice.kernel @k() {
  %c1 = arith.constant 1 : index
  %a = sluice.alloc "a" : !sluice.buffer<16x16xf16>
  // expected-error @+1 {{'sluice.subview' op box 32x8 does not fit in 16x16}}
  %s = sluice.subview %a[%c1, %c1] : <16x16xf16> to <32x8xf16>
}

// -----

sluice.kernel @k() {
  %c1 = arith.constant 1 : index
  %a = sluice.alloc "a" : !sluice.buffer<16x16xf16>
  // expected-error @+1 {{'sluice.subview' op may change the shape only; expected '!sluice.buffer<8x8xf16>'}}
  %s = sluice.subview %a[%c1, %c1] : <16x16xf16> to <8x8xf32>
}

// -----

sluice.kernel @k(%A: !sluice.tensor<?x?xf16>) {
  %c1 = arith.constant 1 : index
  %a = sluice.alloc "a" : !sluice.buffer<16x16xf16>
  // expected-error @+1 {{'sluice.load' op has 1 offsets for a tensor of rank 2}}
  sluice.load %A[%c1] to %a : <?x?xf16>, <16x16xf16>
}

// -----

sluice.kernel @k(%A: !sluice.tensor<?x?xf16>) {
  %c1 = arith.constant 1 : index
  %a = sluice.alloc "a" : !sluice.buffer<16x16xf32>
  // expected-error @+1 {{'sluice.load' op moves 'f16' and 'f32'; convert with sluice.map or sluice.copy}}
  sluice.load %A[%c1, %c1] to %a : <?x?xf16>, <16x16xf32>
}

// -----

sluice.kernel @k(%A: !sluice.tensor<?x?xf16>) {
  %c1 = arith.constant 1 : index
  %a = sluice.alloc "a" : !sluice.buffer<16x16xf16>
  // expected-error @+1 {{'sluice.load' op rows must be a tensor of rank 1 of i32}}
  sluice.load %A[%c1, %c1] to %a rows %A : !sluice.tensor<?x?xf16> : <?x?xf16>, <16x16xf16>
}

// -----

sluice.kernel @k(%A: !sluice.tensor<?x?xf16>, %n: !sluice.tensor<?xi32>) {
  %c1 = arith.constant 1 : index
  %a = sluice.alloc "a" : !sluice.buffer<16x16xf16>
  // expected-error @+1 {{'sluice.load' op cache evict_last is a hint of TMA; gathers and cp.async are copies by threads; leave it out}}
  sluice.load %A[%c1, %c1] to %a rows %n : !sluice.tensor<?xi32> cache evict_last : <?x?xf16>, <16x16xf16>
}

// -----

sluice.kernel @k(%A: !sluice.tensor<?x?xf16>) {
  %c1 = arith.constant 1 : index
  %a = sluice.alloc "a" : !sluice.buffer<16x16xf16>
  // expected-error @+1 {{'sluice.load' op cache evict_first is a hint of TMA; gathers and cp.async are copies by threads; leave it out}}
  sluice.load %A[%c1, %c1] to %a async cache evict_first : <?x?xf16>, <16x16xf16>
}

// -----

sluice.kernel @k(%A: !sluice.tensor<?x?xf16>) {
  %c1 = arith.constant 1 : index
  %a = sluice.alloc "a" : !sluice.buffer<16x16xf16>
  // expected-error @+1 {{'sluice.store' op cache evict_first is a hint of TMA; pipes of a core take none; leave it out}}
  sluice.store %a to %A[%c1, %c1] cache evict_first on MTE3 : <16x16xf16>, <?x?xf16>
}

// -----

sluice.kernel @k(%A: !sluice.tensor<?x?xf16>) {
  %c1 = arith.constant 1 : index
  %a = sluice.alloc "a" : !sluice.buffer<16x16xf16>
  // expected-error @+1 {{'sluice.store' op has 1 offsets for a tensor of rank 2}}
  sluice.store %a to %A[%c1] : <16x16xf16>, <?x?xf16>
}

// -----

sluice.kernel @k(%A: !sluice.tensor<?x?xf16>) {
  %c1 = arith.constant 1 : index
  %a = sluice.alloc "a" : !sluice.buffer<16x16xf32>
  // expected-error @+1 {{'sluice.store' op moves 'f16' and 'f32'; convert with sluice.map or sluice.copy}}
  sluice.store %a to %A[%c1, %c1] : <16x16xf32>, <?x?xf16>
}

// -----

sluice.kernel @k() {
  %a = sluice.alloc "a" : !sluice.buffer<32x16xf32, l0c, zN>
  %b = sluice.alloc "b" : !sluice.buffer<32x16xf32, ub, row>
  // expected-error @+1 {{'sluice.copy' op copies 32x16 to 32x16; from l0c each of the two vector cores gets half of the rows in ub}}
  sluice.copy %a to %b : <32x16xf32, l0c, zN>, <32x16xf32, ub, row>
}

// -----

sluice.kernel @k() {
  %a = sluice.alloc "a" : !sluice.buffer<16x16xf16>
  %b = sluice.alloc "b" : !sluice.buffer<8x8xf16>
  // expected-error @+1 {{'sluice.copy' op copies 16x16 to 8x8; take a subview or transpose}}
  sluice.copy %a to %b : <16x16xf16>, <8x8xf16>
}

// -----

sluice.kernel @k() {
  %d = sluice.alloc "d" : !sluice.buffer<16x8xf32>
  %a = sluice.alloc "a" : !sluice.buffer<16x32xf16>
  %b = sluice.alloc "b" : !sluice.buffer<16x8xf16>
  // expected-error @+1 {{'sluice.mma' op shapes do not match: d 16x8, a 16x32, b 16x8; a product is d[M,N] += a[M,K] b[K,N] (sluice.transpose exchanges rows and columns)}}
  sluice.mma %d, %a, %b : <16x8xf32>, <16x32xf16>, <16x8xf16>
}

// -----

sluice.kernel @k() {
  %d = sluice.alloc "d" : !sluice.buffer<16x8xf32>
  %a = sluice.alloc "a" : !sluice.buffer<16x32xf16>
  %b = sluice.alloc "b" : !sluice.buffer<32x8xbf16>
  // expected-error @+1 {{'sluice.mma' op operands differ in type: 'f16' and 'bf16'}}
  sluice.mma %d, %a, %b : <16x8xf32>, <16x32xf16>, <32x8xbf16>
}

// -----

sluice.kernel @k() {
  %a = sluice.alloc "a" : !sluice.buffer<16x16xf16>
  // expected-error @+1 {{'sluice.map' op has no output}}
  "sluice.map"(%a) <{operandSegmentSizes = array<i32: 1, 0>}> ({
  ^bb0(%x: f16):
    sluice.yield
  }) : (!sluice.buffer<16x16xf16>) -> ()
}

// -----

sluice.kernel @k() {
  %a = sluice.alloc "a" : !sluice.buffer<16x16xf16>
  %b = sluice.alloc "b" : !sluice.buffer<8x16xf16>
  // expected-error @+1 {{'sluice.map' op input of shape 8x16 does not broadcast to 16x16}}
  sluice.map ins(%b : !sluice.buffer<8x16xf16>) outs(%a : !sluice.buffer<16x16xf16>) {
  ^bb0(%x: f16):
    sluice.yield %x : f16
  }
}

// -----

sluice.kernel @k() {
  %a = sluice.alloc "a" : !sluice.buffer<16x16xf16>
  %b = sluice.alloc "b" : !sluice.buffer<8x16xf16>
  // expected-error @+1 {{'sluice.map' op outputs differ in shape: 16x16 and 8x16}}
  sluice.map ins(%a : !sluice.buffer<16x16xf16>) outs(%a, %b : !sluice.buffer<16x16xf16>, !sluice.buffer<8x16xf16>) {
  ^bb0(%x: f16):
    sluice.yield %x, %x : f16, f16
  }
}

// -----

sluice.kernel @k() {
  %a = sluice.alloc "a" : !sluice.buffer<16x16xf16>
  // expected-error @+1 {{'sluice.map' op body takes the wrong arguments; expected ('f16')}}
  sluice.map ins(%a : !sluice.buffer<16x16xf16>) outs(%a : !sluice.buffer<16x16xf16>) {
  ^bb0(%x: f32):
    sluice.yield %x : f32
  }
}

// -----

sluice.kernel @k() {
  %a = sluice.alloc "a" : !sluice.buffer<16x16xf16>
  // expected-error @+1 {{'sluice.map' op body takes the wrong arguments; expected ('f16', 'index', 'index')}}
  sluice.map ins(%a : !sluice.buffer<16x16xf16>) outs(%a : !sluice.buffer<16x16xf16>) coordinates {
  ^bb0(%x: f16):
    sluice.yield %x : f16
  }
}

// -----

sluice.kernel @k() {
  %a = sluice.alloc "a" : !sluice.buffer<16x16xf16>
  // expected-error @+1 {{'sluice.map' op body must end with sluice.yield}}
  sluice.map ins(%a : !sluice.buffer<16x16xf16>) outs(%a : !sluice.buffer<16x16xf16>) {
  ^bb0(%x: f16):
    %y = arith.addf %x, %x : f16
  }
}

// -----

sluice.kernel @k() {
  %a = sluice.alloc "a" : !sluice.buffer<16x16xf16>
  sluice.map ins(%a : !sluice.buffer<16x16xf16>) outs(%a : !sluice.buffer<16x16xf16>) {
  ^bb0(%x: f16):
  // expected-error @+1 {{'sluice.yield' op yields the wrong types; expected ('f16')}}
    sluice.yield
  }
}

// -----

sluice.kernel @k() {
  %a = sluice.alloc "a" : !sluice.buffer<16x16xf16>
  %r = sluice.alloc "r" : !sluice.buffer<16x1xf16>
  // expected-error @+1 {{'sluice.reduce' op axis is 0 (fold columns) or 1 (fold rows)}}
  sluice.reduce ins(%a : !sluice.buffer<16x16xf16>) outs(%r : !sluice.buffer<16x1xf16>) axis 2 from [0.0] {
  ^bb0(%s: f16, %x: f16):
    sluice.yield %x : f16
  }
}

// -----

sluice.kernel @k() {
  %a = sluice.alloc "a" : !sluice.buffer<16x16xf16>
  // expected-error @+1 {{'sluice.reduce' op needs an input and an output}}
  "sluice.reduce"(%a) <{axis = 1 : i64, identities = array<f64>, operandSegmentSizes = array<i32: 1, 0>}> ({
  ^bb0(%x: f16):
    sluice.yield
  }) : (!sluice.buffer<16x16xf16>) -> ()
}

// -----

sluice.kernel @k() {
  %a = sluice.alloc "a" : !sluice.buffer<16x16xf16>
  %r = sluice.alloc "r" : !sluice.buffer<16x1xf16>
  // expected-error @+1 {{'sluice.reduce' op has 2 identities for 1 outputs}}
  sluice.reduce ins(%a : !sluice.buffer<16x16xf16>) outs(%r : !sluice.buffer<16x1xf16>) axis 1 from [0.0, 1.0] {
  ^bb0(%s: f16, %x: f16):
    sluice.yield %x : f16
  }
}

// -----

sluice.kernel @k() {
  %a = sluice.alloc "a" : !sluice.buffer<16x16xf16>
  %r = sluice.alloc "r" : !sluice.buffer<16x1xf16>
  // expected-error @+1 {{'sluice.reduce' op output of shape 16x1; expected 1x16}}
  sluice.reduce ins(%a : !sluice.buffer<16x16xf16>) outs(%r : !sluice.buffer<16x1xf16>) axis 0 from [0.0] {
  ^bb0(%s: f16, %x: f16):
    sluice.yield %x : f16
  }
}

// -----

sluice.kernel @k(%A: !sluice.tensor<?x?xf16>) {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'sluice.scalar_load' op needs a tensor of i32, has 'f16'}}
  %v = sluice.scalar_load %A[%c1, %c1] : <?x?xf16>
}

// -----

sluice.kernel @k(%n: !sluice.tensor<?xi32>) {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'sluice.scalar_load' op has 2 offsets for a tensor of rank 1}}
  %v = sluice.scalar_load %n[%c1, %c1] : <?xi32>
}

// -----

sluice.kernel @k() {
  %c1 = arith.constant 1 : index
  %a = sluice.alloc "a" : !sluice.buffer<16x16xf16>
  // expected-error @+1 {{'sluice.scalar_read' op needs a tile of i32, has 'f16'}}
  %v = sluice.scalar_read %a[%c1, %c1] : <16x16xf16>
}

// -----

sluice.kernel @k() {
  %c1 = arith.constant 1 : index
  %t = sluice.alloc "t" : !sluice.buffer<1x1xi32, reg>
  // expected-error @+1 {{'sluice.scalar_write' op needs a tile that every thread can address, not one in reg}}
  sluice.scalar_write %c1 to %t[%c1, %c1] : <1x1xi32, reg>
}

// -----

sluice.kernel @k() {
  %c1 = arith.constant 1 : index
  %t = sluice.alloc "t" : !sluice.buffer<1x1xi32, smem>
  // expected-error @+1 {{'sluice.scalar_write' op needs two offsets, has 1}}
  sluice.scalar_write %c1 to %t[%c1] : <1x1xi32, smem>
}

// -----

sluice.kernel @k(%A: !sluice.tensor<?x?xf16>) {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'sluice.prefetch' op has a box of 1 extents for a tensor of rank 2}}
  sluice.prefetch %A[%c1, %c1] box [64] : <?x?xf16>
}

// -----

sluice.kernel @k(%A: !sluice.tensor<?x?xf16>) {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'sluice.prefetch' op the extents of a box must be positive}}
  sluice.prefetch %A[%c1, %c1] box [64, 0] : <?x?xf16>
}

// -----

sluice.kernel @k(%A: !sluice.tensor<?x?xf16>) {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'sluice.prefetch' op has 1 offsets for a tensor of rank 2}}
  sluice.prefetch %A[%c1] box [64, 64] : <?x?xf16>
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.role' op warps 4 to 4 is empty; the end is exclusive}}
  sluice.role "r" warps 4 to 4 {
  }
}

// -----

sluice.kernel @k() attributes {phase = "barrier", warps = 4} {
  // expected-error @+1 {{'sluice.role' op ends at warp 8; the kernel has 4}}
  sluice.role "r" warps 4 to 8 {
  }
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.role' op has warps (NVIDIA) and a core (Ascend); keep one of them}}
  sluice.role "r" warps 0 to 4 core "aic" {
  }
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.role' op unknown core 'cube'; one of aic, aiv}}
  sluice.role "r" core "cube" {
  }
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.role' op registers 30; setmaxnreg takes 24 to 256 in steps of 8}}
  sluice.role "r" warps 0 to 4 registers 30 {
  }
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.pipeline' op needs at least one producer and one consumer}}
  %p = sluice.pipeline "p" from ["a"] to [] : !sluice.pipeline<2>
}

// -----

sluice.kernel @k() {
  %a = sluice.alloc "a" : !sluice.buffer<16x16xf16, slots 2>
  // expected-error @+1 {{'sluice.pipeline' op a buffer has 2 slots, the pipeline 3}}
  %p = sluice.pipeline "p" over %a : !sluice.buffer<16x16xf16, slots 2> from ["a"] to ["b"] : !sluice.pipeline<3>
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.pipeline' op a side is elided with "none", not "no"}}
  %p = sluice.pipeline "p" from ["a"] to ["b"] {full = "no"} : !sluice.pipeline<2>
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.pipeline' op keeps neither side; use a buffer without a pipeline}}
  %p = sluice.pipeline "p" from ["a"] to ["b"] {full = "none", empty = "none"} : !sluice.pipeline<2>
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.pipeline' op skips the first 3 acquires of 2 slots}}
  %p = sluice.pipeline "p" from ["a"] to ["b"] {first = 3} : !sluice.pipeline<2>
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.pipeline' op primes 3 of 2 slots}}
  %p = sluice.pipeline "p" from ["a"] to ["b"] {primed = 3} : !sluice.pipeline<2>
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.pipeline' op skips the first 2 acquires of 2 slots, of which 1 are primed}}
  %p = sluice.pipeline "p" from ["a"] to ["b"] {first = 2, primed = 1} : !sluice.pipeline<2>
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.pipeline' op primes slots, but nobody waits until they are full}}
  %p = sluice.pipeline "p" from ["a"] to ["b"] {full = "none", primed = 1} : !sluice.pipeline<2>
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.pipeline' op counts acquires that do not wait, but none waits}}
  %p = sluice.pipeline "p" from ["a"] to ["b"] {empty = "none", first = 1} : !sluice.pipeline<2>
}

// -----

sluice.kernel @k() {
  %q = sluice.pipeline "q" from ["a"] to ["b"] : !sluice.pipeline<2>
  %r = sluice.pipeline "r" from ["a"] to ["b"] {merge = "q"} : !sluice.pipeline<2>
  // expected-error @+1 {{'sluice.pipeline' op merges with 'r', which merges with 'q'; name that one}}
  %p = sluice.pipeline "p" from ["a"] to ["b"] {merge = "r"} : !sluice.pipeline<2>
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.pipeline' op merges with 'q'; the kernel has no such pipeline}}
  %p = sluice.pipeline "p" from ["a"] to ["b"] {merge = "q"} : !sluice.pipeline<2>
}

// -----

sluice.kernel @k() {
  %q = sluice.pipeline "q" from ["a"] to ["b"] : !sluice.pipeline<2>
  // expected-error @+1 {{'sluice.pipeline' op merges the full side, which one of the two does not have}}
  %p = sluice.pipeline "p" from ["a"] to ["b"] {full = "none", merge = "q"} : !sluice.pipeline<2>
}

// -----

sluice.kernel @k() {
  %q = sluice.pipeline "q" from ["a"] to ["b"] : !sluice.pipeline<2>
  // expected-error @+1 {{'sluice.pipeline' op merges with a ring of another number of slots}}
  %p = sluice.pipeline "p" from ["a"] to ["b"] {merge = "q"} : !sluice.pipeline<3>
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.pipeline' op has a leader CTA, but the kernel has no cluster}}
  %p = sluice.pipeline "p" from ["a"] to ["b"] {leader} : !sluice.pipeline<2>
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.pipeline' op unknown arrival granularity 'lane'; one of thread, warp, warpgroup, one}}
  %p = sluice.pipeline "p" from ["a"] to ["b"] {arrive = "lane"} : !sluice.pipeline<2>
}

// -----

sluice.kernel @k() {
  %c = sluice.cursor : !sluice.cursor<2>
  // expected-error @+1 {{'sluice.cursor.advance' op goes back by 1 slots; a cursor only advances}}
  %d = sluice.cursor.advance %c by -1 : <2>
}

// -----

sluice.kernel @k() {
  %q = sluice.pipeline "q" from ["a"] to ["b"] : !sluice.pipeline<2>
  // expected-note @+1 {{prior use here}}
  %c = sluice.cursor : !sluice.cursor<3>
  // expected-error @+1 {{use of value '%c' expects different type than prior uses: '!sluice.cursor<2>' vs '!sluice.cursor<3>'}}
  sluice.wait %q[%c] : <2>
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.mbarrier.alloc' op offset 4; an mbarrier is aligned to 8 bytes}}
  %b = sluice.mbarrier.alloc "b" at 4 : !sluice.mbarrier<2>
}

// -----

sluice.kernel @k() {
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<2>
  // expected-error @+1 {{'sluice.mbarrier.init' op count 0 is outside 1 .. 2^20-1}}
  sluice.mbarrier.init %b count 0 : <2>
}

// -----

sluice.kernel @k() {
  %c9 = arith.constant 9 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<2>
  // expected-error @+1 {{'sluice.mbarrier.init' op slot 9 of a ring of 2}}
  sluice.mbarrier.init %b[%c9] count 1 : <2>
}

// -----

sluice.kernel @k() {
  %c9 = arith.constant 9 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<2>
  // expected-error @+1 {{'sluice.mbarrier.inval' op slot 9 of a ring of 2}}
  sluice.mbarrier.inval %b[%c9] : <2>
}

// -----

sluice.kernel @k() {
  %c9 = arith.constant 9 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<2>
  // expected-error @+1 {{'sluice.mbarrier.arrive' op slot 9 of a ring of 2}}
  sluice.mbarrier.arrive %b[%c9] : <2>
}

// -----

sluice.kernel @k() {
  %c9 = arith.constant 9 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<2>
  // expected-error @+1 {{'sluice.mbarrier.wait' op slot 9 of a ring of 2}}
  sluice.mbarrier.wait %b[%c9], %c9 : <2>
}

// -----

sluice.kernel @k() {
  %c9 = arith.constant 9 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<2>
  // expected-error @+1 {{'sluice.mbarrier.expect_tx' op slot 9 of a ring of 2}}
  sluice.mbarrier.expect_tx %b[%c9] bytes 16 : <2>
}

// -----

sluice.kernel @k() {
  %c9 = arith.constant 9 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<2>
  // expected-error @+1 {{'sluice.cp_async.arrive' op slot 9 of a ring of 2}}
  sluice.cp_async.arrive %b[%c9] : <2>
}

// -----

sluice.kernel @k() {
  %c9 = arith.constant 9 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<2>
  // expected-error @+1 {{'sluice.tcgen05.commit' op slot 9 of a ring of 2}}
  sluice.tcgen05.commit %b[%c9] : <2>
}

// -----

sluice.kernel @k() {
  %c1 = arith.constant 1 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<2>
  // expected-error @+1 {{'sluice.mbarrier.arrive' op count 0 is outside 1 .. 2^20-1}}
  sluice.mbarrier.arrive %b[%c1] count 0 : <2>
}

// -----

sluice.kernel @k() {
  %c1 = arith.constant 1 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<2>
  // expected-error @+1 {{'sluice.mbarrier.arrive' op scope gpu; an mbarrier synchronises a CTA or a cluster}}
  sluice.mbarrier.arrive %b[%c1] scope gpu : <2>
}

// -----

sluice.kernel @k() {
  %c1 = arith.constant 1 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<2>
  // expected-error @+1 {{'sluice.mbarrier.expect_tx' op releases no memory, whatever its scope; the scope belongs to the arrive}}
  sluice.mbarrier.expect_tx %b[%c1] bytes 16 scope cluster : <2>
}

// -----

sluice.kernel @k() {
  %c1 = arith.constant 1 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<2>
  // expected-error @+1 {{'sluice.mbarrier.arrive_expect_tx' op bytes 1048576 are outside 0 .. 2^20-1}}
  sluice.mbarrier.arrive_expect_tx %b[%c1] bytes 1048576 : <2>
}

// -----

sluice.kernel @k() {
  %c1 = arith.constant 1 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<2>
  // expected-error @+1 {{'sluice.mbarrier.expect_tx' op announces no bytes; use sluice.mbarrier.arrive}}
  sluice.mbarrier.expect_tx %b[%c1] : <2>
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.bar.sync' op id 16 is outside 0 .. 15}}
  sluice.bar.sync 16, 128
}

// -----

sluice.kernel @k() {
  %c16 = arith.constant 16 : index
  // expected-error @+1 {{'sluice.bar.arrive' op id 16 is outside 0 .. 15}}
  sluice.bar.arrive %c16, 128
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.bar.sync' op has one id: a number or a value}}
  "sluice.bar.sync"() <{threads = 128 : i64}> : () -> ()
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.bar.arrive' op threads 48 must be a multiple of 32, 32 .. 1024}}
  sluice.bar.arrive 1, 48
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.bulk.wait' op pending groups must not be negative}}
  sluice.bulk.wait -1
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.cp_async.wait' op pending groups must not be negative}}
  sluice.cp_async.wait -1
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.wgmma.wait' op pending groups must not be negative}}
  sluice.wgmma.wait -1
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.wgmma.wait' op pending groups are at most 7}}
  sluice.wgmma.wait 8
}

// -----

sluice.kernel @k(%A: !sluice.tensor<?x?xf16>) {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'sluice.counter.add' op needs a tensor of i32, has 'f16'}}
  %o = sluice.counter.add %A[%c1, %c1], %c1 scope gpu : <?x?xf16>
}

// -----

sluice.kernel @k(%n: !sluice.tensor<?xi32>) {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'sluice.counter.wait' op has 2 offsets for a tensor of rank 1}}
  sluice.counter.wait %n[%c1, %c1], %c1 scope gpu : <?xi32>
}

// -----

sluice.kernel @k(%A: !sluice.tensor<?x?xf16>) {
  %c1 = arith.constant 1 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<2>
  %g = sluice.alloc "g" : !sluice.buffer<64x64xf16, reg, blocked>
  // expected-error @+1 {{'sluice.tma.load' op writes shared memory; the destination is not in smem}}
  sluice.tma.load %A[%c1, %c1] to %g, %b[%c1] : <?x?xf16>, <64x64xf16, reg, blocked>, <2>
}

// -----

sluice.kernel @k(%A: !sluice.tensor<?x?xf16>) {
  %c1 = arith.constant 1 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<2>
  %s = sluice.alloc "s" : !sluice.buffer<64x64xf16, smem, sw128>
  // expected-error @+1 {{'sluice.tma.load' op has 1 offsets for a tensor of rank 2}}
  sluice.tma.load %A[%c1] to %s, %b[%c1] : <?x?xf16>, <64x64xf16, smem, sw128>, <2>
}

// -----

sluice.kernel @k(%A: !sluice.tensor<?x?xf16>) {
  %c1 = arith.constant 1 : index
  %g = sluice.alloc "g" : !sluice.buffer<64x64xf16, reg, blocked>
  // expected-error @+1 {{'sluice.tma.store' op reads shared memory; the source is not in smem}}
  sluice.tma.store %g to %A[%c1, %c1] : <64x64xf16, reg, blocked>, <?x?xf16>
}

// -----

sluice.kernel @k() {
  %c1 = arith.constant 1 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<2>
  %s = sluice.alloc "s" : !sluice.buffer<64x64xf16, smem, sw128>
  %g = sluice.alloc "g" : !sluice.buffer<64x64xf16, reg, blocked>
  // expected-error @+1 {{'sluice.remote.copy' op writes the shared memory of a CTA; the destination is not in smem}}
  sluice.remote.copy %s to %g rank %c1, %b[%c1] : <64x64xf16, smem, sw128>, <64x64xf16, reg, blocked>, <2>
}

// -----

sluice.kernel @k() {
  %c1 = arith.constant 1 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<2>
  %s = sluice.alloc "s" : !sluice.buffer<64x64xf16, smem, sw128>
  %u = sluice.alloc "u" : !sluice.buffer<64x64xf16, tmem>
  // expected-error @+1 {{'sluice.remote.copy' op reads smem (a bulk copy) or reg (st.async); the source is in tmem}}
  sluice.remote.copy %u to %s rank %c1, %b[%c1] : <64x64xf16, tmem>, <64x64xf16, smem, sw128>, <2>
}

// -----

sluice.kernel @k() {
  %c1 = arith.constant 1 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<2>
  %s = sluice.alloc "s" : !sluice.buffer<64x64xf16, smem, sw128>
  %f = sluice.alloc "f" : !sluice.buffer<64x64xf32, smem>
  // expected-error @+1 {{'sluice.remote.copy' op copies 64x64 'f32' to 64x64 'f16'; both sides must be the same}}
  sluice.remote.copy %f to %s rank %c1, %b[%c1] : <64x64xf32, smem>, <64x64xf16, smem, sw128>, <2>
}

// -----

sluice.kernel @k() {
  %s = sluice.alloc "s" : !sluice.buffer<64x64xf16, smem, sw128>
  %d = sluice.alloc "d" : !sluice.buffer<64x64xf32, smem>
  // expected-error @+1 {{'sluice.wgmma' op accumulates in registers; d must be in reg with layout acc}}
  sluice.wgmma %d, %s, %s : <64x64xf32, smem>, <64x64xf16, smem, sw128>, <64x64xf16, smem, sw128>
}

// -----

sluice.kernel @k() {
  %s = sluice.alloc "s" : !sluice.buffer<64x64xf16, smem, sw128>
  %g = sluice.alloc "g" : !sluice.buffer<64x64xf16, reg, blocked>
  %d = sluice.alloc "d" : !sluice.buffer<64x64xf32, reg, acc>
  // expected-error @+1 {{'sluice.wgmma' op reads b from shared memory; b must be in smem}}
  sluice.wgmma %d, %s, %g : <64x64xf32, reg, acc>, <64x64xf16, smem, sw128>, <64x64xf16, reg, blocked>
}

// -----

sluice.kernel @k() {
  %s = sluice.alloc "s" : !sluice.buffer<64x64xf16, smem, sw128>
  %g = sluice.alloc "g" : !sluice.buffer<64x64xf16, reg, blocked>
  %d = sluice.alloc "d" : !sluice.buffer<64x64xf32, reg, acc>
  // expected-error @+1 {{'sluice.wgmma' op reads a from smem, or from reg with layout fragA}}
  sluice.wgmma %d, %g, %s : <64x64xf32, reg, acc>, <64x64xf16, reg, blocked>, <64x64xf16, smem, sw128>
}

// -----

sluice.kernel @k() {
  %a = sluice.alloc "a" : !sluice.buffer<16x16xf16, l1, zN>
  %b = sluice.alloc "b" : !sluice.buffer<16x16xf16, l0b, nZ>
  %d = sluice.alloc "d" : !sluice.buffer<16x16xf32, l0c, zN>
  // expected-error @+1 {{'sluice.mmad' op computes L0A x L0B -> L0C; found a in l1, b in l0b, d in l0c}}
  sluice.mmad %d, %a, %b : <16x16xf32, l0c, zN>, <16x16xf16, l1, zN>, <16x16xf16, l0b, nZ>
}

// -----

sluice.kernel @k() {
  %s = sluice.alloc "s" : !sluice.buffer<64x64xf16, smem, sw128>
  %d = sluice.alloc "d" : !sluice.buffer<64x64xf32, tmem>
  // expected-error @+1 {{'sluice.tcgen05.mma' op ctas 3; tensor memory is used by 1 CTA or by a pair (2)}}
  sluice.tcgen05.mma %d, %s, %s ctas 3 : <64x64xf32, tmem>, <64x64xf16, smem, sw128>, <64x64xf16, smem, sw128>
}

// -----

sluice.kernel @k() {
  %s = sluice.alloc "s" : !sluice.buffer<64x64xf16, smem, sw128>
  %d = sluice.alloc "d" : !sluice.buffer<64x64xf32, smem>
  // expected-error @+1 {{'sluice.tcgen05.mma' op accumulates in tensor memory; d must be in tmem}}
  sluice.tcgen05.mma %d, %s, %s : <64x64xf32, smem>, <64x64xf16, smem, sw128>, <64x64xf16, smem, sw128>
}

// -----

sluice.kernel @k() {
  %s = sluice.alloc "s" : !sluice.buffer<64x64xf16, smem, sw128>
  %g = sluice.alloc "g" : !sluice.buffer<64x64xf16, reg, blocked>
  %d = sluice.alloc "d" : !sluice.buffer<64x64xf32, tmem>
  // expected-error @+1 {{'sluice.tcgen05.mma' op reads a from smem or tmem}}
  sluice.tcgen05.mma %d, %g, %s : <64x64xf32, tmem>, <64x64xf16, reg, blocked>, <64x64xf16, smem, sw128>
}

// -----

sluice.kernel @k() {
  %s = sluice.alloc "s" : !sluice.buffer<64x64xf16, smem, sw128>
  %u = sluice.alloc "u" : !sluice.buffer<64x64xf16, tmem>
  %d = sluice.alloc "d" : !sluice.buffer<64x64xf32, tmem>
  // expected-error @+1 {{'sluice.tcgen05.mma' op reads b from shared memory; b must be in smem}}
  sluice.tcgen05.mma %d, %s, %u : <64x64xf32, tmem>, <64x64xf16, smem, sw128>, <64x64xf16, tmem>
}

// -----

sluice.kernel @k() {
  %s = sluice.alloc "s" : !sluice.buffer<64x64xf16, smem, sw128>
  %d = sluice.alloc "d" : !sluice.buffer<64x64xf32, tmem>
  // expected-error @+1 {{'sluice.tcgen05.mma' op for a pair of CTAs b holds half of the columns: expected 32, found 64}}
  sluice.tcgen05.mma %d, %s, %s ctas 2 : <64x64xf32, tmem>, <64x64xf16, smem, sw128>, <64x64xf16, smem, sw128>
}

// -----

sluice.kernel @k() {
  %c1 = arith.constant 1 : index
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<2>
  // expected-error @+1 {{'sluice.tcgen05.commit' op multicast is a mask of 16 CTAs}}
  sluice.tcgen05.commit %b[%c1] multicast 65536 : <2>
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.tmem.alloc' op columns 48; a power of two, 32 to 512}}
  sluice.tmem.alloc 48
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.tmem.dealloc' op columns 1024; a power of two, 32 to 512}}
  sluice.tmem.dealloc 1024
}

// -----

sluice.kernel @k() {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'sluice.set_flag' op goes from one pipe to another; ALL and none are no pipes}}
  sluice.set_flag ALL to M[%c1]
}

// -----

sluice.kernel @k() {
  %c9 = arith.constant 9 : index
  // expected-error @+1 {{'sluice.wait_flag' op id 9; a pair of pipes has the flags 0 to 7}}
  sluice.wait_flag MTE1 to M[%c9]
}

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.pipe_barrier' op needs a pipe, or ALL}}
  sluice.pipe_barrier none
}

// -----

sluice.kernel @k() {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'sluice.cross.set' op mode 3; 0 (all cores), 1 (the AIVs of a core), 2 (AIC and its AIVs) or 4 (one AIV, Ascend 950)}}
  sluice.cross.set mode 3 on FIX[%c1]
}

// -----

sluice.kernel @k() {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'sluice.cross.set' op is queued on one pipe; ALL and none are no pipes}}
  sluice.cross.set mode 2 on ALL[%c1]
}

// -----

sluice.kernel @k() {
  %c16 = arith.constant 16 : index
  // expected-error @+1 {{'sluice.cross.wait' op id 16; the cross-core flags are 0 to 10}}
  sluice.cross.wait on MTE2[%c16]
}

// -----

// expected-error @+1 {{custom op 'sluice.kernel' expected non-empty function body}}
sluice.kernel @k() {}

// -----

// expected-error @+1 {{'sluice.kernel' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
sluice.kernel @k()

// -----

sluice.kernel @k() {
  // expected-error @+1 {{'sluice.role' op needs its first warp and its end; write `warps 0 to 4`}}
  sluice.role "r" attributes {first = 0} {
  }
}

// -----

sluice.kernel @k() {
  %a = sluice.alloc "a" : !sluice.buffer<16x16xf16>
  %b = sluice.alloc "b" : !sluice.buffer<8x16xf16>
  %r = sluice.alloc "r" : !sluice.buffer<16x1xf16>
  // expected-error @+1 {{'sluice.reduce' op inputs differ in shape: 16x16 and 8x16}}
  sluice.reduce ins(%a, %b : !sluice.buffer<16x16xf16>, !sluice.buffer<8x16xf16>)
      outs(%r : !sluice.buffer<16x1xf16>) axis 1 from [0.0] {
  ^bb0(%s: f16, %x: f16, %y: f16):
    sluice.yield %s : f16
  }
}

// -----

sluice.kernel @k() {
  %c0 = arith.constant 0 : index
  %c12 = arith.constant 12 : index
  %a = sluice.alloc "a" : !sluice.buffer<16x16xf16>
  // expected-error @+1 {{'sluice.subview' op box 8x8 at 12 of dimension 1 leaves 16x16}}
  %b = sluice.subview %a[%c0, %c12] : <16x16xf16> to <8x8xf16>
}

// -----

sluice.kernel @k(%v: !sluice.tensor<?xf16>) {
  %c0 = arith.constant 0 : index
  %a = sluice.alloc "a" : !sluice.buffer<16x1xf16>
  // expected-error @+1 {{'sluice.load' op moves 16x1 of a tensor of rank 1, whose boxes are 1xC}}
  sluice.load %v[%c0] to %a : <?xf16>, <16x1xf16>
}

// -----

sluice.kernel @k() {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'sluice.grid' op a cluster of one CTA shares nothing; leave it out}}
  %i, %j = sluice.grid %c1, %c1 {cluster = array<i64: 1, 1>} : index, index
}

// -----

sluice.kernel @k() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.for' op sluice.split must be 2 to 8: CTAs of a cluster that take the steps}}
  scf.for %t = %c0 to %c1 step %c1 {
  } {sluice.split = 9}
}

// -----

sluice.kernel @k() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // expected-error @+1 {{'scf.for' op sluice.alternate, without a value, stands on a loop from 0 by 1}}
  scf.for %t = %c1 to %c8 step %c1 {
  } {sluice.alternate}
}

// -----

sluice.kernel @k() {
  %c0 = arith.constant 0 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16>
  %y = sluice.alloc "y" : !sluice.buffer<64x32xf16>
  // expected-error @+1 {{'sluice.cluster.sum' op adds f32 or i32, not 'f16'}}
  sluice.cluster.sum %x to %y place %c0 : <64x64xf16>, <64x32xf16>
}

// -----

sluice.kernel @k() {
  %c0 = arith.constant 0 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf32>
  %y = sluice.alloc "y" : !sluice.buffer<64x48xf32>
  // expected-error @+1 {{'sluice.cluster.sum' op hands out blocks of columns of 64x64 'f32'; the destination is 64x48 'f32'}}
  sluice.cluster.sum %x to %y place %c0 : <64x64xf32>, <64x48xf32>
}

// -----

sluice.kernel @k() {
  %c0 = arith.constant 0 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf32>
  %y = sluice.alloc "y" : !sluice.buffer<64x32xf32>
  %z = sluice.alloc "z" : !sluice.buffer<64x32xf32>
  // expected-error @+1 {{'sluice.cluster.sum' op needs room for 2 parts of 64x32, one below the other}}
  sluice.cluster.sum %x to %y place %c0 through %z : !sluice.buffer<64x32xf32> : <64x64xf32>, <64x32xf32>
}

// -----

sluice.kernel @k(%A: !sluice.tensor<?x?xf16>) {
  %c8 = arith.constant 8 : index
  %i = sluice.grid %c8 : index
  %few = arith.cmpi slt, %i, %c8 : index
  // expected-error @+1 {{'sluice.assume' op is about extents and integer arguments, which a host knows before a launch; this one needs 'sluice.grid'}}
  sluice.assume %few, "few tiles"
}

// -----

sluice.kernel @k(%x: f32) {
  %c0 = arith.constant 0.0 : f32
  %positive = arith.cmpf ogt, %x, %c0 : f32
  // expected-error @+1 {{'sluice.assume' op is about extents and integer arguments, which a host knows before a launch; this one needs an f32 argument}}
  sluice.assume %positive, "x is positive"
}

// -----

sluice.kernel @k(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %some = arith.cmpi sgt, %n, %c0 : index
  scf.for %t = %c0 to %n step %c1 {
    // expected-error @+1 {{'sluice.assume' op stands directly in the kernel: it is about a launch, not about a part of its work}}
    sluice.assume %some, "some trips"
  }
}

// -----

sluice.kernel @k(%n: index) {
  %c0 = arith.constant 0 : index
  %some = arith.cmpi sgt, %n, %c0 : index
  // expected-error @+1 {{'sluice.assume' op says in one line what a launch keeps}}
  sluice.assume %some, ""
}

// -----

// expected-error @+1 {{argument 1: another one is called 'A' too}}
sluice.kernel @k(%a: !sluice.tensor<?x?xf16> {sluice.name = "A"},
                 %b: !sluice.tensor<?x?xf16> {sluice.name = "A"}) {
}

// -----

// expected-error @+1 {{argument 0 needs a name in one line of text}}
sluice.kernel @k(%a: !sluice.tensor<?x?xf16> {sluice.name = "A\0Aint evil;"}) {
}

// -----

sluice.kernel @k() {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  // expected-error @+1 {{a loop takes a step of at least 1}}
  scf.for %i = %c0 to %c8 step %c0 {
  }
}

// -----

sluice.kernel @k() {
  %c8 = arith.constant 8 : index
  // expected-error @+1 {{group is a number of rows, 1 to 2^20, of a grid of two or three extents}}
  %i, %j = sluice.grid %c8, %c8 {persistent, group = -4 : i64} : index, index
}

// -----

sluice.kernel @k(%x: !sluice.tensor<?x?xf16> {sluice.name = "X", sluice.out}) {
  %c0 = arith.constant 0 : index
  %t = sluice.alloc "t" : !sluice.buffer<64x64xf16>
  // expected-error @+1 {{reads a tensor marked sluice.out; mark it sluice.inout}}
  sluice.load %x[%c0, %c0] to %t : <?x?xf16>, <64x64xf16>
}

// -----

sluice.kernel @k(%x: !sluice.tensor<?x?xf16> {sluice.name = "X"}) {
  %c0 = arith.constant 0 : index
  %t = sluice.alloc "t" : !sluice.buffer<64x64xf16>
  // expected-error @+1 {{writes a tensor that is not marked sluice.out}}
  sluice.store %t to %x[%c0, %c0] : <64x64xf16>, <?x?xf16>
}

// -----

sluice.kernel @attribute_slip(%n: index {sluice.name = "n"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.for' op no attribute is called sluice.stags; sluice.stages is meant?}}
  scf.for %i = %c0 to %n step %c1 {
  } {sluice.stags = 3 : i64}
}

// -----

sluice.kernel @attribute_slip_ahead(%n: index {sluice.name = "n"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.for' op sluice.prefetch stands beside sluice.stages, of which it is a part}}
  scf.for %i = %c0 to %n step %c1 {
  } {sluice.prefetch = 3 : i64}
}

// -----

sluice.kernel @attribute_without_prefix(%n: index {sluice.name = "n"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.for' op has no attribute 'stages'; sluice.stages is meant?}}
  scf.for %i = %c0 to %n step %c1 {
  } {stages = 3 : i64}
}

// -----

// expected-error @+1 {{argument 0: no attribute of arguments is called sluice.ou}}
sluice.kernel @attribute_of_argument(%X: !sluice.tensor<?x?xf16> {sluice.name = "X", sluice.ou}) {
}

// -----

sluice.kernel @attribute_elsewhere(%n: index {sluice.name = "n"}) {
  // expected-error @+1 {{'arith.addi' op sluice.any_tiles stands on a product}}
  %m = arith.addi %n, %n {sluice.any_tiles} : index
}

// -----

sluice.kernel @two_grids(%n: index {sluice.name = "n"}) {
  %i = sluice.grid %n : index
  // expected-error @+1 {{'sluice.grid' op a kernel has one grid, and this is another}}
  %j = sluice.grid %n : index
}

// -----

// expected-error @+1 {{'sluice.kernel' op warps is of the barrier level}}
sluice.kernel @warps_of_tiles(%n: index {sluice.name = "n"}) attributes {target = "sm_90a", warps = 4} {
}

// -----

sluice.kernel @turns_on_ascend(%n: index {sluice.name = "n"}) attributes {target = "ascend910b"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.for' op sluice.turns is of the NVIDIA targets}}
  scf.for %i = %c0 to %n step %c1 {
  } {sluice.turns = 2 : i64}
}

// -----

sluice.kernel @load_by_one(%X: !sluice.tensor<64x64xf16> {sluice.name = "X"}) {
  %c0 = arith.constant 0 : index
  %x = sluice.alloc "x" : !sluice.buffer<64x64xf16>
  // expected-error @+1 {{'sluice.load' op `async`, `by` and `on` are of the barrier level; lowering decides who moves a tile}}
  sluice.load %X[%c0, %c0] to %x by one : <64x64xf16>, <64x64xf16>
}

// -----

// expected-error @+1 {{argument 1: sluice.in_place takes the name of an input as text}}
sluice.kernel @in_place_of_nothing(%X: !sluice.tensor<?x?xf16> {sluice.name = "X"},
    %Y: !sluice.tensor<?x?xf16> {sluice.name = "Y", sluice.out, sluice.in_place}) {
}

// -----

// expected-error @+1 {{argument 1: sluice.in_place is for a tensor marked sluice.out}}
sluice.kernel @in_place_read(%X: !sluice.tensor<?x?xf16> {sluice.name = "X"},
    %Y: !sluice.tensor<?x?xf16> {sluice.name = "Y", sluice.in_place = "X"}) {
}

// -----

// expected-error @+1 {{argument 0: sluice.in_place names 'X', and no tensor is called so}}
sluice.kernel @in_place_unknown(
    %Y: !sluice.tensor<?x?xf16> {sluice.name = "Y", sluice.out, sluice.in_place = "X"}) {
}

// -----

// expected-error @+1 {{argument 1: sluice.in_place names 'X', which is marked sluice.inout; it takes an input}}
sluice.kernel @in_place_of_inout(%X: !sluice.tensor<?x?xf16> {sluice.name = "X", sluice.inout},
    %Y: !sluice.tensor<?x?xf16> {sluice.name = "Y", sluice.out, sluice.in_place = "X"}) {
}

// -----

// expected-error @+1 {{argument 2: sluice.in_place names 'X', in whose place argument 1 is written already}}
sluice.kernel @in_place_twice(%X: !sluice.tensor<?x?xf16> {sluice.name = "X"},
    %Y: !sluice.tensor<?x?xf16> {sluice.name = "Y", sluice.out, sluice.in_place = "X"},
    %Z: !sluice.tensor<?x?xf16> {sluice.name = "Z", sluice.out, sluice.in_place = "X"}) {
}

// -----

// expected-error @+1 {{argument 1: sluice.in_place names 'X', whose elements, extents or contiguous dimension are others}}
sluice.kernel @in_place_of_others(%X: !sluice.tensor<?x32xf16> {sluice.name = "X"},
    %Y: !sluice.tensor<?x64xf16> {sluice.name = "Y", sluice.out, sluice.in_place = "X"}) {
}

// -----

// Of what is not marked scalar loads and launches take it that nobody writes it.
sluice.kernel @k(%T: !sluice.tensor<?x?xf16>) attributes {phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %t = sluice.alloc "t" : !sluice.buffer<16x64xf16, smem, row>
  // expected-error @+1 {{'sluice.store' op writes a tensor that is not marked sluice.out}}
  sluice.store %t to %T[%c0, %c0] : <16x64xf16, smem, row>, <?x?xf16>
}

// -----

sluice.kernel @k(%T: !sluice.tensor<?x?xf16, align 16>) attributes {phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %t = sluice.alloc "t" : !sluice.buffer<16x64xf16, smem, row>
  // expected-error @+1 {{'sluice.tma.store' op writes a tensor that is not marked sluice.out}}
  sluice.tma.store %t to %T[%c0, %c0] : <16x64xf16, smem, row>, <?x?xf16, align 16>
}

// -----

sluice.kernel @k(%n: !sluice.tensor<?xi32>) attributes {phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'sluice.counter.add' op writes a tensor that is not marked sluice.inout}}
  %old = sluice.counter.add %n[%c0], %c1 scope gpu : <?xi32>
}

// -----

// expected-error @+1 {{argument 0: sluice.joined takes the number of a dimension}}
sluice.kernel @joined_nothing(%X: !sluice.tensor<?x8x64xf16> {sluice.name = "X", sluice.joined}) {
}

// -----

// expected-error @+1 {{argument 0: sluice.joined is for a tensor that a launch passes}}
sluice.kernel @joined_workspace(%X: !sluice.tensor<4x8x64xf16>
    {sluice.name = "X", sluice.workspace, sluice.joined = 1 : i64}) {
}

// -----

// expected-error @+1 {{argument 0: sluice.joined is for a tensor that a launch passes}}
sluice.kernel @joined_number(%n: index {sluice.name = "n", sluice.joined = 1 : i64}) {
}

// -----

// expected-error @+1 {{argument 0: sluice.joined = 2 names no dimension before the last of rank 3}}
sluice.kernel @joined_last(%X: !sluice.tensor<?x8x64xf16>
    {sluice.name = "X", sluice.joined = 2 : i64}) {
}

// -----

// expected-error @+1 {{argument 0: sluice.joined = 0: the type has to fix extents 0 and 1}}
sluice.kernel @joined_unknown(%X: !sluice.tensor<?x8x64xf16>
    {sluice.name = "X", sluice.joined = 0 : i64}) {
}

// -----

// expected-error @+1 {{argument 0: sluice.joined = 0: dimension 0 is the contiguous one, and its elements lie a part apart}}
sluice.kernel @joined_across(%X: !sluice.tensor<8x64xf16, minor 0>
    {sluice.name = "X", sluice.joined = 0 : i64}) {
}

// -----

// expected-error @+1 {{argument 0: sluice.joined = 1: parts of 26 bytes begin at no multiples of 16, which the type promises}}
sluice.kernel @joined_unaligned(%X: !sluice.tensor<?x8x13xf16, align 16>
    {sluice.name = "X", sluice.joined = 1 : i64}) {
}

// -----

// expected-error @+1 {{argument 0: sluice.joined_extent takes a number of elements}}
sluice.kernel @short_nothing(%X: !sluice.tensor<?x8x64xf16>
    {sluice.name = "X", sluice.joined = 1 : i64, sluice.joined_extent}) {
}

// -----

// expected-error @+1 {{argument 0: sluice.joined_extent is for a tensor of rows x parts x columns of a part, contiguous along the last, with sluice.joined = 1}}
sluice.kernel @short_alone(%X: !sluice.tensor<?x8x64xf16>
    {sluice.name = "X", sluice.joined_extent = 500 : i64}) {
}

// -----

// expected-error @+1 {{argument 0: sluice.joined_extent is for a tensor of rows x parts x columns of a part, contiguous along the last, with sluice.joined = 1}}
sluice.kernel @short_rows(%X: !sluice.tensor<8x64xf16>
    {sluice.name = "X", sluice.joined = 0 : i64, sluice.joined_extent = 500 : i64}) {
}

// -----

// expected-error @+1 {{argument 0: sluice.joined_extent = 512: the parts have 512 elements; it says how many fewer than these there are, at least 1}}
sluice.kernel @short_whole(%X: !sluice.tensor<?x8x64xf16>
    {sluice.name = "X", sluice.joined = 1 : i64, sluice.joined_extent = 512 : i64}) {
}

// -----

// expected-error @+1 {{argument 1: sluice.in_place names 'X', of which sluice.joined_extent is another}}
sluice.kernel @short_in_place(%X: !sluice.tensor<?x8x64xf16>
    {sluice.name = "X", sluice.joined = 1 : i64, sluice.joined_extent = 500 : i64},
    %Y: !sluice.tensor<?x8x64xf16>
    {sluice.name = "Y", sluice.out, sluice.in_place = "X", sluice.joined = 1 : i64}) {
}

// -----

// expected-error @+1 {{argument 0: sluice.line takes no value}}
sluice.kernel @line_of_value(%X: !sluice.tensor<?x64xf16, align 16>
    {sluice.name = "X", sluice.line = 3 : i64}) {
}

// -----

// expected-error @+1 {{argument 0: sluice.line is for a tensor that a launch passes, without sluice.joined}}
sluice.kernel @line_of_workspace(%X: !sluice.tensor<?x64xf16, align 16>
    {sluice.name = "X", sluice.workspace, sluice.line}) {
}

// -----

// expected-error @+1 {{argument 0: sluice.line is for a tensor that a launch passes, without sluice.joined}}
sluice.kernel @line_of_joined(%X: !sluice.tensor<8x64xf16, align 16>
    {sluice.name = "X", sluice.joined = 0 : i64, sluice.line}) {
}

// -----

// expected-error @+1 {{argument 0: sluice.line is for any number of lines of so many elements: tensor<?x1024x...>}}
sluice.kernel @line_of_eight(%X: !sluice.tensor<8x64xf16, align 16>
    {sluice.name = "X", sluice.line}) {
}

// -----

// expected-error @+1 {{argument 0: sluice.line takes lines that begin at multiples of 16 bytes; these have 128, aligned to 1}}
sluice.kernel @line_anywhere(%X: !sluice.tensor<?x64xf16> {sluice.name = "X", sluice.line}) {
}

// -----

// expected-error @+1 {{argument 0: sluice.line takes lines that begin at multiples of 16 bytes; these have 136, aligned to 16}}
sluice.kernel @line_of_pieces(%X: !sluice.tensor<?x68xf16, align 16>
    {sluice.name = "X", sluice.line}) {
}

// -----

// expected-error @+1 {{argument 0: sluice.line is of the NVIDIA targets}}
sluice.kernel @line_of_ascend(%X: !sluice.tensor<?x64xf16, align 16>
    {sluice.name = "X", sluice.line}) attributes {target = "ascend910b"} {
}

// -----

// expected-error @+1 {{argument 1: sluice.in_place names 'X', and one of them alone is marked sluice.line}}
sluice.kernel @line_in_place(%X: !sluice.tensor<?x64xf16, align 16>
    {sluice.name = "X", sluice.line},
    %Y: !sluice.tensor<?x64xf16, align 16>
    {sluice.name = "Y", sluice.out, sluice.in_place = "X"}) {
}

// -----

sluice.kernel @k() {
  %x = sluice.alloc "x" : !sluice.buffer<8x4xf32>
  %y = sluice.alloc "y" : !sluice.buffer<8x1xf32>
  // expected-error @+1 {{'sluice.reduce' op sluice.across, a coordinate of the grid (0 to 2), stands on a fold of rows (axis 0) or a copy of a turned vector}}
  sluice.reduce ins(%x : !sluice.buffer<8x4xf32>) outs(%y : !sluice.buffer<8x1xf32>)
      axis 1 from [0.0] attributes {sluice.across = 0} {
  ^bb0(%s: f32, %v: f32):
    %r = arith.addf %s, %v : f32
    sluice.yield %r : f32
  }
}

// -----

sluice.kernel @k() {
  %x = sluice.alloc "x" : !sluice.buffer<8x1xf32>
  %y = sluice.alloc "y" : !sluice.buffer<1x12xf32>
  %t = sluice.transpose %x : <8x1xf32>
  // expected-error @+1 {{'sluice.copy' op copies 1x8 to 1x12; take a subview or transpose}}
  sluice.copy %t to %y {sluice.across = 0} : <1x8xf32, minor 0>, <1x12xf32>
}

// -----

sluice.kernel @k() attributes {phase = "placed", cluster = array<i64: 2, 1, 1>} {
  %x = sluice.alloc "x" : !sluice.buffer<8x1xf32, smem, row>
  %y = sluice.alloc "y" : !sluice.buffer<16x1xf32, smem, row>
  // expected-error @+1 {{'sluice.cluster.gather' op goes from registers to shared memory}}
  sluice.cluster.gather %x to %y : <8x1xf32, smem, row>, <16x1xf32, smem, row>
}

// -----

sluice.kernel @k() attributes {phase = "placed", cluster = array<i64: 2, 1, 1>} {
  %x = sluice.alloc "x" : !sluice.buffer<8x1xf32, reg, blockedRowVector>
  %y = sluice.alloc "y" : !sluice.buffer<32x1xf32, smem, row>
  // expected-error @+1 {{'sluice.cluster.gather' op needs room for 8x1 'f32' of each CTA of a cluster of 2; the destination is 32x1 'f32'}}
  sluice.cluster.gather %x to %y : <8x1xf32, reg, blockedRowVector>, <32x1xf32, smem, row>
}

// -----

sluice.kernel @k(%A: !sluice.tensor<?x?xf16>) {
  %M = sluice.dim %A, 0 : <?x?xf16>
  // expected-error @+1 {{'sluice.grid' op sluice.pair asks for clusters of two CTAs: cluster = array<i64: 2, 1>}}
  %i = sluice.grid %M {sluice.pair} : index
}

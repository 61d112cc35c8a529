// RUN: sluice-opt %s -sluice-verify-phase -split-input-file -verify-diagnostics
// What may stand in which phase: the table of lib/Dialect/Phases.cpp.

sluice.kernel @roles_at_tile_level() {
  // expected-error @+1 {{'sluice.role' op has no place in phase 'tile'; it belongs to pipeline, barrier, allocated}}
  sluice.role "load" warps 0 to 4 {
  }
}

// -----

sluice.kernel @pipelines_at_barrier_level() attributes {phase = "barrier"} {
  // expected-error @+1 {{'sluice.pipeline' op has no place in phase 'barrier'; it belongs to pipeline}}
  %p = sluice.pipeline "p" from ["a"] to ["b"] : !sluice.pipeline<2>
}

// -----

sluice.kernel @barriers_at_pipeline_level() attributes {phase = "pipeline"} {
  // expected-error @+1 {{'sluice.mbarrier.alloc' op has no place in phase 'pipeline'; it belongs to barrier, allocated}}
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<2>
}

// -----

// The first operation in the order of the text is named, also inside a loop.
sluice.kernel @flags_at_placed_level() attributes {phase = "placed"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %t = %c0 to %c1 step %c1 {
    // expected-error @+1 {{'sluice.set_flag' op has no place in phase 'placed'; it belongs to barrier, allocated}}
    sluice.set_flag MTE2 to MTE1[%c0]
    sluice.wait_flag MTE2 to MTE1[%c0]
  }
}

// -----

sluice.kernel @products_at_barrier_level() attributes {phase = "barrier"} {
  %d = sluice.alloc "d" : !sluice.buffer<16x16xf32, reg, acc>
  %a = sluice.alloc "a" : !sluice.buffer<16x16xf16, smem>
  // expected-error @+1 {{'sluice.mma' op has no place in phase 'barrier'; it belongs to tile, placed, pipeline}}
  sluice.mma %d, %a, %a : <16x16xf32, reg, acc>, <16x16xf16, smem>, <16x16xf16, smem>
}

// -----

sluice.kernel @other_dialects() {
  // expected-error @+1 {{'builtin.unrealized_conversion_cast' op is no operation of a kernel; kernels use sluice, arith, math and scf (for, if, while)}}
  %x = builtin.unrealized_conversion_cast to index
}

// -----

sluice.kernel @rings_at_tile_level() {
  // expected-error @+1 {{'sluice.alloc' op is a ring in phase 'tile'; rings belong to pipeline, barrier, allocated (above, sluice.stages on the loop asks for one)}}
  %a = sluice.alloc "a" : !sluice.buffer<16x16xf16, slots 2>
}

// -----

sluice.kernel @unplaced() attributes {phase = "placed"} {
  // expected-error @+1 {{'sluice.alloc' op has no memory space in phase 'placed'; only tile leaves it open}}
  %a = sluice.alloc "a" : !sluice.buffer<16x16xf16>
}

// -----

sluice.kernel @unallocated() attributes {phase = "allocated"} {
  %r = sluice.alloc "r" : !sluice.buffer<16x16xf16, reg>
  // expected-error @+1 {{'sluice.alloc' op has no offset in phase 'allocated'; write `at`}}
  %a = sluice.alloc "a" : !sluice.buffer<16x16xf16, smem>
}

// -----

sluice.kernel @unallocated_barriers() attributes {phase = "allocated"} {
  // expected-error @+1 {{'sluice.mbarrier.alloc' op has no offset in phase 'allocated'; write `at`}}
  %b = sluice.mbarrier.alloc "b" : !sluice.mbarrier<2>
}

// -----

sluice.kernel @unknown_role() attributes {phase = "pipeline"} {
  // expected-error @+1 {{'sluice.pipeline' op names 'lode'; the kernel has no such role}}
  %p = sluice.pipeline "ring" from ["lode"] to ["mma"] : !sluice.pipeline<2>
  sluice.role "mma" warps 0 to 4 {
  }
}

// -----

sluice.kernel @wrong_side() attributes {phase = "pipeline"} {
  %p = sluice.pipeline "ring" from ["load"] to ["mma", "sums"] : !sluice.pipeline<2>
  %at = sluice.cursor : !sluice.cursor<2>
  sluice.role "load" warps 0 to 4 {
    sluice.acquire %p[%at] : <2>
    // expected-error @+1 {{'sluice.wait' op is executed by 'load', but 'ring' has the consumers mma, sums}}
    sluice.wait %p[%at] : <2>
  }
  sluice.role "mma" warps 4 to 8 {
  }
  sluice.role "sums" warps 8 to 12 {
  }
}

// -----

// One stream on Ascend: the pipe is the agent.
sluice.kernel @wrong_pipe() attributes {target = "ascend910b", phase = "pipeline"} {
  %p = sluice.pipeline "ring" from ["MTE2"] to ["MTE1"] : !sluice.pipeline<2>
  %at = sluice.cursor : !sluice.cursor<2>
  // expected-error @+1 {{'sluice.commit' op is executed by 'M', but 'ring' has the producers MTE2}}
  sluice.commit %p[%at] on M : <2>
}

// -----

// Below the pipeline level a load is a copy by threads; in it, TMA may yet take it.
sluice.kernel @hint_before_tma(%A: !sluice.tensor<?x?xf16, align 16>)
    attributes {phase = "pipeline"} {
  %c0 = arith.constant 0 : index
  %a = sluice.alloc "a" : !sluice.buffer<16x64xf16, smem, sw128>
  sluice.load %A[%c0, %c0] to %a cache evict_first : <?x?xf16, align 16>, <16x64xf16, smem, sw128>
}

// -----

sluice.kernel @hint_of_a_load(%A: !sluice.tensor<?x?xf16>) attributes {phase = "barrier"} {
  %c0 = arith.constant 0 : index
  %a = sluice.alloc "a" : !sluice.buffer<16x64xf16, smem, sw128>
  // expected-error @+1 {{'sluice.load' op cache evict_first in phase 'barrier', where it is a copy by threads; sluice.tma.load and sluice.tma.store take it}}
  sluice.load %A[%c0, %c0] to %a cache evict_first : <?x?xf16>, <16x64xf16, smem, sw128>
}

// -----

sluice.kernel @hint_of_a_store(%A: !sluice.tensor<?x?xf16> {sluice.out}) attributes {phase = "barrier"} {
  %c0 = arith.constant 0 : index
  %a = sluice.alloc "a" : !sluice.buffer<16x64xf16, smem, sw128>
  // expected-error @+1 {{'sluice.store' op cache evict_last in phase 'barrier', where it is a copy by threads; sluice.tma.load and sluice.tma.store take it}}
  sluice.store %a to %A[%c0, %c0] cache evict_last : <16x64xf16, smem, sw128>, <?x?xf16>
}

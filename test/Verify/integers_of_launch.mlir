// RUN: sluice check %s --set a=4 I=4 T=64x32 | FileCheck %s --check-prefix=EVERY
// RUN: sluice check %s --this-launch --set a=4 I=4 T=64x32 | FileCheck %s --check-prefix=THIS
// A verdict for one launch is one for the numbers that the launch gives, or says which it took.
// EVERY: {{^}}proven: every launch
// EVERY-NOT: integers:
// THIS: {{^}}proven: this launch
// THIS: {{^}}assuming integers: all numbers of I are 1, as none are given
sluice.kernel @k(%T: !sluice.tensor<?x32xf32> {sluice.name = "T", sluice.inout}, %I: !sluice.tensor<?xi32> {sluice.name = "I"}, %a: index {sluice.name = "a"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %x = sluice.grid %a : index
  %t = sluice.alloc "t" : !sluice.buffer<16x32xf32, reg, blocked>
  sluice.fill %t with 1.0 : <16x32xf32, reg, blocked>
  %l = sluice.scalar_load %I[%x] : <?xi32>
  %u = sluice.uniform %l : index
  %y = arith.addi %u, %x : index
  %row = arith.muli %y, %c16 : index
  sluice.store %t to %T[%row, %c0] : <16x32xf32, reg, blocked>, <?x32xf32>
}

// RUN: sluice check %s | FileCheck %s
// The groups of a list: CTA i stores rows L[i] up to L[i + 1], 32 at a time; that the list goes up is assumed.
// CHECK: {{^}}proven: every launch
// CHECK: {{^}}assuming tiles-apart: parts of Y that numbers of tensors place do not overlap
sluice.kernel @k(%L: !sluice.tensor<?xi32> {sluice.name = "L"},
                 %Y: !sluice.tensor<?x64xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %ends = sluice.dim %L, 0 : <?xi32>
  %groups = arith.subi %ends, %c1 : index
  %i = sluice.grid %groups : index
  %after = arith.addi %i, %c1 : index
  %first = sluice.scalar_load %L[%i] : <?xi32>
  %end = sluice.scalar_load %L[%after] : <?xi32>
  %own = sluice.clip %Y, 0 to %end : <?x64xf32>
  %r = sluice.alloc "r" : !sluice.buffer<32x64xf32, reg, blocked>
  sluice.fill %r with 1.0 : <32x64xf32, reg, blocked>
  scf.for %row = %first to %end step %c32 {
    sluice.store %r to %own[%row, %c0] : <32x64xf32, reg, blocked>, <?x64xf32>
  }
}

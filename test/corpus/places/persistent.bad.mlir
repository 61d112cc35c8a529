// RUN: not sluice check %s | FileCheck %s
// persistent.ok with a step that is one CTA short.
// CHECK: {{^}}violated
// CHECK: R27
sluice.kernel @k(%Y: !sluice.tensor<?x?xf32> {sluice.name = "Y", sluice.out})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c132 = arith.constant 132 : index
  %M = sluice.dim %Y, 0 : <?x?xf32>
  %N = sluice.dim %Y, 1 : <?x?xf32>
  %gm = arith.ceildivsi %M, %c32 : index
  %gn = arith.ceildivsi %N, %c32 : index
  %all = arith.muli %gm, %gn : index
  %ctas = arith.minsi %all, %c132 : index
  %cta = sluice.grid %ctas : index
  %r = sluice.alloc "r" : !sluice.buffer<32x32xf32, reg, blocked>
  sluice.fill %r with 1.0 : <32x32xf32, reg, blocked>
  %short = arith.subi %ctas, %c1 : index
  %step = arith.maxsi %short, %c1 : index
  scf.for %tile = %cta to %all step %step {
    %i = arith.divsi %tile, %gn : index
    %j = arith.remsi %tile, %gn : index
    %row = arith.muli %i, %c32 : index
    %col = arith.muli %j, %c32 : index
    sluice.store %r to %Y[%row, %col] : <32x32xf32, reg, blocked>, <?x?xf32>
  }
}

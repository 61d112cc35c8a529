// A tile of 32 rows for each CTA; of CTA 5000 those from `shift` rows further on.
sluice.kernel @k(%Y: !sluice.tensor<?x64xf32> {sluice.name = "Y", sluice.out},
                 %n: index {sluice.name = "n"}, %shift: index {sluice.name = "shift"})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c5000 = arith.constant 5000 : index
  %i = sluice.grid %n : index
  %row = arith.muli %i, %c32 : index
  %off = arith.cmpi eq, %i, %c5000 : index
  %more = arith.select %off, %shift, %c0 : index
  %here = arith.addi %row, %more : index
  %r = sluice.alloc "r" : !sluice.buffer<32x64xf32, reg, blocked>
  sluice.fill %r with 1.0 : <32x64xf32, reg, blocked>
  sluice.store %r to %Y[%here, %c0] : <32x64xf32, reg, blocked>, <?x64xf32>
}

// A loop of `a` rounds in `n` CTAs, each of which stores its tile.
sluice.kernel @k(%Y: !sluice.tensor<?x?xf32> {sluice.name = "Y", sluice.out},
                 %a: i32 {sluice.name = "a"}, %n: index {sluice.name = "n"})
    attributes {target = "sm_90a", phase = "barrier", warps = 4} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %rounds = arith.index_cast %a : i32 to index
  %i = sluice.grid %n : index
  %row = arith.muli %i, %c32 : index
  %r = sluice.alloc "r" : !sluice.buffer<32x64xf32, reg, blocked>
  sluice.fill %r with 1.0 : <32x64xf32, reg, blocked>
  scf.for %t = %c0 to %rounds step %c1 {
  }
  sluice.store %r to %Y[%row, %c0] : <32x64xf32, reg, blocked>, <?x?xf32>
}

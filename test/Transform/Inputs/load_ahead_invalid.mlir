sluice.kernel @on_a_loop(%A: !sluice.tensor<?x?xf16> {sluice.name = "A"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %t = %c0 to %c1 step %c1 {
  } {sluice.load_ahead}
}
// -----
sluice.kernel @turns(%A: !sluice.tensor<?x?xf16> {sluice.name = "A"}) {
  %c4 = arith.constant 4 : index
  %i = sluice.grid %c4 {persistent, sluice.turns = 2, sluice.load_ahead} : index
}

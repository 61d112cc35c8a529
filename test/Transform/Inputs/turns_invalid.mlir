sluice.kernel @turns(%A: !sluice.tensor<?x?xf16> {sluice.name = "A"}) {
  %c4 = arith.constant 4 : index
  %i = sluice.grid %c4 {sluice.turns = 2} : index
}

sluice.kernel @alone(%A: !sluice.tensor<?x?xf16> {sluice.name = "A"}) {
  %c4 = arith.constant 4 : index
  // expected-error @+1 {{sluice.stream stands on a persistent grid: tiles that a launch may have, 1 to 65536}}
  %i = sluice.grid %c4 {sluice.stream = 4} : index
}
// -----
sluice.kernel @number(%A: !sluice.tensor<?x?xf16> {sluice.name = "A"}) {
  %c4 = arith.constant 4 : index
  // expected-error @+1 {{sluice.stream stands on a persistent grid: tiles that a launch may have, 1 to 65536}}
  %i = sluice.grid %c4 {persistent, sluice.stream = 65537} : index
}
// -----
sluice.kernel @turns(%A: !sluice.tensor<?x?xf16> {sluice.name = "A"}) {
  %c4 = arith.constant 4 : index
  // expected-error @+1 {{sluice.stream beside sluice.turns; a CTA with parts of tiles is one that loads, multiplies and hands on}}
  %i = sluice.grid %c4 {persistent, sluice.turns = 2, sluice.stream = 4} : index
}
// -----
sluice.kernel @group(%A: !sluice.tensor<?x?xf16> {sluice.name = "A"}) {
  %c4 = arith.constant 4 : index
  // expected-error @+1 {{sluice.stream beside group; CTAs are in tiles that are far from each other at any time}}
  %i, %j = sluice.grid %c4, %c4 {persistent, group = 2, sluice.stream = 4} : index, index
}

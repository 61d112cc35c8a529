sluice.kernel @alone(%A: !sluice.tensor<?x?xf16> {sluice.name = "A"}) {
  %c4 = arith.constant 4 : index
  // expected-error @+1 {{sluice.dynamic, without a value, stands on a persistent grid}}
  %i = sluice.grid %c4 {sluice.dynamic} : index
}
// -----
sluice.kernel @turns(%A: !sluice.tensor<?x?xf16> {sluice.name = "A"}) {
  %c4 = arith.constant 4 : index
  // expected-error @+1 {{sluice.dynamic beside sluice.turns; two groups that take turns know their tiles ahead}}
  %i = sluice.grid %c4 {persistent, sluice.turns = 2, sluice.dynamic} : index
}
// -----
sluice.kernel @ahead(%A: !sluice.tensor<?x?xf16> {sluice.name = "A"}) {
  %c4 = arith.constant 4 : index
  // expected-error @+1 {{sluice.dynamic beside sluice.load_ahead; tiles that are drawn need a role that loads}}
  %i = sluice.grid %c4 {persistent, sluice.load_ahead, sluice.dynamic} : index
}
// -----
// expected-error @+3 {{sluice.dynamic is of the NVIDIA targets}}
sluice.kernel @ascend(%A: !sluice.tensor<?x?xf16> {sluice.name = "A"}) attributes {target = "ascend910b"} {
  %c0 = arith.constant 0 : index
  scf.for %t = %c0 to %c0 step %c0 {
  } {sluice.dynamic}
}

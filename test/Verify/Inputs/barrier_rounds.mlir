// Two warps meet in every round, at a barrier that each of them computes in its own way.
sluice.kernel @meet(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c100 = arith.constant 100 : index
  %c101 = arith.constant 101 : index
  %n = sluice.dim %X, 0 : <?x64xf16>
  %start = sluice.cursor : !sluice.cursor<3>
  sluice.role "left" warps 0 to 1 {
    scf.for %t = %c0 to %n step %c1 iter_args(%at = %start) -> (!sluice.cursor<3>) {
      %q = arith.divsi %t, %c4 : index // BEYOND
      %id = arith.minsi %q, %c16 : index // BEYOND
      %q = arith.cmpi sge, %t, %c100 : index // ONCE
      %id = arith.select %q, %c2, %c1 : index // ONCE
      %id = sluice.cursor.slot %at : <3> // RING
      %i = arith.addi %t, %c1 : index // LAST
      %q = arith.cmpi eq, %i, %n : index // LAST
      %id = arith.select %q, %c2, %c1 : index // LAST
      sluice.bar.sync %id, 64
      %next = sluice.cursor.advance %at : <3>
      scf.yield %next : !sluice.cursor<3>
    }
  }
  sluice.role "right" warps 1 to 2 {
    scf.for %t = %c0 to %n step %c1 {
      %q = arith.divsi %t, %c4 : index // BEYOND
      %id = arith.minsi %q, %c16 : index // BEYOND
      %q = arith.cmpi sge, %t, %c101 : index // ONCE
      %id = arith.select %q, %c2, %c1 : index // ONCE
      %id = arith.remsi %t, %c3 : index // RING
      %rest = arith.subi %n, %t : index // LAST
      %q = arith.cmpi sle, %rest, %c1 : index // LAST
      %id = arith.select %q, %c2, %c1 : index // LAST
      sluice.bar.sync %id, 64
    }
  }
}

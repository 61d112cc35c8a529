sluice.kernel @k(%A: !sluice.tensor<?x?xf16> {sluice.name = "A"}, %n: index {sluice.name = "n"})
    attributes {target = "sm_90a", phase = "barrier", warps = 1} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %c100 = arith.constant 100 : index
  %c4099 = arith.constant 4099 : index
  %c1000003 = arith.constant 1000003 : index
  %c3000000000 = arith.constant 3000000000 : index
  %rows = sluice.dim %A, 0 : <?x?xf16>
  %columns = sluice.dim %A, 1 : <?x?xf16>
  %doubled = arith.muli %rows, %c2 : index
  %few_rows = arith.cmpi sle, %doubled, %c100 : index
  sluice.assume %few_rows, "rows * 2 <= 100"
  %i = sluice.grid %c1 : index
  %sum = arith.addi %columns, %c1000003 : index
  %product = arith.muli %sum, %c4099 : index
  %rest = arith.remsi %product, %c7 : index
  %beyond = arith.addi %product, %c3000000000 : index
  %twice = arith.muli %rows, %c2 : index
  %square = arith.muli %twice, %twice : index
  %any = arith.divsi %columns, %n : index
  %left = arith.remsi %columns, %n : index
  %half = arith.divsi %columns, %c2 : index
  %parts = arith.ceildivsi %columns, %n : index
  %shifted = arith.shli %columns, %n : index
  %is_rest = arith.cmpi eq, %rest, %n : index
  scf.if %is_rest {
    sluice.bar.sync 0, 32
  }
  %is_beyond = arith.cmpi eq, %beyond, %n : index
  scf.if %is_beyond {
    sluice.bar.sync 0, 32
  }
  %is_square = arith.cmpi eq, %square, %n : index
  scf.if %is_square {
    sluice.bar.sync 0, 32
  }
  %is_any = arith.cmpi eq, %any, %n : index
  scf.if %is_any {
    sluice.bar.sync 0, 32
  }
  %is_left = arith.cmpi eq, %left, %n : index
  scf.if %is_left {
    sluice.bar.sync 0, 32
  }
  %is_half = arith.cmpi eq, %half, %n : index
  scf.if %is_half {
    sluice.bar.sync 0, 32
  }
  %is_parts = arith.cmpi eq, %parts, %n : index
  scf.if %is_parts {
    sluice.bar.sync 0, 32
  }
  %is_shifted = arith.cmpi eq, %shifted, %n : index
  scf.if %is_shifted {
    sluice.bar.sync 0, 32
  }
  %long = sluice.dim %A, 1 : <?x?xf16>
  %tiles = arith.muli %long, %columns : index
  scf.for %tile = %c0 to %tiles step %c1 {
    %row = arith.divsi %tile, %columns : index
    %is_row = arith.cmpi eq, %row, %n : index
    scf.if %is_row {
      sluice.bar.sync 0, 32
    }
  }
  %totals:2 = scf.for %far = %c0 to %n step %c3 iter_args(%total = %c0, %few = %c0) -> (index, index) {
    %more = arith.addi %total, %columns : index
    %most = arith.minsi %few, %c7 : index
    %next = arith.addi %most, %c3 : index
    scf.yield %more, %next : index, index
  }
  %all = arith.addi %totals#0, %totals#1 : index
  %is_all = arith.cmpi eq, %all, %n : index
  scf.if %is_all {
    sluice.bar.sync 0, 32
  }
}

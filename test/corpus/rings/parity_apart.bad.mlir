// RUN: not sluice check %s | FileCheck %s
// In the odd rounds of a ring of three slots and at slot 2 of one of five, which comes together in
// the eighteenth step, the first warp leaves the step out: a parity is taken for a number.
// Expected: R9.
// CHECK: R9 {{.*}}second warp 1 {{.*}} waits {{.*}} for named barrier 1
sluice.kernel @steps(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %false = arith.constant false
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16>
  %n = arith.ceildivsi %rows, %c64 : index
  %three = sluice.cursor : !sluice.cursor<3>
  %four = sluice.cursor : !sluice.cursor<5>
  sluice.role "first" warps 0 to 1 {
    %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
    scf.for %t = %c0 to %n step %c1 iter_args(%a = %three, %b = %four)
        -> (!sluice.cursor<3>, !sluice.cursor<5>) {
      %phase = sluice.cursor.phase %a : <3>
      %other = sluice.cursor.slot %b : <5>
      %odd = arith.cmpi eq, %phase, %c1 : index
      %there = arith.cmpi eq, %other, %c2 : index
      %skips = arith.andi %odd, %there : i1
      %goes = arith.cmpi eq, %skips, %false : i1
      scf.if %goes {
        sluice.bar.sync 1, 64
      }
      %next = sluice.cursor.advance %a : <3>
      %after = sluice.cursor.advance %b : <5>
      scf.yield %next, %after : !sluice.cursor<3>, !sluice.cursor<5>
    }
  }
  sluice.role "second" warps 1 to 2 {
    %w = sluice.alloc "w" : !sluice.buffer<64x64xf16, reg, blocked>
    scf.for %t = %c0 to %n step %c1 {
      sluice.bar.sync 1, 64
    }
  }
}

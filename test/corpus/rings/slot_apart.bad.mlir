// RUN: not sluice check %s | FileCheck %s
// At slot 2 of one ring and slot 3 of another, which comes in the twelfth step, the first warp leaves
// the step out: slots are told apart by their numbers.
// Expected: R9.
// CHECK: R9 {{.*}}second warp 1 {{.*}} waits {{.*}} for named barrier 1
sluice.kernel @steps(%X: !sluice.tensor<?x64xf16> {sluice.name = "X"})
    attributes {target = "sm_90a", phase = "barrier", warps = 2} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  %rows = sluice.dim %X, 0 : <?x64xf16>
  %n = arith.ceildivsi %rows, %c64 : index
  %three = sluice.cursor : !sluice.cursor<3>
  %four = sluice.cursor : !sluice.cursor<4>
  sluice.role "first" warps 0 to 1 {
    %v = sluice.alloc "v" : !sluice.buffer<64x64xf16, reg, blocked>
    scf.for %t = %c0 to %n step %c1 iter_args(%a = %three, %b = %four)
        -> (!sluice.cursor<3>, !sluice.cursor<4>) {
      %slot = sluice.cursor.slot %a : <3>
      %other = sluice.cursor.slot %b : <4>
      %sum = arith.muli %slot, %other : index
      %six = arith.muli %c2, %c3 : index
      %goes = arith.cmpi ne, %sum, %six : index
      scf.if %goes {
        sluice.bar.sync 1, 64
      }
      %next = sluice.cursor.advance %a : <3>
      %after = sluice.cursor.advance %b : <4>
      scf.yield %next, %after : !sluice.cursor<3>, !sluice.cursor<4>
    }
  }
  sluice.role "second" warps 1 to 2 {
    %w = sluice.alloc "w" : !sluice.buffer<64x64xf16, reg, blocked>
    scf.for %t = %c0 to %n step %c1 {
      sluice.bar.sync 1, 64
    }
  }
}
